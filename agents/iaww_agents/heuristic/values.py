"""What a card is worth to a seat: the points and cubes it can expect to make, and its price.

Written as rules for kernels: they read what the seat itself may know, and allocate nothing. `weights` is one
column of `weights/heuristic.csv`, in the order of NAMES; that table says what each weight does. Behind them
stand the biases of `weights/kinds.csv`: for picking and for slating each kind in each round.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import rule

Weights = npt.NDArray[np.float64]

COST_LIST = facts.COST.reshape(-1)
MOST_LEAD = 60  # cubes ahead or behind, beyond which nothing changes any more
LEADS = 1.0 / (1.0 + np.exp(-np.arange(-MOST_LEAD, MOST_LEAD + 1) + 0.5))

NAMES = (
    "cube_materials",
    "cube_energy",
    "cube_science",
    "cube_gold",
    "cube_exploration",
    "cube_late",
    "growth",
    "delay",
    "delay_per_space",
    "price",
    "price_late",
    "short",
    "short_late",
    "krystallium",
    "krystallium_late",
    "character",
    "type_later",
    "slated_counts",
    "recycle_short",
    "recycle_open",
    "recycle_spare",
    "drafted_demand",
    "place_power",
    "place_finish",
    "empire",
    "slate_bar",
    "deny",
    "supremacy",
    "points_early",
    "structure",
    "vehicle",
    "research",
    "project",
    "discovery",
    "dig_bar",
    "check",
    "sure",
    "spare_materials",
    "spare_energy",
    "spare_science",
    "spare_gold",
    "spare_exploration",
    "spare_late",
    "spare_now",
    "spare_krystallium",
    "spare_character",
    "spare_type",
)
(
    CUBE,
    _CUBE_ENERGY,
    _CUBE_SCIENCE,
    _CUBE_GOLD,
    _CUBE_EXPLORATION,
    CUBE_LATE,
    GROWTH,
    DELAY,
    DELAY_PER_SPACE,
    PRICE,
    PRICE_LATE,
    SHORT,
    SHORT_LATE,
    KRYSTALLIUM_WORTH,
    KRYSTALLIUM_LATE,
    CHARACTER,
    TYPE_LATER,
    SLATED_COUNTS,
    RECYCLE_SHORT,
    RECYCLE_OPEN,
    RECYCLE_SPARE,
    DRAFTED_DEMAND,
    PLACE_POWER,
    PLACE_FINISH,
    EMPIRE_BAR,
    SLATE_BAR,
    DENY,
    SUPREMACY,
    POINTS_EARLY,
    TYPE_BIAS,
    _VEHICLE,
    _RESEARCH,
    _PROJECT,
    _DISCOVERY,
    DIG_BAR,
    CHECK,
    SURE,
    SPARE,
    _SPARE_ENERGY,
    _SPARE_SCIENCE,
    _SPARE_GOLD,
    _SPARE_EXPLORATION,
    SPARE_LATE,
    SPARE_NOW,
    SPARE_KRYSTALLIUM,
    SPARE_CHARACTER,
    SPARE_TYPE,
) = range(len(NAMES))
N_KINDS = len(facts.TYPE)
PICK_BIAS = len(NAMES)
SLATE_BIAS = PICK_BIAS + rulebook.ROUNDS * N_KINDS
N_WEIGHTS = SLATE_BIAS + rulebook.ROUNDS * N_KINDS


@rule
def count_rounds_left(row: States) -> int:
    """Rounds after this one."""
    return rulebook.ROUNDS - int(row[fields.ROUND])


@rule
def find_bias(row: States, kind: int, first: int, weights: Weights) -> float:
    """What a kind is worth in this round beyond what its figures say: learnt from search's choices."""
    return float(weights[first + (int(row[fields.ROUND]) - 1) * N_KINDS + kind])


@rule
def is_to_come(row: States, resource: int) -> int:
    """1 where the step of a resource is still to come in this round."""
    return 1 if row[fields.PHASE] != rulebook.PRODUCTION or row[fields.STEP] < resource else 0


@rule
def mix(weights: Weights, early: int, late: int, rounds_left: int) -> float:
    """A weight that moves from its early value in round 1 to its late value in round 4."""
    first, last = float(weights[early]), float(weights[late])
    return last + (first - last) * rounds_left / (rulebook.ROUNDS - 1)


