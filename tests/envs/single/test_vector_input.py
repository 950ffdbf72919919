"""The native batches of Gymnasium: illegal actions, bad input, and what the messages say."""

from __future__ import annotations

import logging
from typing import Any

import gymnasium
import numpy as np
import pytest

import iaww_env
from iaww_env import ConfigError, IllegalActionError
from tests.envs.single.lane_play import MODES
from tests.envs.single.learner_play import SOLO_ID, VERSUS_ID, make_vec
from tests.modes import CA
from tests.wrong_actions import NO_THREE_ACTIONS


@pytest.mark.parametrize("actions", [*NO_THREE_ACTIONS, ["a", "b", "c"]], ids=repr)
def test_actions_of_another_form_are_refused(actions: Any) -> None:
    env = make_vec("2", 3)
    env.reset(seed=1)
    before = env._lanes.states.copy()
    with pytest.raises(TypeError, match="3 whole numbers"):
        env.step(actions)
    assert (env._lanes.states == before).all()


@pytest.mark.parametrize("illegal", [-1, 626, 627, 2**15, 2**16, 2**40, -(2**40)])
def test_one_illegal_action_stops_all_lanes_where_it_is_an_error(illegal: int) -> None:
    env = make_vec("2", 3, illegal_action="raise", opponents=["greedy"])
    env.reset(seed=1)
    actions = env.action_masks().argmax(axis=1)
    actions[1] = illegal
    before = env._lanes.states.copy(), env._lanes.lanes.copy(), env._lanes.streams.copy()
    with pytest.raises(IllegalActionError, match="lane 1") as caught:
        env.step(actions)
    assert caught.value.seat == 0
    after = env._lanes.states, env._lanes.lanes, env._lanes.streams
    assert all((one == two).all() for one, two in zip(before, after, strict=True))


@pytest.mark.parametrize("mode", MODES[:2])
def test_unmasked_samplers_survive_the_defaults(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    env = make_vec("3", 8, autoreset_mode=mode)
    env.action_space.seed(1)
    env.reset(seed=1)
    ends = 0
    with caplog.at_level(logging.INFO, "iaww_env"):
        for _ in range(100):
            *_, ended, _, _ = env.step(env.action_space.sample())
            ends += ended.sum()
    assert ends > 300
    assert len(caplog.records) == 1


def test_the_order_of_calls() -> None:
    env = make_vec("2", 2, autoreset_mode="Disabled", opponents=["random"])
    for call in (lambda: env.step([0, 0]), env.action_masks):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            call()
    with pytest.raises(RuntimeError, match="reset"):
        env.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=1)
    actions = env.action_masks().argmax(axis=1)
    actions[1] = 626  # wait: it forfeits
    assert env.step(actions)[2].tolist() == [False, True]
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"lanes \[1\]"):
        env.step(actions)


@pytest.mark.parametrize("mask", [[True], [1, 0, 1], [False] * 3, np.zeros(3, np.bool_), "101", [[True] * 3]])
def test_reset_masks_that_cannot_be(mask: Any) -> None:
    env = make_vec("2", 3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("seed", [-1, 1.5, "abc", True, [1, 2], [1, 2, -3], [1, 2, "3"]])
def test_seeds_that_cannot_be(seed: Any) -> None:
    env = make_vec("2", 3)
    env.reset(seed=1)
    before = env._lanes.states.copy()
    with pytest.raises(ConfigError, match="seed"):
        env.reset(seed=seed)
    assert (env._lanes.states == before).all()


@pytest.mark.parametrize(
    "options", [{"num_envs": 0}, {"num_envs": 2.0}, {"num_envs": True}, {"autoreset_mode": "later"}]
)
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        iaww_env.VersusVectorEnv(**options)
    with pytest.raises(ConfigError, match=next(iter(options))):
        iaww_env.SoloVectorEnv(**options)


def test_the_expansions_and_ids_of_batches() -> None:
    for id, options in (
        (VERSUS_ID, {"players": 6, "expansions": CA}),
        (SOLO_ID, {"scenario": "ascension_sc02"}),
    ):
        env = gymnasium.make_vec(id, num_envs=2, **options)
        assert env.spec is not None
        assert env.spec.id == id
        assert env.unwrapped.config.ascension
        env.close()


@pytest.mark.parametrize("options", ["x", 5, ["deals"], ()])
def test_options_of_a_reset_that_are_no_table_are_refused(options: Any) -> None:
    venv = make_vec("3", 2)
    venv.reset(seed=1)
    before = venv._lanes.states.tobytes()
    with pytest.raises(TypeError, match="options of a reset are a table of names"):
        venv.reset(options=options)
    assert venv._lanes.states.tobytes() == before
