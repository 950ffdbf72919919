"""What a bot is shown."""

from __future__ import annotations

import gc
import random
import re

import numpy as np
import pytest

from iaww_agents import make_view
from iaww_env import Batch, Game, GameConfig
from iaww_env.batch import lend_states
from iaww_env.bots.views import make_batch_view
from iaww_env.game import make_game
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


class ImaginingBot:
    imagines = True


@pytest.mark.parametrize("mode", ["2", "4-ascension", "solo"])
def test_imagined_games_agree_with_what_seats_know_and_with_nothing_else(mode: str) -> None:
    """Of decisions in the middle of games, asked out of order; the real games stay as they are."""
    batch = Batch(MODES[mode], 24, 3)
    for _ in range(25):
        batch.step(batch.masks.argmax(1))
    games = np.array([17, 3, 20, 4], np.int64)
    seats, before = batch.seats[games].astype(np.int64), lend_states(batch).tobytes()
    shown = batch.observations[games], batch.masks[games]
    view = make_batch_view(ImaginingBot(), batch.config, lend_states(batch), games, seats, *shown)
    assert view.imagined is not None
    assert lend_states(batch).tobytes() == before
    for row, g, seat in zip(view.imagined, games.tolist(), seats.tolist(), strict=True):
        real, imagined = batch.game(g), make_game(batch.config, row)
        assert imagined != real
        assert imagined.state.rng.tolist() != real.state.rng.tolist()
        assert imagined.state.base_deck.tolist() != real.state.base_deck.tolist()
        assert make_view(imagined, seat).observation.tobytes() == make_view(real, seat).observation.tobytes()
        assert imagined.legal_actions(seat) == real.legal_actions(seat)
        # What is drawn does not depend on what is hidden.
        other = real.redeterminize(seat, g)
        again = make_batch_view(
            ImaginingBot(), batch.config, other.row[None], np.zeros(1, np.int64), np.array([seat]), *shown
        )
        assert again.imagined is not None
        assert again.imagined[0].tobytes() == row.tobytes()


def test_nothing_is_imagined_for_bots_that_do_not_ask_for_it() -> None:
    batch = Batch(GameConfig(players=2), 2, 3)
    games, seats = np.arange(2), batch.seats.astype(np.int64)
    shown = batch.observations, batch.masks
    view = make_batch_view(object(), batch.config, lend_states(batch), games, seats, *shown)
    assert view.imagined is None
