"""Stable-Baselines3 and sb3-contrib: their checker, MaskablePPO, and the adapter for the native batch."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import iaww_env
from iaww_env import ConfigError, threads

pytestmark = pytest.mark.compat
pytest.importorskip("stable_baselines3", reason="stable-baselines3 is not installed: extra [compat]")
pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: extra [compat]")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

from iaww_env.envs.adapters.sb3 import SB3VecEnv

SOLO, VERSUS = "iaww/Solo-v0", "iaww/Versus-v0"
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "solo": (SOLO, {"observation": "compact", "reward": "points_gain"}),
    "versus": (VERSUS, {"players": 3, "opponents": ["greedy"], "observation": "compact"}),
}
SMALL: dict[str, Any] = {"n_steps": 128, "batch_size": 64, "n_epochs": 1, "policy_kwargs": {"net_arch": [32]}}


def copy_weights(model: Any) -> list[np.ndarray]:
    return [weight.detach().numpy().copy() for weight in model.policy.parameters()]


def check_learning(model: Any, env: Any, steps: int) -> None:
    """Learn so many steps, then play whole games; the weights have moved, no masked action was played."""
    before = copy_weights(model)
    model.learn(steps)
    after = copy_weights(model)
    assert any((one != other).any() for one, other in zip(before, after, strict=True))
    assert all(np.isfinite(weight).all() for weight in after)
    rewards, lengths = evaluate_policy(model, env, n_eval_episodes=4, return_episode_rewards=True)
    assert np.isfinite(rewards).all()
    assert min(lengths) >= 20  # four rounds of seven picks or more; a forfeit ends within the first decisions


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("illegal_action", ["forfeit", "replace"])
def test_checker(case: str, illegal_action: str) -> None:
    id, options = CASES[case]
    env = gymnasium.make(id, **options, illegal_action=illegal_action)
    check_env(env.unwrapped)  # plays unmasked; its recommendations are warnings, and here those are errors


@pytest.mark.parametrize("case", CASES)
def test_maskable_ppo_learns_on_the_single_environment(case: str) -> None:
    id, options = CASES[case]
    env = Monitor(gymnasium.make(id, illegal_action="raise", **options))
    check_learning(MaskablePPO("MultiInputPolicy", env, seed=0, **SMALL), env, 256)


@pytest.mark.parametrize("case", CASES)
def test_maskable_ppo_learns_on_the_native_batch(case: str) -> None:
    id, options = CASES[case]
    venv = VecMonitor(SB3VecEnv(id, 8, illegal_action="raise", **options))
    check_learning(MaskablePPO("MultiInputPolicy", venv, seed=0, **(SMALL | {"n_steps": 64})), venv, 1024)


def test_plain_ppo_survives_without_masks() -> None:
    venv = VecMonitor(SB3VecEnv(VERSUS, 4, players=2))
    PPO("MultiInputPolicy", venv, seed=0, **SMALL).learn(512)
    assert venv.episode_count >= 4  # forfeits end games, and the next ones begin


# --- The adapter --------------------------------------------------------------------------------


def draw_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


@pytest.mark.parametrize("case", CASES)
def test_lanes_play_as_single_environments_of_their_seeds(case: str) -> None:
    id, options = CASES[case]
    venv = SB3VecEnv(id, 3, **options)
    venv.seed(7)
    shown = venv.reset()
    singles = [gymnasium.make(id, **options) for _ in range(3)]
    begun = [env.reset(seed=7 + g) for g, env in enumerate(singles)]
    assert [info for _, info in begun] == venv.reset_infos
    now, rng, games = [first for first, _ in begun], np.random.default_rng(1), 0
    while games < 6:
        assert venv.observation_space["observation"].contains(shown["observation"][0])
        actions = draw_legal(shown["action_mask"], rng)
        shown, rewards, dones, infos = venv.step(actions)
        assert rewards.dtype == np.float32
        assert dones.dtype == np.bool_
        for g, env in enumerate(singles):
            now[g], reward, ended, _, info = env.step(int(actions[g]))
            assert rewards[g] == np.float32(reward)
            assert dones[g] == ended
            if ended:
                games += 1
                last = infos[g].pop("terminal_observation")
                assert infos[g].pop("TimeLimit.truncated") is False
                for part in ("observation", "action_mask"):
                    np.testing.assert_array_equal(last[part], now[g][part])
                np.testing.assert_array_equal(infos[g].pop("scores"), info.pop("scores"))
                np.testing.assert_array_equal(infos[g].pop("places"), info.pop("places"))
                now[g], begun_info = env.reset()
                assert venv.reset_infos[g] == begun_info
            assert infos[g] == info
            for part in ("observation", "action_mask"):
                np.testing.assert_array_equal(shown[part][g], now[g][part])


def test_masks_are_found_before_and_after_the_first_reset() -> None:
    venv = SB3VecEnv(VERSUS, 3, players=2)
    assert is_masking_supported(venv)
    assert is_masking_supported(VecMonitor(venv))
    assert venv.has_attr("action_masks")
    assert not venv.has_attr("no_such_thing")
    shown = venv.reset()
    np.testing.assert_array_equal(get_action_masks(venv), shown["action_mask"].astype(bool))
    picked = venv.env_method("action_masks", indices=[2, 0])
    np.testing.assert_array_equal(picked, shown["action_mask"][[2, 0]].astype(bool))
    np.testing.assert_array_equal(
        venv.get_attr("action_masks", indices=1)[0](), shown["action_mask"][1].astype(bool)
    )
    assert [game.config.players for game in venv.get_attr("game")] == [2, 2, 2]
    assert venv.get_attr("learner_seat") == [0, 0, 0]
    assert venv.env_is_wrapped(Monitor) == [False] * 3


def test_seeds_are_for_one_reset() -> None:
    venv = SB3VecEnv(SOLO, 2)
    assert list(venv.seed(3)) == [3, 4]
    first = venv.reset()["observation"]
    following = venv.reset()["observation"]
    assert (first != following).any()
    venv.seed(3)
    np.testing.assert_array_equal(venv.reset()["observation"], first)
    np.random.seed(5)
    before = np.random.get_state()[1].copy()
    drawn = venv.seed()
    np.testing.assert_array_equal(np.random.get_state()[1], before)
    assert drawn != venv.seed()


def test_options_reach_the_next_reset_only() -> None:
    venv = SB3VecEnv(VERSUS, 2, players=2)
    venv.set_options({"empires": ["aztec_empire", "noram_states"]})
    venv.reset()
    named = [game.empires for game in venv.get_attr("game")]
    assert len({str(one) for one in named}) == 1
    with pytest.raises(ValueError, match="all 2 lanes"):
        venv.set_options([{"empires": None}, {}])


def test_illegal_actions_are_counted_when_they_are_replaced() -> None:
    venv = SB3VecEnv(SOLO, 2, illegal_action="replace")
    shown = venv.reset()
    legal = int(np.flatnonzero(shown["action_mask"][1])[0])
    _, _, dones, infos = venv.step(np.array([venv.action_space.n - 1, legal]))
    assert infos[0] == {"illegal_action": 1}
    assert infos[1] == {}
    assert not dones.any()


def test_a_forfeit_ends_the_game_of_its_lane_alone() -> None:
    venv = SB3VecEnv(VERSUS, 2, players=3)
    shown = venv.reset()
    legal = int(np.flatnonzero(shown["action_mask"][1])[0])
    _, rewards, dones, infos = venv.step(np.array([venv.action_space.n - 1, legal]))
    assert dones.tolist() == [True, False]
    assert rewards.tolist() == [-0.5, 0.0]
    assert infos[0]["illegal_action"] == 1
    assert infos[0]["terminal_observation"]["action_mask"].sum() == 1
    assert infos[1] == {}


def test_render_by_lane() -> None:
    venv = SB3VecEnv(SOLO, 2, render_mode="ansi")
    venv.reset()
    texts = venv.env_method("render")
    assert len(texts) == 2
    assert all(isinstance(text, str) and text for text in texts)


def test_a_vector_environment_will_do_where_it_begins_anew_in_the_same_step() -> None:
    made = gymnasium.make_vec(SOLO, 2, autoreset_mode="SameStep")
    assert SB3VecEnv(made).num_envs == 2
    with pytest.raises(iaww_env.ConfigError, match="SameStep"):
        SB3VecEnv(gymnasium.make_vec(SOLO, 2))
    with pytest.raises(iaww_env.ConfigError, match="other arguments"):
        SB3VecEnv(made, 3)


def test_bad_input_is_named() -> None:
    with pytest.raises(iaww_env.ConfigError, match="no environment 'iaww/Chess-v0'"):
        SB3VecEnv("iaww/Chess-v0")
    with pytest.raises(iaww_env.ConfigError, match="leave it out"):
        SB3VecEnv(SOLO, 2, autoreset_mode="NextStep")
    venv = SB3VecEnv(SOLO, 2)
    with pytest.raises(AttributeError, match="cannot be set"):
        venv.set_attr("config", None)
    with pytest.raises(AttributeError, match="no_such_thing"):
        venv.env_method("no_such_thing")
    with pytest.raises(AttributeError, match="no_such_thing"):
        venv.get_attr("no_such_thing")
    venv.reset()
    with pytest.raises(TypeError, match="2 whole numbers"):
        venv.step(np.array([0, 1, 2]))
    with pytest.raises(RuntimeError, match="no actions were given"):
        venv.step_wait()


@pytest.mark.parametrize("case", CASES)
def test_threads_change_nothing(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "LEAST_PART", 2)
    id, options = CASES[case]
    alone, shared = SB3VecEnv(id, 5, **options), SB3VecEnv(id, 5, threads=2, **options)
    assert len(shared.lanes_env._lanes.threads.parts) == 2
    rng, dones = np.random.default_rng(1), 0
    for one in (alone, shared):
        one.seed(4)
    shown = alone.reset()
    np.testing.assert_equal(shared.reset(), shown)
    for _ in range(120):
        masks = shown["action_mask"]
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        answer = alone.step(actions)
        np.testing.assert_equal(shared.step(actions), answer)
        shown, dones = answer[0], dones + answer[2].sum()
    assert dones
    shared.close()


def test_arrays_of_the_caller_are_refused() -> None:
    """The learner keeps the last observation while it steps: it would be written over."""
    arrays = {"masks": np.zeros((2, 627), np.int8)}
    with pytest.raises(ConfigError, match="leave arrays out"):
        SB3VecEnv(VERSUS, 2, arrays=arrays)
    brought = gymnasium.make_vec(VERSUS, 2, autoreset_mode="SameStep", arrays=arrays)
    with pytest.raises(ConfigError, match="leave arrays out"):
        SB3VecEnv(brought)
