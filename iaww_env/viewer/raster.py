"""The drawing as an array of pixels, for `render_mode="rgb_array"` and for films; made with Pillow.

Pictures of a configuration all have the same size, as films ask for: what is drawn is made smaller where it
would not fit. The letters come with Pillow, so the same version of it draws the same pixels everywhere.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from iaww_env.errors import ConfigError, tell_install
from iaww_env.viewer.colours import find_colour
from iaww_env.viewer.drawing import WIDTH, Box, Disc, Panel, Patch, Shape, Sign, Strip, Text
from iaww_env.viewer.panels import draw_game
from iaww_env.viewer.symbols import expand_signs

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

    from iaww_env.game import Game

Picture = npt.NDArray[np.uint8]
Places = list[tuple[float, float]]  # of the upper left corners of panels

GAP = 10  # around panels
FINE = 2  # drawn so many times larger and made smaller again, which smooths edges
# Columns of panels and height of a picture, by the number of players; a game's last positions fit into most.
SHAPES = {1: (3, 900), 2: (3, 1080), 3: (4, 1080), 4: (5, 1080), 5: (4, 1800), 6: (4, 1800), 7: (5, 1800)}


def check_pillow() -> None:
    """Refuse to draw pictures where Pillow is missing.

    Raises:
        ConfigError: It is missing; the message says how to get it.
    """
    try:
        import PIL.ImageFont  # noqa: F401
    except ImportError:
        raise ConfigError(
            f"pictures are drawn with Pillow, which is not installed; {tell_install('viewer')}"
        ) from None


def find_size(players: int) -> tuple[int, int]:
    """Height and width of a picture."""
    columns, height = SHAPES[players]
    return height, columns * (WIDTH + GAP) + GAP


def game_to_picture(
    game: Game, seat: int | None = None, *, dark: bool = False, agents: Sequence[str] = ()
) -> Picture:
    """The position as an array of shape (height, width, 3), red, green and blue from 0 to 255.

    Args:
        game: The game.
        seat: Whose eyes to see with; None shows all seats (decks stay face down).
        dark: On dark ground.
        agents: Who plays, by seat; empty where nobody knows.

    Raises:
        ConfigError: Pillow is not installed.
    """
    check_pillow()
    from PIL import Image

    height, width = find_size(game.config.players)
    picture = Image.new("RGB", (width, height), find_colour("tile", dark=dark))
    panels = draw_game(game, seat, agents=agents)
    scale, places = arrange_panels(panels, width, height)
    for panel, (x, y) in zip(panels, places, strict=True):
        picture.paste(_draw_panel(panel, scale, dark), (round(x * scale), round(y * scale)))
    return np.array(picture, dtype=np.uint8)


def draw_png(game: Game, seat: int | None = None, agents: Sequence[str] = ()) -> bytes:
    """The picture as a file, without the empty ground below; raises as `game_to_picture` does."""
    picture = game_to_picture(game, seat, agents=agents)
    from PIL import Image

    drawn = np.flatnonzero((picture != picture[-1, -1]).any(axis=(1, 2)))
    file = io.BytesIO()
    Image.fromarray(picture[: drawn[-1] + 1 + GAP]).save(file, "PNG", optimize=True)
    return file.getvalue()


def holds_png(begin: bytes) -> bool:
    """Whether a file with these first bytes is a picture of this kind."""
    return begin.startswith(b"\x89PNG")


# --- Where panels lie ----------------------------------------------------------------------------------


def arrange_panels(panels: tuple[Panel, ...], width: int, height: int) -> tuple[float, Places]:
    """The largest scale, of one and less, at which all panels fit, and their places before it is applied."""
    columns = (width - GAP) // (WIDTH + GAP)
    while True:
        scale = min(1, width / (columns * (WIDTH + GAP) + GAP))
        places = _fill_columns(panels, columns)
        bottom = max(y + panel.height for panel, (_, y) in zip(panels, places, strict=True)) + GAP
        if bottom * scale <= height:
            return scale, places
        more = min(1, width / ((columns + 1) * (WIDTH + GAP) + GAP))
        if height / bottom >= more:
            return min(scale, height / bottom), places
        columns += 1


def _fill_columns(panels: tuple[Panel, ...], columns: int) -> Places:
    """Panels from the left, each in the column that is the shortest so far."""
    bottoms = [float(GAP)] * columns
    places: Places = []
    for panel in panels:
        # The head and the pack belong together.
        column = 0 if panel.name == "pack" else min(range(columns), key=bottoms.__getitem__)
        places.append((GAP + column * (WIDTH + GAP), bottoms[column]))
        bottoms[column] += panel.height + GAP
    return places


# --- Drawing -------------------------------------------------------------------------------------------


def _draw_panel(panel: Panel, scale: float, dark: bool) -> Image:
    """A panel on its ground."""
    from PIL import Image, ImageDraw

    size = (round(WIDTH * scale), round(panel.height * scale))
    picture = Image.new("RGB", size, find_colour("paper", dark=dark))
    y = 0.0
    for strip in panel.strips:
        if strip.shapes:
            picture.paste(_draw_strip(strip, scale, dark), (0, round(y * scale)))
        y += strip.height
    edge = (0, 0, size[0] - 1, size[1] - 1)
    ImageDraw.Draw(picture).rectangle(edge, None, find_colour("line", dark=dark))
    return picture


@lru_cache(maxsize=512)
def _draw_strip(strip: Strip, scale: float, dark: bool) -> Image:
    """A strip, kept: most of a table stays as it is from one move to the next."""
    from PIL import Image, ImageDraw

    fine = scale * FINE
    size = (max(1, round(WIDTH * scale)), max(1, round(strip.height * scale)))
    picture = Image.new("RGB", (size[0] * FINE, size[1] * FINE), find_colour("paper", dark=dark))
    pen = ImageDraw.Draw(picture)
    for shape in expand_signs(strip.shapes):
        _draw_shape(pen, shape, fine, dark)
    return picture.reduce(FINE)


def _draw_shape(pen: Any, shape: Shape, scale: float, dark: bool) -> None:
    assert not isinstance(shape, Sign)  # they are written out before
    if isinstance(shape, Text):
        _draw_text(pen, shape, scale, dark)
        return
    fill = find_colour(shape.fill, dark=dark) if shape.fill else None
    edge = find_colour(shape.edge, dark=dark) if shape.edge else None
    thick = max(1, round(scale)) if edge else 0
    if isinstance(shape, Box):
        corner = [shape.x * scale, shape.y * scale]
        opposite = [(shape.x + shape.width) * scale, (shape.y + shape.height) * scale]
        if opposite[0] - corner[0] < 1 or opposite[1] - corner[1] < 1:
            opposite = [max(one, other + 1) for one, other in zip(opposite, corner, strict=True)]
        pen.rounded_rectangle([*corner, *opposite], shape.radius * scale, fill, edge, thick)
    elif isinstance(shape, Disc):
        left, top = (shape.x - shape.radius) * scale, (shape.y - shape.radius) * scale
        size = 2 * shape.radius * scale
        pen.ellipse([left, top, left + size, top + size], fill, edge, thick)
    elif isinstance(shape, Patch):
        points = [(x * scale, y * scale) for x, y in shape.points]
        if fill is not None:
            pen.polygon(points, fill, edge, max(1, thick))
        else:
            pen.line(points, edge, max(1, round(1.5 * scale)))


def _draw_text(pen: Any, text: Text, scale: float, dark: bool) -> None:
    """A text; Pillow brings no bold letters, so they are drawn with a rim."""
    font = _find_font(round(text.size * scale))
    rim = text.size * scale / 40 if text.bold else 0
    colour = find_colour(text.fill, dark=dark)
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[text.anchor]
    at = (text.x * scale, text.y * scale)
    pen.text(at, text.text, colour, font, anchor, stroke_width=rim, stroke_fill=colour)


@lru_cache(maxsize=64)
def _find_font(size: int) -> FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.load_default(max(1, size))
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
