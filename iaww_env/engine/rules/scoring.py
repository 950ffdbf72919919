"""Scoring: points of a seat, places, and what a scenario asks (rulings 11, 13 and 14)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine.facts import DUOS, N_BASE_KINDS, N_DUOS, N_TYPES
from iaww_env.engine.fields import (
    COUNTS,
    FINANCIERS,
    FLAT_POINTS_NOW,
    GENERALS,
    KINDS,
    N_BUILT,
    PLAYERS,
    POINT_RATE,
    SCENARIO,
    SHOWN_POINTS,
    States,
)
from iaww_env.engine.jit import chapter, rule
from iaww_env.engine.rules.construction import find_built
from iaww_env.engine.rules.deal import count_named, find_seat

Numbers = npt.NDArray[np.int16]


@rule
def count_thing(row: States, at: int, thing: int) -> int:
    """How many a seat has of a type (0-4), of generals (5) or of financiers (6)."""
    return int(row[at + COUNTS + thing])


@rule
def score_duos(row: States, at: int) -> int:
    """Points x the smaller of the two counts, for every duo built."""
    points = 0
    built = find_built(row, at)
    for i in range(N_DUOS):
        copies = int(row[built + int(DUOS[i, 0])])
        if copies > 0:
            pairs = min(count_thing(row, at, int(DUOS[i, 2])), count_thing(row, at, int(DUOS[i, 3])))
            points += copies * int(DUOS[i, 1]) * pairs
    return points


@chapter
def score_seat(row: States, at: int) -> int:
    """What the seat whose block begins at `at` would score now."""
    points = int(row[at + FLAT_POINTS_NOW]) + int(row[at + GENERALS]) + int(row[at + FINANCIERS])
    for thing in range(N_TYPES + 2):
        points += int(row[at + POINT_RATE + thing]) * count_thing(row, at, thing)
    if row[KINDS] > N_BASE_KINDS:
        points += score_duos(row, at)
    return points


@rule
def note_points(row: States) -> None:
    """A phase begins: note what every seat would score now, for the others to see."""
    for seat in range(int(row[PLAYERS])):
        at = find_seat(row, seat)
        row[at + SHOWN_POINTS] = score_seat(row, at)


@rule
def rank_key(row: States, at: int) -> int:
    """A number that orders seats: points, then built cards, then characters held (ruling 11)."""
    characters = int(row[at + GENERALS]) + int(row[at + FINANCIERS])
    return (score_seat(row, at) * 1024 + int(row[at + N_BUILT])) * 32768 + characters


@rule
def place_seat(row: States, seat: int) -> int:
    """The place of a seat, counted from 1; equal seats share it."""
    own = rank_key(row, find_seat(row, seat))
    place = 1
    for other in range(int(row[PLAYERS])):
        place += rank_key(row, find_seat(row, other)) > own
    return place


@chapter
def score_game(row: States, points: Numbers, places: Numbers) -> None:
    """Points and places of every seat as the game stands."""
    for seat in range(int(row[PLAYERS])):
        points[seat] = score_seat(row, find_seat(row, seat))
        places[seat] = place_seat(row, seat)


@chapter
def is_scenario_won(row: States) -> bool:
    """Whether every named card of the scenario is built (ruling 14)."""
    built = find_built(row, find_seat(row, 0))
    for kind in range(int(row[KINDS])):
        if row[built + kind] < count_named(row, kind):
            return False
    return bool(row[SCENARIO] > 0)
