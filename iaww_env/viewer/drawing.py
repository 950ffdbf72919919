"""What a drawing is made of: panels of strips, strips of shapes. Nothing here knows how it will be shown.

A strip is as wide as a panel and lies below the one before, so a card, a heading or a row of cubes is drawn
once and kept wherever it stands. `svg` and `raster` show the same strips, the page's script too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from iaww_env.viewer.letters import measure_text

WIDTH = 360  # of every panel and strip, in pixels; all else is laid out inside it
MARGIN = 10  # free at both sides
TEXT = 12  # the smallest letters there are
RISE = 0.36  # how far below the middle of a line its letters stand, in sizes of the letters


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners. Colours are named by their role (see `colours`); "" is none."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str = ""
    radius: float = 3


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Patch:
    """A closed line of points, filled; or an open one without `fill`, only drawn."""

    points: tuple[tuple[float, float], ...]
    fill: str
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; (x, y) is where it begins, has its middle or ends, on the line it stands on."""

    x: float
    y: float
    text: str
    fill: str = "ink"
    size: int = TEXT
    bold: bool = False
    anchor: str = "start"  # or middle, end

    @property
    def left(self) -> float:
        """Where its first letter begins."""
        width = measure_text(self.text, self.size, self.bold)
        return self.x - width * {"start": 0, "middle": 0.5, "end": 1}[self.anchor]


@dataclass(frozen=True, slots=True)
class Sign:
    """One of the signs of `symbols`, by its name: the middle of its left edge is at (x, y)."""

    x: float
    y: float
    name: str


Shape: TypeAlias = Box | Disc | Patch | Text | Sign


@dataclass(frozen=True, slots=True)
class Piece:
    """Something small that stands in a row with others, drawn around the middle of its line (y = 0)."""

    width: float
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """One layer of a panel.

    Attributes:
        height: In pixels; its width is `WIDTH`.
        shapes: What is drawn, the first at the bottom; (0, 0) is the upper left corner.
        text: The same in words: shown when the mouse rests on it, and read aloud.
        actions: What the viewer may do with it, in the notation of actions.
    """

    height: float
    shapes: tuple[Shape, ...]
    text: str
    actions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """Strips that belong together: the head of the table, a pack, a seat.

    Attributes:
        name: `head`, `pack`, or `seat-` with the number of the seat.
        title: In words, for those who do not see it.
        strips: From top to bottom.
    """

    name: str
    title: str
    strips: tuple[Strip, ...]

    @property
    def height(self) -> float:
        """Of all strips."""
        return sum(strip.height for strip in self.strips)


# --- Putting together ------------------------------------------------------------------------------


def move_shapes(shapes: Iterable[Shape], x: float, y: float) -> list[Shape]:
    """The shapes, moved to the right and down."""
    moved: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Sign):  # most of what there is
            moved.append(Sign(shape.x + x, shape.y + y, shape.name))
        elif isinstance(shape, Patch):
            moved.append(replace(shape, points=tuple((px + x, py + y) for px, py in shape.points)))
        else:
            moved.append(replace(shape, x=shape.x + x, y=shape.y + y))
    return moved


def write_piece(text: str, fill: str = "ink", size: int = TEXT, bold: bool = False) -> Piece:
    """A text among other pieces."""
    return Piece(measure_text(text, size, bold), (Text(0, RISE * size, text, fill, size, bold),))


def join_pieces(pieces: Sequence[Piece], gap: float = 2) -> Piece:
    """Pieces that stay together in one line."""
    shapes: list[Shape] = []
    x = 0.0
    for piece in pieces:
        shapes += move_shapes(piece.shapes, x, 0)
        x += piece.width + gap
    return Piece(max(0, x - gap), tuple(shapes))


def flow_pieces(
    pieces: Sequence[Piece], left: float, right: float, top: float, line: float = 20, gap: float = 7
) -> tuple[list[Shape], float]:
    """The pieces from left to right, on a new line where one does not fit; and where the last line ends."""
    shapes: list[Shape] = []
    x, y = left, top + line / 2
    for piece in pieces:
        if x > left and x + piece.width > right:
            x, y = left, y + line
        shapes += move_shapes(piece.shapes, x, y)
        x += piece.width + gap
    return shapes, y + line / 2
