"""The seat-by-seat environment: what is shown and paid, copies, memory and rendering."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from typing import Any

import numpy as np
import pytest

import iaww_env
from iaww_env.observation import observation_table
from tests.envs.frozen import freeze
from tests.envs.multi.aec_play import get_legal, play_aec, start_aec
from tests.envs.multi.last_decision import bring_to_last_decision, set_points
from tests.envs.multi.table_play import make_choice
from tests.modes import SCHEMES

# --- Rewards and the end -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("outcome", [-1 / 2, 1, -1 / 2]),
        ("rank", [-1, 1, 0]),
        ("points", [200, 300, 260]),
        ("margin", [-100, 40, -40]),
    ],
)
def test_rewards_of_an_end_worked_out_by_hand(scheme: str, expected: list[float]) -> None:
    env = start_aec(players=3, reward=scheme)
    bring_to_last_decision(env.game, 2)
    set_points(env.game, [200, 300, 260])
    told = []
    for seat in range(3):
        assert env.rewards == dict.fromkeys(env.agents, 0.0)
        assert env.agent_selection == f"seat_{seat}"
        env.step(env.game.actions.end)
    assert list(env.rewards.values()) == pytest.approx(expected)
    for agent in env.agent_iter():
        _, reward, terminated, _, info = env.last()
        told.append((agent, reward, terminated, info["points"], info["place"]))
        env.step(None)
    points, places = [200, 300, 260], [3, 1, 2]
    assert [one[0] for one in told] == ["seat_0", "seat_1", "seat_2"]
    assert [one[1] for one in told] == pytest.approx(expected)
    assert [one[2:] for one in told] == [(True, *pair) for pair in zip(points, places, strict=True)]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_rewards_since_an_agents_last_action_add_up(scheme: str) -> None:
    env = start_aec(5, players=4, reward=scheme)
    sums = dict.fromkeys(env.agents, 0.0)
    before_the_end = 0.0

    def watch(agent: str, shown: Any, reward: float, terminated: bool, *_: Any) -> None:
        nonlocal before_the_end
        sums[agent] += reward
        if not terminated:
            before_the_end += abs(reward)
        if scheme == "points_gain":
            assert sums[agent] == env.game.scores()[env.possible_agents.index(agent)]

    play_aec(env, make_choice(env, 4), watch)
    assert (before_the_end > 0) == (scheme == "points_gain")
    if scheme in ("points", "points_gain", "goal"):
        assert list(sums.values()) == env.game.scores()
    if scheme in ("outcome", "rank"):
        assert sum(sums.values()) == pytest.approx(0, abs=1e-6)
        assert max(sums, key=sums.__getitem__) == f"seat_{env.game.winners()[0]}"


def test_after_the_end_every_agent_takes_note_once() -> None:
    env = start_aec(players=2)
    env.step(-1)
    assert env.agents == ["seat_0", "seat_1"]
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.truncations == {"seat_0": False, "seat_1": False}
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(626)
    for left in (["seat_1"], []):
        env.step(None)
        assert env.agents == left
        assert list(env.rewards) == list(env.infos) == list(env.terminations) == list(env.truncations) == left
    for call in (lambda: env.step(None), lambda: env.step(0), env.last):
        with pytest.raises(RuntimeError, match=r"the game is over: call reset\(\)"):
            call()
    assert env.observe("seat_1")["action_mask"].sum() == 1, "the last position may still be looked at"
    env.reset(seed=3)
    assert env.terminations == {"seat_0": False, "seat_1": False}
    assert get_legal(env) >= 0


# --- Looking on, copies, memory ----------------------------------------------------------------------


def test_any_agent_may_look_at_any_time() -> None:
    """What it is shown is what the parallel environment would show it: its own actions, or `wait` alone."""
    env = start_aec(2, players=3)
    table = observation_table(env.config, "full")
    waited, could = 0, 0

    def watch(asked: str, *_: Any) -> None:
        nonlocal waited, could
        for seat, agent in enumerate(env.possible_agents):
            vector, mask = table.observe(env.game, seat)
            assert freeze(env.observe(agent)) == freeze({"observation": vector, "action_mask": mask})
            if agent != asked:
                waited += bool(mask[env.game.actions.wait])
                could += mask.sum() > 1

    play_aec(env, make_choice(env, 3), watch)
    assert waited > 20
    assert could > 20


def test_what_is_shown_is_fresh_and_changing_it_changes_nothing() -> None:
    clean, spoilt = start_aec(players=2, reward="points_gain"), start_aec(players=2, reward="points_gain")
    choose = make_choice(clean, 1)
    while clean.agents:
        one, other = clean.last(), spoilt.last()
        assert freeze(list(one)) == freeze(list(other))
        agent = clean.agent_selection
        action = None if one[2] else choose(agent, one[0])  # type: ignore[arg-type]  # shown
        assert other[0] is not None
        assert not np.shares_memory(other[0]["observation"], spoilt.observe(agent)["observation"])
        for array in other[0].values():
            array[:] = 77  # type: ignore[index]
        spoilt.infos[agent]["spoilt"] = spoilt.rewards["spoilt"] = 1
        clean.step(action)
        spoilt.step(action)
        spoilt.rewards.pop("spoilt", None)
    assert spoilt.agents == []


def test_last_without_observation() -> None:
    env = start_aec()
    shown, *rest = env.last(observe=False)
    assert shown is None
    assert rest == [0.0, False, False, {}]


@pytest.mark.parametrize("copy_env", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_as_the_original_does(copy_env: Any) -> None:
    env = start_aec(players=3, reward="points_gain", illegal_action="replace")
    choose = make_choice(env, 1)
    for number in range(70):
        env.step(-1 if number % 9 == 0 else choose(env.agent_selection, env.observe(env.agent_selection)))
    twin = copy_env(env)
    before = env.game.to_bytes()
    twin.step(-1)
    assert env.game.to_bytes() == before
    env.step(-1)
    twin_choose = make_choice(env, 2)
    choose = make_choice(env, 2)
    while env.agents:
        one, two = env.last(), twin.last()
        assert freeze(list(one)) == freeze(list(two))
        assert env.game == twin.game
        env.step(None if one[2] else choose(env.agent_selection, one[0]))  # type: ignore[arg-type]
        twin.step(None if two[2] else twin_choose(twin.agent_selection, two[0]))
    assert twin.agents == []


def test_the_central_state_is_that_of_the_parallel_environment() -> None:
    env, other = start_aec(players=3), iaww_env.parallel_env(players=3)
    other.reset(seed=3)
    assert (env.state() == other.state()).all()
    assert env.state_space == other.state_space
    env.step(get_legal(env))
    assert env.state_space.contains(env.state())
    assert not (env.state() == other.state()).all(), "a pick that is not yet revealed is in it"


def test_memory_stays_flat() -> None:
    env = start_aec(players=2, observation="compact", illegal_action="replace")

    def play(games: int) -> None:
        for _ in range(games):
            env.reset()
            play_aec(env, lambda *_: -1)

    play(2)
    tracemalloc.start()
    try:
        play(1)
        before = tracemalloc.get_traced_memory()[0]
        play(8)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 10_000


def test_render_shows_the_table_to_the_agent_that_is_asked() -> None:
    env = start_aec(players=2, render_mode="ansi")
    text = env.render()
    assert isinstance(text, str)
    assert "You, seat 0" in text
    assert all(card in text for card in env.game.hand(0))
    unseen = set(env.game.hand(1)) - set(env.game.hand(0))
    assert unseen
    assert not any(f"{card} " in text or f"{card}," in text for card in unseen)
    env.step(get_legal(env))
    assert "You, seat 1" in str(env.render())
    play_aec(env, make_choice(env, 1))
    assert env.render() == str(env.game), "at the end there are no secrets"
    env.close()


def test_human_rendering_prints_each_position(capsys: pytest.CaptureFixture[str]) -> None:
    env = iaww_env.aec_env(players=2, render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out.count("You, seat 0") == 1
    env.step(get_legal(env))
    assert capsys.readouterr().out.count("You, seat 1") == 1
    assert env.render() is None
