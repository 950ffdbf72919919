"""The game behind both PettingZoo forms: one row, its resets, illegal actions, and rewards."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import numpy as np

from iaww_env import rulebook
from iaww_env.actions import action_table
from iaww_env.asking import count_asks, refuse_action
from iaww_env.batch import find_scheme
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.kernels import parallel
from iaww_env.engine.new_rows import check_seed, make_rows, seed_stream
from iaww_env.engine.rewards import NOBODY
from iaww_env.engine.rng import Stream
from iaww_env.engine.rules.legal import ASK_FORCED
from iaww_env.envs.options import Options
from iaww_env.envs.resets import begin_given, pick_given
from iaww_env.game import Game, make_game
from iaww_env.observation import ObservationTable, observation_table
from iaww_env.soundness import check_row

logger = logging.getLogger("iaww_env")

FARTHEST = 2**62


class Session:
    """One game for an environment: it begins games, judges actions, and says what they were worth."""

    def __init__(self, config: GameConfig, options: Options) -> None:
        """Lay everything out; the first game begins with `begin`."""
        self.config = config
        self.table: ObservationTable = observation_table(config, options.observation)
        self.profile = options.observation
        self.scheme = find_scheme(options.reward)
        self.illegal_action = options.illegal_action
        self.asks = count_asks(options.skip_forced, options.discards)
        n = config.players
        self.n_actions = len(action_table(config.expansions))
        self.wait = self.n_actions - 1
        self.row: States | None = None
        self.points = np.zeros(n, np.int16)
        self.places = np.zeros(n, np.int16)
        self.paid = np.zeros(n, np.int16)
        self.rewards = np.zeros(n, np.float32)
        self.legal = np.zeros(fields.MOST_LEGAL, np.int16)
        self.stream: Stream | None = None
        self.offender = NOBODY
        self.illegal_count = np.zeros(n, np.int64)

    # --- Beginning -------------------------------------------------------------------------------

    def begin(self, seed: int | None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game, from a seed or where the stream of the game before stands; play forced decisions.

        Options that are looked at: `deals` (or `pools` in solo) and `empires`; others are left alone.
        """
        given = pick_given(options)
        row, stream = self.row, self.stream
        if seed is not None or row is None:
            seed = check_seed(seed)
            row, stream = make_rows(self.config, [seed])[0], seed_stream(seed)
        # Nothing is kept before the options have proved good: a refused reset leaves the game as it was.
        self.row, self.stream = begin_given(row, self.config, given), stream
        if not self.asks & ASK_FORCED:
            parallel.skip_forced_now(self.row, self.asks, self.legal)
        self.offender = NOBODY
        self.paid[:] = 0
        self.illegal_count[:] = 0

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the table: it is one for all environments of a configuration, and read-only."""
        return {name: value for name, value in self.__dict__.items() if name != "table"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.row is not None:
            check_row(self.config, self.row)
        self.table = observation_table(self.config, self.profile)

    @property
    def game(self) -> Game:
        """The game as a readable object over the very row."""
        return make_game(self.config, self.state_row)

    @property
    def state_row(self) -> States:
        """The row of the game."""
        if self.row is None:
            raise RuntimeError("there is no game yet: call reset() first")
        return self.row

    @property
    def over(self) -> bool:
        """Whether the game has ended, by its rules or by forfeit."""
        return self.offender != NOBODY or bool(self.state_row.item(fields.PHASE) == rulebook.OVER)

    # --- Illegal actions -------------------------------------------------------------------------

    def draw_legal(self, seat: int) -> int:
        """A legal action of a seat, drawn from the environment's own stream."""
        assert self.stream is not None
        return int(kernels.draw_legal(self.state_row, seat, self.asks, self.stream, self.legal))

    def handle_illegal(self, seat: int, action: int) -> int | None:
        """What an illegal action leads to: a replacement to play, None after a forfeit, or an error."""
        action = max(-FARTHEST, min(int(action), FARTHEST))  # a number that kernels and messages can hold
        if self.illegal_action == "raise":
            raise refuse_action(self.game, seat, action, self.asks)
        self.illegal_count[seat] += 1
        if self.illegal_action == "replace":
            return self.draw_legal(seat)
        self.offender = seat
        logger.warning("seat %d played the illegal action %d and forfeits the game", seat, action)
        return None

    # --- Rewards ---------------------------------------------------------------------------------

    def settle(self) -> list[float]:
        """Rewards of the last step, by seat; at the end points and places as well. Call once a step."""
        ends = (self.points, self.places, self.paid, self.rewards)
        parallel.settle_step(self.state_row, self.scheme, self.offender, *ends)
        rewards: list[float] = self.rewards.tolist()
        return rewards
