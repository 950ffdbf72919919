"""What a card is worth to a seat: the points and cubes it can expect to make, and its price.

Written as rules for kernels: they read what the seat itself may know, and allocate nothing. `weights` is an
array as `weights.py` reads it; `heuristic.csv` says what each weight does.
"""

from __future__ import annotations

import numpy as np

from iaww_agents.heuristic import weights as named
from iaww_agents.heuristic.weights import Weights
from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined
from iaww_env.engine.row import find_built, find_token
from iaww_env.engine.rules.deal import count_named
from iaww_env.engine.rules.production import count_production

COST_LIST = facts.COST.reshape(-1)
KRYSTALLIUM_SPACE = facts.N_RESOURCES  # behind the spaces that cubes fill
MOST_LEAD = 60  # cubes ahead or behind, beyond which nothing changes any more
LEADS = 1.0 / (1.0 + np.exp(-np.arange(-MOST_LEAD, MOST_LEAD + 1) + 0.5))


@inlined
def count_rounds_left(row: States) -> int:
    """Rounds after this one."""
    return rulebook.ROUNDS - int(row[fields.ROUND])


@inlined
def find_bias(row: States, kind: int, first: int, weights: Weights) -> float:
    """What a kind is worth in this round beyond what its figures say: learnt from search's choices."""
    return float(weights[first + (int(row[fields.ROUND]) - 1) * named.N_KINDS + kind])


@inlined
def is_to_come(row: States, resource: int) -> int:
    """1 where the step of a resource is still to come in this round."""
    return 1 if row[fields.PHASE] != rulebook.PRODUCTION or row[fields.STEP] < resource else 0


@inlined
def mix(weights: Weights, early: int, late: int, rounds_left: int) -> float:
    """A weight that moves from its early value in round 1 to its late value in round 4."""
    first, last = float(weights[early]), float(weights[late])
    return last + (first - last) * rounds_left / (rulebook.ROUNDS - 1)


@inlined
def value_krystallium(weights: Weights, rounds_left: int) -> float:
    """What a krystallium is worth."""
    return mix(weights, named.KRYSTALLIUM, named.KRYSTALLIUM_LATE, rounds_left)


@inlined
def fade(late: float, rounds_left: int) -> float:
    """What is left of a worth that goes from 1 in round 1 to `late` in round 4."""
    return late + (1 - late) * rounds_left / (rulebook.ROUNDS - 1)


@inlined
def expect_supply(row: States, at: int, resource: int, weights: Weights) -> float:
    """Cubes of a resource that the seat can still expect to make, the loose ones included."""
    made = count_production(row, at, resource)
    left = count_rounds_left(row)
    supply = made * (is_to_come(row, resource) + left) + float(weights[named.GROWTH]) * left * (left + 1) / 2
    if row[at + fields.LOOSE] > 0 and row[at + fields.LOOSE_RESOURCE] == resource:
        supply += int(row[at + fields.LOOSE])
    return supply


@inlined
def expect_count(row: States, at: int, thing: int, weights: Weights) -> float:
    """How many of a type or character the seat can expect to have in the end."""
    count = float(row[at + fields.COUNTS + thing])
    if thing < facts.N_TYPES:
        count += float(weights[named.SLATED_COUNTS]) * int(row[at + fields.TYPES_SLATED + thing])
    return count + float(weights[named.TYPE_LATER]) * count_rounds_left(row)


@inlined
def value_named(row: States, at: int, kind: int, weights: Weights) -> float:
    """What a card that must stand for the scenario to be won is worth beyond its own, until it does.

    Nothing before the last round: until then what it makes and scores is what it is worth.
    """
    if (
        row[fields.SCENARIO] > 0
        and count_rounds_left(row) == 0
        and row[find_built(row, at) + kind] < count_named(row, kind)
    ):
        return float(weights[named.NAMED])
    return 0.0


@inlined
def value_points(row: States, at: int, kind: int, weights: Weights) -> float:
    """Points that a kind can expect to make: its own, what it adds to rates, its bonus."""
    left = count_rounds_left(row)
    of_type = int(facts.TYPE[kind])
    points = float(facts.FLAT_POINTS[kind]) + int(row[at + fields.POINT_RATE + of_type])
    if facts.RATE_OF[kind] >= 0:
        counted = int(facts.RATE_OF[kind])
        own = 1 if counted == of_type else 0
        points += int(facts.RATE[kind]) * (expect_count(row, at, counted, weights) + own)
    if facts.HAS_DUO[kind]:
        for i in range(facts.N_DUOS):
            if facts.DUOS[i, 0] == kind:
                first, second = int(facts.DUOS[i, 2]), int(facts.DUOS[i, 3])
                one = expect_count(row, at, first, weights) + (1 if first == of_type else 0)
                two = expect_count(row, at, second, weights) + (1 if second == of_type else 0)
                points += int(facts.DUOS[i, 1]) * min(one, two)
    points += value_named(row, at, kind, weights)
    points += int(facts.BONUS[kind, 0]) * value_krystallium(weights, left)
    for character in range(2):
        worth = weights[named.CHARACTER] + int(row[at + fields.POINT_RATE + facts.N_TYPES + character])
        points += int(facts.BONUS[kind, 1 + character]) * worth
    return points


