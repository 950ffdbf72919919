"""Production: five steps, each counted for all seats at its start, with its supremacy (rulings 8 and 9)."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.row import find_seat
from iaww_env.engine.rules.construction import settle_surplus


@inlined
def count_production(row: States, at: int, resource: int) -> int:
    """What a seat makes of a resource: everything it has, less corruption, never below 0 (ruling 8)."""
    return max(0, int(row[at + fields.PRODUCTION + resource]))


@inlined
def count_rivals(row: States, seat: int, resource: int) -> tuple[int, int]:
    """How many seats make more of a resource than this one, and how many others make as much."""
    own = count_production(row, find_seat(row, seat), resource)
    above, level = 0, 0
    for other in range(int(row[fields.PLAYERS])):
        if other != seat:
            made = count_production(row, find_seat(row, other), resource)
            above += made > own
            level += made == own
    return above, level


@inlined
def has_supremacy(row: States, seat: int, resource: int) -> bool:
    """Whether a seat has the supremacy of this step (rulings 8, 9 and 13)."""
    made = count_production(row, find_seat(row, seat), resource)
    if row[fields.PLAYERS] == 1:
        return made >= rulebook.SOLO_SUPREMACY
    if made == 0:
        return False
    above, level = count_rivals(row, seat, resource)
    if row[fields.PLAYERS] < rulebook.SEATS_WITH_TWO_SUPREMACIES:
        return above + level == 0
    # The two highest: those with at most one other seat at or above their number.
    return above + level <= 1


@inlined
def award_supremacy(row: States, seat: int, resource: int) -> None:
    """Materials and gold give a financier, energy and exploration a general, science the choice.

    However many are held already (ruling 18).
    """
    at = find_seat(row, seat)
    if resource == facts.SCIENCE:
        row[at + fields.MUST_CHOOSE] = 1
    elif resource == facts.MATERIALS or resource == facts.GOLD:
        row[at + fields.FINANCIERS] += 1
    else:
        row[at + fields.GENERALS] += 1


@inlined
def choose_character(row: States, at: int, choice: int) -> None:
    """Science supremacy: 0 takes a general, 1 a financier."""
    row[at + fields.MUST_CHOOSE] = 0
    row[at + fields.GENERALS + choice] += 1


@called
def begin_step(row: States) -> None:
    """Count production and supremacy for all seats at once; cubes lie loose before them."""
    resource = int(row[fields.STEP])
    for seat in range(int(row[fields.PLAYERS])):
        if has_supremacy(row, seat, resource):
            award_supremacy(row, seat, resource)
        at = find_seat(row, seat)
        made = count_production(row, at, resource)
        if made > 0:
            row[at + fields.LOOSE] = made
            row[at + fields.LOOSE_RESOURCE] = resource
            settle_surplus(row, at)
