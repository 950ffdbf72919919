"""The parallel environment of PettingZoo: every seat acts in each step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo import ParallelEnv

from iaww_env.engine.kernels import parallel as kernels
from iaww_env.engine.rewards import POINTS_GAIN
from iaww_env.envs.action_numbers import NO_ACTION, PLAIN, read_action
from iaww_env.envs.multi.seated import Infos, SeatedEnv
from iaww_env.envs.multi.session import Session
from iaww_env.envs.options import SeatedOptions
from iaww_env.envs.rendering import RENDER_FPS, RENDER_MODES, Rendered
from iaww_env.envs.signatures import takes
from iaww_env.envs.spaces import BYTE, FLOAT, Observation
from iaww_env.errors import quote
from iaww_env.observation import lend_offsets

Answer = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]


class ParallelGame(SeatedEnv, ParallelEnv[str, Observation, int]):
    """All seats decide at once; a seat that has nothing to decide plays `wait`, its one legal action.

    Every seat stays in `agents` until the game ends; then all end together. See `parallel_env`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # PettingZoo declares it on the instance
        "name": "iaww_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "is_parallelizable": True,
    }

    def __init__(self, session: Session, render_mode: str | None = None) -> None:
        """Seat the agents; the game begins with `reset`."""
        super().__init__(session, render_mode)
        n = len(self._names)
        self._numbered = tuple(enumerate(self._names))
        self._zeros, self._falses = dict.fromkeys(self._names, 0.0), dict.fromkeys(self._names, False)
        self._observations_shape, self._masks_shape = (n, session.table.size), (n, session.n_actions)
        self._actions = np.empty(n, np.int16)
        self._chosen = memoryview(self._actions)  # type: ignore[arg-type]  # numpy's arrays are buffers

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the window into the array of actions."""
        return {name: value for name, value in self.__dict__.items() if name != "_chosen"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._chosen = memoryview(self._actions)  # type: ignore[arg-type]

    # --- PettingZoo's methods --------------------------------------------------------------------

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Begin a game.

        Args:
            seed: A whole number from 0; None goes on where the random stream of the last game ended.
            options: `deals` (kinds by round and seat) and `empires`; other names are left alone.

        Returns:
            What each agent observes, and an empty dict for each.
        """
        self._session.begin(seed, options)
        self.agents = list(self._names)
        observations = {name: self._show_seat(seat) for seat, name in self._numbered}
        if self.render_mode == "human":
            self.render()
        return observations, {name: {} for name in self._names}

    def step(self, actions: Mapping[str, int]) -> Answer:
        """Play one action of every agent.

        Returns:
            Observations, rewards, terminations, truncations (never) and infos, each by agent. The infos of
            the last step hold `points` and `place`; `illegal_action` counts illegal actions where there were.
        """
        if not self.agents:
            raise self._explain_stop()
        self._read_actions(actions)
        observations = np.empty(self._observations_shape, FLOAT)
        masks = np.empty(self._masks_shape, BYTE)
        bad = self._play(masks, observations)
        infos: Infos = {name: {} for name in self._names}
        if bad >= 0:
            self._play_illegal(bad, actions, masks, observations, infos)
        answer = self._answer(masks, observations, infos)
        if self.render_mode == "human":
            self.render()
        return answer

    def render(self) -> Rendered:
        """The table with the cards of all seats: returned (`"ansi"`, `"rgb_array"`) or shown (`"human"`)."""
        return self._render_for(None)

    # --- A step in parts -------------------------------------------------------------------------

    def _read_actions(self, actions: Mapping[str, int]) -> None:
        """Write the actions where the kernel reads them; nothing is played when one is no number."""
        chosen = self._chosen
        if (type(actions) is not dict and not isinstance(actions, Mapping)) or len(actions) != len(chosen):
            self._refuse_agents(actions)
        for seat, name in self._numbered:
            try:
                action = actions[name]
            except KeyError:
                self._refuse_agents(actions)
            if type(action) not in PLAIN:
                action = read_action(name, action)
            try:
                chosen[seat] = action
            except ValueError:
                chosen[seat] = NO_ACTION

    def _refuse_agents(self, actions: object) -> None:
        if not isinstance(actions, Mapping):
            raise TypeError(f"actions are a dict, one for each agent, not {quote(actions)}")
        missing = [name for name in self._names if name not in actions]
        extra = [quote(name) for name in actions if name not in self._seats]
        faults = [f"none for {', '.join(missing)}"] if missing else []
        faults += [f"one for {', '.join(extra)}, no agent of this game"] if extra else []
        raise ValueError(f"actions must hold one for each agent: there is {' and '.join(faults)}")

    def _play(self, masks: npt.NDArray[np.int8], observations: npt.NDArray[np.float32]) -> int:
        """Play the actions, show every seat what follows; -1, or the first seat whose action is illegal."""
        session = self._session
        return kernels.step_together(
            session.state_row,
            self._actions,
            session.asks,
            session.legal,
            masks,
            lend_offsets(session.table),
            observations,
        )

    def _play_illegal(
        self,
        bad: int,
        actions: Mapping[str, int],
        masks: npt.NDArray[np.int8],
        observations: npt.NDArray[np.float32],
        infos: Infos,
    ) -> None:
        """Replace illegal actions by legal ones, or end the game by forfeit of the first who took one."""
        session = self._session
        while bad >= 0:
            name = self._names[bad]
            legal = session.handle_illegal(bad, read_action(name, actions[name]))
            if legal is None:
                for seat in range(len(masks)):
                    shown = self._show_seat(seat)
                    masks[seat], observations[seat] = shown["action_mask"], shown["observation"]
                return
            infos[name]["illegal_action"] = int(session.illegal_count[bad])
            self._actions[bad] = legal
            bad = self._play(masks, observations)

    def _answer(
        self, masks: npt.NDArray[np.int8], observations: npt.NDArray[np.float32], infos: Infos
    ) -> Answer:
        """What a step returns, all of it fresh."""
        session, names = self._session, self._names
        # Of a numpy array, items by number are twice as fast as items in a loop; so are copies of a dict.
        shown: dict[str, Observation] = {
            name: {"observation": observations[seat], "action_mask": masks[seat]}
            for seat, name in self._numbered
        }
        rewards, terminations = self._zeros.copy(), self._falses.copy()
        over = session.over
        if over or session.scheme == POINTS_GAIN:
            rewards = dict(zip(names, session.settle(), strict=True))
        if over:
            terminations = dict.fromkeys(names, True)
            infos = self._close_infos()
            self.agents = []
        return shown, rewards, terminations, self._falses.copy(), infos


@takes(SeatedOptions)
def parallel_env(options: SeatedOptions) -> ParallelGame:
    """The game as a PettingZoo parallel environment, for two to seven players.

    >>> env = parallel_env(players=4, expansions=["corruption_and_ascension"])
    >>> observations, infos = env.reset(seed=7)
    >>> observations["seat_0"]["action_mask"].sum()
    9
    """
    return ParallelGame(Session(options.make_config(), options), options.render_mode)
