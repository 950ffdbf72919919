"""The signs of the game: shapes and letters of our own, told apart without their colours.

A cube is a square with the letter of its resource (X is exploration), krystallium a hexagon, a general a
star, a financier a coin, a type of card a card with two letters.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import cos, pi, sin

from iaww_env.cards import RESOURCES, SPACES, TYPES, Empire, Kind
from iaww_env.viewer.drawing import (
    RISE,
    Box,
    Disc,
    Patch,
    Piece,
    Shape,
    Sign,
    Text,
    join_pieces,
    move_shapes,
    write_piece,
)

SIZE = 16  # of a sign
TAG = (20, 18)  # of that of a type of card
LETTERS = dict(zip(RESOURCES, "MESGX", strict=True))
TAGS = {name: name[:2].title() for name in TYPES}  # St Ve Re Pr Di
# Cards have the colour of the cube that they mostly make.
TYPE_COLOURS = dict(zip(TYPES, RESOURCES, strict=True))


FILLED = "filled"  # a space that is filled
SIGNS = (*SPACES, *TYPES, FILLED)


@lru_cache(maxsize=64)
def draw_sign(name: str) -> Piece:
    """A resource, krystallium, a character, a type of card, or `FILLED`; among other pieces."""
    return Piece(TAG[0] if name in TAGS else SIZE, (Sign(0, 0, name),))


@lru_cache(maxsize=64)
def list_sign_shapes(name: str) -> tuple[Shape, ...]:
    """What a sign is made of."""
    half = SIZE / 2
    if name in LETTERS:
        cube = Box(0.5, 0.5 - half, SIZE - 1, SIZE - 1, name, "edge", 2.5)
        return cube, _write_inside(LETTERS[name], name, half)
    if name in TAGS:
        width, height = TAG
        colour = TYPE_COLOURS[name]
        card = Box(0.5, 0.5 - height / 2, width - 1, height - 1, colour, "edge", 4)
        return card, _write_inside(TAGS[name], colour, width / 2)
    if name == "krystallium":
        stone = Patch(_find_corners(6, half - 0.5, half - 0.5, pi / 6), name, "edge")
        return stone, _write_inside("K", name, half)
    if name == FILLED:
        square = Box(0.5, 0.5 - half, SIZE - 1, SIZE - 1, "", "line", 2.5)
        return square, Patch(((4, 0), (7, 3), (12, -3.5)), "", "muted")
    coin = Disc(half, 0, half - 0.5, name, "edge")
    if name == "general":
        return coin, Patch(_find_corners(10, half - 1.5, 2.6, -pi / 2), f"on_{name}")
    return coin, _write_inside("$", name, half)


def expand_signs(shapes: Iterable[Shape]) -> list[Shape]:
    """The shapes, with those that signs are made of in their place."""
    plain: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Sign):
            plain += move_shapes(list_sign_shapes(shape.name), shape.x, shape.y)
        else:
            plain.append(shape)
    return plain


def _write_inside(letters: str, colour: str, middle: float) -> Text:
    return Text(middle, RISE * 12, letters, f"on_{colour}", 12, True, "middle")


def _find_corners(count: int, outer: float, inner: float, turn: float) -> tuple[tuple[float, float], ...]:
    """Corners around (8, 0), those with odd numbers at the inner radius."""
    corners = []
    for number in range(count):
        angle = turn + 2 * pi * number / count
        radius = inner if number % 2 else outer
        corners.append((round(SIZE / 2 + radius * cos(angle), 2), round(radius * sin(angle), 2)))
    return tuple(corners)


def draw_arrow() -> Piece:
    """An arrow to the right: what stands before it is paid for what stands behind it."""
    return Piece(14, (Patch(((0, 0), (13, 0)), "", "muted"), Patch(((9, -4), (13, 0), (9, 4)), "", "muted")))


def repeat_sign(thing: str, count: int) -> Piece:
    """A sign as often as there are; from five on its number stands before one."""
    if count < 5:
        return join_pieces([draw_sign(thing)] * count, 1)
    return join_pieces([write_piece(str(count), bold=True), draw_sign(thing)])


def draw_spaces(missing: tuple[int, ...], filled: int = 0) -> list[Piece]:
    """Spaces of a card: those that are missing as cubes, then the filled ones."""
    groups = [
        join_pieces([draw_sign(space)] * count, 1)
        for space, count in zip(SPACES, missing, strict=True)
        if count
    ]
    return groups + ([join_pieces([draw_sign(FILLED)] * filled, 1)] if filled else [])


# --- What cards give ---------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def draw_gains(kind: Kind) -> tuple[Piece, ...]:
    """Production, bonus in a frame, points."""
    gains: list[Piece] = []
    for resource, made in zip(RESOURCES, kind.production, strict=True):
        if made > 0:
            gains.append(repeat_sign(resource, made))
        if made < 0:  # corruption
            gains.append(join_pieces([write_piece("-", bold=True, size=14), repeat_sign(resource, -made)], 1))
    if kind.production_per is not None:
        resource, counted = kind.production_per
        gains.append(join_pieces([draw_sign(resource), write_piece("per"), draw_sign(counted)], 3))
    gains += draw_bonus((kind.bonus_krystallium, kind.bonus_general, kind.bonus_financier))
    return (*gains, *draw_points(kind))


def draw_bonus(counts: tuple[int, int, int]) -> list[Piece]:
    """What comes at once when a card is built, in a frame: krystallium, generals, financiers."""
    tokens = zip(SPACES[len(RESOURCES) :], counts, strict=True)
    signs = [draw_sign(token) for token, count in tokens for _ in range(count)]
    if not signs:
        return []
    inside = join_pieces([write_piece("+", bold=True), *signs], 1)
    frame = Box(0.5, -10.5, inside.width + 7, 21, "", "muted", 5)
    shapes: list[Shape] = [frame, *join_pieces([Piece(2, ()), inside]).shapes]
    return [Piece(inside.width + 8, tuple(shapes))]


def draw_points(card: Kind | Empire) -> list[Piece]:
    """Points as numbers on a dark ground; behind them what each of them is for."""
    pieces: list[Piece] = []
    if isinstance(card, Kind) and card.points:
        pieces.append(draw_number(card.points))
    per = card.points_per
    if per is not None:
        counted = [draw_sign(per.first)]
        if per.second is not None:
            counted += [write_piece("+", bold=True), draw_sign(per.second)]
        pieces.append(join_pieces([draw_number(per.points), write_piece("per"), *counted], 3))
    return pieces


def draw_number(points: int) -> Piece:
    """A number of points."""
    width = 18 if points < 10 else 24
    ground = Box(0, -9, width, 18, "ink", "", 9)
    return Piece(width, (ground, Text(width / 2, RISE * 12, str(points), "paper", 12, True, "middle")))
