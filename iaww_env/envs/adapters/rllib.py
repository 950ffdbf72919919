"""The environments for RLlib's new API stack, whose masked modules look for the key `observations`.

>>> from ray.rllib.algorithms.ppo import PPOConfig
>>> from ray.rllib.core.rl_module import RLModuleSpec
>>> from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
>>> from ray.tune.registry import register_env
>>> from iaww_env.envs.adapters.rllib import make_parallel
>>> register_env("iaww_parallel", make_parallel)
>>> config = (
...     PPOConfig()
...     .environment("iaww_parallel", env_config={"players": 4, "observation": "compact"})
...     .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **rest: "all")
...     .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
... )

`make_versus` and `make_solo` make the environments with one learner in the same way. Ray is imported by
`make_parallel` alone, so that the environments do not need it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseParallelWrapper

from iaww_env.envs.multi.parallel import ParallelGame, parallel_env
from iaww_env.envs.single.learner import LearnerEnv
from iaww_env.envs.single.solo import SoloEnv
from iaww_env.envs.single.versus import VersusEnv
from iaww_env.envs.spaces import Observation

Renamed = dict[str, Any]


def rename_observation(shown: Observation) -> Renamed:
    """The same under the keys `observations` and `action_mask`."""
    return {"observations": shown["observation"], "action_mask": shown["action_mask"]}


def rename_space(space: spaces.Space[Any]) -> spaces.Space[Any]:
    """The space of renamed observations."""
    assert isinstance(space, spaces.Dict)
    return spaces.Dict({"observations": space["observation"], "action_mask": space["action_mask"]})


class RenamedParallel(BaseParallelWrapper[str, Renamed, int]):
    """The parallel environment with `observations` in place of `observation`."""

    def __init__(self, env: ParallelGame) -> None:
        """Wrap an environment of `parallel_env`."""
        super().__init__(env)  # type: ignore[arg-type]  # its observations are what is renamed here
        self.observation_spaces = {
            name: rename_space(env.observation_space(name)) for name in env.possible_agents
        }
        self.action_spaces = env.action_spaces

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observations of an agent, the same object each time."""
        return self.observation_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Renamed], dict[str, dict[str, Any]]]:
        """Begin a game, as in `parallel_env`."""
        shown, infos = super().reset(seed=seed, options=options)
        return {name: rename_observation(seen) for name, seen in shown.items()}, infos  # type: ignore[arg-type]

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Renamed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Play one action of every agent, as in `parallel_env`."""
        shown, rewards, terminations, truncations, infos = super().step(actions)
        renamed = {name: rename_observation(seen) for name, seen in shown.items()}  # type: ignore[arg-type]
        return renamed, rewards, terminations, truncations, infos


class RenamedLearner(gymnasium.ObservationWrapper[Renamed, int, Observation]):
    """An environment with one learner, with `observations` in place of `observation`."""

    def __init__(self, env: LearnerEnv) -> None:
        """Wrap `VersusEnv` or `SoloEnv`."""
        super().__init__(env)
        self.observation_space = rename_space(env.observation_space)

    def observation(self, observation: Observation) -> Renamed:
        """The same under other keys."""
        return rename_observation(observation)


def make_parallel(env_config: Mapping[str, Any]) -> Any:
    """RLlib's environment of many agents over `parallel_env`; the config holds the options of that."""
    from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv

    return ParallelPettingZooEnv(RenamedParallel(parallel_env(**env_config)))


def make_versus(env_config: Mapping[str, Any]) -> RenamedLearner:
    """`iaww/Versus-v0`; the config holds the options of `VersusEnv`."""
    return RenamedLearner(VersusEnv(**env_config))


def make_solo(env_config: Mapping[str, Any]) -> RenamedLearner:
    """`iaww/Solo-v0`; the config holds the options of `SoloEnv`."""
    return RenamedLearner(SoloEnv(**env_config))
