"""The game for people: as text in a console, as HTML in a notebook."""

from iaww_env.render.html import game_to_html
from iaww_env.render.text import describe_game, render_table

__all__ = ["describe_game", "game_to_html", "render_table"]
