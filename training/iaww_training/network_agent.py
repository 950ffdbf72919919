"""A trained network as a bot, for tournaments and as an opponent.

iaww tournament iaww_training.network_agent:NetworkAgent:path=runs/selfplay.pt greedy --players 4
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from iaww_agents.base import BatchAgent
from iaww_env.bots.views import BatchView, View
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.observation import observation_table
from iaww_env.random_games import mask_out_discards
from iaww_training.network import list_legal, load_network


class NetworkAgent(BatchAgent):
    """Plays the action that a network scores highest; never gives up a card under construction by default."""

    def __init__(self, path: str, discards: bool = False) -> None:
        """Load the network.

        Args:
            path: File of `save_network`.
            discards: Also give up cards under construction, for networks that learnt it.
        """
        self._network = load_network(Path(path))
        self._discards = discards
        self.profile = self._network.table.profile  # type: ignore[misc]  # the network's, not the class's

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat, in a game of those that the network knows."""
        self.reset_batch(config)

    def reset_batch(self, config: GameConfig) -> None:
        """Take seats in many games."""
        known, here = self._network.table, observation_table(config, self.profile)
        if (known.config.kinds, known.pieces) != (config.kinds, here.pieces):
            raise ConfigError(f"the network has learnt {known.config}; it cannot see a game of {config}")

    def act(self, view: View) -> int:
        """One decision."""
        return int(self._choose(view.config, view.observation[None], view.action_mask[None])[0])

    def act_batch(self, view: BatchView) -> npt.NDArray[np.int64]:
        """Many decisions at once."""
        return self._choose(view.config, view.observations, view.action_masks)

    @torch.no_grad()
    def _choose(
        self, config: GameConfig, seen: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        if not self._discards:
            masks = masks * mask_out_discards(config.expansions)
        legal = list_legal(torch.from_numpy(masks))
        scores, _ = self._network(torch.from_numpy(np.array(seen)), legal)
        best = scores.argmax(1, keepdim=True)
        chosen: npt.NDArray[np.int64] = legal.actions.gather(1, best)[:, 0].numpy()
        return chosen
