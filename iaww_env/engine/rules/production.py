"""Production: five steps, each counted for all seats at its start, with its supremacy (rulings 8 and 9)."""

from __future__ import annotations

from iaww_env.engine.fields import (
    FINANCIERS,
    GENERALS,
    LOOSE,
    LOOSE_RESOURCE,
    MUST_CHOOSE,
    PLAYERS,
    SEAT_PRODUCTION,
    SOLO_SUPREMACY,
    STEP,
    States,
)
from iaww_env.engine.jit import chapter, rule
from iaww_env.engine.rules.construction import settle_surplus
from iaww_env.engine.rules.deal import find_seat

MATERIALS, _ENERGY, SCIENCE, GOLD, _EXPLORATION = 0, 1, 2, 3, 4
SEATS_WITH_TWO_SUPREMACIES = 6


@rule
def count_production(row: States, at: int, resource: int) -> int:
    """What a seat makes of a resource: everything it has, less corruption, never below 0 (ruling 8)."""
    return max(0, int(row[at + SEAT_PRODUCTION + resource]))


@rule
def count_rivals(row: States, seat: int, resource: int) -> tuple[int, int]:
    """How many seats make more of a resource than this one, and how many others make as much."""
    own = count_production(row, find_seat(row, seat), resource)
    above, level = 0, 0
    for other in range(int(row[PLAYERS])):
        if other != seat:
            made = count_production(row, find_seat(row, other), resource)
            above += made > own
            level += made == own
    return above, level


@rule
def has_supremacy(row: States, seat: int, resource: int) -> bool:
    """Whether a seat has the supremacy of this step (rulings 8, 9 and 13)."""
    made = count_production(row, find_seat(row, seat), resource)
    if row[PLAYERS] == 1:
        return made >= SOLO_SUPREMACY
    if made == 0:
        return False
    above, level = count_rivals(row, seat, resource)
    if row[PLAYERS] < SEATS_WITH_TWO_SUPREMACIES:
        return above + level == 0
    # The two highest: those with at most one other seat at or above their number.
    return above + level <= 1


@rule
def award_supremacy(row: States, seat: int, resource: int) -> None:
    """Materials and gold give a financier, energy and exploration a general, science the choice."""
    at = find_seat(row, seat)
    if resource == SCIENCE:
        row[at + MUST_CHOOSE] = 1
    elif resource == MATERIALS or resource == GOLD:
        row[at + FINANCIERS] += 1
    else:
        row[at + GENERALS] += 1


@rule
def choose_character(row: States, at: int, choice: int) -> None:
    """Science supremacy: 0 takes a general, 1 a financier."""
    row[at + MUST_CHOOSE] = 0
    row[at + GENERALS + choice] += 1


@chapter
def begin_step(row: States) -> None:
    """Count production and supremacy for all seats at once; cubes lie loose before them."""
    resource = int(row[STEP])
    for seat in range(int(row[PLAYERS])):
        if has_supremacy(row, seat, resource):
            award_supremacy(row, seat, resource)
        at = find_seat(row, seat)
        made = count_production(row, at, resource)
        if made > 0:
            row[at + LOOSE] = made
            row[at + LOOSE_RESOURCE] = resource
            settle_surplus(row, at)
