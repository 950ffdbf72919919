"""Parts that the encoders of a seat and of the other seats share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined
from iaww_env.engine.observe import pieces
from iaww_env.engine.observe.pieces import SCALES

Vector = npt.NDArray[np.float32]


@inlined
def write_cells(row: States, start: int, n: int, out: Vector, to: int, scale: float) -> None:
    """The n raw numbers from `start`, times their scale."""
    if start >= 0 and to >= 0:  # known to be no wrap-around: the compiler can copy many at once
        for i in range(n):
            out[to + i] = row[start + i] * scale


@inlined
def add_cells(row: States, start: int, n: int, out: Vector, to: int, scale: float) -> None:
    """The same, added to what is there."""
    if start >= 0 and to >= 0:
        for i in range(n):
            out[to + i] += row[start + i] * scale


@inlined
def count_kinds(row: States, start: int, size: int, out: Vector, to: int, scale: float) -> None:
    """Add a list of kinds to counts by kind."""
    for i in range(start, start + size):
        out[to + int(row[i])] += scale


@inlined
def encode_loose(row: States, at: int, out: Vector, to: int) -> None:
    """Loose cubes stand in the column of their resource."""
    if row[at + fields.LOOSE] > 0:
        out[to + int(row[at + fields.LOOSE_RESOURCE])] = row[at + fields.LOOSE] * SCALES[pieces.LOOSE]
