"""Parts that the encoders of a seat and of the other seats share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine.cards import N_SPACES
from iaww_env.engine.deal import find_seat
from iaww_env.engine.jit import rule
from iaww_env.engine.layout import (
    DRAFT,
    LOOSE,
    LOOSE_RESOURCE,
    N_SITES,
    PHASE,
    SEAT_SIZE,
    SEEN_AT,
    SITE,
    SITE_AT,
    SITE_KIND,
    SITE_MISSING,
    States,
)
from iaww_env.engine.pieces import SCALES, find_piece

Vector = npt.NDArray[np.float32]

SITE_ENTRY = 1 + N_SPACES
_OWN_LOOSE = find_piece("loose")
_OWN_SLATED = find_piece("slated")
_OWN_SITES = find_piece("sites")


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
def find_visible(row: States, seat: int, other: int) -> int:
    """Where another seat's block begins as this seat sees it: as when the phase began."""
    if row[PHASE] == DRAFT or other == seat:
        return find_seat(row, other)
    return int(row[SEEN_AT]) + other * int(row[SEAT_SIZE])


@rule
def encode_sites(row: States, block: int, out: Vector, slated: int, sites: int) -> None:
    """Cards under construction: counts by kind, and each with what is missing."""
    site = block + SITE_AT
    for i in range(int(row[block + N_SITES])):
        kind = int(row[site + SITE_KIND])
        out[slated + kind] += SCALES[_OWN_SLATED]
        if sites >= 0:
            entry = sites + i * SITE_ENTRY
            out[entry] = (kind + 1) * SCALES[_OWN_SITES]
            for space in range(N_SPACES):
                out[entry + 1 + space] = row[site + SITE_MISSING + space] * SCALES[_OWN_SITES]
        site += SITE


@rule
def encode_loose(row: States, block: int, out: Vector, to: int) -> None:
    """Loose cubes stand in the column of their resource."""
    if row[block + LOOSE] > 0:
        out[to + int(row[block + LOOSE_RESOURCE])] = row[block + LOOSE] * SCALES[_OWN_LOOSE]
