"""Native batches of Gymnasium whose lanes are shared by threads: the same bytes for any number of them."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iaww_agents.greedy import GreedyAgent
from iaww_env import ConfigError, IllegalActionError, threads
from iaww_env.engine.kernels import learner
from tests.bots.bot_files import IN_BATCHES, OWN_CHANCE, write_bot
from tests.envs.frozen import freeze
from tests.envs.single.lane_play import MODES, choose_all, play_batch
from tests.envs.single.learner_play import make_vec
from tests.game.test_threads import await_threads, count_threads

LANES = 7

# Table, options, and how often the learner plays any number at all.
GAMES: dict[str, tuple[str, dict[str, Any], float]] = {
    "random": ("4", {"seat": "random", "reward": "points_gain"}, 0),
    "greedy": ("3", {"opponents": ["greedy"], "seat": "rotate"}, 0),
    "kernels": ("3", {"opponents": ["greedy", "heuristic"], "observation": "compact"}, 0),
    "replacements": ("2", {"illegal_action": "replace", "skip_forced": False}, 0.1),
    "forfeits": ("2", {"opponents": ["greedy"], "seat": "random", "reward": "rank"}, 0.05),
    "one by one": ("3", {"opponents": [OWN_CHANCE, "greedy"], "seat": "random"}, 0),
    "in batches": ("3", {"opponents": ["greedy", IN_BATCHES], "seat": "random"}, 0),
    "a class": ("2", {"opponents": [GreedyAgent]}, 0),
    "solo": ("solo", {"reward": "points_gain"}, 0.01),
}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few lanes make a part that a test has time for many steps."""
    monkeypatch.setattr(threads, "LEAST_PART", 2)


def find_options(game: str, folder: Path) -> tuple[str, dict[str, Any]]:
    """The table and options of a game, bots written into files."""
    table, options, _ = GAMES[game]
    bots = options.get("opponents", ["random"])
    files = {body: write_bot(folder, name, body) for name, body in (("own", OWN_CHANCE), ("all", IN_BATCHES))}
    seated = {"opponents": [files.get(bot, bot) for bot in bots]} if table != "solo" else {}
    return table, options | seated


@pytest.mark.parametrize("mode", MODES[:2])
@pytest.mark.parametrize("game", GAMES)
def test_any_number_of_threads_gives_the_same(game: str, mode: str, tmp_path: Path) -> None:
    """Everything that is returned, every row and every stream, through automatic resets."""
    table, options = find_options(game, tmp_path)
    alone, *shared = (
        make_vec(table, LANES, autoreset_mode=mode, threads=count, **options) for count in (1, 2, 3)
    )
    assert [len(env._lanes.threads.parts) for env in (alone, *shared)] == [0, 2, 3]
    shown, *others = (env.reset(seed=20) for env in (alone, *shared))
    streams, ended = [random.Random(g) for g in range(LANES)], 0
    for step in range(150):
        for env, other in zip(shared, others, strict=True):
            assert freeze(shown) == freeze(other), step
            for name in ("states", "lanes", "streams"):
                rows = [getattr(one._lanes, name).tobytes() for one in (alone, env)]
                assert rows[0] == rows[1], (step, name)
        actions = choose_all(shown[0]["action_mask"], streams, GAMES[game][2])
        shown, *others = (env.step(actions) for env in (alone, *shared))
        ended += shown[2].sum()
    assert ended >= LANES
    compiled = getattr(learner.step_lanes, "signatures", [()])
    assert len(compiled) == 1, "a part of the arrays is for the kernel what all of them are"


def test_lanes_can_begin_one_by_one() -> None:
    envs = [make_vec("3", LANES, threads=count, autoreset_mode="Disabled") for count in (1, 3)]
    first = [freeze(env.reset(seed=3)) for env in envs]
    assert first[0] == first[1]
    actions = envs[0].action_masks().argmax(axis=1)
    played = [freeze(env.step(actions)) for env in envs]
    assert played[0] == played[1]
    begin = np.arange(LANES) % 3 == 1
    again = [freeze(env.reset(options={"reset_mask": begin})) for env in envs]
    assert again[0] == again[1]


