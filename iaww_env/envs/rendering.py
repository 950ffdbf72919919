"""The render modes of every environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import gymnasium

from iaww_env.errors import ConfigError, quote
from iaww_env.game import Game
from iaww_env.render.text import render_table

RENDER_MODES = ("human", "ansi")


def check_render_mode(render_mode: str | None) -> None:
    """Refuse a render mode that there is not."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ConfigError(
            f"there is no render_mode {quote(render_mode)}: choose from None, {', '.join(RENDER_MODES)}"
        )


def has_colour() -> bool:
    """Whether the terminal shows colours, and its user wants them (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def render_game(render_mode: str | None, find_game: Callable[[], Game], seat: int | None) -> str | None:
    """The table as a seat sees it, or as a spectator does: returned (`"ansi"`) or printed (`"human"`)."""
    if render_mode is None:
        gymnasium.logger.warn(
            "render() was called, but the environment was made without render_mode: "
            'pass render_mode="ansi" or "human"'
        )
        return None
    text = render_table(find_game(), seat, colour=has_colour())
    if render_mode == "ansi":
        return text
    print(text, flush=True)
    return None
