"""What a solo game is played for, as a number: titles, medals, and the named cards that must stand."""

from __future__ import annotations

from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called
from iaww_env.engine.row import find_built, find_seat
from iaww_env.engine.rules.deal import count_named
from iaww_env.engine.rules.scoring import score_seat

TITLE_WORTH = 10  # points that reaching a title is worth, beyond the points themselves
MEDAL_WORTH = 20  # points that reaching a medal is worth
LOSS = 40  # points that a lost scenario costs,
UNBUILT = 60  # and as many more, times the share of its named cards that are not built


@called
def value_goal(row: States) -> float:
    """What the end of a solo game is worth: its points, and what its goals add or take.

    A standard game: for every title that the points reach. A scenario that is won: for every medal. One that
    is lost pays no medal, and less the fewer of its named cards are built.
    """
    at = find_seat(row, 0)
    points = score_seat(row, at)
    worth = float(points)
    if row[fields.SCENARIO] == 0:
        for place in range(len(facts.TITLE_POINTS)):
            if points >= facts.TITLE_POINTS[place]:
                worth += TITLE_WORTH
        return worth
    wanted, standing = count_standing(row)
    if standing < wanted:
        return worth - LOSS - UNBUILT * (wanted - standing) / wanted
    scenario = int(row[fields.SCENARIO]) - 1
    for place in range(facts.MEDAL_POINTS.shape[1]):
        if points >= facts.MEDAL_POINTS[scenario, place]:
            worth += MEDAL_WORTH
    return worth


@called
def count_standing(row: States) -> tuple[int, int]:
    """How many cards the scenario names, and how many of these are built, whichever copy it is."""
    built, wanted, standing = find_built(row, find_seat(row, 0)), 0, 0
    for kind in range(int(row[fields.KINDS])):
        asked = count_named(row, kind)
        wanted += asked
        standing += min(asked, int(row[built + kind]))
    return wanted, standing
