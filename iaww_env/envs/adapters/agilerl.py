"""The environments as AgileRL wants them: observations are plain vectors, masks stand in the infos.

>>> from iaww_env.envs.adapters.agilerl import MasksInInfos
>>> env = MasksInInfos(iaww_env.parallel_env(players=4, observation="compact"), as_lists=True)
>>> observations, infos = env.reset(seed=7)
>>> actions, *rest = agent.get_action(observations, infos=infos)  # IPPO: reads infos["seat_0"]["action_mask"]

`LearnerMasksInInfos` does the same for `iaww/Versus-v0` and `iaww/Solo-v0`. Nothing here imports AgileRL.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseParallelWrapper

from iaww_env.envs.multi.parallel import ParallelGame
from iaww_env.envs.multi.seated import Infos
from iaww_env.envs.single.learner import LearnerEnv
from iaww_env.envs.spaces import Observation

Vector = npt.NDArray[np.float32]


class MasksInInfos(BaseParallelWrapper[str, Vector, int]):
    """The parallel environment with vectors as observations and `infos[agent]["action_mask"]`."""

    def __init__(self, env: ParallelGame, as_lists: bool = False) -> None:
        """Wrap an environment of `parallel_env`.

        Args:
            env: What is played.
            as_lists: Masks as lists of 0 and 1 in place of arrays: IPPO of AgileRL 2.58 fails on arrays.
        """
        self._as_lists = as_lists
        super().__init__(env)  # type: ignore[arg-type]  # its observations are what is taken apart here
        self.observation_spaces = {
            name: take_vector_space(env.observation_space(name)) for name in env.possible_agents
        }
        self.action_spaces = env.action_spaces

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The vectors of an agent, the same object each time."""
        return self.observation_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Vector], Infos]:
        """Begin a game, as in `parallel_env`."""
        shown, infos = super().reset(seed=seed, options=options)
        return move_masks(shown, infos, self._as_lists)

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Vector], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play one action of every agent, as in `parallel_env`."""
        shown, rewards, terminations, truncations, infos = super().step(actions)
        vectors, infos = move_masks(shown, infos, self._as_lists)
        return vectors, rewards, terminations, truncations, infos


class LearnerMasksInInfos(gymnasium.Wrapper[Vector, int, Observation, int]):
    """An environment with one learner: vectors as observations, and `infos["action_mask"]`."""

    def __init__(self, env: LearnerEnv) -> None:
        """Wrap `VersusEnv` or `SoloEnv`."""
        super().__init__(env)  # type: ignore[arg-type]  # Gymnasium's annotation takes the wrapper's own types
        self.observation_space = take_vector_space(env.observation_space)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Begin a game."""
        shown: Any
        shown, infos = self.env.reset(seed=seed, options=options)
        return shown["observation"], {**infos, "action_mask": shown["action_mask"]}

    def step(self, action: int) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and all that follows up to its next decision."""
        shown: Any
        shown, reward, terminated, truncated, infos = self.env.step(action)
        infos = {**infos, "action_mask": shown["action_mask"]}
        return shown["observation"], float(reward), terminated, truncated, infos


def take_vector_space(space: spaces.Space[Any]) -> spaces.Space[Any]:
    """The space of the vector alone."""
    assert isinstance(space, spaces.Dict)
    return space["observation"]


def move_masks(shown: Any, infos: Infos, as_lists: bool) -> tuple[dict[str, Vector], Infos]:
    """The vectors, and the infos with the masks."""
    vectors = {name: seen["observation"] for name, seen in shown.items()}
    masks = {name: seen["action_mask"] for name, seen in shown.items()}
    if as_lists:
        masks = {name: mask.tolist() for name, mask in masks.items()}
    return vectors, {name: {**infos[name], "action_mask": mask} for name, mask in masks.items()}
