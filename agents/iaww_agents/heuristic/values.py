"""What a card is worth to a seat: the points and cubes it can expect to make, and its price.

Written as rules for kernels: they read what the seat itself may know, and allocate nothing. `weights` is an
array as `weights.py` reads it; `heuristic.csv` says what each weight does.
"""

from __future__ import annotations

import numpy as np

from iaww_agents.heuristic import weights as named
from iaww_agents.heuristic.weights import Weights
from iaww_env.engine.facts import (
    BONUS,
    COST,
    DUOS,
    FLAT_POINTS,
    N_BASE_KINDS,
    N_DUOS,
    N_RESOURCES,
    N_SPACES,
    N_TYPES,
    PER_RESOURCE,
    PER_TYPE,
    PRODUCTION,
    RATE,
    RATE_OF,
    RECYCLING,
    TYPE,
)
from iaww_env.engine.fields import (
    COUNTS,
    DRAFT,
    DRAFTED_AT,
    KRYSTALLIUM,
    LOOSE,
    LOOSE_RESOURCE,
    N_DRAFTED,
    OPEN,
    PER_TYPE_NOW,
    PHASE,
    PLAYERS,
    POINT_RATE,
    ROUND,
    ROUNDS,
    SEAT_PRODUCTION,
    SEAT_SIZE,
    SEATS_AT,
    SEEN_AT,
    SOLO_SUPREMACY,
    STEP,
    TYPES_BUILT,
    TYPES_SLATED,
    States,
)
from iaww_env.engine.fields import PRODUCTION as PRODUCTION_PHASE
from iaww_env.engine.jit import rule
from iaww_env.engine.rules.construction import FIRST_CHARACTER, find_token
from iaww_env.engine.rules.production import count_production

COST_LIST = COST.reshape(-1)
KRYSTALLIUM_SPACE = N_RESOURCES  # behind the spaces that cubes fill
MOST_LEAD = 60  # cubes ahead or behind, beyond which nothing changes any more
LEADS = 1.0 / (1.0 + np.exp(-np.arange(-MOST_LEAD, MOST_LEAD + 1) + 0.5))


@rule
def count_rounds_left(row: States) -> int:
    """Rounds after this one."""
    return ROUNDS - int(row[ROUND])


@rule
def find_bias(row: States, kind: int, first: int, weights: Weights) -> float:
    """What a kind is worth in this round beyond what its figures say: learnt from search's choices."""
    return float(weights[first + (int(row[ROUND]) - 1) * named.N_KINDS + kind])


@rule
def is_to_come(row: States, resource: int) -> int:
    """1 where the step of a resource is still to come in this round."""
    return 1 if row[PHASE] != PRODUCTION_PHASE or row[STEP] < resource else 0


@rule
def mix(weights: Weights, early: int, late: int, rounds_left: int) -> float:
    """A weight that moves from its early value in round 1 to its late value in round 4."""
    first, last = float(weights[early]), float(weights[late])
    return last + (first - last) * rounds_left / (ROUNDS - 1)


@rule
def value_krystallium(weights: Weights, rounds_left: int) -> float:
    """What a krystallium is worth."""
    return mix(weights, named.KRYSTALLIUM, named.KRYSTALLIUM_LATE, rounds_left)


@rule
def fade(late: float, rounds_left: int) -> float:
    """What is left of a worth that goes from 1 in round 1 to `late` in round 4."""
    return late + (1 - late) * rounds_left / (ROUNDS - 1)


@rule
def expect_supply(row: States, at: int, resource: int, weights: Weights) -> float:
    """Cubes of a resource that the seat can still expect to make, the loose ones included."""
    made = count_production(row, at, resource)
    left = count_rounds_left(row)
    supply = made * (is_to_come(row, resource) + left) + float(weights[named.GROWTH]) * left * (left + 1) / 2
    if row[at + LOOSE] > 0 and row[at + LOOSE_RESOURCE] == resource:
        supply += int(row[at + LOOSE])
    return supply


