"""The single Gymnasium environments: one learner at the table, `iaww/Versus-v0` and `iaww/Solo-v0`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from iaww_env.config import GameConfig
from iaww_env.engine.kernels import learner as versus
from iaww_env.engine.new_rows import check_seed
from iaww_env.envs.multi.seats import PLAIN, RENDER_MODES, Observation, has_colour, read_action
from iaww_env.envs.single.lanes import Lanes
from iaww_env.errors import ConfigError, quote
from iaww_env.game import Game
from iaww_env.observation import ObservationTable, observation_table
from iaww_env.render.text import render_table

Answer = tuple[Observation, float, bool, bool, dict[str, Any]]

NO_ACTION = -1  # what stands for a number that no table of actions reaches


class LearnerEnv(gymnasium.Env[Observation, int]):
    """One learner; whatever happens between its decisions is played by the environment.

    Attributes:
        config: What is played.
        action_space: The numbers of the action table; draw legal ones with `sample(mask=...)`.
        observation_space: `{"observation": float32 vector, "action_mask": int8 vector}`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012  # as in Env

    def __init__(self, lanes: Lanes, render_mode: str | None = None) -> None:
        """Sit down at a table of one lane."""
        self.render_mode = check_render_mode(render_mode)
        self.config: GameConfig = lanes.config
        self._lanes = lanes
        self.action_space = spaces.Discrete(lanes.n_actions)  # type: ignore[assignment]  # numbers, as numpy has them
        self.observation_space = make_space(self.observation_table, lanes.n_actions)

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
            `points`, `place`, `scores`, `places` and `seat`, in solo `medal` and `title`; `illegal_action`
            counts illegal actions where there were.
        """
        lanes = self._lanes
        if type(action) not in PLAIN:
            action = read_action("the learner", action)
        if not lanes.is_begun or lanes.lanes.item(versus.STAGE) == versus.ENDED:
            raise self._explain_stop()
        try:
            lanes.actions[0] = action
        except OverflowError:
            lanes.actions[0] = NO_ACTION
        illegal = lanes.lanes.item(versus.ILLEGAL)
        lanes.play()
        terminated = lanes.lanes.item(versus.STAGE) == versus.ENDED
        infos: dict[str, Any] = {}
        if terminated:
            infos = lanes.last_words(0)
            if lanes.lanes.item(versus.FORFEIT):
                lanes.warn_of_forfeit(0, action)
        elif lanes.lanes.item(versus.ILLEGAL) != illegal:
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

    def render(self) -> str | None:
        """The table as the learner sees it: returned (`"ansi"`) or printed (`"human"`)."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() was called, but the environment was made without render_mode: "
                'pass render_mode="ansi" or "human"'
            )
            return None
        text = render_table(self.game, self.learner_seat, colour=has_colour())
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None


def check_render_mode(render_mode: str | None) -> str | None:
    """The option `render_mode`, if there is such a mode."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ConfigError(
            f"there is no render_mode {quote(render_mode)}: choose from None, {', '.join(RENDER_MODES)}"
        )
    return render_mode


def make_space(table: ObservationTable, n_actions: int) -> spaces.Space[Any]:
    """The observation within its bounds, and the action mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(table.low, table.high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
        }
    )


def show_masks(lanes: Lanes) -> npt.NDArray[np.bool_]:
    """(lanes, actions) which actions are legal now, whatever became of the masks handed out before."""
    if not lanes.is_begun:
        raise gymnasium.error.ResetNeeded("there is no game yet: call reset() first")
    masks = np.empty((lanes.num, lanes.n_actions), np.int8)
    versus.show_masks(lanes.states, lanes.lanes, masks)
    return masks.astype(np.bool_)
