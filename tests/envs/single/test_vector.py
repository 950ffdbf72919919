"""The native batches of Gymnasium: each lane goes as the single environment of its seed, in every mode."""

from __future__ import annotations

import copy
import logging
import pickle
import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import iaww_env
from iaww_env import ConfigError, IllegalActionError
from iaww_env.engine.kernels import learner as versus
from tests.bots.bot_files import IN_BATCHES, OWN_CHANCE, SLOW_GREEDY, write_bot
from tests.dealt_cards import draw_hands
from tests.envs.frozen import freeze
from tests.envs.single.learner_play import SOLO_ID, TABLES, VERSUS_ID, choose, make, make_vec
from tests.modes import CA

MODES = ("NextStep", "SameStep", "Disabled")

# Tables and options; `illegal` is how often the learner plays any number at all.
GAMES: dict[str, tuple[str, dict[str, Any], float]] = {
    "random": ("4", {}, 0),
    "greedy": ("3", {"opponents": ["greedy"], "seat": "random"}, 0),
    "mixed": (
        "4",
        {"opponents": ["greedy", "random:nodiscard", "random"], "seat": "rotate", "reward": "points_gain"},
        0,
    ),
    "forfeits": ("2", {"opponents": ["greedy"], "seat": "random", "reward": "rank"}, 0.05),
    "replacements": ("2", {"illegal_action": "replace", "skip_forced": False, "observation": "compact"}, 0.1),
    "seven": ("7-ascension", {"illegal_action": "raise", "reward": "margin", "seat": "random"}, 0),
    "solo": ("solo", {"reward": "points_gain"}, 0.01),
    "scenario": ("ascension_sc01", {"observation": "compact"}, 0.02),
}


def choose_all(masks: np.ndarray, streams: list[random.Random], illegal: float = 0) -> np.ndarray:
    """An action for every lane, each from a stream of its own."""
    return np.array([choose(mask, stream, illegal) for mask, stream in zip(masks, streams, strict=True)])


def make_both(table: str, n: int, mode: str, **options: Any) -> tuple[Any, Any]:
    """The native batch, and Gymnasium's own over single environments."""
    id, named = TABLES[table]
    singles = gymnasium.make_vec(
        id, n, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **named, **options
    )
    return make_vec(table, n, autoreset_mode=mode, **options), singles


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", GAMES)
def test_each_lane_goes_as_the_single_environment_of_its_seed(game: str, mode: str) -> None:
    """Rows, observations, rewards, ends and infos, byte for byte, through automatic resets."""
    table, options, illegal = GAMES[game]
    n = 3
    native, singles = make_both(table, n, mode, **options)
    shown = freeze(native.reset(seed=20)), freeze(singles.reset(seed=20))
    streams, ended = [random.Random(g) for g in range(n)], 0
    for step in range(450):
        assert shown[0] == shown[1], step
        for g, single in enumerate(singles.envs):
            assert native._lanes.states[g].tobytes() == single.unwrapped._lanes.states[0].tobytes()
        masks = native.action_masks()
        assert masks.tobytes() == np.array(singles.call("action_masks")).tobytes()
        actions = choose_all(masks, streams, illegal)
        answer = native.step(actions)
        shown = freeze(answer), freeze(singles.step(actions))
        ended += answer[2].sum()
        if mode == "Disabled" and answer[2].any():
            assert shown[0] == shown[1], step
            shown = tuple(
                freeze(env.reset(options={"reset_mask": answer[2].copy()})) for env in (native, singles)
            )
    assert ended >= 2 * n


def test_the_lanes_are_the_single_environments_made_one_by_one() -> None:
    """The same without Gymnasium's own batch between them."""
    env = make_vec("4", 4, opponents=["greedy", "random", "greedy"], seat="random", autoreset_mode="SameStep")
    shown, _ = env.reset(seed=9)
    singles = [make("4", opponents=["greedy", "random", "greedy"], seat="random") for _ in range(4)]
    seen = [single.reset(seed=9 + g)[0] for g, single in enumerate(singles)]
    streams, ended = [random.Random(g) for g in range(4)], 0
    for _ in range(250):
        for g in range(4):
            assert {key: value[g].tobytes() for key, value in shown.items()} == {
                key: value.tobytes() for key, value in seen[g].items()
            }
        actions = choose_all(shown["action_mask"], streams)
        shown, rewards, terminations, _, infos = env.step(actions)
        for g, single in enumerate(singles):
            seen[g], reward, over, _, words = single.step(int(actions[g]))
            assert (rewards[g], terminations[g]) == (reward, over)
            if over:
                ended += 1
                assert freeze(infos["final_obs"][g]) == freeze(seen[g])
                assert infos["final_info"]["points"][g] == words["points"]
                seen[g] = single.reset()[0]
    assert ended >= 4


