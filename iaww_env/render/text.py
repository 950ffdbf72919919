"""The game as text: a table to play from, and the whole position for `str(game)`.

Cards go by their ids, as in the action notation, so that what is read can be typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from iaww_env import rulebook
from iaww_env.actions import action_table
from iaww_env.cards import RESOURCES, SPACES, TYPES, Kind
from iaww_env.render import phrases
from iaww_env.render.lines import Line, Span, align_rows, measure_line, wrap_items, write_line
from iaww_env.render.seen import SeenGame, SeenSeat, group_kinds, look_at_game

if TYPE_CHECKING:
    from iaww_env.game import Game

LEAST_WIDTH = 80
LABELS = 17  # the column in which a seat's lists begin
LEAST_GAINS = 25  # columns that every single gain of a card fits into

LEGAL_HEAD = "Legal actions"
_OTHERS_HEAD = {
    True: "Other seats as they stood when the pick began",
    False: "Other seats as they stood when the phase began",
}
_FULL_HEADS = (*RESOURCES, *phrases.SHORT[len(RESOURCES) :])


CardRow = tuple[Line, Kind, tuple[int, ...]]
"""A card of a list: its name, its kind, and the spaces that are shown, in the order of `SPACES`."""


def describe_game(game: Game) -> str:
    """The whole position as plain text, hidden cards in hands and picks included: what `str(game)` gives."""
    return render_position(game, None)


def render_position(game: Game, seat: int | None, *, colour: bool = False, agents: Sequence[str] = ()) -> str:
    """The table as a seat sees it, or as a spectator does; at the end also where the points come from."""
    table = render_table(game, seat, colour=colour, agents=agents)
    return f"{table}\n\n{_show_points(game, colour)}" if game.over else table


def render_table(
    game: Game, seat: int | None, *, colour: bool = False, width: int = 100, agents: Sequence[str] = ()
) -> str:
    """The table as a seat sees it, to be played from.

    Args:
        game: The game.
        seat: Whose eyes to see with; None shows all seats to a spectator (decks stay face down).
        colour: Colour by ANSI escapes.
        width: Columns of the longest line, at least 80.
        agents: Who plays, by seat; empty where nobody knows.
    """
    width = max(width, LEAST_WIDTH)
    seen = look_at_game(game, seat, agents=agents)
    lines = [*_show_head(seen, width), [], *_show_seats(seen, width)]
    others = [one for one in seen.seats if one.seat != seat]
    if seat is not None and others:
        lines += [[], [(_OTHERS_HEAD[bool(game.state.phase == rulebook.DRAFT)], "")]] if not game.over else []
    for other in others:
        lines += [[], *_show_other(other, seen, width)]
    if seat is not None:
        lines += [[], *_show_own(seen.seats[seat], seen, width)]
        lines += [[], *_show_legal(seen, width)]
    return "\n".join(write_line(line, colour) for line in lines)


def render_cards(
    title: str, what: str, rows: list[CardRow], *, colour: bool = False, width: int = 100
) -> str:
    """Cards as the table shows those of the viewer: one line for each, with what it asks and gives.

    Args:
        title: Head of the column of names.
        what: "costs" or "missing": which spaces are shown.
        rows: The cards.
        colour: Colour by ANSI escapes.
        width: Columns of the longest line, at least 80.
    """
    lines = _show_cards([(title, what, rows)], max(width, LEAST_WIDTH))[1:]
    return "\n".join(write_line(line, colour) for line in lines)


def render_seats(seen: SeenGame, *, colour: bool = False, width: int = 100) -> str:
    """One line for each seat, as in the table."""
    return "\n".join(write_line(line, colour) for line in _show_seats(seen, max(width, LEAST_WIDTH)))


def _show_head(seen: SeenGame, width: int) -> list[Line]:
    """When it is, what is played, by whom if that is known; for a spectator also who must act."""
    lines: list[Line] = []
    played = ", ".join(f"seat {seat} {agent}" for seat, agent in enumerate(seen.agents) if agent)
    told = [*phrases.describe_table(seen), *([f"played by: {played}"] if played else [])]
    for number, text in enumerate(told):
        items: list[Line] = [[(word, "" if number else "bold")] for word in text.split()]
        lines += wrap_items([], items, 0, width)
    return lines


def _show_points(game: Game, colour: bool) -> str:
    """Where the points of each seat come from, in a line."""
    lines: list[Line] = [[("Where the points come from", "bold")]]
    for seat, points in enumerate(game.scores()):
        parts = [(f"{name} {n}", "") for name, n in game.score_breakdown(seat).parts.items() if n]
        lines += _show_list(f"seat {seat}: {points}", _separate_spans(parts), LEAST_WIDTH)
    return "\n".join(write_line(line, colour) for line in lines)


# --- All seats -------------------------------------------------------------------------------------


def _show_seats(seen: SeenGame, width: int) -> list[Line]:
    """One line for each seat: points, production, tokens, cubes on the empire card, cards built."""
    rows = [
        [
            [("> " if seat.seat == seen.viewer else "  ", "bold"), (str(seat.seat), "")],
            [(seat.empire.name_en, "")],
            [(str(seat.points), "bold")],
            *([(str(n), space)] for n, space in zip((*seat.production, *seat.tokens), SPACES, strict=True)),
            [(phrases.describe_empire_cubes(seat), "")],
            [(str(seat.n_built), "")],
        ]
        for seat in seen.seats
    ]
    lines: list[Line] = []
    for heads in (_FULL_HEADS, phrases.SHORT):
        spaces = [[span] for span in zip(heads, SPACES, strict=True)]
        before, after = (("  seat", "empire", "points"), ("cubes", "built"))
        head: list[Line] = [*([(text, "")] for text in before), *spaces, *([(text, "")] for text in after)]
        lines = align_rows([head, *rows], right=range(2, len(head)))
        if max(map(measure_line, lines)) <= width:
            break
    return lines


def _show_title(seat: SeenSeat, you: bool) -> Line:
    points = phrases.list_points(seat.empire)
    name = f"{'You, seat' if you else 'Seat'} {seat.seat}: {seat.empire.name_en}"
    return [(name, "bold"), *((f", {text}", "") for text, _ in points)]


def _show_list(label: str, items: Iterable[Line], width: int) -> list[Line]:
    return wrap_items([(f"  {label}", "")], items, LABELS, width)


def _separate(items: list[Line]) -> list[Line]:
    """The items with a comma behind each but the last."""
    return [[*item, (",", "")] for item in items[:-1]] + items[-1:]


def _separate_spans(spans: Iterable[Span]) -> list[Line]:
    return _separate([[span] for span in spans])


def _name_cards(cards: Iterable[tuple[Kind, int]]) -> list[Line]:
    return _separate([[(phrases.name_kind(kind, count), kind.type)] for kind, count in cards])


def _show_duties(seat: SeenSeat, seen: SeenGame, width: int) -> list[Line]:
    lines: list[Line] = []
    for label, spans in phrases.list_duties(seat, seen):
        lines += _show_list(label, [[span] for span in spans], width)
    return lines


def _show_counts(seat: SeenSeat, width: int) -> list[Line]:
    """Built cards by type, and what corruption takes away."""
    lines: list[Line] = []
    if seat.built:
        items: list[Line] = []
        for name in TYPES:
            cards = [(kind, n) for kind, n in seat.built if kind.type == name]
            if cards:
                named = _name_cards(cards)
                named[0] = [(f"{name} {seat.types_built[name]}: ", ""), *named[0]]
                named[-1] = [*named[-1], (";", "")]
                items += named
        items[-1].pop()
        lines += _show_list("built", items, width)
    if any(seat.corruption):
        lines += _show_list("corruption", _separate_spans(phrases.list_corruption(seat)), width)
    return lines


# --- Another seat ----------------------------------------------------------------------------------


def _show_other(seat: SeenSeat, seen: SeenGame, width: int) -> list[Line]:
    """A seat in short: hand, drafted cards, construction with missing spaces, built cards."""
    lines = [_show_title(seat, you=False), *_show_duties(seat, seen, width)]
    if seat.hand is None:
        lines += _show_list("hand", [[(f"{seat.hand_size} cards not seen yet", "")]], width)
    elif seat.hand:
        lines += _show_list("hand", _name_cards(group_kinds(seat.hand)), width)
    if seat.drafted:
        label = "hand" if seen.game.config.solo else "drafted"
        lines += _show_list(label, _name_cards(group_kinds(seat.drafted)), width)
    sites: list[Line] = []
    for site in seat.sites:
        missing = [part for span in phrases.list_amounts(site.missing) for part in ((", ", ""), span)][1:]
        sites.append([(site.label, site.kind.type), (" (", ""), *missing, (")", "")])
    if sites:
        lines += _show_list("construction", _separate(sites), width)
    return lines + _show_counts(seat, width)


# --- The viewer's own seat -------------------------------------------------------------------------


def _show_own(seat: SeenSeat, seen: SeenGame, width: int) -> list[Line]:
    """The viewer's seat in full, each card with what it asks and gives."""
    lines = [_show_title(seat, you=True), *_show_duties(seat, seen, width), *_show_counts(seat, width)]
    if seat.sites:
        lines += _show_list("open spaces", _separate_spans(phrases.list_amounts(seat.open)), width)
    solo = seen.game.config.solo
    sites: list[CardRow] = [([(site.label, site.kind.type)], site.kind, site.missing) for site in seat.sites]
    parts: list[tuple[str, str, list[CardRow]]] = [
        ("dug up" if solo else "hand", "costs", _list_cards(seat.hand or ())),
        ("hand" if solo else "drafted", "costs", _list_cards(seat.drafted)),
        ("under construction", "missing", sites),
    ]
    return lines + _show_cards([part for part in parts if part[2]], width)


