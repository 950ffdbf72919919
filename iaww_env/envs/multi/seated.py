"""What both PettingZoo forms of the game share: agents, spaces, central state, last infos, rendering."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.rewards import NOBODY
from iaww_env.envs.multi.central import CentralState
from iaww_env.envs.multi.session import Session
from iaww_env.envs.rendering import Rendered, render_game
from iaww_env.envs.spaces import BYTE, FLOAT, Observation, make_observation_space
from iaww_env.errors import quote
from iaww_env.game import Game
from iaww_env.observation import lend_offsets

Infos = dict[str, dict[str, Any]]


class SeatedEnv:
    """An environment in which every seat is an agent: `seat_0`, `seat_1`, ...

    Attributes:
        config: What is played.
        possible_agents: The agents of every game, in the order of the seats.
        render_mode: `"human"`, `"ansi"`, `"rgb_array"` or None.
        observation_spaces: By agent; each keeps its own random stream, which `reset` leaves alone.
        action_spaces: By agent, likewise.
    """

    metadata: dict[str, Any]

    def __init__(self, session: Session, render_mode: str | None) -> None:
        """Seat the agents; the game begins with `reset`."""
        self.config = session.config
        self.render_mode = render_mode
        self._session = session
        self._names = tuple(f"seat_{seat}" for seat in range(self.config.players))
        self._seats = {name: seat for seat, name in enumerate(self._names)}
        self.possible_agents: list[str] = list(self._names)
        self.agents: list[str] = []
        self.action_spaces: dict[str, spaces.Space[Any]] = {}
        self.observation_spaces: dict[str, spaces.Space[Any]] = {}
        for name in self._names:
            self.action_spaces[name] = spaces.Discrete(session.n_actions)
            self.observation_spaces[name] = make_observation_space(session.table, session.n_actions)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The actions of an agent, the same object each time."""
        return self.action_spaces[self._names[self._find_seat(agent)]]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observations of an agent, the same object each time."""
        return self.observation_spaces[self._names[self._find_seat(agent)]]

    def _find_seat(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            raise ValueError(
                f"there is no agent {quote(agent)}: the agents are {', '.join(self._names)}"
            ) from None

    def _explain_stop(self) -> RuntimeError:
        """Why nothing can be played now."""
        if self._session.row is None:
            return RuntimeError("there is no game yet: call reset() first")
        return RuntimeError("the game is over: call reset() to begin the next one")

    # --- Looking on ------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game that is played, hidden cards included; playing in it plays in the environment."""
        return self._session.game

    @cached_property
    def central(self) -> CentralState:
        """What `state()` is made of; `env.central.views(env.state()).hand[seat, kind]`."""
        return CentralState(self.config)

    @cached_property
    def state_space(self) -> spaces.Space[Any]:
        """The space of `state()`."""
        return spaces.Box(self.central.low, self.central.high, dtype=np.float32)

    def state(self) -> npt.NDArray[np.float32]:
        """All that lies on the table and every seat's own cards and cubes: for centralised critics."""
        return self.central.look(self._session.state_row)

    def _show_seat(self, seat: int) -> Observation:
        """Observation and mask of a seat, fresh; the mask of a game that has ended holds `wait` alone."""
        session = self._session
        observation = np.empty(session.table.size, FLOAT)
        mask = np.empty(session.n_actions, BYTE)
        kernels.show_one_seat(
            session.state_row,
            seat,
            session.asks,
            session.legal,
            mask,
            lend_offsets(session.table),
            observation,
        )
        if session.offender != NOBODY:
            mask[:] = 0
            mask[session.wait] = 1
        return {"observation": observation, "action_mask": mask}

    def _close_infos(self) -> Infos:
        """What the last step tells each agent: its points and place, and how many illegal actions it took."""
        session = self._session
        points, places = session.points.tolist(), session.places.tolist()
        infos: Infos = {}
        for seat, name in enumerate(self._names):
            infos[name] = {"points": points[seat], "place": places[seat]}
            if session.illegal_count[seat]:
                infos[name]["illegal_action"] = int(session.illegal_count[seat])
        return infos

    def _render_for(self, seat: int | None) -> Rendered:
        """The table as a seat sees it, or as a spectator does: returned, or shown."""
        return render_game(self.render_mode, lambda: self.game, seat)

    def close(self) -> None:
        """Nothing has to be closed; the environment may be used on."""
