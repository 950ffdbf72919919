"""The central state: what a critic may see that judges the game for all seats at once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States, find_layout
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.observe import pieces
from iaww_env.engine.rules.legal import ASK_ALL
from iaww_env.observation import Vector, lend_offsets, observation_table

TABLE_WHO, SEAT_WHO = "table", "own"


class CentralState:
    """The table, and then every seat's own part, hands and secrets included, from seat 0 on.

    The pieces are those of the `full` observation with the same names, scales and bounds: first those of the
    table, once, then those a seat knows of itself, for each seat, as the game stands at this moment. Only
    `gone` tells more than a seat would know: every card that has left the game. What nobody can influence any
    more and nobody knows, the order of the decks and the random stream, is not in it.

    Attributes:
        size: Length of the vector.
        low: (size,) float32, least values.
        high: (size,) float32, greatest values.
    """

    def __init__(self, config: GameConfig) -> None:
        """Lay out the central state of a configuration."""
        self.config = config
        table = observation_table(config, "full")
        self._offsets = lend_offsets(table)
        self._common = [piece for piece in table.pieces if piece.who == TABLE_WHO]
        self._own = [piece for piece in table.pieces if piece.who == SEAT_WHO]
        # Both stand side by side in an observation, the table first.
        self._start, self._end = self._own[0].start, self._own[-1].end
        self._gone = next(piece for piece in self._common if piece.name == "gone")
        n = config.players
        self.size = self._start + n * (self._end - self._start)
        self.low, self.high = (
            np.concatenate([bound[: self._start], np.tile(bound[self._start : self._end], n)])
            for bound in (table.low, table.high)
        )
        self._legal = np.zeros(fields.MOST_LEGAL, np.int16)
        self._mask = np.zeros(len(action_table(config.expansions)), np.int8)
        self._seen = np.zeros((n, table.size), np.float32)

    def __reduce__(self) -> tuple[object, ...]:
        return CentralState, (self.config,)

    def look(self, row: States) -> Vector:
        """The central state of a game, as a fresh vector."""
        seen = self._seen
        for seat in range(len(seen)):
            kernels.show_one_seat(row, seat, ASK_ALL, self._legal, self._mask, self._offsets, seen[seat])
        gone = find_layout(self.config).views(row).discarded.sum(0)
        seen[0, self._gone.start : self._gone.end] = gone * pieces.SCALES[pieces.GONE]
        own = seen[:, self._start : self._end]
        return np.concatenate([seen[0, : self._start], own.ravel()])

    def views(self, state: npt.NDArray[Any]) -> SimpleNamespace:
        """Named windows into a vector, or an array of vectors: `views(state).hand[seat, kind]`, `.round`."""
        if state.shape[-1] != self.size:
            raise ValueError(f"a central state has {self.size} numbers here, not {state.shape[-1]}")
        lead = state.shape[:-1]
        own = state[..., self._start :].reshape(*lead, self.config.players, self._end - self._start)
        windows = {p.name: state[..., p.start : p.end].reshape((*lead, *p.shape)) for p in self._common}
        for piece in self._own:
            window = own[..., piece.start - self._start : piece.end - self._start]
            windows[piece.name] = window.reshape((*lead, self.config.players, *piece.shape))
        return SimpleNamespace(**windows)
