"""Pictures: of one size, the same each time, all on them, and an error in words where Pillow is missing."""

from __future__ import annotations

import re
import sys

import gymnasium
import numpy as np
import pytest

import iaww_env
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, tell_install
from iaww_env.game import Game
from iaww_env.viewer.colours import find_colour
from iaww_env.viewer.panels import draw_game
from iaww_env.viewer.raster import SHAPES, arrange_panels, find_size, game_to_picture
from tests.modes import CA
from tests.viewer.drawn_games import list_positions

LEAST_SCALE = 0.7  # letters of twelve pixels stay readable


@pytest.mark.parametrize("players", SHAPES)
def test_pictures_have_one_size_and_hold_everything(players: int) -> None:
    height, width = find_size(players)
    assert height % 2 == width % 2 == 0, "what films are packed with asks for this"
    for game, step in list_positions(GameConfig(players, CA), 2, 97):
        panels = draw_game(game, None)
        scale, places = arrange_panels(panels, width, height)
        assert LEAST_SCALE <= scale <= 1
        for panel, (x, y) in zip(panels, places, strict=True):
            assert (x + 360) * scale <= width
            assert (y + panel.height) * scale <= height
        picture = game_to_picture(game, step % players)
        assert (picture.dtype, picture.shape) == (np.uint8, (height, width, 3))


def test_the_same_position_gives_the_same_pixels() -> None:
    game, other = (Game(GameConfig(3), seed=seed) for seed in (1, 2))
    one = game_to_picture(game)
    assert one.tobytes() == game_to_picture(game.clone()).tobytes()
    assert one.tobytes() != game_to_picture(other).tobytes()
    one[:] = 0
    assert game_to_picture(game).any(), "pictures are fresh"


def test_pictures_have_the_colours_of_the_drawing() -> None:
    game = Game(GameConfig(2), seed=1)
    for dark in (False, True):
        pixels = {tuple(pixel) for pixel in game_to_picture(game, dark=dark).reshape(-1, 3).tolist()}
        for role in ("paper", "ink", "gold", "science", "seat0", "seat1"):
            assert find_colour(role, dark=dark) in pixels


def test_hidden_cards_are_on_no_picture() -> None:
    game = Game(GameConfig(3), seed=1)
    assert game_to_picture(game.redeterminize(1, 5), 1).tobytes() == game_to_picture(game, 1).tobytes()


def test_without_pillow_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.ImageFont", None)
    for make in (iaww_env.parallel_env, iaww_env.aec_env):
        with pytest.raises(ConfigError, match=re.escape(tell_install("viewer"))):
            make(render_mode="rgb_array")
    with pytest.raises(ConfigError, match="Pillow"):
        gymnasium.make("iaww/Solo-v0", render_mode="rgb_array")
