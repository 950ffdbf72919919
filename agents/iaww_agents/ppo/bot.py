"""A network that scores the legal actions of a decision; the bot plays the one it scores highest.

One network plays the base game with 2 to 5 players, another Corruption & Ascension with 2 to 7, and two play
these alone, scenarios included, for the goal of the solo game. All are told what `heuristic` says of each
action, which is asked about an imagined game that agrees with what the seat knows. Their card beside them
says how they were trained and what they reach. A network of your own, from `iaww train`, is played by
`ppo:path=runs/mine/network.npz`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from iaww_agents.base import BatchAgent, View, Weighed
from iaww_agents.networks.files import read_weights
from iaww_agents.networks.forward import Forward
from iaww_agents.networks.inputs import PROFILE, Rows, Sources
from iaww_env.bots.numbers import check_flag
from iaww_env.bots.views import BatchView
from iaww_env.cards import EXPANSIONS
from iaww_env.config import GameConfig
from iaww_env.game import lend_row
from iaww_env.random_games import mask_out_discards

HERE = Path(__file__).resolve().parent
# By card pool and whether it is played alone.
SHIPPED = {
    ((), False): "base.npz",
    ((), True): "base_solo.npz",
    (EXPANSIONS, False): "ascension.npz",
    (EXPANSIONS, True): "ascension_solo.npz",
}


class PpoAgent(BatchAgent):
    """A network trained by self-play."""

    profile: ClassVar[str] = PROFILE

    def __init__(self, path: str | None = None, discards: bool = False) -> None:
        """Make the bot.

        Args:
            path: Weights to play; those that come with this package by default.
            discards: Also give up cards under construction, for networks that learnt it.
        """
        self._discards = check_flag("ppo", "discards", discards)
        self._path = None if path is None else Path(path)
        if self._path is not None:  # what is wrong with it is said before any game
            self.profile = load_forward(self._path).inputs.profile  # type: ignore[misc]  # of this network
        self._config: GameConfig | None = None
        self._scores: npt.NDArray[np.float32] | None = None  # of the last single decision

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat."""
        self._scores = None
        self.reset_batch(config)

    def reset_batch(self, config: GameConfig) -> None:
        """Take seats in many games."""
        if config != self._config:
            self._forward = load_forward(self._path or find_shipped(config))
            self._sources: Sources = self._forward.inputs.find(config)
            self.imagines = self._sources.adviser is not None
            self._allowed = mask_out_discards(config.expansions)
            self._config = config

    def act(self, view: View) -> int:
        """One decision."""
        rows = None
        if self._sources.adviser is not None:
            rows = Rows(lend_row(view.sample_game(0))[None], np.array([view.seat]))
        self._scores = self._score(view.observation[None], view.action_mask[None], rows)[0]
        return int(self._scores.argmax())

    def explain(self) -> Weighed | None:
        """How likely the network was to take each action in training."""
        if self._scores is None:
            return None
        odds = np.exp(self._scores - self._scores.max(), dtype=np.float64)
        shares = odds / odds.sum()
        return Weighed("probability", {int(one): float(shares[one]) for one in np.flatnonzero(shares)})

    def act_batch(self, view: BatchView) -> npt.NDArray[np.int64]:
        """Many decisions at once."""
        rows = None if view.imagined is None else Rows(view.imagined, view.seats)
        best: npt.NDArray[np.int64] = self._score(view.observations, view.action_masks, rows).argmax(1)
        return best

    def _score(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], rows: Rows | None
    ) -> npt.NDArray[np.float32]:
        if not self._discards:
            masks = masks * self._allowed
        return self._forward.score(self._sources, observations, masks, rows)[0]


def find_shipped(config: GameConfig) -> Path:
    """The weights that play a configuration, of those that come with this package."""
    return HERE / SHIPPED[config.expansions, config.solo]


@lru_cache(maxsize=8)
def load_forward(path: Path) -> Forward:
    """A network from its file, read once."""
    return Forward(*read_weights(path))
