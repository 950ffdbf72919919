"""The seat of a person whose choices come from a page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iaww_agents.arena.browser.session import HINT, LEAVE, UNDO, Session
from iaww_agents.arena.browser.showing import describe_duty, list_choices, show_position
from iaww_agents.human.changes import describe_own_move
from iaww_agents.human.person import Advice, GameLeft, Offers
from iaww_agents.human.wording import SPOKEN
from iaww_env.bots.views import View
from iaww_env.game import Game
from iaww_env.viewer.moves import name_stage


class BrowserPerson:
    """Shows what the seat sees, and waits for what is chosen."""

    wording = SPOKEN

    def __init__(self, session: Session, seat: int, agents: Sequence[str] = ()) -> None:
        """Take a seat.

        Args:
            session: What all pages show.
            seat: Its number.
            agents: Who plays, by seat.
        """
        self.session, self.seat = session, seat
        # The own seat is marked as such already.
        self.agents = tuple("" if at == seat else agent for at, agent in enumerate(agents))

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
            panels=show_position(game, self.seat, self.agents),
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
        action, said = "", advice.said
        if advice.action is not None:
            action = game.actions.to_text(advice.action)
            said = f"{advice.by} would {self.wording.name_action(game, self.seat, action)}"
        self.session.show(hint={"words": said, "action": action})

    def check_presence(self) -> None:
        """Leaving waits for nobody but the bot that is thinking.

        Raises:
            GameLeft: The person has left the game.
        """
        if self.session.has_left:
            raise GameLeft

    def tell(self, text: str) -> None:
        """Something to be read."""
        self.session.tell(text.strip())

    def tell_move(self, before: Game, action: int, after: Game, *, forced: bool) -> None:
        """What the person has just played, and what came of it."""
        said = describe_own_move(
            before, self.seat, action, after, forced=forced, wording=self.wording
        ).strip()
        if said:
            self.tell(f"{'forced: ' if forced else ''}you {said.removeprefix('forced: ')}")
        self.session.show(stage=name_stage(after), panels=show_position(after, self.seat, self.agents))
