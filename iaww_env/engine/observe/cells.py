"""Parts that the encoders of a seat and of the other seats share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine.fields import (
    DRAFT,
    LOOSE,
    LOOSE_RESOURCE,
    PHASE,
    SEAT_SIZE,
    SEATS_AT,
    SEEN_AT,
    States,
)
from iaww_env.engine.jit import rule
from iaww_env.engine.observe.pieces import SCALES, find_piece
from iaww_env.engine.rules.deal import find_seat

Vector = npt.NDArray[np.float32]

_LOOSE = find_piece("loose")


@rule
def write_cells(row: States, start: int, n: int, out: Vector, to: int, scale: float) -> None:
    """The n raw numbers from `start`, times their scale."""
    if start >= 0 and to >= 0:  # known to be no wrap-around: the compiler can copy many at once
        for i in range(n):
            out[to + i] = row[start + i] * scale


@rule
def add_cells(row: States, start: int, n: int, out: Vector, to: int, scale: float) -> None:
    """The same, added to what is there."""
    if start >= 0 and to >= 0:
        for i in range(n):
            out[to + i] += row[start + i] * scale


@rule
def count_kinds(row: States, start: int, size: int, out: Vector, at: int, scale: float) -> None:
    """Add a list of kinds to counts by kind."""
    for i in range(start, start + size):
        out[at + int(row[i])] += scale


@rule
def find_shown(row: States) -> int:
    """Where the seats' blocks begin as the other seats see them: as when the phase began.

    In the draft nothing but the secret pick changes before all reveal, so the seats are shown as they stand.
    """
    return int(row[SEATS_AT]) if row[PHASE] == DRAFT else int(row[SEEN_AT])


@rule
def find_visible(row: States, seat: int, other: int) -> int:
    """Where a seat's block begins as this seat sees it; its own as it stands."""
    if other == seat:
        return find_seat(row, other)
    return find_shown(row) + other * int(row[SEAT_SIZE])


@rule
def encode_loose(row: States, block: int, out: Vector, to: int) -> None:
    """Loose cubes stand in the column of their resource."""
    if row[block + LOOSE] > 0:
        out[to + int(row[block + LOOSE_RESOURCE])] = row[block + LOOSE] * SCALES[_LOOSE]
