"""Ways to say what a batch or a game plays, threads, and arrays that the caller brings."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iaww_env import Batch, ConfigError, Game, GameConfig, IllegalActionError, make_stream
from iaww_env.threads import LEAST_PART
from tests.modes import CA

# --- One way to say a game ---------------------------------------------------------------------------

SAID: list[tuple[dict[str, Any], GameConfig]] = [
    ({}, GameConfig()),
    ({"players": 2}, GameConfig(players=2)),
    ({"players": 7, "expansions": ["corruption_and_ascension"]}, GameConfig(players=7, expansions=CA)),
    ({"players": 3, "empire_side": "B"}, GameConfig(players=3, empire_side="B")),
    ({"scenario": "base_sc01"}, GameConfig(players=1, scenario="base_sc01")),
    (
        {"players": 2, "empires": ["noram_states", None]},
        GameConfig(players=2, empires=("noram_states", None)),
    ),
]


@pytest.mark.parametrize(("said", "config"), SAID, ids=[str(list(said)) for said, _ in SAID])
def test_games_and_batches_are_said_as_environments_are(said: dict[str, Any], config: GameConfig) -> None:
    assert Game(seed=3, **said).config == config
    assert Game(seed=3, **said) == Game(config, 3)
    batch = Batch(num_games=2, seed=3, observation=None, **said)
    assert batch.config == config
    assert batch.game(1) == Batch(config, 2, 3, observation=None).game(1)


@pytest.mark.parametrize("make", [Game, Batch])
def test_what_is_said_twice_is_refused(make: Any) -> None:
    with pytest.raises(ConfigError, match="leave players and empire_side out"):
        make(GameConfig(players=3), players=3, empire_side="B")
    with pytest.raises(ConfigError, match="players is 9"):
        make(players=9)


def test_a_batch_shows_what_environments_show_where_nothing_is_said() -> None:
    full, said = Batch(num_games=2, seed=1), Batch(num_games=2, seed=1, observation="full")
    assert full.profile == "full"
    assert full.observations.tobytes() == said.observations.tobytes()
    assert full.observations.any()
    nothing = Batch(num_games=2, seed=1, observation=None)
    assert nothing.profile is None
    assert nothing.observations.shape == (2, 0)


# --- Threads -------------------------------------------------------------------------------------------


def take_everything(batch: Batch) -> list[bytes]:
    arrays = (batch.states, batch.seats, batch.masks, batch.observations, batch.rewards, batch.done)
    return [one.tobytes() for one in (*arrays, batch.points, batch.places)]


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_any_number_of_threads_gives_the_same_bytes(threads: int) -> None:
    games = 3 * LEAST_PART + 7
    options: dict[str, Any] = {"players": 2, "observation": "compact", "reward": "points_gain"}
    alone, shared = Batch(None, games, 5, **options), Batch(None, games, 5, threads=threads, **options)
    assert len(shared._threads.parts) == min(threads, 3)
    streams = make_stream(9), make_stream(9)
    ended = 0
    for step in range(250):
        for one, stream in zip((alone, shared), streams, strict=True):
            one.step(one.sample_legal(stream, discards=False))
        if step % 10 == 0:
            assert take_everything(alone) == take_everything(shared)
        ended += int(alone.done.sum())
    assert take_everything(alone) == take_everything(shared)
    assert ended >= games


def test_an_illegal_action_stops_every_thread_before_it_plays() -> None:
    games = 2 * LEAST_PART
    batch = Batch(None, games, 5, players=2, observation=None, threads=2)
    actions = batch.sample_legal(make_stream(1)).copy()
    before = take_everything(batch)
    for bad in (0, LEAST_PART, games - 1):
        wrong = actions.copy()
        wrong[bad] = 30_000
        with pytest.raises(IllegalActionError, match=f"game {bad}: "):
            batch.step(wrong)
        assert take_everything(batch) == before
    batch.step(actions)
    assert take_everything(batch) != before


def test_few_games_stay_in_one_thread() -> None:
    assert Batch(None, 64, 5, players=2, observation=None, threads=2)._threads.parts == []
    assert Batch(None, 2 * LEAST_PART - 1, 5, players=2, observation=None, threads=2)._threads.parts == []


@pytest.mark.parametrize("copy_batch", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])
def test_a_batch_of_threads_can_be_copied(copy_batch: Any) -> None:
    batch = Batch(None, 2 * LEAST_PART, 5, players=2, observation=None, threads=2)
    batch.step(batch.sample_legal(make_stream(1)))
    copied = copy_batch(batch)
    streams = make_stream(3), make_stream(3)
    for _ in range(30):
        for one, stream in zip((batch, copied), streams, strict=True):
            one.step(one.sample_legal(stream))
    assert take_everything(batch) == take_everything(copied)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True, None])
def test_threads_that_cannot_be(threads: Any) -> None:
    with pytest.raises(ConfigError, match="threads is a whole number"):
        Batch(None, 4, 1, threads=threads)


# --- Arrays of the caller ------------------------------------------------------------------------------


def test_arrays_that_are_brought_are_written_into() -> None:
    mine = Batch(None, 4, 1, players=2, observation="compact")
    arrays = {name: np.full_like(getattr(mine, name), 9) for name in ("observations", "masks", "rewards")}
    batch = Batch(None, 4, 1, players=2, observation="compact", arrays=arrays)
    streams = make_stream(1), make_stream(1)
    for _ in range(200):
        for name, array in arrays.items():
            assert getattr(batch, name) is array
            assert array.tobytes() == getattr(mine, name).tobytes()
        for one, stream in zip((mine, batch), streams, strict=True):
            one.step(one.sample_legal(stream))


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 3), np.float32),
        np.zeros((3, 2), np.float32),
        np.zeros((4, 2), np.float64),
        np.zeros((2, 4), np.float32).T,
        [[0.0, 0.0]] * 4,
        None,
    ],
    ids=["too wide", "too short", "float64", "turned", "list", "none"],
)
def test_arrays_that_will_not_do_are_refused(array: Any) -> None:
    with pytest.raises(ConfigError, match="rewards are written into an array of float32"):
        Batch(None, 4, 1, players=2, observation=None, arrays={"rewards": array})
    frozen = np.zeros((4, 2), np.float32)
    frozen.flags.writeable = False
    with pytest.raises(ConfigError, match="writable"):
        Batch(None, 4, 1, players=2, observation=None, arrays={"rewards": frozen})


def test_arrays_of_other_names_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"'reward'.*observations, masks, rewards"):
        Batch(None, 4, 1, arrays={"reward": np.zeros((4, 4), np.float32)})


def test_arrays_are_given_by_name() -> None:
    with pytest.raises(ConfigError, match="give arrays by name"):
        Batch(None, 4, 1, arrays=[np.zeros((4, 4), np.float32)])  # type: ignore[arg-type]


def test_a_part_of_a_shared_block_or_of_a_file_will_do(tmp_path: Path) -> None:
    """Also where it is no plain array: kernels are handed what they were compiled for."""
    block = np.zeros((3, 4, 2), np.float32)
    mapped = np.memmap(tmp_path / "block", np.float32, "w+", shape=(4, 2))
    options: dict[str, Any] = {"players": 2, "observation": None, "reward": "points_gain"}
    batches = [Batch(None, 4, 1, arrays={"rewards": one}, **options) for one in (block[1], mapped)]
    streams = make_stream(1), make_stream(1)
    for _ in range(60):
        for one, stream in zip(batches, streams, strict=True):
            one.step(one.sample_legal(stream, discards=False))
        if block[1].any():
            break
    assert block[1].any()
    assert block[1].tobytes() == mapped.tobytes()
    assert not block[[0, 2]].any()
