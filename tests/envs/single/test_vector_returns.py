"""The native batches of Gymnasium: what they declare and return, and how lanes begin."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.bots.bot_files import OWN_CHANCE, write_bot
from tests.dealt_cards import draw_hands
from tests.envs.frozen import freeze
from tests.envs.single.lane_play import MODES, choose_all, play_batch
from tests.envs.single.learner_play import make, make_vec


@pytest.mark.parametrize("mode", MODES)
def test_the_autoreset_mode_is_declared(mode: str) -> None:
    for table in ("3", "solo"):
        for given in (mode, AutoresetMode(mode)):
            env = make_vec(table, 2, autoreset_mode=given)
            assert env.metadata["autoreset_mode"] is AutoresetMode(mode)
    assert make_vec("3", 2).metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert "autoreset_mode" not in type(env).metadata


def test_spaces_hold_what_is_returned() -> None:
    env = make_vec("3", 3, autoreset_mode="SameStep")
    assert env.single_observation_space == make("3").observation_space
    assert env.single_action_space == make("3").action_space
    shown, _ = env.reset(seed=1)
    streams = [random.Random(g) for g in range(3)]
    for _ in range(100):
        assert shown in env.observation_space
        actions = choose_all(shown["action_mask"], streams)
        assert actions in env.action_space
        shown, rewards, terminations, truncations, infos = env.step(actions)
        assert (rewards.dtype, terminations.dtype, truncations.dtype) == (np.float64, np.bool_, np.bool_)
        assert not truncations.any()
        for last in infos.get("final_obs", np.array([]))[infos.get("_final_obs", [])]:
            assert last in env.single_observation_space
            assert np.flatnonzero(last["action_mask"]).tolist() == [env.game(0).actions.wait]


@pytest.mark.parametrize("mode", MODES[:2])
def test_arrays_are_fresh(mode: str) -> None:
    env = make_vec("2", 2, autoreset_mode=mode, opponents=["greedy"])
    answers: list[Any] = [env.reset(seed=1)]
    frozen = [freeze(answers[0])]
    streams = [random.Random(g) for g in range(2)]
    for _ in range(150):
        answers.append(env.step(choose_all(answers[-1][0]["action_mask"], streams)))
        frozen.append(freeze(answers[-1]))
    assert [freeze(answer) for answer in answers] == frozen
    arrays = [array for answer in answers[1:] for array in (*answer[0].values(), *answer[1:4])]
    assert len({array.__array_interface__["data"][0] for array in arrays}) == len(arrays)


def test_scribbling_on_what_was_returned_changes_nothing() -> None:
    env, other = make_vec("2", 2), make_vec("2", 2)
    for one in (env, other):
        shown, infos = one.reset(seed=3)
    for step in range(60):
        legal = other.action_masks()
        assert (env.action_masks() == legal).all()
        answer = env.step(legal.argmax(axis=1))
        assert freeze(answer) == freeze(other.step(legal.argmax(axis=1))), step
        for array in (*answer[0].values(), *answer[1:4]):
            array[...] = 1
    shown["observation"][:], infos["seat"][:] = 1, 1


def test_lanes_can_begin_one_by_one() -> None:
    """`reset_mask` in the middle of games, with and without seeds; the other lanes stand as they stood."""
    env = make_vec("3", 4, seat="random")
    env.reset(seed=1)
    for _ in range(10):
        shown, *_ = env.step(env.action_masks().argmax(axis=1))
    rows = env._lanes.states.copy()
    mask = np.array([False, True, False, True])
    again, infos = env.reset(seed=[None, 7, 3, None], options={"reset_mask": mask})
    changed = (env._lanes.states != rows).any(axis=1)
    assert (changed == mask).all()
    for key in shown:
        assert (again[key][~mask] == shown[key][~mask]).all()
    assert (
        again["observation"][1].tobytes()
        == make("3", seat="random").reset(seed=7)[0]["observation"].tobytes()
    )
    assert (infos["_seat"] == mask).all()


def test_a_lane_that_begins_from_the_same_seed_has_the_same_bots(tmp_path: Path) -> None:
    """Told anew, where only some lanes begin; those of the other lanes play on."""
    env = make_vec("2", 2, opponents=[write_bot(tmp_path, "again", OWN_CHANCE)], seat=1)
    env.reset(seed=4)
    games = []
    for _ in range(2):
        rows = [env._lanes.states[0].tobytes()]
        for _ in range(6):
            env.step(env.action_masks().argmax(axis=1))
            rows.append(env._lanes.states[0].tobytes())
        games.append(rows)
        env.reset(seed=[4, None], options={"reset_mask": np.array([True, False])})
    assert games[0] == games[1]


def test_deals_are_those_of_all_lanes_for_one_game() -> None:
    env = make_vec("solo", 2, autoreset_mode="SameStep")
    pools = draw_hands(env.config, 4)
    shown, _ = env.reset(seed=1, options={"pools": pools})
    assert [sorted(game.drafted(0)) for game in env.call("game")] == [sorted(pools[0])] * 2
    streams = [random.Random(g) for g in range(2)]
    hands = set()
    for _ in range(150):
        shown, _, ended, *_ = env.step(choose_all(shown["action_mask"], streams))
        hands |= {tuple(env.game(g).drafted(0)) for g in np.flatnonzero(ended).tolist()}
    assert len(hands) > 1


def test_as_methods_of_other_libraries() -> None:
    env = make_vec("3", 3, seat="random")
    env.reset(seed=1)
    masks = env.action_masks()
    assert masks.dtype == np.bool_
    for said in (env.call("action_masks"), env.get_attr("action_masks"), env.env_method("action_masks")):
        assert len(said) == 3
        assert (np.array(said) == masks).all()
    assert env.call("learner_seat") == tuple(env._lanes.seat(g) for g in range(3))
    assert env.get_attr("config") == (env.config,) * 3
    assert env.get_attr("render_mode") == (None,) * 3
    assert env.call("render") == (None,) * 3
    with pytest.raises(AttributeError, match="action_masks"):
        env.call("fly")


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    env = make_vec("3", 2, render_mode="ansi")
    env.reset(seed=1)
    single = make("3", render_mode="ansi")
    single.reset(seed=2)
    assert env.render()[1] == single.render()
    loud = make_vec("3", 2, render_mode="human")
    loud.reset(seed=1)
    assert capsys.readouterr().out.count("lane") == 2
    assert make_vec("3", 2).render() is None


@pytest.mark.parametrize(
    "way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"]
)
def test_copies_go_on_in_the_same_way(way: Any, tmp_path: Path) -> None:
    spec = write_bot(tmp_path, "own_chance", OWN_CHANCE)
    env = make_vec("4", 3, opponents=["greedy", spec, "random"], seat="random", autoreset_mode="SameStep")
    play_batch(env, 70)
    other = way(env)
    for _ in range(80):
        actions = env.action_masks().argmax(axis=1)
        assert freeze(env.step(actions)) == freeze(other.step(actions))
