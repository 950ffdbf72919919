"""What bots thought of their actions while they played, as it is kept in records."""

from __future__ import annotations

from typing import Any

from iaww_agents.arena.play.match import Make
from iaww_agents.base import Agent
from iaww_env.game import Game
from iaww_env.records.form import Thought

DIGITS = 4  # behind the point


class ThoughtKeeper:
    """Asks the bots of a game what they chose by; those of others, which play elsewhere, are not asked.

    Attributes:
        thoughts: Of the moves so far.
    """

    def __init__(self, make: Make) -> None:
        """Stand between a match and what gives it its bots."""
        self.thoughts: list[Thought] = []
        self._make, self._bots, self._moves = make, dict[int, Any](), 0

    def make(self, seat: int) -> Any:
        """The bot of a seat."""
        self._bots[seat] = self._make(seat)
        return self._bots[seat]

    def note(self, game: Game, seat: int, action: int) -> None:
        """A move is about to be played; what is forced nobody has thought about."""
        bot = self._bots.get(seat)
        if isinstance(bot, Agent) and len(game.legal_actions(seat)) > 1:
            weighed = bot.explain()
            if weighed is not None:
                texts = game.actions.to_text
                values = {texts(one): round(value, DIGITS) for one, value in weighed.values.items()}
                self.thoughts.append(Thought(self._moves, weighed.of, values))
        self._moves += 1
