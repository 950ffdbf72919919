"""The native batch as a vector environment of Stable-Baselines3.

>>> from sb3_contrib import MaskablePPO
>>> from iaww_env.envs.adapters.sb3 import SB3VecEnv
>>> venv = SB3VecEnv("iaww/Versus-v0", 64, players=4, opponents=["greedy"], observation="compact")
>>> model = MaskablePPO("MultiInputPolicy", venv).learn(100_000)

Nothing else in `iaww_env` imports this module, so that the environments need no Stable-Baselines3. The single
environments need no adapter: give `gymnasium.make("iaww/Solo-v0")` to any algorithm as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from iaww_env.engine.kernels import lanes as record
from iaww_env.engine.new_rows import check_seed
from iaww_env.envs.single.vector import LanesVectorEnv, SoloVectorEnv, VersusVectorEnv
from iaww_env.envs.spaces import Observation
from iaww_env.errors import ConfigError, quote

ENVIRONMENTS: dict[str, type[VersusVectorEnv] | type[SoloVectorEnv]] = {
    "iaww/Versus-v0": VersusVectorEnv,
    "iaww/Solo-v0": SoloVectorEnv,
}
METHODS = ("action_masks", "render")
ATTRIBUTES = ("action_space", "config", "game", "learner_seat", "observation_space", "observation_table")
SAME_FOR_ALL = ("render_mode", "spec")

Answer = tuple[Observation, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]


class SB3VecEnv(VecEnv):  # type: ignore[misc]  # mypy sees no types of Stable-Baselines3
    """Many games at once, each with one learner, one kernel call a step.

    A finished game makes room for the next in the same step: `infos[g]["terminal_observation"]` is what the
    learner saw last, beside `points`, `place`, `scores`, ... of the single environment. Masks stand in the
    observation and in `env_method("action_masks")`, where MaskablePPO looks for them. Lane g begins from the
    seed of `seed` plus g.

    Attributes:
        lanes_env: The vector environment of Gymnasium behind it.
    """

    def __init__(self, env: str | LanesVectorEnv, num_envs: int = 1, **options: Any) -> None:
        """Sit down at the table of every lane.

        Args:
            env: "iaww/Versus-v0" or "iaww/Solo-v0"; or a vector environment of them with
                autoreset_mode="SameStep", for which the other arguments are left out.
            num_envs: Lanes.
            options: Those of `VersusVectorEnv` or `SoloVectorEnv`, but for `autoreset_mode` and `arrays`.
        """
        self.lanes_env = make_lanes_env(env, num_envs, options)
        self._lanes = self.lanes_env._lanes
        self._waiting: npt.NDArray[np.integer] | None = None
        self._reset_with: dict[str, Any] = {}
        made = self.lanes_env
        super().__init__(made.num_envs, made.single_observation_space, made.single_action_space)

    # --- Playing ---------------------------------------------------------------------------------

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds of the lanes at the next reset: `seed`, `seed` + 1, ...; None draws the first."""
        first = check_seed(seed)
        self._seeds = [first + g for g in range(self.num_envs)]
        return self._seeds

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Options of the next reset, the same in all lanes: `deals` (solo: `pools`) and `empires`."""
        if isinstance(options, list):
            if len(options) != self.num_envs or any(one != options[0] for one in options):
                raise ValueError(f"options are one table of names for all {self.num_envs} lanes")
            options = options[0]
        self._reset_with = dict(options or {})

    def reset(self) -> Observation:
        """Begin a game in every lane; `reset_infos` says the seat of each learner."""
        self._lanes.reset(self._seeds, self._reset_with)
        self._waiting = None
        self.reset_infos = [self._show_seat(g) for g in range(self.num_envs)]
        self._reset_seeds()
        self._reset_with = {}
        return self._show()

    def step_async(self, actions: npt.NDArray[np.integer]) -> None:
        """Take the actions; `step_wait` plays them."""
        self._waiting = self.lanes_env._read_actions(actions)

    def step_wait(self) -> Answer:
        """Play one action in every lane; ended games make room for the next."""
        if self._waiting is None:
            raise RuntimeError("no actions were given: call step(), or step_async() before step_wait()")
        lanes, chosen = self._lanes, self._waiting
        self._waiting = None
        illegal = lanes.lanes[:, record.ILLEGAL].copy()
        lanes.actions[:] = chosen
        lanes.play()
        ended = lanes.lanes[:, record.DONE] == 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        replaced = (lanes.lanes[:, record.ILLEGAL] != illegal) & ~ended
        for g in np.flatnonzero(replaced).tolist():
            infos[g]["illegal_action"] = int(lanes.lanes[g, record.ILLEGAL])
        for g in np.flatnonzero(ended).tolist():
            infos[g] = self._close_game(g, int(chosen[g]))
        return self._show(), lanes.rewards.astype(np.float32), ended, infos

    def close(self) -> None:
        """Close the vector environment behind it."""
        self.lanes_env.close()

    def _show(self) -> Observation:
        return {"observation": self._lanes.observations, "action_mask": self._lanes.masks}

    def _show_seat(self, g: int) -> dict[str, Any]:
        return {} if self._lanes.config.solo else {"seat": self._lanes.seat(g)}

    def _close_game(self, g: int, action: int) -> dict[str, Any]:
        """What the infos say of a game that has ended in this step; the next one has begun in its lane."""
        lanes = self._lanes
        if lanes.lanes[g, record.END_FORFEIT]:
            lanes.warn_of_forfeit(g, action)
        self.reset_infos[g] = self._show_seat(g)
        last = self.lanes_env._show_last(g)
        return {**lanes.final_info(g), "terminal_observation": last, "TimeLimit.truncated": False}

    # --- Asking the lanes ------------------------------------------------------------------------

    def has_attr(self, attr_name: str) -> bool:
        """Whether lanes have this method or attribute; also before the first reset."""
        return attr_name in METHODS + ATTRIBUTES + SAME_FOR_ALL

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of each lane; of a method, what calls it."""
        chosen = self._find_lanes(indices)
        if attr_name in METHODS:
            return [self._bind(attr_name, g) for g in chosen]
        values = self.lanes_env.call(attr_name)
        return [values[g] for g in chosen]

    def _bind(self, method: str, g: int) -> Callable[..., Any]:
        return lambda *args, **kwargs: self.env_method(method, *args, indices=g, **kwargs)[0]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: the options of an environment are fixed when it is made."""
        raise AttributeError(f"{quote(attr_name)} of the lanes cannot be set: make another SB3VecEnv")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of each lane: `action_masks` or `render`."""
        if method_name not in METHODS:
            raise AttributeError(f"lanes have no method {quote(method_name)}: they have {', '.join(METHODS)}")
        answers = self.lanes_env.call(method_name, *method_args, **method_kwargs)
        return [answers[g] for g in self._find_lanes(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Whether the lanes are wrapped: never; wrap the whole, for example in VecMonitor."""
        return [False for _ in self._find_lanes(indices)]

    def _find_lanes(self, indices: VecEnvIndices) -> Iterable[int]:
        return list(self._get_indices(indices))


def make_lanes_env(env: str | LanesVectorEnv, num_envs: int, options: dict[str, Any]) -> LanesVectorEnv:
    """The vector environment that an id and options name, or the one given, if it will do."""
    if isinstance(env, str):
        if env not in ENVIRONMENTS:
            raise ConfigError(f"there is no environment {quote(env)}: choose from {', '.join(ENVIRONMENTS)}")
        if "autoreset_mode" in options:
            raise ConfigError('Stable-Baselines3 knows autoreset_mode="SameStep" alone: leave it out')
        if options.get("arrays") is not None:
            raise ConfigError("Stable-Baselines3 keeps observations beyond the next step: leave arrays out")
        return ENVIRONMENTS[env](num_envs, autoreset_mode="SameStep", **options)
    if not isinstance(env, LanesVectorEnv):
        raise ConfigError(f"env is {quote(env)}: give an id, or what gymnasium.make_vec makes of one")
    if options or num_envs != 1:
        raise ConfigError("a vector environment says all that is played: leave the other arguments out")
    if env.autoreset_mode.value != "SameStep":
        raise ConfigError('give gymnasium.make_vec the option autoreset_mode="SameStep"')
    if env._lanes.arrays:
        raise ConfigError("Stable-Baselines3 keeps observations beyond the next step: leave arrays out")
    return env