@rule
def expect_count(row: States, at: int, thing: int, weights: Weights) -> float:
    """How many of a type or character the seat can expect to have in the end."""
    count = float(row[at + COUNTS + thing])
    if thing < N_TYPES:
        count += float(weights[named.SLATED_COUNTS]) * int(row[at + TYPES_SLATED + thing])
    return count + float(weights[named.TYPE_LATER]) * count_rounds_left(row)


@rule
def value_points(row: States, at: int, kind: int, weights: Weights) -> float:
    """Points that a kind can expect to make: its own, what it adds to rates, its bonus."""
    left = count_rounds_left(row)
    of_type = int(TYPE[kind])
    points = float(FLAT_POINTS[kind]) + int(row[at + POINT_RATE + of_type])
    if RATE_OF[kind] >= 0:
        counted = int(RATE_OF[kind])
        own = 1 if counted == of_type else 0
        points += int(RATE[kind]) * (expect_count(row, at, counted, weights) + own)
    if kind >= N_BASE_KINDS:
        for i in range(N_DUOS):
            if DUOS[i, 0] == kind:
                first, second = int(DUOS[i, 2]), int(DUOS[i, 3])
                one = expect_count(row, at, first, weights) + (1 if first == of_type else 0)
                two = expect_count(row, at, second, weights) + (1 if second == of_type else 0)
                points += int(DUOS[i, 1]) * min(one, two)
    points += int(BONUS[kind, 0]) * value_krystallium(weights, left)
    for character in range(2):
        worth = weights[named.CHARACTER] + int(row[at + POINT_RATE + N_TYPES + character])
        points += int(BONUS[kind, 1 + character]) * worth
    return points


@rule
def value_cube(weights: Weights, resource: int, rounds_left: int) -> float:
    """What one more cube of a resource in one step is worth."""
    return float(weights[named.CUBE + resource]) * fade(float(weights[named.CUBE_LATE]), rounds_left)


@rule
def count_best_other(row: States, at: int, resource: int) -> int:
    """The most that another seat makes of a resource, as this seat sees it; solo: one less than needed."""
    n, size = int(row[PLAYERS]), int(row[SEAT_SIZE])
    if n == 1:
        return SOLO_SUPREMACY - 1
    first = int(row[SEATS_AT])
    own = (at - first) // size
    seen = first if row[PHASE] == DRAFT else int(row[SEEN_AT])
    best = 0
    for other in range(n):
        if other != own:
            best = max(best, count_production(row, seen + other * size, resource))
    return best


@rule
def find_lead(ahead: int) -> float:
    """How likely a supremacy is with so many cubes more than the best other seat."""
    return float(LEADS[max(-MOST_LEAD, min(MOST_LEAD, ahead)) + MOST_LEAD])


@rule
def value_lead(row: States, at: int, resource: int, made: float, weights: Weights) -> float:
    """What each step with so many more cubes is worth for its supremacy: most where it takes the lead."""
    now = int(row[at + SEAT_PRODUCTION + resource]) - count_best_other(row, at, resource)
    whole = int(made)
    if whole == made:
        return float(weights[named.SUPREMACY] * (find_lead(now + whole) - find_lead(now)))
    after = 1.0 / (1.0 + np.exp(-now - made + 0.5))
    return float(weights[named.SUPREMACY] * (after - find_lead(now)))


