"""Where points come from: each seat's score in parts that sum exactly to it (ruling 11)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from iaww_env.cards import COUNTED, RESOURCES, TYPES
from iaww_env.engine.fields import States
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.rules import scoring

CHARACTERS = COUNTED[len(TYPES) :]
# The parts of a score, in the order in which they are told.
PARTS = (
    "points on cards",
    *(f"per {thing.replace('_', ' ')}" for thing in COUNTED),
    "duos",
    "empire",
    *(f"{one}s held" for one in CHARACTERS),
)

# The same as names of columns.
PART_COLUMNS = tuple(f"points_{part.removeprefix('points ').replace(' ', '_')}" for part in PARTS)


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """Where the points of a seat come from.

    Attributes:
        cards: Points printed on built cards.
        rates: What built cards score for each of something, by what is counted: the types and the characters.
        duos: What built cards score for pairs of two things.
        empire: What the empire card scores.
        generals: One for each general held.
        financiers: One for each financier held.
        corruption: Cubes that corruption costs in each round, by resource; no points.
    """

    cards: int
    rates: dict[str, int]
    duos: int
    empire: int
    generals: int
    financiers: int
    corruption: dict[str, int]

    @property
    def total(self) -> int:
        """The score."""
        return sum(self.parts.values())

    @property
    def parts(self) -> dict[str, int]:
        """All parts by name, in the order of `PARTS`."""
        tail = (self.duos, self.empire, self.generals, self.financiers)
        return dict(zip(PARTS, (self.cards, *self.rates.values(), *tail), strict=True))


def count_parts(row: States, players: int) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Points of every seat by part, and the cubes that corruption costs it: (players, ...) each."""
    parts = np.empty((players, scoring.N_PARTS), np.int16)
    lost = np.empty((players, len(RESOURCES)), np.int16)
    kernels.break_down_row(row, parts, lost)
    return parts, lost


def break_down(row: States, players: int) -> tuple[ScoreBreakdown, ...]:
    """The breakdown of every seat."""
    found = []
    for parts, lost in zip(*(counted.tolist() for counted in count_parts(row, players)), strict=True):
        rates = dict(zip(COUNTED, parts[scoring.RATES : scoring.DUOS], strict=True))
        corruption = dict(zip(RESOURCES, lost, strict=True))
        duos, of_empire, generals, financiers = parts[scoring.DUOS :]
        found.append(
            ScoreBreakdown(parts[scoring.FLAT], rates, duos, of_empire, generals, financiers, corruption)
        )
    return tuple(found)
