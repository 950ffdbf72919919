"""The game as HTML for notebooks: tables, no scripts, readable on light and on dark pages."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from iaww_env.cards import RESOURCES, SPACES, TYPES, Kind, describe
from iaww_env.render import phrases
from iaww_env.render.lines import Span
from iaww_env.render.seen import SeenGame, SeenSeat, group_kinds, look_at_game

if TYPE_CHECKING:
    from iaww_env.game import Game

# Middle tones stand out from white and from black; "inherit" is the colour of the page's text.
COLOURS = {
    "materials": "#8a8a8a",
    "energy": "inherit",
    "science": "#2e9e4f",
    "gold": "#b8860b",
    "exploration": "#3b82d6",
    "krystallium": "#d0342c",
    "general": "#a855b8",
    "financier": "#17939b",
}
# Cards have the colour of the cube that they mostly make.
TYPE_COLOURS = {kind: COLOURS[resource] for kind, resource in zip(TYPES, RESOURCES, strict=True)}

_STYLE = (
    ".iaww{font-size:13px;line-height:1.35}"
    ".iaww p{margin:2px 0}"
    ".iaww table{border-collapse:collapse;margin:4px 0 10px}"
    ".iaww table th,.iaww table td{padding:2px 8px;text-align:left;vertical-align:top;"
    "border-bottom:1px solid rgba(128,128,128,.35)}"
    ".iaww table .n{text-align:right}"
    ".iaww div{padding-left:5px;margin:1px 0;white-space:nowrap;border-left:4px solid}"
)


def game_to_html(game: Game, seat: int | None = None) -> str:
    """The position as a small piece of HTML: what `Game` shows of itself in a notebook.

    Args:
        game: The game.
        seat: Whose eyes to see with; None shows all seats (decks stay face down).
    """
    seen = look_at_game(game, seat)
    head, *more = (escape(line) for line in phrases.describe_table(seen))
    title = "<br>".join([f"<b>{head}</b>", *more])
    tables = _show_seats(seen) + _show_cards(seen)
    return f'<div class="iaww"><style>{_STYLE}</style><p>{title}</p>{tables}</div>'


def _show_row(cells: Iterable[str], tag: str, texts: int) -> str:
    """One row of a table: the first cells hold text, the others numbers."""
    row = ""
    for number, cell in enumerate(cells):
        row += f"<{tag}>{cell}</{tag}>" if number < texts else f'<{tag} class="n">{cell}</{tag}>'
    return f"<tr>{row}</tr>"


def _show_table(heads: list[str], rows: list[list[str]], texts: int) -> str:
    body = "".join(_show_row(row, "td", texts) for row in rows)
    return f"<table><thead>{_show_row(heads, 'th', texts)}</thead><tbody>{body}</tbody></table>"


def _show_span(span: Span) -> str:
    text, style = span
    return f'<span style="color:{COLOURS[style]}">{escape(text)}</span>' if style in COLOURS else escape(text)


def _show_seats(seen: SeenGame) -> str:
    """One line for each seat: points, production, tokens, cubes on the empire card, cards built."""
    spaces = [_show_span((space, space)) for space in SPACES]
    heads = ["seat", "empire", "in hand or owed", "points", *spaces, "cubes", "built"]
    rows = []
    for seat in seen.seats:
        empire = ", ".join([seat.empire.name_en, *(text for text, _ in phrases.list_points(seat.empire))])
        numbers = zip((*seat.production, *seat.tokens), SPACES, strict=True)
        rows.append(
            [
                f"<b>{seat.seat} (you)</b>" if seat.seat == seen.viewer else str(seat.seat),
                escape(empire),
                _show_duties(seat, seen),
                f"<b>{seat.points}</b>",
                *(_show_span((str(number), space)) for number, space in numbers),
                phrases.describe_empire_cubes(seat),
                str(seat.n_built),
            ]
        )
    return _show_table(heads, rows, texts=3)


def _show_duties(seat: SeenSeat, seen: SeenGame) -> str:
    duties = phrases.list_duties(seat, seen)
    lines = [f"{label}: {' '.join(text for text, _ in spans)}" for label, spans in duties]
    if any(seat.corruption):
        lines.append(f"corruption: {', '.join(text for text, _ in phrases.list_corruption(seat))}")
    return "<br>".join(map(escape, lines))


def _show_cards(seen: SeenGame) -> str:
    """The cards of every seat; a card's facts come up when the mouse rests on it."""
    solo = seen.game.config.solo
    heads = [
        "seat",
        "dug up" if solo else "hand",
        "hand" if solo else "drafted",
        "under construction",
        "built",
    ]
    rows = []
    for seat in seen.seats:
        unseen = f"{seat.hand_size} cards not seen yet"
        hand = unseen if seat.hand is None else _list_cards(group_kinds(seat.hand))
        sites = "".join(
            _show_card(site.kind, site.copy, phrases.list_amounts(site.missing), "#") for site in seat.sites
        )
        drafted = _list_cards(group_kinds(seat.drafted))
        rows.append([str(seat.seat), hand, drafted, sites, _list_cards(seat.built)])
    # A column that is empty for every seat (the hands, after the draft) only takes room.
    kept = [column for column in range(len(heads)) if column == 0 or any(row[column] for row in rows)]
    rows = [[row[column] for column in kept] for row in rows]
    return _show_table([heads[column] for column in kept], rows, texts=len(kept)) if len(kept) > 1 else ""


def _list_cards(cards: Iterable[tuple[Kind, int]]) -> str:
    return "".join(_show_card(kind, count, [], "\u00d7") for kind, count in cards)


def _show_card(kind: Kind, number: int, missing: list[Span], sign: str) -> str:
    """A card: a bar in the colour of its type, its name, a number from 2 on, and its missing spaces."""
    colour = TYPE_COLOURS[kind.type]
    bar = "currentColor" if colour == "inherit" else colour
    name = kind.name_en + (f" {sign}{number}" if number > 1 else "")
    spaces = f" ({', '.join(map(_show_span, missing))})" if missing else ""
    title = escape(describe(kind), quote=True)
    return f'<div title="{title}" style="border-color:{bar}">{escape(name)}{spaces}</div>'
