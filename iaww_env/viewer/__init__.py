"""The drawing of a game: panels of a position, as SVG, as a picture, and a record as a page to step through.

>>> from iaww_env.viewer import draw_game, embed_page, game_to_html, game_to_picture, write_page

`panels` draws a position, `svg` and `raster` show what it drew, `pages` makes a page of a
record, `embedding` brings that into a notebook.
"""

from iaww_env.viewer.embedding import embed_page
from iaww_env.viewer.pages import write_page
from iaww_env.viewer.panels import draw_game
from iaww_env.viewer.raster import game_to_picture
from iaww_env.viewer.svg import game_to_html

__all__ = ["draw_game", "embed_page", "game_to_html", "game_to_picture", "write_page"]