def test_the_size_of_the_batch_does_not_matter() -> None:
    """Lane 3 of seven goes as lane 0 of one."""
    many, one = make_vec("3", 7, seat="random"), make_vec("3", 1, seat="random")
    shown, alone = many.reset(seed=50)[0], one.reset(seed=53)[0]
    streams = [random.Random(g) for g in range(7)]
    for _ in range(150):
        assert shown["observation"][3].tobytes() == alone["observation"][0].tobytes()
        actions = choose_all(shown["action_mask"], streams)
        shown, alone = many.step(actions)[0], one.step(actions[3:4])[0]


# --- Bots of every sort ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", ["2", "4", "5-ascension"])
def test_a_bot_plays_the_same_in_a_kernel_and_one_by_one(players: str, tmp_path: Path) -> None:
    slow = write_bot(tmp_path, "slow", SLOW_GREEDY)
    games = [
        play_batch(make_vec(players, 3, opponents=[spec], seat="random"), 90) for spec in ("greedy", slow)
    ]
    assert games[0] == games[1]


def play_batch(env: Any, steps: int, seed: int = 4) -> list[Any]:
    """What so many steps returned."""
    answers = [env.reset(seed=seed)]
    streams = [random.Random(g) for g in range(env.num_envs)]
    for _ in range(steps):
        answers.append(env.step(choose_all(answers[-1][0]["action_mask"], streams)))
    return freeze(answers)


@pytest.mark.parametrize("body", [OWN_CHANCE, IN_BATCHES], ids=["one by one", "in batches"])
def test_the_chance_of_a_bot_does_not_depend_on_other_lanes(body: str, tmp_path: Path) -> None:
    spec = write_bot(tmp_path, "chance", body)
    options: dict[str, Any] = {"opponents": [spec, "greedy"], "seat": "random", "autoreset_mode": "SameStep"}
    native, singles = make_both("3", 4, **{"mode": options.pop("autoreset_mode")}, **options)
    assert play_batch(native, 120) == play_batch(singles, 120)


def test_a_batch_bot_is_asked_once_for_all_lanes(tmp_path: Path) -> None:
    """It sees the decisions of all lanes that wait, each as its seat sees it."""
    noted = tmp_path / "noted"
    body = f"""
def reset_batch(self, config):
    self.config = config
def act(self, view):
    raise AssertionError
def act_batch(self, view):
    assert view.config == self.config and len(view) == len(view.games) == len(view.seats)
    assert view.observations.shape[0] == view.action_masks.shape[0] == len(view)
    assert (view.action_masks.sum(axis=1) > 1).all()
    with open({str(noted)!r}, "a") as file:
        print(len(view), *sorted(set(view.seats.tolist())), file=file)
    return view.action_masks.argmax(axis=1)
"""
    env = make_vec("3", 8, opponents=[write_bot(tmp_path, "noting", body)], seat=1)
    env.reset(seed=1)
    assert noted.read_text().splitlines() == ["8 0"], "seat 0 decides before the learner, in all lanes"
    env.step(env.action_masks().argmax(axis=1))
    assert noted.read_text().splitlines()[1:] == ["8 2", "8 0"], "then seat 2, and seat 0 in the next pick"


def test_random_opponents_take_one_kernel_call_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, kernel = [], versus.step_lanes

    def count(*args: Any) -> int:
        calls.append(args[0])
        return kernel(*args)

    for mode in MODES[:2]:
        env = make_vec(
            "5", 16, opponents=["random", "random:nodiscard", "random", "random"], autoreset_mode=mode
        )
        env.reset(seed=1)
        monkeypatch.setattr(versus, "step_lanes", count)
        calls.clear()
        for _ in range(120):
            env.step(env.action_masks().argmax(axis=1))
        assert calls == [versus.STEP] * 120
        monkeypatch.undo()


# --- What is returned ----------------------------------------------------------------------------------


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


# --- Input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "actions",
    [
        [0, 0],
        [0, 0, 0, 0],
        [[0, 0, 0]],
        0,
        None,
        [0.0, 0.0, 0.0],
        [True, True, True],
        ["a", "b", "c"],
        [0, None, 0],
        [],
    ],
    ids=repr,
)
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