@rule
def expect_supply(row: States, at: int, resource: int, weights: Weights) -> float:
    """Cubes of a resource that the seat can still expect to make, the loose ones included."""
    made = max(0, int(row[at + fields.PRODUCTION + resource]))
    left = count_rounds_left(row)
    supply = made * (is_to_come(row, resource) + left) + float(weights[GROWTH]) * left * (left + 1) / 2
    if row[at + fields.LOOSE] > 0 and row[at + fields.LOOSE_RESOURCE] == resource:
        supply += int(row[at + fields.LOOSE])
    return supply


@rule
def expect_count(row: States, at: int, thing: int, weights: Weights) -> float:
    """How many of a type or character the seat can expect to have in the end."""
    count = float(row[at + fields.COUNTS + thing])
    if thing < facts.N_TYPES:
        count += float(weights[SLATED_COUNTS]) * int(row[at + fields.TYPES_SLATED + thing])
    return count + float(weights[TYPE_LATER]) * count_rounds_left(row)


@rule
def value_points(row: States, at: int, kind: int, weights: Weights) -> float:
    """Points that a kind can expect to make: its own, what it adds to rates, its bonus."""
    left = count_rounds_left(row)
    of_type = int(facts.TYPE[kind])
    points = float(facts.FLAT_POINTS[kind]) + int(row[at + fields.POINT_RATE + of_type])
    if facts.RATE_OF[kind] >= 0:
        counted = int(facts.RATE_OF[kind])
        own = 1 if counted == of_type else 0
        points += int(facts.RATE[kind]) * (expect_count(row, at, counted, weights) + own)
    if kind >= facts.N_BASE_KINDS:
        for i in range(facts.N_DUOS):
            if facts.DUOS[i, 0] == kind:
                first, second = int(facts.DUOS[i, 2]), int(facts.DUOS[i, 3])
                one = expect_count(row, at, first, weights) + (1 if first == of_type else 0)
                two = expect_count(row, at, second, weights) + (1 if second == of_type else 0)
                points += int(facts.DUOS[i, 1]) * min(one, two)
    points += int(facts.BONUS[kind, 0]) * mix(weights, KRYSTALLIUM_WORTH, KRYSTALLIUM_LATE, left)
    for character in range(2):
        worth = weights[CHARACTER] + int(row[at + fields.POINT_RATE + facts.N_TYPES + character])
        points += int(facts.BONUS[kind, 1 + character]) * worth
    return points


@rule
def value_cube(weights: Weights, resource: int, rounds_left: int) -> float:
    """What one more cube of a resource in one step is worth."""
    late = float(weights[CUBE_LATE])
    return float(weights[CUBE + resource]) * (late + (1 - late) * rounds_left / (rulebook.ROUNDS - 1))


@rule
def count_best_other(row: States, at: int, resource: int) -> int:
    """The most that another seat makes of a resource, as this seat sees it; solo: one less than needed."""
    n, size = int(row[fields.PLAYERS]), int(row[fields.SEAT_SIZE])
    if n == 1:
        return rulebook.SOLO_SUPREMACY - 1
    first = int(row[fields.SEATS_AT])
    own = (at - first) // size
    seen = first if row[fields.PHASE] == rulebook.DRAFT else int(row[fields.SEEN_AT])
    best = 0
    for other in range(n):
        if other != own:
            best = max(best, int(row[seen + other * size + fields.PRODUCTION + resource]))
    return best


@rule
def find_lead(ahead: int) -> float:
    """How likely a supremacy is with so many cubes more than the best other seat."""
    return float(LEADS[max(-MOST_LEAD, min(MOST_LEAD, ahead)) + MOST_LEAD])


@rule
def value_lead(row: States, at: int, resource: int, made: float, weights: Weights) -> float:
    """What each step with so many more cubes is worth for its supremacy: most where it takes the lead."""
    now = int(row[at + fields.PRODUCTION + resource]) - count_best_other(row, at, resource)
    whole = int(made)
    if whole == made:
        return float(weights[SUPREMACY] * (find_lead(now + whole) - find_lead(now)))
    after = 1.0 / (1.0 + np.exp(-now - made + 0.5))
    return float(weights[SUPREMACY] * (after - find_lead(now)))


@rule
def value_engine(row: States, at: int, kind: int, delay: float, weights: Weights) -> float:
    """What a kind will make in the steps still to come is worth, were it built after `delay` rounds."""
    left = count_rounds_left(row)
    of_type = int(facts.TYPE[kind])
    total = 0.0
    for resource in range(facts.N_RESOURCES):
        made = float(facts.PRODUCTION[kind, resource])
        made += int(row[at + fields.PER_TYPE + resource * facts.N_TYPES + of_type])
        if facts.PER_RESOURCE[kind] == resource:
            counted = int(facts.PER_TYPE[kind])
            made += int(row[at + fields.TYPES_BUILT + counted]) + (1 if counted == of_type else 0)
            made += weights[SLATED_COUNTS] * int(row[at + fields.TYPES_SLATED + counted])
        if made != 0:
            steps = max(0.0, left + is_to_come(row, resource) - delay)
            step = made * value_cube(weights, resource, left) + value_lead(row, at, resource, made, weights)
            total += steps * step
    return total


