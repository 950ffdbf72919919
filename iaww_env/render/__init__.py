"""The game for people: as text in a console. As a drawing it stands in `iaww_env.viewer`."""

from iaww_env.render.text import describe_game, render_table

__all__ = ["describe_game", "render_table"]
