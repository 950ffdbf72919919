"""What a bot is shown."""

from __future__ import annotations

import gc
import random
import re

import numpy as np
import pytest

from iaww_agents import make_view
from iaww_env import Game, GameConfig
from tests.modes import MODES
from tests.random_play import play_on


@pytest.mark.parametrize("mode", ["2", "4-ascension", "solo"])
def test_a_view_says_what_the_seat_may_know(mode: str) -> None:
    game, rng = Game(MODES[mode], 3), random.Random(3)
    for number, _ in enumerate(play_on(game, rng)):
        if number % 7:
            continue
        for seat in game.seats_to_act():
            view = make_view(game, seat, "compact" if number % 2 else "full")
            assert view.legal_actions() == game.legal_actions(seat)
            assert (view.action_mask == game.action_mask(seat)).all()
            assert [view.text(action) for action in view.legal_actions()] == game.legal_texts(seat)
            assert view.config is game.config
            drawn = view.sample_game(5)
            assert drawn == game.redeterminize(seat, 5)
            assert view.sample_game(np.random.default_rng(1)) != drawn


def test_a_view_has_nothing_else() -> None:
    """What it offers, and that no attribute leads to a game or to its row."""
    game = Game(GameConfig(players=3), 1)
    view = make_view(game, 1)
    public = {name for name in dir(view) if not name.startswith("_")}
    named = {"action_mask", "config", "legal_actions", "observation", "sample_game", "seat", "text"}
    assert public == named
    with pytest.raises(AttributeError):
        view.game = game  # type: ignore[attr-defined]
    values = [getattr(view, name) for name in dir(view) if not re.match(r"_View__|__", name)]
    for value in values:
        assert not isinstance(value, Game)
        assert not (isinstance(value, np.ndarray) and np.shares_memory(value, game.row))
        assert game not in gc.get_referents(value)


def test_a_view_stays_as_it_was() -> None:
    """Later moves do not reach it, and what a bot does to it reaches nothing."""
    game = Game(GameConfig(players=2), 1)
    view, before = make_view(game, 0), game.clone()
    drawn = view.sample_game(9)
    for seat in (0, 1):
        game.step(seat, game.legal_actions(seat)[0])
    assert view.sample_game(9) == drawn == before.redeterminize(0, 9)
    after = game.clone()
    world = view.sample_game(9)
    world.step(0, world.legal_actions(0)[0])
    view.observation[:], view.action_mask[:] = 3, 1
    assert game == after
    assert view.sample_game(9) == drawn