@rule
def value_engine(row: States, at: int, kind: int, delay: float, weights: Weights) -> float:
    """What a kind will make in the steps still to come is worth, were it built after `delay` rounds."""
    left = count_rounds_left(row)
    of_type = int(TYPE[kind])
    total = 0.0
    for resource in range(N_RESOURCES):
        made = float(PRODUCTION[kind, resource])
        made += int(row[at + PER_TYPE_NOW + resource * N_TYPES + of_type])
        if PER_RESOURCE[kind] == resource:
            counted = int(PER_TYPE[kind])
            made += int(row[at + TYPES_BUILT + counted]) + (1 if counted == of_type else 0)
            made += weights[named.SLATED_COUNTS] * int(row[at + TYPES_SLATED + counted])
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
    for resource in range(N_RESOURCES):
        asked = int(need[first + resource])
        if asked > 0:
            free = expect_supply(row, at, resource, weights) - already * int(row[at + OPEN + resource])
            short += max(0.0, asked - max(0.0, free))
    for space in range(N_RESOURCES, N_SPACES):
        asked = int(need[first + space])
        if asked > 0:
            held = int(row[at + find_token(space)])
            short += max(0, asked - held)
    return max(0.0, short - 0.5 * int(row[at + KRYSTALLIUM]))


@rule
def chance_to_build(short: float, rounds_left: int, weights: Weights) -> float:
    """How likely a card is finished when so many cubes are short."""
    bar = mix(weights, named.SHORT, named.SHORT_LATE, rounds_left)
    return 1.0 / (1.0 + (short / bar) * (short / bar))


@rule
def count_cube_spaces(kind: int) -> int:
    """Spaces of a kind that cubes fill."""
    spaces = 0
    for resource in range(N_RESOURCES):
        spaces += int(COST[kind, resource])
    return spaces


@rule
def value_slate(row: States, at: int, kind: int, extra: float, weights: Weights) -> float:
    """What slating a kind is worth: chance to build it x what it brings, less the cubes it takes.

    `extra` is what cards drafted but not decided yet make short.
    """
    left = count_rounds_left(row)
    spaces = count_cube_spaces(kind)
    delay = weights[named.DELAY] + weights[named.DELAY_PER_SPACE] * spaces
    points = value_points(row, at, kind, weights) + float(weights[named.TYPE + int(TYPE[kind])])
    early = float(weights[named.POINTS_EARLY])
    points *= 1 + (early - 1) * left / (ROUNDS - 1)
    brings = points + value_engine(row, at, kind, delay, weights)
    short = expect_short(row, at, COST_LIST, kind * N_SPACES, 1.0, weights) + extra
    chance = chance_to_build(short, left, weights)
    price = mix(weights, named.PRICE, named.PRICE_LATE, left)
    taken = price * spaces
    taken += int(COST[kind, KRYSTALLIUM_SPACE]) * value_krystallium(weights, left)
    for character in range(2):
        worth = 1 + int(row[at + POINT_RATE + N_TYPES + character])
        taken += int(COST[kind, FIRST_CHARACTER + character]) * worth
    return chance * brings - taken + find_bias(row, kind, named.SLATE_BIAS, weights)


@rule
def value_recycle(row: States, at: int, kind: int, weights: Weights) -> float:
    """What the cube of a recycled kind is worth: most where construction lacks it."""
    resource = int(RECYCLING[kind])
    wanted = int(row[at + OPEN + resource])
    if wanted > expect_supply(row, at, resource, weights):
        return float(weights[named.RECYCLE_SHORT])
    return float(weights[named.RECYCLE_OPEN] if wanted > 0 else weights[named.RECYCLE_SPARE])


@rule
def expect_drafted_demand(row: States, at: int, kind: int, weights: Weights) -> float:
    """How much the cards already drafted press on the resources that a kind asks for, in cubes short."""
    pressure = 0.0
    for resource in range(N_RESOURCES):
        asked = int(COST[kind, resource])
        if asked > 0:
            drafted = 0
            for i in range(int(row[at + N_DRAFTED])):
                drafted += int(COST[int(row[at + DRAFTED_AT + i]), resource])
            free = expect_supply(row, at, resource, weights) - int(row[at + OPEN + resource])
            pressure += min(float(asked), max(0.0, drafted - max(0.0, free - asked)))
    return float(weights[named.DRAFTED_DEMAND]) * pressure
