"""What the two PettingZoo forms of the game share: options, agents, spaces, central state, rendering."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cached_property
from operator import index
from typing import Any, TypedDict

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from iaww_env.cards import parse_expansions
from iaww_env.config import GameConfig
from iaww_env.engine.kernels import parallel as together
from iaww_env.envs.multi.central import CentralState
from iaww_env.envs.multi.session import Host, forfeit_places
from iaww_env.errors import ConfigError, quote
from iaww_env.game import Game
from iaww_env.render.text import render_table

FLOAT, BYTE = np.dtype(np.float32), np.dtype(np.int8)  # ready-made: np.empty finds them at once
RENDER_MODES = ("human", "ansi")
PLAIN = frozenset({int, np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint16, np.uint32, np.uint64})
NO_ACTION = -1  # what stands in a kernel's array for a number that no action table reaches
MOST_ACTION = 32767


class Observation(TypedDict):
    """What a seat is shown."""

    observation: npt.NDArray[np.float32]
    action_mask: npt.NDArray[np.int8]


Infos = dict[str, dict[str, Any]]


class Table:
    """Seats at a table, as agents `seat_0`, `seat_1`, ...

    Attributes:
        config: What is played.
        possible_agents: The agents of every game, in the order of the seats.
        render_mode: `"human"`, `"ansi"` or None.
        observation_spaces: By agent; each keeps its own random stream, which `reset` leaves alone.
        action_spaces: By agent, likewise.
    """

    metadata: dict[str, Any]

    def __init__(self, host: Host, render_mode: str | None) -> None:
        """Seat the agents; the game begins with `reset`."""
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ConfigError(
                f"there is no render_mode {quote(render_mode)}: choose from None, {', '.join(RENDER_MODES)}"
            )
        self.config = host.config
        self.render_mode = render_mode
        self._host = host
        self._names = tuple(f"seat_{seat}" for seat in range(self.config.players))
        self._seats = {name: seat for seat, name in enumerate(self._names)}
        self.possible_agents: list[str] = list(self._names)
        self.agents: list[str] = []
        self.action_spaces: dict[str, spaces.Space[Any]] = {}
        self.observation_spaces: dict[str, spaces.Space[Any]] = {}
        for name in self._names:
            self.action_spaces[name] = spaces.Discrete(host.n_actions)
            self.observation_spaces[name] = make_observation_space(host)

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
        if self._host.row is None:
            return RuntimeError("there is no game yet: call reset() first")
        return RuntimeError("the game is over: call reset() to begin the next one")

    # --- Looking on ------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game that is played, hidden cards included; playing in it plays in the environment."""
        return self._host.game

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
        return self.central.look(self._host.state_row)

    def _show_seat(self, seat: int) -> Observation:
        """Observation and mask of a seat, fresh; the mask of a game that has ended holds `wait` alone."""
        host = self._host
        observation = np.empty(host.table.size, FLOAT)
        mask = np.empty(host.n_actions, BYTE)
        together.show_one_seat(host.state_row, seat, host.room, mask, host.table.offsets, observation)
        if host.offender is not None:
            mask[:] = 0
            mask[host.wait] = 1
        return {"observation": observation, "action_mask": mask}

    def _close_infos(self) -> Infos:
        """What the last step tells each agent: its points and place, and how many illegal actions it took."""
        host = self._host
        points, places = host.points.tolist(), host.places.tolist()
        if host.offender is not None:
            places = forfeit_places(places, host.offender)
        infos: Infos = {}
        for seat, name in enumerate(self._names):
            infos[name] = {"points": points[seat], "place": places[seat]}
            if host.illegal_count[seat]:
                infos[name]["illegal_action"] = int(host.illegal_count[seat])
        return infos

    def _render_for(self, seat: int | None) -> str | None:
        """The table as a seat sees it, or as a spectator does: returned, or printed."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() was called, but the environment was made without render_mode: "
                'pass render_mode="ansi" or "human"'
            )
            return None
        text = render_table(self._host.game, seat, colour=has_colour())
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def close(self) -> None:
        """Nothing has to be closed; the environment may be used on."""


def has_colour() -> bool:
    """Whether the terminal shows colours, and its user wants them (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def make_observation_space(host: Host) -> spaces.Space[Any]:
    """The observation within its bounds, and the action mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(host.table.low, host.table.high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (host.n_actions,), np.int8),
        }
    )


def read_action(agent: str, action: object) -> int:
    """An action as a plain number; numpy's integers and arrays of a single one will do."""
    try:
        if isinstance(action, bool):
            raise TypeError
        return index(action)  # type: ignore[arg-type]  # refused below when it is no integer
    except TypeError:
        raise TypeError(
            f"the action of {agent} is {quote(action)} ({type(action).__name__}): "
            "give the number of an action, an integer"
        ) from None


def seat_players(
    players: int,
    expansions: Sequence[str],
    empire_side: str | None,
    empires: Sequence[str | None] | None,
    config: GameConfig | None,
) -> GameConfig:
    """The configuration that the options of an environment name: for two players and more."""
    if config is None:
        named = tuple(empires) if isinstance(empires, list) else empires
        config = GameConfig(players, parse_expansions(expansions), empire_side, named)  # type: ignore[arg-type]
    elif not isinstance(config, GameConfig):
        raise ConfigError(f"config is {quote(config)}: give a GameConfig")
    elif (players, tuple(expansions), empire_side, empires) != (4, (), None, None):
        raise ConfigError("config says all that is played: leave players, expansions, side and empires out")
    if config.solo:
        raise ConfigError('one player plays alone: gymnasium.make("iaww/Solo-v0"); here 2 to 7 can play')
    return config
