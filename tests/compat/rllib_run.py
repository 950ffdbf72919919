"""PPO of RLlib's new API stack with its action-masking module; test_rllib.py runs it with RLlib's Python.

Every masked action that is played raises an error. The last line is JSON: for each environment how many
decisions were played, how many games ended, and whether the weights moved.
"""

from __future__ import annotations

import json
import os
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import gymnasium
import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments
from ray.tune.registry import register_env

from iaww_env.envs.adapters import rllib

COMMON = {"observation": "compact", "illegal_action": "raise"}
CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "parallel": (rllib.make_parallel, {"players": 2, **COMMON}),
    "versus": (rllib.make_versus, {"players": 2, "opponents": ["greedy"], **COMMON}),
    "solo": (rllib.make_solo, COMMON),
}


def configure(name: str) -> PPOConfig:
    """One small PPO without other processes."""
    make, options = CASES[name]
    register_env(name, make)
    config = (
        PPOConfig()
        .environment(name, env_config=options, disable_env_checking=True)  # see check_unmasked
        .env_runners(num_env_runners=0, rollout_fragment_length=256)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=256, minibatch_size=128, num_epochs=1)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [32]}
            )
        )
        .debugging(seed=0, log_level="ERROR")
    )
    if name == "parallel":
        config.multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **rest: "all")
    return config


def copy_weights(algorithm: Any, module: str) -> list[np.ndarray]:
    return [weight.detach().numpy().copy() for weight in algorithm.get_module(module).parameters()]


def learn(name: str) -> dict[str, Any]:
    module = "all" if name == "parallel" else "default_policy"
    algorithm = configure(name).build_algo()
    before = copy_weights(algorithm, module)
    games = decisions = 0
    for _ in range(2):
        told = algorithm.train()["env_runners"]
        games += int(told.get("num_episodes", 0))
        decisions += int(told["num_module_steps_sampled"][module])
    after = copy_weights(algorithm, module)
    moved = any((one != other).any() for one, other in zip(before, after, strict=True))
    algorithm.stop()
    return {"decisions": decisions, "games": games, "moved": bool(moved)}


def check_unmasked() -> None:
    """RLlib's own checker draws any action: by default an illegal one forfeits the game."""
    check_multiagent_environments(rllib.make_parallel({"players": 3}))


def main() -> None:
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=100_000_000)
    check_unmasked()
    told: dict[str, Any] = {name: learn(name) for name in CASES}
    ray.shutdown()
    print(json.dumps({"gymnasium": gymnasium.__version__, **told}))


if __name__ == "__main__":
    main()
