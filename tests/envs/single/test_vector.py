"""The native batches of Gymnasium: each lane goes as the single environment of its seed, in every mode."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from iaww_env.engine.kernels import learner
from tests.bots.bot_files import IN_BATCHES, OWN_CHANCE, SLOW_GREEDY, write_bot
from tests.envs.frozen import freeze
from tests.envs.single.lane_play import MODES, choose_all, play_batch
from tests.envs.single.learner_play import TABLES, make, make_vec

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


@pytest.mark.parametrize("mode", MODES[:2])
@pytest.mark.parametrize("game", ["random", "forfeits", "solo", "scenario"])
def test_games_that_end_in_the_same_step(game: str, mode: str) -> None:
    """What is said of them is filled in at once, and is what Gymnasium says of one after the other."""
    table, options, illegal = GAMES[game]
    n = 40
    native, singles = make_both(table, n, mode, **options | {"observation": "compact"})
    shown, other = native.reset(seed=20), singles.reset(seed=20)
    streams, most = [random.Random(g) for g in range(n)], 0
    for step in range(170):
        assert freeze(shown) == freeze(other), step
        actions = choose_all(shown[0]["action_mask"], streams, illegal / 10)
        shown, other = native.step(actions), singles.step(actions)
        most = max(most, int(shown[2].sum()))
    assert most >= 3


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
    calls, kernel = [], learner.step_lanes

    def count(*args: Any) -> int:
        calls.append(args[0])
        return kernel(*args)

    for mode in MODES[:2]:
        env = make_vec(
            "5", 16, opponents=["random", "random:nodiscard", "random", "random"], autoreset_mode=mode
        )
        env.reset(seed=1)
        monkeypatch.setattr(learner, "step_lanes", count)
        calls.clear()
        for _ in range(120):
            env.step(env.action_masks().argmax(axis=1))
        assert calls == [learner.STEP] * 120
        monkeypatch.undo()
