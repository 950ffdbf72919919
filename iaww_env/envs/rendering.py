"""The render modes of every environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from iaww_env.errors import ConfigError, quote
from iaww_env.game import Game
from iaww_env.render.text import render_position
from iaww_env.viewer.raster import check_pillow, game_to_picture
from iaww_env.viewer.svg import game_to_html

RENDER_MODES = ("human", "ansi", "rgb_array")
RENDER_FPS = 4  # positions a second, where they become a film

Rendered = str | npt.NDArray[np.uint8] | None


def check_render_mode(render_mode: str | None) -> None:
    """Refuse a render mode that there is not, or that needs what is not installed."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ConfigError(
            f"there is no render_mode {quote(render_mode)}: choose from None, {', '.join(RENDER_MODES)}"
        )
    if render_mode == "rgb_array":
        check_pillow()


def has_colour() -> bool:
    """Whether the terminal shows colours, and its user wants them (no-color.org)."""
    if sys.stdout is None or not sys.stdout.isatty():  # None where the output was closed before we began
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def render_game(render_mode: str | None, find_game: Callable[[], Game], seat: int | None) -> Rendered:
    """The table as a seat sees it, or as a spectator does.

    Returns:
        Text (`"ansi"`) or a picture (`"rgb_array"`); None where it is shown (`"human"`).
    """
    if render_mode is None:
        gymnasium.logger.warn(
            "render() was called, but the environment was made without render_mode: "
            'pass render_mode="ansi", "rgb_array" or "human"'
        )
        return None
    game = find_game()
    if render_mode == "human":
        show_games([("", game, seat)])
        return None
    return draw_or_write(render_mode, game, seat)


def draw_or_write(render_mode: str, game: Game, seat: int | None) -> str | npt.NDArray[np.uint8]:
    """The table as a picture (`"rgb_array"`) or as text."""
    if render_mode == "rgb_array":
        return game_to_picture(game, seat)
    return render_position(game, seat, colour=has_colour())


def show_games(tables: Iterable[tuple[str, Game, int | None]]) -> None:
    """Show tables, each with a heading, to whoever sits there: drawn in a notebook, elsewhere printed."""
    display = _find_notebook()
    for heading, game, seat in tables:
        head = f"{heading}\n" if heading else ""
        if display is not None:
            display({"text/html": f"<p>{heading}</p>{game_to_html(game, seat)}"}, raw=True)
        else:
            print(f"{head}{render_position(game, seat, colour=has_colour())}", flush=True)


def _find_notebook() -> Callable[..., Any] | None:
    """What shows HTML in the notebook that this runs in; None where it runs in none."""
    shell = sys.modules.get("IPython")  # in a notebook it is loaded
    if shell is None:
        return None
    running = shell.get_ipython()
    if running is None or not hasattr(running, "kernel"):
        return None
    display: Callable[..., Any] = sys.modules["IPython.display"].display
    return display
