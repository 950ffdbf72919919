"""Native batches of Gymnasium that write into arrays of the caller."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from iaww_env import ConfigError, threads
from tests.envs.frozen import freeze
from tests.envs.single.lane_play import MODES, choose_all
from tests.envs.single.learner_play import make_vec

LANES = 5
SIZES: dict[str, tuple[tuple[int, ...], Any]] = {
    "observations": ((LANES, 2857), np.float32),
    "masks": ((LANES, 627), np.int8),
    "rewards": ((LANES,), np.float64),
}


def make_arrays(*names: str) -> dict[str, np.ndarray]:
    """Arrays for three players in so many lanes, full of what is never written."""
    return {name: np.full(SIZES[name][0], 77, SIZES[name][1]) for name in names or SIZES}


def take_all(answer: Any) -> tuple[Any, Any, Any]:
    """Observations, masks and rewards of a step."""
    return answer[0]["observation"], answer[0]["action_mask"], answer[1]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("mode", MODES[:2])
def test_arrays_that_are_brought_are_written_into(
    mode: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same numbers as without, through automatic resets, in the caller's arrays and nowhere else."""
    monkeypatch.setattr(threads, "LEAST_PART", 2)
    arrays = make_arrays()
    options: dict[str, Any] = {"autoreset_mode": mode, "reward": "points_gain", "opponents": ["greedy"]}
    fresh = make_vec("3", LANES, **options)
    brought = make_vec("3", LANES, arrays=arrays, threads=count, **options)
    shown = fresh.reset(seed=4), brought.reset(seed=4)
    streams, ended = [random.Random(g) for g in range(LANES)], 0
    for _ in range(150):
        assert freeze(shown[0]) == freeze(shown[1])
        actions = choose_all(shown[0][0]["action_mask"], streams)
        shown = fresh.step(actions), brought.step(actions)
        for one, name in zip(take_all(shown[1]), SIZES, strict=True):
            assert one is arrays[name]
        ended += shown[0][2].sum()
    assert ended >= LANES


@pytest.mark.parametrize("name", SIZES)
def test_what_is_not_brought_is_fresh(name: str) -> None:
    arrays = make_arrays(name)
    env = make_vec("3", LANES, arrays=arrays)
    env.reset(seed=1)
    one, two = (take_all(env.step(env.action_masks().argmax(axis=1))) for _ in range(2))
    assert [mine is other for mine, other in zip(one, two, strict=True)] == [key == name for key in SIZES]


def test_the_registry_hands_the_arrays_on_as_they_are() -> None:
    arrays = make_arrays("masks")
    env = gymnasium.make_vec("iaww/Versus-v0", LANES, players=3, arrays=arrays)
    assert env.reset(seed=1)[0]["action_mask"] is arrays["masks"]
    assert set(np.unique(arrays["masks"])) == {0, 1}


def test_a_part_of_a_shared_block_or_of_a_file_will_do(tmp_path: Path) -> None:
    shape, kind = SIZES["observations"]
    block = np.zeros((3, *shape), kind)
    mapped = np.memmap(tmp_path / "block", kind, "w+", shape=shape)
    env, other = (make_vec("3", LANES, arrays={"observations": one}) for one in (block[1], mapped))
    assert freeze(env.reset(seed=2)) == freeze(other.reset(seed=2))
    assert block[1].tobytes() == mapped.tobytes()
    assert block[1].any()
    assert not block[[0, 2]].any()


def test_arrays_that_are_bent_afterwards_do_no_harm() -> None:
    arrays, mine = make_arrays(), make_vec("3", LANES)
    env = make_vec("3", LANES, arrays=arrays)
    env.reset(seed=1)
    mine.reset(seed=1)
    for array in arrays.values():
        array.flags.writeable = False
    env.step(env.action_masks().argmax(axis=1))
    mine.step(mine.action_masks().argmax(axis=1))
    assert env._lanes.states.tobytes() == mine._lanes.states.tobytes()


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_writes_into_arrays_of_its_own(way: Any) -> None:
    arrays = make_arrays()
    env = make_vec("3", LANES, arrays=arrays)
    env.reset(seed=1)
    env.step(env.action_masks().argmax(axis=1))
    kept = {name: array.copy() for name, array in arrays.items()}
    other = way(env)
    answer = take_all(other.step(other.action_masks().argmax(axis=1)))
    assert all((arrays[name] == kept[name]).all() for name in SIZES)
    assert freeze(answer) == freeze(take_all(env.step(env.action_masks().argmax(axis=1))))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"rewards": np.zeros(LANES, np.float32)}, r"rewards are written into an array of float64 \(5,\)"),
        ({"masks": np.zeros((LANES, 626), np.int8)}, r"masks are written into an array of int8 \(5, 627\)"),
        ({"observations": np.zeros((2857, LANES), np.float32).T}, "writable and in one piece"),
        ({"observation": np.zeros(3)}, "arrays has 'observation': what is written are observations, masks"),
        ([np.zeros(3)], "give arrays by name"),
    ],
)
def test_arrays_that_will_not_do_are_refused(arrays: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_vec("3", LANES, arrays=arrays)
