"""Scoring: points of a seat, places, and what a scenario asks (rulings 11, 13 and 14)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.row import count_duos, find_built, find_seat
from iaww_env.engine.rules.deal import count_named

Numbers = npt.NDArray[np.int16]

# How many values a later rule of ties can have: the least that keeps it from reaching into the rule before.
_MOST = {field.name: field.high for field in fields.SEAT_FIELDS}
BUILT_SPAN = _MOST["n_built"] + 1
CHARACTERS_SPAN = _MOST["generals"] + _MOST["financiers"] + 1

# Where points come from: printed on cards, for each of what is counted, for duos, by the empire, and one for
# each character held.
FLAT, RATES = 0, 1
DUOS = RATES + facts.N_COUNTED
EMPIRE, GENERALS, FINANCIERS = range(DUOS + 1, DUOS + 4)
N_PARTS = FINANCIERS + 1


@inlined
def count_thing(row: States, at: int, thing: int) -> int:
    """How many a seat has of a type (0-4), of generals (5) or of financiers (6)."""
    return int(row[at + fields.COUNTS + thing])


@inlined
def count_characters(row: States, at: int) -> int:
    """Generals and financiers held: each scores a point."""
    return int(row[at + fields.GENERALS]) + int(row[at + fields.FINANCIERS])


@inlined
def score_duos(row: States, at: int) -> int:
    """Points x the smaller of the two counts, for every duo built."""
    points = 0
    built = find_built(row, at)
    for i in range(count_duos(row)):
        copies = int(row[built + int(facts.DUOS[i, 0])])
        if copies > 0:
            one, two = int(facts.DUOS[i, 2]), int(facts.DUOS[i, 3])
            pairs = min(count_thing(row, at, one), count_thing(row, at, two))
            points += copies * int(facts.DUOS[i, 1]) * pairs
    return points


@called
def score_seat(row: States, at: int) -> int:
    """What the seat whose block begins at `at` would score now."""
    points = int(row[at + fields.FLAT_POINTS]) + count_characters(row, at)
    for thing in range(facts.N_COUNTED):
        points += int(row[at + fields.POINT_RATE + thing]) * count_thing(row, at, thing)
    return points + score_duos(row, at)


@called
def break_down_seat(row: States, seat: int, parts: Numbers, lost: Numbers) -> None:
    """Where a seat's points come from, and by resource the cubes that corruption costs it each round.

    Counted anew from the built cards and the empire, not from the sums that are kept while they are built.
    """
    at = find_seat(row, seat)
    built, card = find_built(row, at), int(row[at + fields.EMPIRE])
    for part in range(N_PARTS):
        parts[part] = 0
    for resource in range(facts.N_RESOURCES):
        lost[resource] = 0
    for kind in range(int(row[fields.KINDS])):
        copies = int(row[built + kind])
        if copies > 0:
            parts[FLAT] += copies * int(facts.FLAT_POINTS[kind])
            thing = int(facts.RATE_OF[kind])
            if thing >= 0:
                parts[RATES + thing] += copies * int(facts.RATE[kind]) * count_thing(row, at, thing)
            for resource in range(facts.N_RESOURCES):
                lost[resource] += copies * max(0, -int(facts.PRODUCTION[kind, resource]))
    parts[DUOS] = score_duos(row, at)
    thing = int(facts.EMPIRE_RATE_OF[card])
    if thing >= 0:
        parts[EMPIRE] = int(facts.EMPIRE_RATE[card]) * count_thing(row, at, thing)
    parts[GENERALS], parts[FINANCIERS] = row[at + fields.GENERALS], row[at + fields.FINANCIERS]
    for resource in range(facts.N_RESOURCES):  # below 0 there is nothing to lose (ruling 8)
        made = int(row[at + fields.PRODUCTION + resource]) + int(lost[resource])
        lost[resource] = max(0, min(made, int(lost[resource])))


@inlined
def note_points(row: States) -> None:
    """A phase begins: note what every seat would score now, for the others to see."""
    for seat in range(int(row[fields.PLAYERS])):
        at = find_seat(row, seat)
        row[at + fields.SHOWN_POINTS] = score_seat(row, at)


@inlined
def rank_key(row: States, at: int) -> int:
    """A number that orders seats: points, then built cards, then characters held (ruling 11)."""
    key = score_seat(row, at) * BUILT_SPAN + int(row[at + fields.N_BUILT])
    return key * CHARACTERS_SPAN + count_characters(row, at)


@inlined
def place_seat(row: States, seat: int) -> int:
    """The place of a seat, counted from 1; equal seats share it."""
    own = rank_key(row, find_seat(row, seat))
    place = 1
    for other in range(int(row[fields.PLAYERS])):
        place += rank_key(row, find_seat(row, other)) > own
    return place


@called
def score_game(row: States, points: Numbers, places: Numbers) -> None:
    """Points and places of every seat as the game stands."""
    for seat in range(int(row[fields.PLAYERS])):
        points[seat] = score_seat(row, find_seat(row, seat))
        places[seat] = place_seat(row, seat)


@called
def is_scenario_won(row: States) -> bool:
    """Whether every named card of the scenario is built (ruling 14), whichever copy it is (ruling 17)."""
    built = find_built(row, find_seat(row, 0))
    for kind in range(int(row[fields.KINDS])):
        if row[built + kind] < count_named(row, kind):
            return False
    return bool(row[fields.SCENARIO] > 0)
