"""A bot that a person may ask: what it would play, knowing what the person knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from iaww_agents.arena.play.faults import GuestFault, describe_error, explain_no_number
from iaww_agents.arena.play.guests import GuestBot
from iaww_agents.human.person import Advice
from iaww_env.bots.views import make_view
from iaww_env.errors import clean_text, quote
from iaww_env.game import Game

PATIENCE = 30.0  # seconds: nobody waits longer for a hint
HINT_SEED = 0


class Adviser:
    """A bot beside the table. It sees what the seat sees, and begins anew with every question.

    Attributes:
        spec: What names it.
    """

    def __init__(self, spec: str, make: Callable[[], Any]) -> None:
        """It is made at once, so that what is wrong with it is said before the game."""
        self.spec, self.bot = spec, make()

    def advise(self, game: Game, seat: int) -> Advice:
        """What the bot would play; a bot that fails costs nobody the game."""
        try:
            action = self.choose(game, seat)
        except GuestFault as fault:
            return Advice(f"{self.spec} cannot say: {fault.reason}")
        except Exception as error:  # a bot may fail in any way
            return Advice(f"{self.spec} cannot say: {clean_text(describe_error(error))}")
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            return Advice(f"{self.spec} cannot say: it {explain_no_number(action)}")
        if action not in game.legal_actions(seat):
            table = game.actions
            text = table.to_text(int(action)) if 0 <= action < len(table) else quote(int(action))
            return Advice(f"{self.spec} cannot say: it names {text}, which is not legal here")
        return Advice(f"{self.spec} would play {game.actions.to_text(int(action))}", int(action), self.spec)

    def choose(self, game: Game, seat: int) -> Any:
        """What the bot answers, asked as if it sat in the seat; a guest that hangs is ended."""
        if isinstance(self.bot, GuestBot):
            self.bot.allowed = PATIENCE
        reset = getattr(self.bot, "reset", None)
        if callable(reset):
            reset(seat, game.config, HINT_SEED)
        return self.bot.act(make_view(game, seat, getattr(self.bot, "profile", "full")))
