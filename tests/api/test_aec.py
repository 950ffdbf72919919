"""The seat-by-seat environment: who is asked, what it is shown and paid; and that order changes nothing."""

from __future__ import annotations

import copy
import logging
import pickle
import random
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import iaww_env
from iaww_env import Batch, Game, IllegalActionError
from iaww_env.envs.multi.aec import AECGame
from iaww_env.observation import observation_table
from tests.api.tables import (
    MODES,
    SCHEMES,
    bring_to_last_decision,
    count_legal,
    freeze,
    make_choice,
    set_points,
)

Seen = dict[str, list[Any]]  # by agent: what it saw at each decision, and what it did


def start_aec(seed: int = 3, **options: Any) -> AECGame:
    """An environment in which a game has begun."""
    env = iaww_env.aec_env(**options)
    env.reset(seed=seed)
    return env


def get_legal(env: AECGame) -> int:
    """A legal action of the agent that is asked."""
    shown = env.last()[0]
    assert shown is not None
    return int(shown["action_mask"].argmax())


def play_aec(env: AECGame, choose: Callable[..., int], watch: Callable[..., None] = lambda *_: None) -> None:
    """Play on to the end, the last words included."""
    for agent in env.agent_iter():
        shown, reward, terminated, truncated, info = env.last()
        watch(agent, shown, reward, terminated, truncated, info)
        env.step(None if terminated else choose(agent, shown))


# --- The order of asking -----------------------------------------------------------------------------


@pytest.mark.parametrize("skip_forced", [True, False])
@pytest.mark.parametrize("mode", MODES)
def test_the_first_seat_that_owes_a_decision_is_asked(mode: str, skip_forced: bool) -> None:
    env = start_aec(**MODES[mode], skip_forced=skip_forced)
    table = observation_table(env.config, "full")
    forced = 0

    def watch(agent: str, shown: Any, reward: float, terminated: bool, truncated: bool, info: Any) -> None:
        nonlocal forced
        seat = env.possible_agents.index(agent)
        vector, mask = table.observe(env.game, seat)
        assert freeze(shown) == freeze({"observation": vector, "action_mask": mask})
        assert env.observation_space(agent).contains(shown)
        assert (terminated, truncated) == (env.game.over, False)
        assert type(reward) is float
        assert bool(info) == terminated
        if terminated:
            assert np.flatnonzero(mask).tolist() == [env.game.actions.wait]
        else:
            assert seat == env.game.seats_to_act()[0]
            assert np.flatnonzero(mask).tolist() == env.game.legal_actions(seat)
            assert env.agents == env.possible_agents
            forced += count_legal(shown) == 1

    play_aec(env, make_choice(env, 1), watch)
    assert (forced == 0) == skip_forced
    assert env.agents == []


def see_parallel(mode: str, seed: int, skip_forced: bool, profile: str) -> tuple[Seen, Game]:
    """What the seats see and do in the parallel environment, where they have something to decide."""
    env = iaww_env.parallel_env(**MODES[mode], skip_forced=skip_forced, observation=profile)
    choose = make_choice(env, seed)
    observations, _ = env.reset(seed=seed)
    seen: Seen = {agent: [] for agent in env.agents}
    while env.agents:
        actions = {}
        owing = env.game.seats_to_act()
        for seat, agent in enumerate(env.agents):
            shown = observations[agent]
            if seat in owing and not (skip_forced and count_legal(shown) == 1):
                actions[agent] = choose(agent, shown)
                seen[agent].append((freeze(shown), actions[agent]))
            else:
                actions[agent] = int(shown["action_mask"].argmax())
        observations = env.step(actions)[0]
    return seen, env.game


def see_aec(mode: str, seed: int, skip_forced: bool, profile: str) -> tuple[Seen, Game]:
    """The same where one seat after the other is asked."""
    env = iaww_env.aec_env(**MODES[mode], skip_forced=skip_forced, observation=profile)
    env.reset(seed=seed)
    choose = make_choice(env, seed)
    seen: Seen = {agent: [] for agent in env.agents}

    def note(agent: str, shown: Any) -> int:
        action = choose(agent, shown)
        seen[agent].append((freeze(shown), action))
        return action

    play_aec(env, note)
    return seen, env.game


def see_game(mode: str, seed: int, skip_forced: bool, profile: str) -> tuple[Seen, Game]:
    """The same in a plain game, the seats asked in random order."""
    env = iaww_env.aec_env(**MODES[mode])  # for its choices only
    choose, rng = make_choice(env, seed), random.Random(seed)
    game, table = Game(env.config, seed), observation_table(env.config, profile)
    seen: Seen = {agent: [] for agent in env.possible_agents}
    while not game.over:
        seat = rng.choice(game.seats_to_act())
        agent = f"seat_{seat}"
        vector, mask = table.observe(game, seat)
        if skip_forced and mask.sum() == 1:
            game.step(seat, int(mask.argmax()))
            continue
        shown = {"observation": vector, "action_mask": mask}
        action = choose(agent, shown)  # type: ignore[arg-type]  # the dict of an observation
        seen[agent].append((freeze(shown), action))
        game.step(seat, action)
    return seen, game


@pytest.mark.parametrize("profile", ["full", "compact"])
@pytest.mark.parametrize("skip_forced", [True, False])
@pytest.mark.parametrize("mode", MODES)
def test_the_order_of_asking_is_all_the_same(mode: str, skip_forced: bool, profile: str) -> None:
    """Each seat chooses from a stream of its own: it sees the same, decides the same, and the bytes agree."""
    options = (mode, 17, skip_forced, profile)
    seen, game = see_parallel(*options)
    assert min(len(decisions) for decisions in seen.values()) > 28
    for see in (see_aec, see_game):
        also_seen, other = see(*options)
        assert also_seen == seen
        assert other.row.tobytes() == game.row.tobytes()


@pytest.mark.parametrize("mode", ["2", "4-ascension", "7-ascension"])
def test_games_in_a_row_are_those_of_a_batch(mode: str) -> None:
    """Seats, masks, observations, points and rewards, through the batch's own new games."""
    env = start_aec(11, **MODES[mode], observation="compact")
    batch = Batch(env.config, 1, 11, observation="compact")
    choose, games = make_choice(env, 5), 0
    while games < 3:
        agent = env.agent_selection
        assert agent == f"seat_{batch.seats[0]}"
        shown = env.observe(agent)
        assert (shown["action_mask"] == batch.masks[0]).all()
        assert (shown["observation"] == batch.observations[0]).all()
        action = choose(agent, shown)
        env.step(action)
        batch.step(np.array([action], np.int16))
        assert bool(batch.done[0]) == env.game.over
        if env.game.over:
            games += 1
            assert [info["points"] for info in env.infos.values()] == batch.points[0].tolist()
            assert [info["place"] for info in env.infos.values()] == batch.places[0].tolist()
            assert list(env.rewards.values()) == batch.rewards[0].tolist()
            env.reset()


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
    if scheme in ("points", "points_gain"):
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
