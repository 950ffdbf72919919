"""What happens at the table between two decisions of a person, in wording.

Moves of others are told when their phase is over (in the draft: when the picks are revealed), not before:
until then nobody sees them. Production and supremacy are told as each step begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from iaww_agents.human.changes import list_built, tell_changes
from iaww_agents.human.wording import TYPED, Wording
from iaww_env.cards import RESOURCES
from iaww_env.game import Game
from iaww_env.render.seen import SeenGame, look_at_game

# How the verbs are told; `end` and `use` say nothing that the others do not.
TOLD = {
    "slate": "slated",
    "recycle": "recycled",
    "discard": "gave up",
    "place": "placed on",
    "to_empire": "put cubes on the empire card:",
    "choose": "chose",
}


class Chronicle:
    """Takes every move, and tells one seat what it may know of them."""

    def __init__(self, seat: int, names: Sequence[str], wording: Wording = TYPED) -> None:
        """The game begins.

        Args:
            seat: Who is told.
            names: Who plays, by seat.
            wording: How things are called.
        """
        self.seat, self.wording = seat, wording
        self.names = [f"seat {number} ({name})" for number, name in enumerate(names)]
        self.news: list[str] = []
        self._moves: dict[int, list[int]] = {}
        self._began: SeenGame | None = None

    def note(self, before: Game, seat: int, action: int, after: Game) -> None:
        """A move was played: the game before and after it."""
        self._began = self._began or look_at_game(before, self.seat)
        self._moves.setdefault(seat, []).append(action)
        if find_phase(before) == find_phase(after):
            return
        began, now = self._began, look_at_game(after, self.seat)
        self.news += self._tell_picks(before) if before.phase == "draft" else self._tell_phase(began, now)
        if after.phase in RESOURCES:
            self.news += self._tell_production(before, after, now)
        self._moves, self._began = {}, now

    def take_news(self) -> list[str]:
        """What was not told yet."""
        news, self.news = self.news, []
        return news

    def forget(self, count: int) -> None:
        """The last moves of the person in this phase are taken back."""
        moves = self._moves.get(self.seat, [])
        del moves[len(moves) - count :]

    def _tell_picks(self, game: Game) -> list[str]:
        """What the others have picked, all at once."""
        picks = [
            f"{self.names[seat]} picked "
            f"{self.wording.name_card(game.actions.to_text(moves[0]).partition(':')[2])}"
            for seat, moves in sorted(self._moves.items())
            if seat != self.seat
        ]
        return [f"  {'; '.join(picks)}"] if picks else []

    def _tell_phase(self, began: SeenGame, now: SeenGame) -> list[str]:
        """What each of the others did in a phase that is over, and what it built."""
        told = []
        for seat, moves in sorted(self._moves.items()):
            parts = list_deeds(began.game, moves, self.wording)
            built = list_built(began.seats[seat], now.seats[seat], self.wording)
            parts += [f"built {', '.join(built)}"] if built else []
            if parts and seat != self.seat:
                told.append(f"  {self.names[seat]} {'; '.join(parts)}")
        return told

    def _tell_production(self, before: Game, after: Game, now: SeenGame) -> list[str]:
        """What every seat makes in the step that begins, who has its supremacy, and where cubes went."""
        resource = RESOURCES.index(after.phase)
        made = [f"{one.production[resource]} by {self._name(one.seat)}" for one in now.seats]
        old, new = before.state, after.state
        leads = [
            f"a general for {self._name(seat)}"
            for seat in list_grown(old.generals.tolist(), new.generals.tolist())
        ]
        leads += [
            f"a financier for {self._name(seat)}"
            for seat in list_grown(old.financiers.tolist(), new.financiers.tolist())
        ]
        leads += [f"a character for {self._name(one.seat)} to choose" for one in now.seats if one.must_choose]
        supremacy = f"; supremacy: {', '.join(leads)}" if leads else ""
        lines = [f"{after.phase} made: {', '.join(made)}{supremacy}"]
        stood = look_at_game(before, self.seat).seats[self.seat]
        own = tell_changes(stood, now.seats[self.seat], self.wording)
        return lines + ([f"  you: {'; '.join(own)}"] if own else [])

    def _name(self, seat: int) -> str:
        return "you" if seat == self.seat else f"seat {seat}"


def list_deeds(game: Game, moves: Sequence[int], wording: Wording = TYPED) -> list[str]:
    """Moves of a seat by verb: `slated zeppelin, harbor`."""
    table = game.actions
    by_verb: dict[str, Counter[str]] = {}
    for move in moves:
        kind = table.kind(move)
        named = wording.name_card(kind.id) if kind else table.to_text(move).partition(":")[2]
        by_verb.setdefault(table.verb(move), Counter())[named] += 1
    told = []
    for verb, said in TOLD.items():
        counts = by_verb.get(verb, Counter())
        items = [f"{named} x{n}" if n > 1 and named else named or str(n) for named, n in counts.items()]
        told += [f"{said} {', '.join(items)}"] if items else []
    return told


def find_phase(game: Game) -> tuple[int, ...]:
    """What others see of it: another one begins when all have ended a phase, or picked."""
    state = game.state
    return tuple(map(int, (state.round, state.phase, state.step, state.pick)))


def list_grown(old: Sequence[int], new: Sequence[int]) -> list[int]:
    """The seats whose number has grown."""
    return [seat for seat, (one, two) in enumerate(zip(old, new, strict=True)) if two > one]
