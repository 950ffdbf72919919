"""What the person is shown before a decision: when it is, the cards that it is about, what can be played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import wrap

from iaww_agents.human.changes import describe_state
from iaww_agents.human.numbers import ActionNumbers
from iaww_agents.human.reading import GLUE
from iaww_env.cards import RESOURCES
from iaww_env.game import Game
from iaww_env.render import phrases
from iaww_env.render.lines import Line, wrap_items, write_line
from iaww_env.render.seen import SeenGame, group_kinds, look_at_game
from iaww_env.render.text import LEGAL_HEAD, CardRow, render_cards, render_seats, render_table

LABELS = 11  # the column in which the actions of a verb begin
Write = Callable[[str], object]


class Screen:
    """Writes positions as one seat sees them.

    Attributes:
        write: Takes text.
        colour: Colour by ANSI escapes.
        width: Columns.
    """

    def __init__(self, write: Write, colour: bool, width: int) -> None:
        """Nothing has been shown."""
        self.write, self.colour, self.width = write, colour, width

    def tell(self, text: str) -> None:
        """Write sentences: what is too long goes on below, indented."""
        for line in text.split("\n"):
            indent = " " * (len(line) - len(line.lstrip(" ")))
            rows = wrap(
                line.strip(" "),
                self.width,
                initial_indent=indent,
                subsequent_indent=f"{indent}    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            for row in rows if len(line) > self.width else [line]:
                self.write(row.replace(GLUE, " "))

    def show_table(self, game: Game, seat: int) -> None:
        """The whole table as the seat sees it, without the legal actions: they follow with their numbers."""
        table = render_table(game, seat, colour=self.colour, width=self.width)
        lines = table.split("\n")
        heads = [i for i, line in enumerate(lines) if LEGAL_HEAD in line]
        self.write("\n" + "\n".join(lines[: heads[-1]] if heads else lines).rstrip())

    def show_phase(self, game: Game, seat: int, numbers: ActionNumbers, *, is_first: bool = False) -> None:
        """A phase, a pick or a sequence begins: the seat in short, and the cards that can be decided on.

        Who sits down alone is told first what there is to be reached.
        """
        seen = look_at_game(game, seat)
        about = phrases.describe_table(seen)
        head = [about[0], *([about[2]] if game.config.solo else [])]
        goal = phrases.describe_goal(game) if is_first and game.config.solo else []
        self.tell("\n" + "\n".join([*head, *goal]))
        if not game.config.solo and (game.phase == "planning" or is_first_pick(game)):
            self.write("\n" + render_seats(seen, colour=self.colour, width=self.width))
        else:
            self.tell(describe_state(seen.seats[seat]))
        verbs = {game.actions.verb(one) for one in game.legal_actions(seat)}
        if game.phase not in RESOURCES or verbs & {"place", "use"}:
            self.show_cards(game, seat, numbers)

    def show_cards(self, game: Game, seat: int, numbers: ActionNumbers) -> None:
        """The cards that the seat decides on, each with what it asks and gives."""
        seen = look_at_game(game, seat)
        own = seen.seats[seat]
        if own.hand:
            picks = {game.actions.kind(one): one for one in game.legal_actions(seat)}
            rows: list[CardRow] = []
            for kind, count in group_kinds(own.hand):
                number = f"{numbers.find_number(picks[kind]):>2} " if kind in picks else "   "
                rows.append(([(number, ""), (phrases.name_kind(kind, count), kind.type)], kind, kind.cost))
            self._write_cards("dug up" if game.config.solo else "pick", "costs", rows)
            if not game.config.solo:
                self._write_drafted(seen, seat)
                return
        if own.drafted:
            rows = [
                ([(phrases.name_kind(kind, n), kind.type)], kind, kind.cost)
                for kind, n in group_kinds(own.drafted)
            ]
            self._write_cards("hand" if game.config.solo else "drafted", "costs", rows)
        if own.sites:
            rows = [([(site.label, site.kind.type)], site.kind, site.missing) for site in own.sites]
            self._write_cards("under construction", "missing", rows)

    def _write_cards(self, title: str, what: str, rows: list[CardRow]) -> None:
        self.write("\n" + render_cards(title, what, rows, colour=self.colour, width=self.width))

    def _write_drafted(self, seen: SeenGame, seat: int) -> None:
        """In the draft, the cards picked so far."""
        cards = group_kinds(seen.seats[seat].drafted)
        names: list[Line] = [[(phrases.name_kind(kind, n), kind.type)] for kind, n in cards]
        if names:
            self.write("")
            self._write_lines(wrap_items([("drafted", "")], names, LABELS, self.width, gap="  "))

    def show_choices(
        self, game: Game, seat: int, legal: Sequence[int], numbers: ActionNumbers, *, with_picks: bool
    ) -> None:
        """What can be played, by verb and in the order of the numbers; before it what waits to be placed.

        Picks are left out where they have just been shown, with their numbers beside the cards.
        """
        seen = look_at_game(game, seat)
        for label, spans in phrases.list_duties(seen.seats[seat], seen):
            self._write_lines([[(f"{label}: ", "bold"), (" ".join(text for text, _ in spans), "")]])
        by_verb: dict[str, list[Line]] = {}
        for action in sorted(legal, key=numbers.rank):
            kind, text = game.actions.kind(action), game.actions.to_text(action)
            item = (text.partition(":")[2], kind.type if kind else "")
            number = (f"{numbers.find_number(action)} ", "")
            by_verb.setdefault(game.actions.verb(action), []).append([number, item])
        if not with_picks:
            by_verb.pop("pick", None)
        for verb, items in by_verb.items():
            self._write_lines(wrap_items([(verb, "bold")], items, LABELS, self.width, gap="  "))

    def _write_lines(self, lines: Sequence[Line]) -> None:
        self.write("\n".join(write_line(line, self.colour) for line in lines))


def is_first_pick(game: Game) -> bool:
    """Whether a round has just begun."""
    return game.phase == "draft" and game.state.pick == 0
