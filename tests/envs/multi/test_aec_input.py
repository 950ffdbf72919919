"""The seat-by-seat environment: illegal actions, and input that no action is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import iaww_env
from iaww_env import IllegalActionError
from tests.envs.frozen import freeze
from tests.envs.multi.aec_play import get_legal, start_aec

# --- Illegal actions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [626, 627, -1, 2**15, 2**16, 2**63, 10**30])
def test_an_illegal_action_forfeits_the_game(bad: int, caplog: pytest.LogCaptureFixture) -> None:
    env = start_aec(players=3)
    env.step(get_legal(env))
    before = env.game.to_bytes()
    with caplog.at_level(logging.WARNING, "iaww_env"):
        env.step(bad)
    assert "seat 1 played the illegal action" in caplog.text
    assert env.game.to_bytes() == before
    assert list(env.rewards.values()) == pytest.approx([1 / 4, -1 / 2, 1 / 4])
    assert env.infos["seat_1"] == {"points": 0, "place": 3, "illegal_action": 1}
    assert env.infos["seat_0"] == {"points": 0, "place": 1}
    for agent in env.agent_iter():
        shown, _, terminated, _, _ = env.last()
        assert terminated
        assert shown is not None
        assert np.flatnonzero(shown["action_mask"]).tolist() == [626]
        assert env.observation_space(agent).contains(shown)
        env.step(None)


def test_a_lost_upper_half_makes_no_legal_action() -> None:
    for number in (2**16, np.int64(2**16), np.int32(2**16)):
        env = start_aec(players=3)
        env.step(number + get_legal(env))
        assert all(env.terminations.values())


def test_an_illegal_action_is_replaced_and_counted_until_its_agent_is_asked_again() -> None:
    env = start_aec(players=2, illegal_action="replace")
    env.step(626)
    assert (env.game.state.picked > 0).tolist() == [True, False]
    assert env.agent_selection == "seat_1"
    assert env.infos == {"seat_0": {"illegal_action": 1}, "seat_1": {}}
    env.step(get_legal(env))
    assert env.last()[4] == {"illegal_action": 1}
    env.step(get_legal(env))
    assert env.infos["seat_0"] == {}
    count = 1
    for agent in env.agent_iter():
        terminated = env.last()[2]
        count += agent == "seat_0" and not terminated
        if terminated:
            assert env.infos[agent]["illegal_action"] > 20
        env.step(None if terminated else -1)
    assert env.game.over
    assert count > 20


def test_an_illegal_action_can_raise_and_leaves_everything_as_it_was() -> None:
    env, other = (start_aec(players=2, illegal_action="raise", reward="points_gain") for _ in range(2))
    before = env.game.to_bytes(), freeze(env.rewards), freeze(env.infos), env.agent_selection
    with pytest.raises(IllegalActionError, match="seat 0 cannot play 'end'"):
        env.step(env.game.actions.end)
    assert (env.game.to_bytes(), freeze(env.rewards), freeze(env.infos), env.agent_selection) == before
    for one in (env, other):
        one.step(get_legal(other) if one is other else get_legal(env))
    assert env.game == other.game


# --- Bad input ---------------------------------------------------------------------------------------


def test_nothing_works_before_the_first_reset() -> None:
    env = iaww_env.aec_env(render_mode="ansi")
    calls: list[Callable[[], Any]] = [lambda: env.step(0), env.last, env.agent_iter, env.state, env.render]
    for call in [*calls, lambda: env.observe("seat_0")]:
        with pytest.raises(RuntimeError, match=r"no game yet: call reset\(\) first"):
            call()


@pytest.mark.parametrize(
    "bad", [1.0, None, "3", True, np.True_, np.float32(3), [3], np.array([3]), {}], ids=repr
)
def test_actions_of_a_wrong_type_are_refused(bad: Any) -> None:
    env = start_aec()
    env.step(get_legal(env))
    before = env.game.to_bytes()
    with pytest.raises(TypeError, match=f"the action of seat_1 .*{type(bad).__name__}.* an integer"):
        env.step(bad)
    assert env.game.to_bytes() == before
    assert env.agent_selection == "seat_1"


@pytest.mark.parametrize("form", [np.int64, np.int8, np.uint16, np.array])
def test_integers_of_numpy_are_as_good_as_pythons(form: Any) -> None:
    env, other = start_aec(), start_aec()
    env.step(get_legal(env))
    other.step(form(get_legal(other)))
    assert env.game == other.game


def test_an_agent_that_does_not_sit_here_cannot_look() -> None:
    env = start_aec(players=2)
    for name in ("seat_2", 0, None, []):
        with pytest.raises(ValueError, match="the agents are seat_0, seat_1"):
            env.observe(name)  # type: ignore[arg-type]