def test_one_illegal_action_stops_the_lanes_of_all_threads() -> None:
    env = make_vec("2", LANES, illegal_action="raise", opponents=["greedy"], threads=3)
    env.reset(seed=1)
    actions = env.action_masks().argmax(axis=1)
    before = env._lanes.states.copy(), env._lanes.lanes.copy(), env._lanes.streams.copy()
    for bad in (0, LANES - 1):
        wrong = actions.copy()
        wrong[bad] = 30_000
        with pytest.raises(IllegalActionError, match=f"lane {bad}"):
            env.step(wrong)
        after = env._lanes.states, env._lanes.lanes, env._lanes.streams
        assert all((one == two).all() for one, two in zip(before, after, strict=True))


def test_a_bot_in_a_kernel_is_there_once_for_each_thread() -> None:
    """They write into arrays of their own; of a bot that is no name nobody knows what its copies share."""
    env = make_vec("3", LANES, opponents=["greedy", GreedyAgent], threads=3)
    play_batch(env, 5)
    named, given = env._lanes.opponents.asked
    assert len({id(agent) for agent in named.agents}) == 3
    assert given.agents == [given.agent]


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("game", ["random", "kernels", "one by one"])
def test_copies_go_on_in_the_same_way(game: str, way: Any, tmp_path: Path) -> None:
    table, options = find_options(game, tmp_path)
    env = make_vec(table, LANES, threads=2, **options)
    play_batch(env, 20)
    other = way(env)
    assert other._lanes.threads is not env._lanes.threads
    actions = env.action_masks().argmax(axis=1)
    assert freeze(env.step(actions)) == freeze(other.step(actions))
    assert play_batch(env, 20, seed=None) == play_batch(other, 20, seed=None)


def play_and_tell(env: Any, answer: Any) -> None:
    answer.put(play_batch(env, 10, seed=None))


@pytest.mark.parametrize("context", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # that is the test
def test_lanes_go_on_in_another_process(context: str) -> None:
    processes = multiprocessing.get_context(context)
    env = make_vec("3", LANES, opponents=["greedy"], threads=2)
    play_batch(env, 5)
    answer = processes.Queue()
    other = processes.Process(target=play_and_tell, args=(env, answer), daemon=True)
    other.start()
    found = answer.get(timeout=120)
    other.join(30)
    assert other.exitcode == 0
    assert found == play_batch(env, 10, seed=None)


def test_threads_end_when_the_environment_is_closed() -> None:
    gc.collect()
    assert await_threads(0)
    env = make_vec("2", LANES, threads=2)
    assert count_threads() == 0
    env.reset(seed=1)
    assert count_threads() == 1
    env.close()
    assert await_threads(0)
    other = make_vec("2", LANES, threads=2)
    other.reset(seed=1)
    del other
    gc.collect()
    assert await_threads(0), "and when it is dropped"


def test_a_bot_that_fails_in_a_thread_stops_the_lanes() -> None:
    env = make_vec("2", LANES, opponents=["greedy"], threads=2, seat=1)
    env.reset(seed=1)
    bot = env._lanes.opponents.asked[0]
    bot.agents[1].play_lanes = None
    with pytest.raises(TypeError):
        env.step(env.action_masks().argmax(axis=1))
    with pytest.raises(RuntimeError, match="a bot failed"):
        env.step(env.action_masks().argmax(axis=1))
    del bot.agents[1].play_lanes
    assert play_batch(env, 10) == play_batch(make_vec("2", LANES, opponents=["greedy"], seat=1), 10)


@pytest.mark.parametrize("count", [0, -1, 1.5, "2", True, None])
def test_threads_that_cannot_be(count: Any) -> None:
    with pytest.raises(ConfigError, match="threads is a whole number"):
        make_vec("2", 4, threads=count)
