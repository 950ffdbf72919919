"""What the signs mean, as a panel."""

from __future__ import annotations

from iaww_env.cards import RESOURCES, SPACES, TYPES
from iaww_env.viewer.drawing import MARGIN, WIDTH, Panel, Piece, Strip, flow_pieces, join_pieces, write_piece
from iaww_env.viewer.seats import draw_heading
from iaww_env.viewer.symbols import FILLED, draw_arrow, draw_bonus, draw_number, draw_sign


def draw_legend() -> Panel:
    """Every sign with its name."""
    things = [(name, draw_sign(name)) for name in (*SPACES, *TYPES)]
    krystallium = join_pieces(draw_bonus((1, 0, 0)))
    corruption = join_pieces([write_piece("-", bold=True, size=14), draw_sign(RESOURCES[0])], 1)
    per = join_pieces([draw_sign("science"), write_piece("per"), draw_sign("vehicle")], 3)
    others = [
        ("a space that is filled", draw_sign(FILLED)),
        ("what the spaces are paid for", draw_arrow()),
        ("made in each round, for each vehicle", per),
        ("corruption", corruption),
        ("comes at once when the card is built", krystallium),
        ("points", draw_number(5)),
    ]
    strips = [
        draw_heading("Spaces, cubes and characters"),
        _list_signs(things[: len(SPACES)]),
        draw_heading("Types of cards"),
        _list_signs(things[len(SPACES) :]),
        draw_heading("Cards"),
        *(_list_signs([one]) for one in others),
    ]
    return Panel("signs", "What the signs mean", (*strips, Strip(6, (), "")))


def _list_signs(signs: list[tuple[str, Piece]]) -> Strip:
    pieces = [join_pieces([sign, write_piece(name)], 5) for name, sign in signs]
    shapes, bottom = flow_pieces(pieces, MARGIN, WIDTH - MARGIN, 1, line=24, gap=14)
    return Strip(bottom + 1, tuple(shapes), ", ".join(name for name, _ in signs))
