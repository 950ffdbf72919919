"""Cards as strips: in hand, under construction, built; what they cost, what they lack and what they give."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from iaww_env.cards import SPACES, Kind, describe
from iaww_env.viewer.drawing import (
    MARGIN,
    RISE,
    WIDTH,
    Box,
    Piece,
    Shape,
    Strip,
    Text,
    flow_pieces,
    join_pieces,
    move_shapes,
    write_piece,
)
from iaww_env.viewer.letters import measure_text
from iaww_env.viewer.symbols import TYPE_COLOURS, draw_arrow, draw_gains, draw_sign, draw_spaces

NAME = 13  # size of a card's name
LINE = 22  # height of a row of signs
_LEFT, _RIGHT = MARGIN - 2, WIDTH - MARGIN + 2  # edges of a card
_INSIDE = 11  # from the edge of a card to its signs


@lru_cache(maxsize=4096)
def draw_card(kind: Kind, count: int = 1, actions: tuple[str, ...] = ()) -> Strip:
    """A card that can be picked, slated or recycled: its cost, what it gives, the cube it recycles to."""
    right = join_pieces([write_piece("recycles to", "muted"), draw_sign(kind.recycling)], 4)
    told = describe(kind) if count == 1 else f"{count} times {describe(kind)}"
    name = kind.name_en if count == 1 else f"{kind.name_en} x{count}"
    return _draw_tile(kind, name, right, draw_spaces(kind.cost), told, actions)


@lru_cache(maxsize=4096)
def draw_site(kind: Kind, copy: int, missing: tuple[int, ...], actions: tuple[str, ...] = ()) -> Strip:
    """A card under construction: a cube for each missing space, a tick for each that is filled."""
    left = sum(missing)
    filled = sum(kind.cost) - left
    lacks = ", ".join(f"{n} {space}" for n, space in zip(missing, SPACES, strict=True) if n)
    name = kind.name_en if copy == 1 else f"{kind.name_en} #{copy}"
    right = write_piece(f"{filled} of {filled + left}", "muted")
    told = f"{name} under construction, missing {lacks}. {describe(kind)}"
    return _draw_tile(kind, name, right, draw_spaces(missing, filled), told, actions)


@lru_cache(maxsize=1024)
def draw_built(kind: Kind, count: int) -> Strip:
    """A built card on one line, with what it gives; on two where that is much."""
    name = kind.name_en if count == 1 else f"{kind.name_en} x{count}"
    gains = join_pieces(draw_gains(kind), 7)
    start = MARGIN + 26
    shapes: list[Shape] = move_shapes(draw_sign(kind.type).shapes, MARGIN, LINE / 2)
    shapes.append(Text(start, LINE / 2 + RISE * 12, name))
    fits = start + measure_text(name, 12) + 8 + gains.width <= WIDTH - MARGIN
    lines = 1 if fits else 2
    shapes += move_shapes(gains.shapes, WIDTH - MARGIN - gains.width, LINE * (lines - 0.5))
    told = describe(kind) if count == 1 else f"{count} times {describe(kind)}"
    return Strip(LINE * lines + 2, tuple(shapes), f"Built: {told}")


@lru_cache(maxsize=1024)
def draw_names(cards: tuple[tuple[Kind, int], ...], what: str) -> Strip:
    """Cards by name alone: the packs of others, as far as they are known."""
    pieces = []
    for kind, count in cards:
        name = kind.name_en if count == 1 else f"{kind.name_en} x{count}"
        pieces.append(join_pieces([draw_sign(kind.type), write_piece(name)], 4))
    shapes, bottom = flow_pieces(pieces, MARGIN, WIDTH - MARGIN, 1, line=LINE, gap=10)
    names = ", ".join(f"{kind.name_en} x{count}" if count > 1 else kind.name_en for kind, count in cards)
    return Strip(bottom + 3, tuple(shapes), f"{what}: {names}")


def _draw_tile(
    kind: Kind, name: str, right: Piece, spaces: Sequence[Piece], told: str, actions: tuple[str, ...]
) -> Strip:
    """A card on a ground of its own: type, name and a note; below them spaces, an arrow and gains."""
    pieces = [*spaces, draw_arrow(), *draw_gains(kind)]
    signs, bottom = flow_pieces(pieces, _LEFT + _INSIDE, _RIGHT - 6, 26, line=LINE)
    height = bottom + 6
    shapes: list[Shape] = [
        Box(_LEFT, 2, _RIGHT - _LEFT, height - 4, "tile", "line", 6),
        Box(_LEFT + 0.5, 2.5, 6, height - 5, TYPE_COLOURS[kind.type], "line", 3),
        *move_shapes(draw_sign(kind.type).shapes, _LEFT + _INSIDE, 15),
        Text(_LEFT + _INSIDE + 25, 15 + RISE * NAME, name, "ink", NAME, True),
        *move_shapes(right.shapes, _RIGHT - 6 - right.width, 15),
        *signs,
    ]
    return Strip(height, tuple(shapes), told, actions)
