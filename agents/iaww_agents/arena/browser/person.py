"""The seat of a person whose choices come from a page."""

from __future__ import annotations

import numpy as np

from iaww_agents.arena.browser.session import HINT, LEAVE, UNDO, Session
from iaww_agents.arena.browser.showing import describe_duty, list_choices, show_position
from iaww_agents.human.changes import describe_own_move
from iaww_agents.human.person import Advice, GameLeft, Offers
from iaww_env.bots.views import View
from iaww_env.game import Game
from iaww_env.viewer.moves import name_stage


class BrowserPerson:
    """Shows what the seat sees, and waits for what is chosen."""

    def __init__(self, session: Session, seat: int) -> None:
        """Take a seat."""
        self.session, self.seat = session, seat

    def decide(self, view: View, offers: Offers) -> int | None:
        """Ask until something is chosen; None where the last decision is taken back.

        Raises:
            GameLeft: The person has left the game.
        """
        game = view.sample_game(np.random.default_rng(0))  # whatever is hidden is drawn anew and not shown
        legal = view.legal_actions()
        choices = list_choices(game, self.seat, legal)
        self.session.ask(
            {choice["action"]: number for choice, number in zip(choices, legal, strict=True)},
            [choice["action"] for choice in choices if choice["loss"]],
            offers.no_undo,
            stage=name_stage(game),
            duty=describe_duty(game, self.seat, legal),
            panels=show_position(game, self.seat),
            choices=choices,
        )
        while True:
            request = self.session.await_request()
            if request.kind == LEAVE:
                raise GameLeft
            if request.kind == UNDO:
                return None
            if request.kind != HINT:
                return request.action
            self._tell_hint(game, offers.hint())

    def _tell_hint(self, game: Game, advice: Advice) -> None:
        action = "" if advice.action is None else game.actions.to_text(advice.action)
        self.session.show(hint={"words": advice.said, "action": action})

    def tell(self, text: str) -> None:
        """Something to be read."""
        self.session.tell(text.strip())

    def tell_move(self, before: Game, action: int, after: Game, *, forced: bool) -> None:
        """What the person has just played, and what came of it."""
        said = describe_own_move(before, self.seat, action, after, forced=forced)
        if said:
            self.tell(f"you: {said.strip()}")
        self.session.show(stage=name_stage(after), panels=show_position(after, self.seat))