@inlined
def value_cube(weights: Weights, resource: int, rounds_left: int) -> float:
    """What one more cube of a resource in one step is worth."""
    return float(weights[named.CUBE + resource]) * fade(float(weights[named.CUBE_LATE]), rounds_left)


@inlined
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
            best = max(best, count_production(row, seen + other * size, resource))
    return best


@inlined
def find_lead(ahead: int) -> float:
    """How likely a supremacy is with so many cubes more than the best other seat."""
    return float(LEADS[max(-MOST_LEAD, min(MOST_LEAD, ahead)) + MOST_LEAD])


@inlined
def value_lead(row: States, at: int, resource: int, made: float, weights: Weights) -> float:
    """What each step with so many more cubes is worth for its supremacy: most where it takes the lead."""
    now = int(row[at + fields.PRODUCTION + resource]) - count_best_other(row, at, resource)
    whole = int(made)
    if whole == made:
        return float(weights[named.SUPREMACY] * (find_lead(now + whole) - find_lead(now)))
    after = 1.0 / (1.0 + np.exp(-now - made + 0.5))
    return float(weights[named.SUPREMACY] * (after - find_lead(now)))


@inlined
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
            made += weights[named.SLATED_COUNTS] * int(row[at + fields.TYPES_SLATED + counted])
        if made != 0:
            steps = max(0.0, left + is_to_come(row, resource) - delay)
            step = made * value_cube(weights, resource, left) + value_lead(row, at, resource, made, weights)
            total += steps * step
    return total


@inlined
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
            held = int(row[at + find_token(space)])
            short += max(0, asked - held)
    return max(0.0, short - 0.5 * int(row[at + fields.KRYSTALLIUM]))


@inlined
def chance_to_build(short: float, rounds_left: int, weights: Weights) -> float:
    """How likely a card is finished when so many cubes are short."""
    bar = mix(weights, named.SHORT, named.SHORT_LATE, rounds_left)
    return 1.0 / (1.0 + (short / bar) * (short / bar))


@inlined
def count_cube_spaces(kind: int) -> int:
    """Spaces of a kind that cubes fill."""
    spaces = 0
    for resource in range(facts.N_RESOURCES):
        spaces += int(facts.COST[kind, resource])
    return spaces


@inlined
def value_slate(row: States, at: int, kind: int, extra: float, weights: Weights) -> float:
    """What slating a kind is worth: chance to build it x what it brings, less the cubes it takes.

    `extra` is what cards drafted but not decided yet make short.
    """
    left = count_rounds_left(row)
    spaces = count_cube_spaces(kind)
    delay = weights[named.DELAY] + weights[named.DELAY_PER_SPACE] * spaces
    points = value_points(row, at, kind, weights) + float(weights[named.TYPE + int(facts.TYPE[kind])])
    early = float(weights[named.POINTS_EARLY])
    points *= 1 + (early - 1) * left / (rulebook.ROUNDS - 1)
    brings = points + value_engine(row, at, kind, delay, weights)
    short = expect_short(row, at, COST_LIST, kind * facts.N_SPACES, 1.0, weights) + extra
    chance = chance_to_build(short, left, weights)
    price = mix(weights, named.PRICE, named.PRICE_LATE, left)
    taken = price * spaces
    taken += int(facts.COST[kind, KRYSTALLIUM_SPACE]) * value_krystallium(weights, left)
    for character in range(2):
        worth = 1 + int(row[at + fields.POINT_RATE + facts.N_TYPES + character])
        taken += int(facts.COST[kind, facts.FIRST_CHARACTER + character]) * worth
    return chance * brings - taken + find_bias(row, kind, named.SLATE_BIAS, weights)


@inlined
def value_recycle(row: States, at: int, kind: int, weights: Weights) -> float:
    """What the cube of a recycled kind is worth: most where construction lacks it."""
    resource = int(facts.RECYCLING[kind])
    wanted = int(row[at + fields.OPEN + resource])
    if wanted > expect_supply(row, at, resource, weights):
        return float(weights[named.RECYCLE_SHORT])
    return float(weights[named.RECYCLE_OPEN] if wanted > 0 else weights[named.RECYCLE_SPARE])


@inlined
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
    return float(weights[named.DRAFTED_DEMAND]) * pressure
