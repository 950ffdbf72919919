"""SuperSuit: the parallel environment as a vector environment of Stable-Baselines3, one lane for each seat.

This path knows no masks, so plain PPO plays many illegal actions; by default each forfeits the game.
"""

from __future__ import annotations

import numpy as np
import pytest

import iaww_env

pytestmark = [
    pytest.mark.compat,
    # SuperSuit's lanes have no get_attr, through which VecMonitor would look for it.
    pytest.mark.filterwarnings("ignore:The `render_mode` attribute is not defined:UserWarning"),
]
supersuit = pytest.importorskip("supersuit", reason="supersuit is not installed: extra [compat]")
pytest.importorskip("stable_baselines3", reason="stable-baselines3 is not installed: extra [compat]")

from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor


def seat_lanes(copies: int, **options: object) -> VecMonitor:
    """So many games of three, each seat a lane."""
    env = iaww_env.parallel_env(players=3, observation="compact", **options)
    lanes = supersuit.pettingzoo_env_to_vec_env_v1(env)
    return VecMonitor(supersuit.concat_vec_envs_v1(lanes, copies, num_cpus=1, base_class="stable_baselines3"))


@pytest.mark.parametrize("illegal_action", ["forfeit", "replace"])
def test_plain_ppo_learns_without_masks(illegal_action: str) -> None:
    venv = seat_lanes(2, illegal_action=illegal_action, reward="outcome")
    assert venv.num_envs == 6
    small = {"n_steps": 64, "batch_size": 64, "n_epochs": 1, "policy_kwargs": {"net_arch": [32]}}
    # Without a seed: SuperSuit's lanes take none from Stable-Baselines3. The window holds whole games.
    model = PPO("MultiInputPolicy", venv, stats_window_size=96, **small)
    before = [weight.detach().numpy().copy() for weight in model.policy.parameters()]
    model.learn(768)
    after = [weight.detach().numpy() for weight in model.policy.parameters()]
    assert any((one != other).any() for one, other in zip(before, after, strict=True))
    if illegal_action == "forfeit":
        assert venv.episode_count >= 6  # games ended, and the next ones began
        # Rewards of a game sum to 0: so do those of all lanes of games that ended together.
        assert sum(one["r"] for one in model.ep_info_buffer) == pytest.approx(0, abs=1e-4)


def test_lanes_are_the_seats_of_the_game() -> None:
    env = iaww_env.parallel_env(players=3, observation="compact")
    lanes = supersuit.pettingzoo_env_to_vec_env_v1(iaww_env.parallel_env(players=3, observation="compact"))
    seen, _ = lanes.reset(seed=11)
    shown, _ = env.reset(seed=11)
    rng = np.random.default_rng(0)
    for _ in range(30):
        actions = [int(rng.choice(np.flatnonzero(shown[name]["action_mask"]))) for name in env.agents]
        seen, rewards, _, _, _ = lanes.step(np.array(actions))
        shown, earned, _, _, _ = env.step(dict(zip(env.agents, actions, strict=True)))
        for seat, name in enumerate(env.possible_agents):
            np.testing.assert_array_equal(seen["observation"][seat], shown[name]["observation"])
            np.testing.assert_array_equal(seen["action_mask"][seat], shown[name]["action_mask"])
            assert rewards[seat] == earned[name]
