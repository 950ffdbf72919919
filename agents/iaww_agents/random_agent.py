"""The floor of the ladder: uniformly random legal play."""

from __future__ import annotations

import numpy as np

from iaww_agents.base import Agent, View
from iaww_env.actions import action_table
from iaww_env.bots.numbers import check_flag
from iaww_env.config import GameConfig
from iaww_env.engine.kernels import lanes


class RandomAgent(Agent):
    """Plays a uniformly random legal action.

    Uniform play gives up nearly every card under construction and ends with an empty table, so it is a poor
    floor; `random:nodiscard` never gives one up.
    """

    def __init__(self, nodiscard: bool = False) -> None:
        """Make the bot.

        Args:
            nodiscard: Never give up a card under construction.
        """
        self.nodiscard = check_flag("random", "nodiscard", nodiscard)
        self.lane_code = lanes.RANDOM_NODISCARD if self.nodiscard else lanes.RANDOM
        self._rng = np.random.default_rng(0)

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Begin the stream of the game."""
        self._rng = np.random.default_rng(seed)
        table = action_table(config.expansions)
        self._discards = range(table.discard, table.discard + table.cards)

    def act(self, view: View) -> int:
        """Draw one of the legal actions."""
        legal = view.legal_actions()
        if self.nodiscard:
            # Something else than a discard is always legal.
            legal = [action for action in legal if action not in self._discards]
        return legal[int(self._rng.integers(len(legal)))]