@rule
def expect_short(row: States, at: int, need: States, first: int, already: float, weights: Weights) -> float:
    """Cubes of a need (eight spaces from `first`) that the seat cannot expect to make.

    `already` is the share of the open spaces under construction that compete for the same cubes.
    """
    short = 0.0
    for resource in range(facts.N_RESOURCES):
        asked = int(need[first + resource])
        if asked > 0:
            free = expect_supply(row, at, resource, weights) - already * int(row[at + fields.OPEN + resource])
            short += max(0.0, asked - max(0.0, free))
    for space in range(facts.N_RESOURCES, facts.N_SPACES):
        asked = int(need[first + space])
        if asked > 0:
            held = int(
                row[at + (fields.KRYSTALLIUM if space == facts.N_RESOURCES else fields.COUNTS + space - 1)]
            )
            short += max(0, asked - held)
    return max(0.0, short - 0.5 * int(row[at + fields.KRYSTALLIUM]))


@rule
def chance_to_build(short: float, rounds_left: int, weights: Weights) -> float:
    """How likely a card is finished when so many cubes are short."""
    bar = mix(weights, SHORT, SHORT_LATE, rounds_left)
    return 1.0 / (1.0 + (short / bar) * (short / bar))


@rule
def list_cost(kind: int) -> int:
    """Spaces of a kind that cubes fill."""
    spaces = 0
    for resource in range(facts.N_RESOURCES):
        spaces += int(facts.COST[kind, resource])
    return spaces


@rule
def value_slate(row: States, at: int, kind: int, extra: float, weights: Weights) -> float:
    """What slating a kind is worth: chance to build it x what it brings, less the cubes it takes.

    `extra` is what cards drafted but not decided yet make short.
    """
    left = count_rounds_left(row)
    spaces = list_cost(kind)
    delay = weights[DELAY] + weights[DELAY_PER_SPACE] * spaces
    points = value_points(row, at, kind, weights) + float(weights[TYPE_BIAS + int(facts.TYPE[kind])])
    early = float(weights[POINTS_EARLY])
    points *= 1 + (early - 1) * left / (rulebook.ROUNDS - 1)
    brings = points + value_engine(row, at, kind, delay, weights)
    short = expect_short(row, at, COST_LIST, kind * facts.N_SPACES, 1.0, weights) + extra
    chance = chance_to_build(short, left, weights)
    price = mix(weights, PRICE, PRICE_LATE, left)
    taken = price * spaces
    taken += int(facts.COST[kind, 5]) * mix(weights, KRYSTALLIUM_WORTH, KRYSTALLIUM_LATE, left)
    for character in range(2):
        taken += int(facts.COST[kind, 6 + character]) * (
            1 + int(row[at + fields.POINT_RATE + facts.N_TYPES + character])
        )
    return chance * brings - taken + find_bias(row, kind, SLATE_BIAS, weights)


@rule
def value_recycle(row: States, at: int, kind: int, weights: Weights) -> float:
    """What the cube of a recycled kind is worth: most where construction lacks it."""
    resource = int(facts.RECYCLING[kind])
    wanted = int(row[at + fields.OPEN + resource])
    if wanted > expect_supply(row, at, resource, weights):
        return float(weights[RECYCLE_SHORT])
    return float(weights[RECYCLE_OPEN] if wanted > 0 else weights[RECYCLE_SPARE])


@rule
def expect_drafted_demand(row: States, at: int, kind: int, weights: Weights) -> float:
    """How much the cards already drafted press on the resources that a kind asks for, in cubes short."""
    pressure = 0.0
    for resource in range(facts.N_RESOURCES):
        asked = int(facts.COST[kind, resource])
        if asked > 0:
            drafted = 0
            for i in range(int(row[at + fields.N_DRAFTED])):
                drafted += int(facts.COST[int(row[at + fields.DRAFTED + i]), resource])
            free = expect_supply(row, at, resource, weights) - int(row[at + fields.OPEN + resource])
            pressure += min(float(asked), max(0.0, drafted - max(0.0, free - asked)))
    return float(weights[DRAFTED_DEMAND]) * pressure
