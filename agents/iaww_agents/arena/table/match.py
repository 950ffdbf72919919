"""A game in which a person has a seat: told what happens, asked for a hint, and free to take decisions back.

Taking back is honest: decisions of a seat touch no other seat before the phase ends, so all of those since
the last moment at which the person has learnt something can be undone. Such a moment is the end of a phase,
the reveal of a pick, the next pool in solo, and cards that are dug up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from iaww_agents.arena.play.match import Clock, Make, Match
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.table.advising import Adviser
from iaww_agents.arena.table.game_file import GameFile
from iaww_agents.human.chronicle import Chronicle
from iaww_agents.human.person import Offers
from iaww_agents.human.wording import Wording
from iaww_env.bots.views import View, make_view
from iaww_env.game import Game

NOTHING_YET = "there is nothing to take back in this phase"
PICKED = "a pick stands once all have picked"
NEXT_POOL = "what was decided before the next pool was seen stands"
DUG = "what was decided before the cards were dug up stands"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that can be taken back: the game before it, the moves until then, what was played."""

    game: Game
    moves: int
    action: int


class Person(Protocol):
    """Who decides for a seat, wherever that is asked and told: at the terminal, in the browser."""

    @property
    def wording(self) -> Wording:
        """How things are called where the person reads."""

    def check_presence(self) -> None:
        """Asked around the decisions of others; raises `GameLeft` where the person has gone meanwhile."""

    def decide(self, view: View, offers: Offers) -> int | None:
        """A legal action, or None where the last decision is taken back."""

    def tell(self, text: str) -> None:
        """Something to be read."""

    def tell_move(self, before: Game, action: int, after: Game, *, forced: bool) -> None:
        """What the person has just played, and what came of it."""


class TableMatch(Match):
    """A match with a person in one seat."""

    def __init__(
        self, fixture: Fixture, make: Make, person: Person, seat: int, adviser: Adviser, file: GameFile
    ) -> None:
        """Deal the game and seat everybody."""
        super().__init__(fixture, make, Clock(), file.note)
        self.person, self.seat, self.adviser, self.file = person, seat, adviser, file
        self.chronicle = Chronicle(seat, fixture.agents, person.wording)
        self.decided: list[Decision] = []
        self.no_undo = NOTHING_YET

    def play_next(self, seat: int) -> None:
        """Ask the bot of a seat, or the person; what is forced is told and played."""
        if seat != self.seat:
            self.person.check_presence()
            super().play_next(seat)
            self.person.check_presence()
            return
        self.tell_news()
        game = self.game
        legal = game.legal_actions(seat)
        if len(legal) == 1 and not (self.decided and reveals(game, seat, legal[0])):
            self.play_own(legal[0], forced=True)
            return
        offers = Offers(lambda: self.adviser.advise(game, seat), "" if self.decided else self.no_undo)
        action = self.person.decide(make_view(game, seat), offers)
        if action is None:
            self.take_back()
            return
        self.decisions += len(legal) > 1
        self.decided.append(Decision(game.clone(), len(self.moves), action))
        self.play_own(action, forced=False)

    def play_action(self, seat: int, action: int) -> None:
        """Play an action; the chronicle is told, and what was decided before a reveal stands."""
        before = self.game.clone()
        super().play_action(seat, action)
        self.chronicle.note(before, seat, action, self.game)
        why = find_reveal(before, self.game)
        if why:
            self.decided, self.no_undo = [], why

    def play_own(self, action: int, *, forced: bool) -> None:
        """Play an action of the person, and tell what came of it."""
        before = self.game.clone()
        self.play_action(self.seat, action)
        self.person.tell_move(before, action, self.game, forced=forced)

    def take_back(self) -> None:
        """The game stands as it stood before the last decision."""
        last = self.decided.pop()
        count = len(self.moves) - last.moves
        self.file.take_back(count)
        self.chronicle.forget(count)
        del self.moves[last.moves :]
        self.game = last.game
        self.decisions -= len(self.game.legal_actions(self.seat)) > 1
        text = self.game.actions.to_text(last.action)
        self.person.tell(f"  taken back: {self.person.wording.name_action(self.game, self.seat, text)}")

    def tell_news(self) -> None:
        """What has happened since the person was asked last."""
        for line in self.chronicle.take_news():
            self.person.tell(line)


def reveals(game: Game, seat: int, action: int) -> bool:
    """Whether nothing can be taken back once a seat has played this."""
    after = game.clone()
    after.step(seat, action)
    return bool(find_reveal(game, after)) or bool(after.state.acted[seat])


def find_reveal(before: Game, after: Game) -> str:
    """Why a seat's decisions stand after a move, or nothing where no seat has learnt anything by it."""
    old, new = before.state, after.state
    if after.config.solo and new.pack_size and not old.pack_size:
        return DUG
    if (before.round, before.phase) != (after.round, after.phase):
        return NOTHING_YET
    if old.pick != new.pick:
        return PICKED
    return NEXT_POOL if old.sequence != new.sequence else ""
