"""What a network expects of the positions behind each action: the best of these is played, without a policy.

Every legal action is played in the same few worlds that agree with all the seat knows, and no further: what
the network expects there, on the mean over the worlds, is what the action is worth. How far its expectations
can be trusted is measured by `iaww_training.values.calibration`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from iaww_agents.base import View
from iaww_agents.ppo.bot import find_shipped
from iaww_agents.ppo_search.looking import LookingAgent
from iaww_agents.ppo_search.playouts import Lookahead
from iaww_agents.search.bot import MOST_WORLDS
from iaww_env.bots.numbers import check_whole
from iaww_env.config import GameConfig
from iaww_env.game import lend_row

WORLDS = 8
HERE = Path(__file__).resolve().parent
SHIPPED: dict[tuple[str, ...], str] = {
    (): "base.npz"
}  # by card pool; alone, and where there is none, the value of `ppo` is played


def find_value(config: GameConfig) -> Path:
    """The weights whose value is played: those beside this file, or of `ppo` where there are none."""
    own = SHIPPED.get(config.expansions)
    return find_shipped(config) if own is None or config.solo else HERE / own


class ValueAgent(LookingAgent):
    """A learnt value, one decision ahead."""

    def __init__(self, worlds: int = WORLDS, path: str | None = None) -> None:
        """Make the bot.

        Args:
            worlds: Sampled worlds for a decision.
            path: Weights whose value is played; by default those that come with this package.
        """
        self._worlds = check_whole("value", "worlds", worlds, 1, MOST_WORLDS)
        super().__init__(path, Lookahead(rounds=0))

    def find_weights(self, config: GameConfig) -> Path:
        """Those of its own, or of `ppo`."""
        return find_value(config)

    def act(self, view: View) -> int:
        """The action behind which most is expected."""
        self._weighed = {}
        actions = np.flatnonzero(view.action_mask * self._allowed).astype(np.int16)
        if len(actions) == 1:
            return int(actions[0])
        row = lend_row(view.sample_game(0))
        worlds = self._playouts.draw_worlds(row, view.seat, self._worlds, self._rng)
        values = self._playouts.compare(worlds, view.seat, actions).mean(axis=1)
        self._weighed = dict(zip(actions.tolist(), values.tolist(), strict=True))
        return int(actions[values.argmax()])
