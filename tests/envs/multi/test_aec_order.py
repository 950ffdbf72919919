"""The seat-by-seat environment: who is asked, and that the order changes nothing."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import iaww_env
from iaww_env import Batch, Game
from iaww_env.observation import observation_table
from tests.envs.frozen import freeze
from tests.envs.multi.aec_play import play_aec, start_aec
from tests.envs.multi.table_play import count_legal, make_choice
from tests.modes import OPTIONS

Seen = dict[str, list[Any]]  # by agent: what it saw at each decision, and what it did


@pytest.mark.parametrize("skip_forced", [True, False])
@pytest.mark.parametrize("mode", OPTIONS)
def test_the_first_seat_that_owes_a_decision_is_asked(mode: str, skip_forced: bool) -> None:
    env = start_aec(**OPTIONS[mode], skip_forced=skip_forced)
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
    env = iaww_env.parallel_env(**OPTIONS[mode], skip_forced=skip_forced, observation=profile)
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
    env = iaww_env.aec_env(**OPTIONS[mode], skip_forced=skip_forced, observation=profile)
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
    env = iaww_env.aec_env(**OPTIONS[mode])  # for its choices only
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


@pytest.mark.parametrize("profile", ["full", "compact", "cards"])
@pytest.mark.parametrize("skip_forced", [True, False])
@pytest.mark.parametrize("mode", OPTIONS)
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
    env = start_aec(11, **OPTIONS[mode], observation="compact")
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
