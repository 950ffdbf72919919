"""Every public door to a kernel: what is shown is read, what is changed or brought along is checked."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import gymnasium
import numpy as np
import pytest

import iaww_env
from iaww_env.batch import Batch, lend_states, make_stream
from iaww_env.errors import StateError
from iaww_env.game import Game
from iaww_env.selfplay import SelfPlayRollout
from tests.modes import CA, MODES
from tests.random_play import play_batch


def test_the_state_of_a_game_is_read_and_not_written() -> None:
    game = Game(MODES["2"], 1)
    before = game.to_bytes()
    for write in (
        lambda: game.state.krystallium.__setitem__(0, 9),
        lambda: game.state.packs.sort(),
        lambda: game.row.__setitem__(20, 9),
    ):
        with pytest.raises(ValueError, match="read-only"):
            write()
    with pytest.raises(AttributeError):
        game.config = MODES["5"]  # type: ignore[misc]
    assert game.to_bytes() == before


def test_an_edit_changes_the_game_and_is_checked() -> None:
    game = Game(MODES["2"], 1)
    with game.edit() as state:
        state.krystallium[0] += 3
        state.generals[1] = 2
        state.shown_points[1] = 2
    assert game.state.krystallium[0] == 3
    assert game.scores() == [0, 2]
    before = game.to_bytes()
    with pytest.raises(StateError, match="production"), game.edit() as state:
        state.production[0] += 1
    with pytest.raises(KeyError, match="halfway"), game.edit() as state:
        state.krystallium[0] += {}["halfway"] + 3
    assert game.to_bytes() == before


def test_the_games_of_a_batch_are_read_and_not_written() -> None:
    batch = play_batch("3", 1, 30)
    for array in (batch.states, batch.seats, batch.done, batch.points, batch.places, batch.state.generals):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        batch.config = MODES["5"]  # type: ignore[misc]
    batch.masks[:], batch.observations[:], batch.rewards[:] = 0, 9, 9  # what was shown is the caller's
    batch.step(batch.sample_legal(make_stream(1)))


@pytest.mark.parametrize("copy_batch", [lambda one: pickle.loads(pickle.dumps(one))], ids=["pickle"])
def test_a_batch_goes_on_from_a_pickle(copy_batch: Callable[[Batch], Batch]) -> None:
    batch = play_batch("3", 1, 30)
    copied = copy_batch(batch)
    streams = make_stream(4), make_stream(4)
    for _ in range(200):
        for one, stream in zip((batch, copied), streams, strict=True):
            one.step(one.sample_legal(stream))
        assert copied.states.tobytes() == batch.states.tobytes()
        assert copied.seats.tolist() == batch.seats.tolist()
        assert copied.masks.tobytes() == batch.masks.tobytes()


def test_a_pickled_batch_is_checked() -> None:
    for spoil in (
        lambda one: lend_states(one).__setitem__((1, -1), 30_000),
        lambda one: one._turns.__setitem__((1, 0), 30_000),
        lambda one: one._turns.__setitem__((1, 1), 30_000),
        lambda one: one._turns.__setitem__((1, slice(24, None)), 1),
    ):
        batch = play_batch("3", 1, 30)
        spoil(batch)
        with pytest.raises(StateError):
            pickle.loads(pickle.dumps(batch))


@pytest.mark.parametrize("id", ["iaww/Versus-v0", "iaww/Solo-v0"])
def test_a_pickled_environment_is_checked(id: str) -> None:
    env = gymnasium.make(id).unwrapped
    env.reset(seed=3)
    pickle.loads(pickle.dumps(env))
    lanes = env._lanes  # type: ignore[attr-defined]
    for array, place, value in (
        (lanes.states, (0, -1), 30_000),
        (lanes.lanes, (0, 1), 30_000),
        (lanes.lanes, (0, 3), 30_000),
        (lanes.streams, (0, slice(0, 4)), 0),
    ):
        kept = array[place].copy()
        array[place] = value
        with pytest.raises(StateError):
            pickle.loads(pickle.dumps(env))
        array[place] = kept
    pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("make", [iaww_env.parallel_env, iaww_env.aec_env])
def test_a_pickled_table_is_checked(make: Callable[..., object]) -> None:
    env = make(players=3)
    pickle.loads(pickle.dumps(env))
    env.reset(seed=3)  # type: ignore[attr-defined]
    pickle.loads(pickle.dumps(env))
    env._session.row[-1] = 30_000  # type: ignore[attr-defined]
    with pytest.raises(StateError):
        pickle.loads(pickle.dumps(env))


def test_seats_and_tables_are_checked_where_a_seat_is_shown() -> None:
    game = Game(MODES["3"], 1)
    table = iaww_env.observation_table(game.config, "compact")
    for seat in (-1, 3, 30_000):
        with pytest.raises(IndexError, match="seat"):
            table.observe(game, seat)
        with pytest.raises(IndexError, match="seat"):
            game.redeterminize(seat, 1)
    for config in (MODES["5"], MODES["2"], iaww_env.GameConfig(players=3, expansions=CA)):
        with pytest.raises(iaww_env.ConfigError, match="table"):
            iaww_env.observation_table(config, "compact").observe(game, 0)


def test_what_is_shown_cannot_be_made_writable() -> None:
    batch, game = play_batch("3", 1, 10), Game(MODES["3"], 1)
    for array in (batch.states, batch.seats, batch.points, batch.state.generals, game.row, game.state.built):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_arrays_that_are_bent_afterwards_do_not_reach_kernels() -> None:
    """Kernels keep views of their own of what a batch shows; rollouts take sizes from the configuration."""
    batch = Batch(MODES["2"], 4, 1, observation="compact")
    rollout = SelfPlayRollout(batch, 3)
    batch.observations.shape = (-1,)
    batch.step(batch.sample_legal(make_stream(1)))
    batch.rewards = np.zeros((40, 20), np.float32)
    batch.masks = np.zeros((4, 1), np.int8)
    with pytest.raises(AttributeError):
        batch.num_games = 2  # type: ignore[misc]
    assert rollout.last_observations().shape == (4, 2, 772)
    table = iaww_env.observation_table(batch.config, "compact")
    for name in ("size", "offsets", "config"):
        with pytest.raises(AttributeError, match="fixed"):
            setattr(table, name, 1)
    with pytest.raises(ValueError, match="WRITEABLE"):
        table.offsets.flags.writeable = True


def test_an_edit_does_not_undo_moves() -> None:
    game = Game(MODES["2"], 1)
    edit = game.edit()
    edit.__enter__()
    game.step(0, game.legal_actions(0)[0])
    with pytest.raises(StateError, match="played on"):
        edit.__exit__(None, None, None)
    assert game.seats_to_act() == [1]


@pytest.mark.parametrize("games", [1 << 25, 4_600_000_000_000_000_000, 1 << 70])
def test_batches_beyond_all_bounds_are_refused(games: int) -> None:
    with pytest.raises(iaww_env.ConfigError, match="num_games"):
        Batch(MODES["2"], games, 1)


def test_rollouts_that_cannot_be() -> None:
    batch = Batch(MODES["2"], 4, 1, observation="compact")
    for steps in (0, -1, 1.5, True, None):
        with pytest.raises(ValueError, match="steps"):
            SelfPlayRollout(batch, steps)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Batch"):
        SelfPlayRollout(None, 3)  # type: ignore[arg-type]
    rollout = SelfPlayRollout(batch, 1)
    rollout.step(batch.sample_legal(make_stream(1)), np.zeros(4))
    with pytest.raises(ValueError, match="last_values"):
        rollout.estimate(np.zeros((2, 2)))
