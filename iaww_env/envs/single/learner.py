"""What `iaww/Versus-v0` and `iaww/Solo-v0` share as single environments: one learner in one lane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from iaww_env.config import GameConfig
from iaww_env.engine.kernels import lanes as record
from iaww_env.engine.kernels import learner as kernels
from iaww_env.engine.new_rows import check_seed
from iaww_env.envs.action_numbers import NO_ACTION, PLAIN, read_action
from iaww_env.envs.rendering import RENDER_FPS, RENDER_MODES, Rendered, render_game
from iaww_env.envs.single.lanes import Lanes
from iaww_env.envs.spaces import Observation, make_observation_space
from iaww_env.game import Game
from iaww_env.observation import ObservationTable, observation_table

Answer = tuple[Observation, float, bool, bool, dict[str, Any]]


class LearnerEnv(gymnasium.Env[Observation, int]):
    """One learner; whatever happens between its decisions is played by the environment.

    Attributes:
        config: What is played.
        action_space: The numbers of the action table; draw legal ones with `sample(mask=...)`.
        observation_space: `{"observation": float32 vector, "action_mask": int8 vector}`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(self, lanes: Lanes, render_mode: str | None = None) -> None:
        """Sit down at a table of one lane."""
        self.render_mode = render_mode
        self.config: GameConfig = lanes.config
        self._lanes = lanes
        self.action_space = spaces.Discrete(lanes.n_actions)  # type: ignore[assignment]  # numbers, as numpy has them
        self.observation_space = make_observation_space(self.observation_table, lanes.n_actions)

    @property
    def observation_table(self) -> ObservationTable:
        """The pieces of the observation: `observation_table.views(vector).hand[kind]`, ..."""
        return observation_table(self.config, self._lanes.profile)

    @property
    def game(self) -> Game:
        """The game as it stands, hidden cards included, as a copy that goes its own way."""
        if not self._lanes.is_begun:
            raise gymnasium.error.ResetNeeded("there is no game yet: call reset() first")
        return self._lanes.game(0)

    @property
    def learner_seat(self) -> int:
        """The seat of the learner in this game."""
        return self._lanes.seat(0)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game.

        Args:
            seed: A whole number from 0; None goes on where the random streams of the last game ended.
            options: `deals` (solo: `pools`) and `empires` of this one game; other names are left alone.

        Returns:
            What the learner observes at its first decision, and infos: `seat`, where it is not alone.
        """
        if seed is not None:
            seed = check_seed(seed)
            super().reset(seed=seed)
        lanes = self._lanes
        lanes.reset([seed], options)
        if self.render_mode == "human":
            self.render()
        return self._show(), {} if self.config.solo else {"seat": lanes.seat(0)}

    def step(self, action: int) -> Answer:
        """Play the learner's action, and all that follows up to its next decision or the end of the game.

        Returns:
            Observation, reward, terminated, truncated (never), infos. The infos of the last step say
            `points`, `place`, `scores`, `places` and `seat`, in solo `scenario_won`, `medal` and `title`;
            `illegal_action` counts illegal actions where there were.
        """
        lanes = self._lanes
        if type(action) not in PLAIN:
            action = read_action("the learner", action)
        if not lanes.is_begun or lanes.lanes.item(record.STAGE) == record.ENDED:
            raise self._explain_stop()
        try:
            lanes.actions[0] = action
        except OverflowError:
            lanes.actions[0] = NO_ACTION
        illegal = lanes.lanes.item(record.ILLEGAL)
        lanes.play()
        terminated = lanes.lanes.item(record.STAGE) == record.ENDED
        infos: dict[str, Any] = {}
        if terminated:
            infos = lanes.final_info(0)
            if lanes.lanes.item(record.FORFEIT):
                lanes.warn_of_forfeit(0, action)
        elif lanes.lanes.item(record.ILLEGAL) != illegal:
            infos["illegal_action"] = illegal + 1
        if self.render_mode == "human":
            self.render()
        return self._show(), lanes.rewards.item(0), terminated, False, infos

    def _show(self) -> Observation:
        return {"observation": self._lanes.observations[0], "action_mask": self._lanes.masks[0]}

    def _explain_stop(self) -> gymnasium.error.ResetNeeded:
        if not self._lanes.is_begun:
            return gymnasium.error.ResetNeeded("there is no game yet: call reset() first")
        return gymnasium.error.ResetNeeded("the game is over: call reset() to begin the next one")

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(actions,) which actions are legal now, as MaskablePPO of sb3-contrib asks for it."""
        mask: npt.NDArray[np.bool_] = show_masks(self._lanes)[0]
        return mask

    def render(self) -> Rendered:
        """The table as the learner sees it: returned (`"ansi"`, `"rgb_array"`) or shown (`"human"`)."""
        return render_game(self.render_mode, lambda: self.game, self.learner_seat)


def show_masks(lanes: Lanes) -> npt.NDArray[np.bool_]:
    """(lanes, actions) which actions are legal now, whatever became of the masks handed out before."""
    if not lanes.is_begun:
        raise gymnasium.error.ResetNeeded("there is no game yet: call reset() first")
    masks = np.empty((lanes.num, lanes.n_actions), np.int8)
    kernels.show_masks(lanes.states, lanes.lanes, masks)
    return masks.astype(np.bool_)
