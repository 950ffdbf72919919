"""Drawings as SVG: strips and panels as text, for pages and for notebooks.

Colours are variables of `templates/drawing.css`. Where that may be taken away, as notebooks do that nobody
trusts, each carries the light colour with it.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

from iaww_env.viewer.colours import find_hex, read_template
from iaww_env.viewer.drawing import TEXT, WIDTH, Box, Disc, Panel, Patch, Shape, Sign, Strip, Text
from iaww_env.viewer.panels import draw_game
from iaww_env.viewer.symbols import SIGNS, expand_signs, list_sign_shapes

if TYPE_CHECKING:
    from iaww_env.game import Game

LETTERS = "Arial, Liberation Sans, Helvetica, Arimo, sans-serif"  # those that `letters` measures


def game_to_html(game: Game, seat: int | None = None) -> str:
    """The position as a piece of HTML: what `Game` shows of itself in a notebook.

    Args:
        game: The game.
        seat: Whose eyes to see with; None shows all seats (decks stay face down).
    """
    table, seats = "", ""
    for panel in draw_game(game, seat):
        shown = f'<div class="iaww-panel">{write_panel(panel, plain=True)}</div>'
        if panel.name.startswith("seat-"):
            seats += shown
        else:
            table += shown
    style = " ".join(read_template("drawing.css").partition("*/")[2].split())
    panels = f'<div class="iaww-panels"><div class="iaww-panel">{table}</div>{seats}</div>'
    return f'<div class="iaww"><style>{style}</style>{panels}</div>'


def write_panel(panel: Panel, *, plain: bool = False) -> str:
    """A panel as an SVG element.

    Args:
        panel: The panel.
        plain: Say the light colours also where there is no stylesheet.
    """
    height = panel.height
    ground = write_shape(Box(0.5, 0.5, WIDTH - 1, height - 1, "paper", "line", 8), plain=plain)
    parts, y = [ground], 0.0
    for strip in panel.strips:
        inside = write_strip(strip, plain=plain)
        parts.append(f'<g transform="translate(0 {y:g})"{_describe(strip)}>{inside}</g>')
        y += strip.height
    size = f'viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}"'
    name = f'role="group" aria-label="{escape(panel.title)}"'
    letters = f'font-family="{LETTERS}" font-size="{TEXT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {name} {letters}>{"".join(parts)}</svg>'


def _describe(strip: Strip) -> str:
    """What the group of a strip says of itself."""
    role = ' role="img"' if strip.text else ""
    return f'{role} data-action="{escape(" ".join(strip.actions))}"' if strip.actions else role


def panel_to_json(panel: Panel) -> dict[str, Any]:
    """A panel for the page's script: its strips as height, SVG and actions."""
    strips = [[strip.height, write_strip(strip), " ".join(strip.actions)] for strip in panel.strips]
    return {"name": panel.name, "title": panel.title, "strips": strips}


def write_strip(strip: Strip, *, plain: bool = False) -> str:
    """What stands inside the group of a strip: its words and its shapes.

    Signs are written out where it is to be plain; else they are named, and the page holds `write_signs`.
    """
    title = f"<title>{escape(strip.text)}</title>" if strip.text else ""
    shapes = expand_signs(strip.shapes) if plain else strip.shapes
    return title + "".join(write_shape(shape, plain=plain) for shape in shapes)


def write_signs() -> str:
    """Every sign once, for a page on which strips name them."""
    signs = "".join(
        f'<g id="sign-{name}">{"".join(map(write_shape, list_sign_shapes(name)))}</g>' for name in SIGNS
    )
    return f'<svg class="iaww-signs" width="0" height="0" aria-hidden="true"><defs>{signs}</defs></svg>'


@lru_cache(maxsize=1 << 14)
def write_shape(shape: Shape, *, plain: bool = False) -> str:
    """A shape as an SVG element."""
    if isinstance(shape, Sign):
        return f'<use href="#sign-{shape.name}" x="{_round(shape.x)}" y="{_round(shape.y)}"/>'
    if isinstance(shape, Text):
        anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
        size = "" if shape.size == TEXT else f' font-size="{shape.size}"'
        bold = ' font-weight="700"' if shape.bold else ""
        at = f'x="{_round(shape.x)}" y="{_round(shape.y)}"'
        return f"<text {at}{_fill(shape.fill, plain)}{size}{bold}{anchor}>{escape(shape.text)}</text>"
    colours = f"{_fill(shape.fill, plain)}{_draw_edge(shape, plain)}"
    if isinstance(shape, Disc):
        at = f'cx="{_round(shape.x)}" cy="{_round(shape.y)}"'
        return f'<circle {at} r="{_round(shape.radius)}"{colours}/>'
    if isinstance(shape, Patch):
        path = "L".join(f"{_round(x)} {_round(y)}" for x, y in shape.points)
        return f'<path d="M{path}{"z" if shape.fill else ""}"{colours}/>'
    size = f'width="{_round(shape.width)}" height="{_round(shape.height)}"'
    radius = f' rx="{_round(shape.radius)}"' if shape.radius else ""
    return f'<rect x="{_round(shape.x)}" y="{_round(shape.y)}" {size}{radius}{colours}/>'


def _fill(role: str, plain: bool) -> str:
    return f' fill="{_name_colour(role, plain)}"'


def _draw_edge(shape: Box | Disc | Patch, plain: bool) -> str:
    if not shape.edge:
        return ""
    width = ' stroke-width="1.5"' if isinstance(shape, Patch) and not shape.fill else ""
    return f' stroke="{_name_colour(shape.edge, plain)}"{width}'


def _name_colour(role: str, plain: bool) -> str:
    if not role:
        return "none"
    return f"var(--{role},{find_hex(role)})" if plain else f"var(--{role})"


def _round(number: float) -> str:
    return f"{round(number, 2):g}"