def _list_cards(cards: Iterable[Kind]) -> list[CardRow]:
    return [([(phrases.name_kind(kind, n), kind.type)], kind, kind.cost) for kind, n in group_kinds(cards)]


def _show_cards(parts: list[tuple[str, str, list[CardRow]]], width: int) -> list[Line]:
    """One line for each card: type, spaces, the cube it recycles to, what it gives; columns in line."""
    rows: list[list[Line]] = []
    gains: list[list[Line]] = []
    for title, what, cards in parts:
        heads: list[Line] = [[span] for span in zip(phrases.SHORT, SPACES, strict=True)]
        rows.append([[(title, "bold")], [(what, "")], *heads, [("cube" if what == "costs" else "", "")]])
        gains.append([[("gives", "")]])
        for name, kind, spaces in cards:
            cells: list[Line] = [[(str(n or ""), space)] for n, space in zip(spaces, SPACES, strict=True)]
            cube = (phrases.SHORT_OF[kind.recycling] if what == "costs" else "", kind.recycling)
            rows.append([[("  ", ""), *name], [(kind.type, kind.type)], *cells, [cube]])
            gains.append(_separate_spans(phrases.list_gains(kind)))
    lines: list[Line] = []
    for row, line, items in zip(rows, align_rows(rows, right=range(2, 2 + len(SPACES))), gains, strict=True):
        is_head = row[0][0][1] == "bold"
        lines += [[]] if is_head else []
        lines += _append_gains(line, items, is_head, width)
    return lines


def _append_gains(line: Line, items: list[Line], is_head: bool, width: int) -> list[Line]:
    """What a card gives, behind its line, or below it where the columns do not suffice."""
    start = measure_line(line) + 1
    if width - start >= LEAST_GAINS:
        return wrap_items(line, items, start, width)
    return [line] if is_head else [line, *wrap_items([], items, 6, width)]


# --- Legal actions ---------------------------------------------------------------------------------


def _show_legal(seen: SeenGame, width: int) -> list[Line]:
    """The legal actions in the notation, each verb on its own lines."""
    table = action_table(seen.game.config.expansions)
    lines: list[Line] = [[(LEGAL_HEAD, "bold")]]
    by_verb: dict[str, list[Line]] = {}
    for text in seen.legal:
        action = table.parse(text)
        kind = table.kind(action)
        by_verb.setdefault(table.verb(action), []).append([(text, kind.type if kind else "")])
    for items in by_verb.values():
        lines += wrap_items([], items, 2, width, gap="  ")
    return lines
