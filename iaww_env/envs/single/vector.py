"""`gymnasium.make_vec`: many games at once, one kernel call a step.

Lane i of a vector goes as the single environment of its seed: `reset(seed=7)` gives lane i the seed 7 + i.
What is returned follows Gymnasium's own SyncVectorEnv in every autoreset mode, infos included, so that one
can take the other's place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from iaww_env.config import GameConfig
from iaww_env.engine.kernels import lanes as record
from iaww_env.engine.new_rows import check_seed
from iaww_env.envs.action_numbers import MOST_ACTION, NO_ACTION
from iaww_env.envs.autoreset import AutoresetMode, read_autoreset_mode
from iaww_env.envs.options import SoloVectorOptions, VersusVectorOptions
from iaww_env.envs.rendering import RENDER_FPS, RENDER_MODES, draw_or_write, show_games
from iaww_env.envs.resets import check_options
from iaww_env.envs.signatures import made_with
from iaww_env.envs.single.lanes import Lanes
from iaww_env.envs.single.learner import show_masks
from iaww_env.envs.single.solo import make_solo_lanes
from iaww_env.envs.single.versus import make_versus_lanes
from iaww_env.envs.spaces import Observation, make_observation_space
from iaww_env.errors import ConfigError, quote
from iaww_env.game import Game
from iaww_env.observation import ObservationTable, observation_table

Answer = tuple[
    Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
]


class LanesVectorEnv(VectorEnv[Observation, npt.NDArray[np.integer], npt.NDArray[Any]]):
    """Many games, each with one learner.

    Attributes:
        config: What is played.
        metadata: With the `autoreset_mode`.
        observation_table: The pieces of the observation; `views` takes whole batches.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(self, lanes: Lanes, autoreset_mode: AutoresetMode, render_mode: str | None = None) -> None:
        """Sit down at the table of every lane."""
        self.num_envs = lanes.num
        self.config: GameConfig = lanes.config
        self.render_mode = render_mode
        self.autoreset_mode = autoreset_mode
        self.metadata = {**self.metadata, "autoreset_mode": autoreset_mode}
        self._lanes = lanes
        self._ended = np.zeros(lanes.num, np.bool_)
        self.single_action_space = spaces.Discrete(lanes.n_actions)
        self.single_observation_space = make_observation_space(self.observation_table, lanes.n_actions)
        self.action_space = batch_space(self.single_action_space, lanes.num)
        self.observation_space = batch_space(self.single_observation_space, lanes.num)

    @property
    def observation_table(self) -> ObservationTable:
        """The pieces of the observation, and where they lie."""
        return observation_table(self.config, self._lanes.profile)

    # --- Gymnasium's methods ---------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game in every lane.

        Args:
            seed: Lane i begins from seed + i; or a seed for each lane; None goes on where the random streams
                of the last games ended.
            options: As in the single environment, for all lanes; and `reset_mask`, (lanes,) bool: begin in
                these lanes only.

        Returns:
            What the learners observe, and infos: `seat`, where they are not alone.
        """
        lanes = self._lanes
        seeds = self._spread_seed(seed)
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
        which = self._read_reset_mask(options)
        lanes.reset(seeds, options, which)
        began = np.ones(lanes.num, np.bool_) if which is None else which
        self._ended = self._ended & ~began
        infos: dict[str, Any] = {}
        self._add_seats(infos, began)
        if self.render_mode == "human":
            self._show_lanes()
        return self._show(), infos

    def step(self, actions: npt.NDArray[np.integer]) -> Answer:
        """Play one action in every lane; where a game has ended, what follows is up to the autoreset mode.

        Returns:
            Observations, rewards, terminations, truncations (never) and infos. The infos of lanes whose game
            has ended are those of the single environment; in the same-step mode they stand in `final_info`,
            and the last observations in `final_obs`.
        """
        lanes = self._lanes
        if not lanes.is_begun:
            raise gymnasium.error.ResetNeeded("there is no game yet: call reset() first")
        if self.autoreset_mode == AutoresetMode.DISABLED and self._ended.any():
            raise gymnasium.error.ResetNeeded(
                f"the games of lanes {np.flatnonzero(self._ended).tolist()} are over: call reset() with "
                "options={'reset_mask': ...}"
            )
        chosen = self._read_actions(actions)
        began = self._ended
        illegal = lanes.lanes[:, record.ILLEGAL].copy()
        lanes.actions[:] = chosen
        lanes.play()
        ended = lanes.lanes[:, record.DONE] == 1
        infos: dict[str, Any] = {}
        self._add_illegal(infos, illegal, ended | began)
        if ended.any():
            infos = self._add_ends(infos, ended, chosen)
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            self._add_seats(infos, ended)
        else:
            self._add_seats(infos, began)
            self._ended = ended.copy()
        if self.render_mode == "human":
            self._show_lanes()
        return self._show(), self._pay(), ended, np.zeros(lanes.num, np.bool_), infos

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        if hasattr(self, "_lanes"):  # older Gymnasium also closes what was refused before it was made
            self._lanes.threads.close()

    def render(self) -> tuple[str | npt.NDArray[np.uint8], ...] | None:
        """The tables as the learners see them: returned (`"ansi"`, `"rgb_array"`) or shown (`"human"`)."""
        if self.render_mode == "human":
            self._show_lanes()
        if self.render_mode in (None, "human"):
            return None
        seats = [self._lanes.seat(g) for g in range(self.num_envs)]
        return tuple(draw_or_write(self.render_mode, self.game(g), seat) for g, seat in enumerate(seats))

    # --- As env_method of other libraries --------------------------------------------------------

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(lanes, actions) which actions are legal now."""
        return show_masks(self._lanes)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What this method or attribute of each lane's single environment would give, one for each lane."""
        per_lane = {
            "action_masks": lambda: tuple(self.action_masks(*args, **kwargs)),
            "game": lambda: tuple(self.game(g) for g in range(self.num_envs)),
            "learner_seat": lambda: tuple(self._lanes.seat(g) for g in range(self.num_envs)),
            "render": self.render,
        }
        same = {
            "action_space": self.single_action_space,
            "observation_space": self.single_observation_space,
            **{key: getattr(self, key) for key in ("config", "observation_table", "render_mode", "spec")},
        }
        if name in per_lane:
            return per_lane[name]() or (None,) * self.num_envs
        if name in same:
            return (same[name],) * self.num_envs
        exist = ", ".join(sorted({**per_lane, **same}))
        raise AttributeError(f"lanes have no {quote(name)}: they have {exist}")

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """The same; by this name other vector environments have it."""
        return self.call(name)

    def env_method(self, name: str, *args: Any, **kwargs: Any) -> list[Any]:
        """The same in a list, as Stable-Baselines3 has it."""
        return list(self.call(name, *args, **kwargs))

    def game(self, g: int) -> Game:
        """The game of a lane, hidden cards included, as a copy that goes its own way."""
        return self._lanes.game(g)

    # --- Input -----------------------------------------------------------------------------------

    def _spread_seed(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
            if len(seed) != self.num_envs:
                raise ConfigError(f"{len(seed)} seeds for {self.num_envs} lanes: give one for each, or one")
            return seed
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
            raise ConfigError(f"a seed is a whole number from 0, or one for each lane, not {quote(seed)}")
        return [check_seed(seed) + g for g in range(self.num_envs)]

    def _read_reset_mask(self, options: Mapping[str, Any] | None) -> npt.NDArray[np.bool_] | None:
        asked = check_options(options).get("reset_mask")
        if asked is None:
            return None
        mask = np.asarray(asked)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(
                f"reset_mask says of {self.num_envs} lanes which begin, as an array of bool with one True at "
                f"least, not {quote(asked)}"
            )
        return mask.copy()

    def _read_actions(self, actions: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
        """Actions as the kernel takes them: numbers outside the table stay outside it."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise TypeError(
                f"actions are {self.num_envs} whole numbers, one a lane, not {chosen.dtype} {chosen.shape}"
            )
        return np.clip(chosen, NO_ACTION, MOST_ACTION)

    # --- Output ----------------------------------------------------------------------------------

    def _show(self) -> Observation:
        return {"observation": self._lanes.observations, "action_mask": self._lanes.masks}

    def _pay(self) -> npt.NDArray[np.float64]:
        rewards = self._lanes.rewards
        return rewards if "rewards" in self._lanes.arrays else rewards.copy()

    def _add_seats(self, infos: dict[str, Any], began: npt.NDArray[np.bool_]) -> None:
        """The learner's seat where a game has begun."""
        if self.config.solo or not began.any():
            return
        seats = self._lanes.lanes[:, record.LEARNER_SEAT].astype(np.int64)
        if "seat" in infos:  # other lanes have ended in this very step
            infos["seat"][began], infos["_seat"] = seats[began], infos["_seat"] | began
        else:
            infos["seat"], infos["_seat"] = np.where(began, seats, 0), began.copy()

    def _add_illegal(
        self, infos: dict[str, Any], before: npt.NDArray[np.int16], apart: npt.NDArray[np.bool_]
    ) -> None:
        """How often illegal actions were replaced, in lanes where that happened in this step."""
        counts = self._lanes.lanes[:, record.ILLEGAL]
        replaced = (counts != before) & ~apart
        if replaced.any():
            infos["illegal_action"] = np.where(replaced, counts, 0).astype(np.int64)
            infos["_illegal_action"] = replaced

    def _add_ends(
        self, infos: dict[str, Any], ended: npt.NDArray[np.bool_], chosen: npt.NDArray[np.integer]
    ) -> dict[str, Any]:
        """What the infos say of games that have ended in this step."""
        lanes, same_step = self._lanes, self.autoreset_mode == AutoresetMode.SAME_STEP
        # Gymnasium makes the arrays for the first of those that are alike; the others are filled in at once.
        alike = np.flatnonzero(ended & (lanes.lanes[:, record.END_ILLEGAL] == 0))
        others = np.flatnonzero(ended & (lanes.lanes[:, record.END_ILLEGAL] != 0))
        for g in [*others.tolist(), *alike[:1].tolist()]:
            last: dict[str, Any] = lanes.final_info(g)
            if lanes.lanes[g, record.END_FORFEIT]:
                lanes.warn_of_forfeit(g, int(chosen[g]))
            if same_step:
                last = {"final_obs": self._show_last(g), "final_info": last}
            infos = self._add_info(infos, last, g)
        rest = alike[1:]
        if len(rest) > 0:
            fill_infos(infos["final_info"] if same_step else infos, lanes.final_infos(rest), rest)
        if same_step and len(rest) > 0:
            infos["_final_obs"][rest] = infos["_final_info"][rest] = True
            for g in rest.tolist():
                infos["final_obs"][g] = self._show_last(g)
        return infos

    def _show_last(self, g: int) -> Observation:
        mask = np.zeros(self._lanes.n_actions, np.int8)
        mask[-1] = 1  # nothing but `wait` after the end
        return {"observation": self._lanes.last_observations[g].copy(), "action_mask": mask}

    def _show_lanes(self) -> None:
        show_games((f"--- lane {g} ---", self.game(g), self._lanes.seat(g)) for g in range(self.num_envs))


def fill_infos(infos: dict[str, Any], values: dict[str, Any], which: npt.NDArray[np.intp]) -> None:
    """Set what infos say of these lanes, in arrays that are there."""
    for name, value in values.items():
        infos[name][which], infos[f"_{name}"][which] = value, True


class VersusVectorEnv(LanesVectorEnv):
    """`iaww/Versus-v0` in many lanes."""

    @made_with(VersusVectorOptions)
    def __init__(self, options: VersusVectorOptions) -> None:
        """Make the environment."""
        mode = read_autoreset_mode(options.autoreset_mode)
        super().__init__(make_versus_lanes(options, options), mode, options.render_mode)


class SoloVectorEnv(LanesVectorEnv):
    """`iaww/Solo-v0` in many lanes."""

    @made_with(SoloVectorOptions)
    def __init__(self, options: SoloVectorOptions) -> None:
        """Make the environment."""
        mode = read_autoreset_mode(options.autoreset_mode)
        super().__init__(make_solo_lanes(options, options), mode, options.render_mode)
