"""The planning of the heuristic: what becomes of the seat's own cards is played through before it decides.

A projection copies the row, takes a decision, and lets the seat go on by the quick rules through the rounds
that are left, without any more cards: its own production and its own supremacies, the others as they stand.
It reads nothing but what the seat may know. Its value is what the seat would score in the end, and a price
for each cube that no card of today could use: the cards of tomorrow will.
"""

from __future__ import annotations

from iaww_agents.heuristic import weights as named
from iaww_agents.heuristic.rules import NEVER, choose_by_rules, is_taker
from iaww_agents.heuristic.values import (
    count_best_other,
    count_rounds_left,
    fade,
    value_recycle,
    value_slate,
)
from iaww_agents.heuristic.weights import Weights
from iaww_env import rulebook
from iaww_env.engine import facts, fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined, pasted
from iaww_env.engine.row import copy_cells, find_seat, find_verb
from iaww_env.engine.rules.construction import settle_surplus
from iaww_env.engine.rules.production import award_supremacy, count_production
from iaww_env.engine.rules.scoring import score_seat
from iaww_env.engine.rules.transition import apply_action

FOREVER = fields.MOST_SEATS  # seats that owe a decision: with so many no phase ever ends
NONE = -1
NEVER_HARMS = facts.PRODUCTION.min(axis=1) >= 0  # kinds whose worth is never negative


@inlined
def price_spare(row: States, resource: int, now: int, weights: Weights) -> float:
    """What a cube is worth that no card of today can use, in the round and step of the row."""
    if row[fields.ROUND] == now:
        return float(weights[named.SPARE_NOW])
    price, late = float(weights[named.SPARE + resource]), float(weights[named.SPARE_LATE])
    return price * fade(late, count_rounds_left(row))


@inlined
def produce_alone(row: States, seat: int, step: int, now: int, weights: Weights) -> float:
    """The seat alone makes its cubes of a production step; what those are worth that it cannot use."""
    at = find_seat(row, seat)
    row[fields.PHASE], row[fields.STEP] = rulebook.PRODUCTION, step
    made = count_production(row, at, step)
    if made > count_best_other(row, at, step):
        award_supremacy(row, seat, step)
    if made == 0:
        return 0.0
    spare = max(0, made - int(row[at + fields.OPEN + step]))
    row[at + fields.LOOSE], row[at + fields.LOOSE_RESOURCE] = made, step
    settle_surplus(row, at)
    return spare * price_spare(row, step, now, weights)


@inlined
def value_future(row: States, at: int, now: int, weights: Weights) -> float:
    """What the seat would score, and what it could still make of its tokens and rates in rounds to come."""
    worth = float(score_seat(row, at))
    if now < rulebook.ROUNDS:
        worth += weights[named.SPARE_KRYSTALLIUM] * int(row[at + fields.KRYSTALLIUM])
        worth += weights[named.SPARE_CHARACTER] * (
            int(row[at + fields.GENERALS]) + int(row[at + fields.FINANCIERS])
        )
        for thing in range(facts.N_TYPES):
            worth += (
                weights[named.SPARE_TYPE] * (rulebook.ROUNDS - now) * int(row[at + fields.POINT_RATE + thing])
            )
    return worth


@inlined
def takes_another(row: States, at: int, action: int, weights: Weights) -> bool:
    """Whether a card that has just got a cube surely takes the next one too.

    The rules would say so as well: what it is worth for each missing space has grown, and of no other card.
    """
    place = find_verb(row, verbs.PLACE)
    if row[at + fields.LOOSE] == 0 or action < place or action >= find_verb(row, verbs.DISCARD):
        return False
    if weights[named.PLACE_POWER] < 0 or weights[named.PLACE_FINISH] < 0:
        return False
    site = at + fields.SITE
    for _ in range(int(row[at + fields.N_SITES])):
        if row[site + fields.SITE_CARD] == action - place:
            space = int(row[at + fields.LOOSE_RESOURCE])
            return bool(is_taker(row, site, space) and NEVER_HARMS[int(row[site + fields.SITE_KIND])])
        site += fields.SITE_SIZE
    return False


@called
def play_alone(row: States, seat: int, action: int, weights: Weights) -> float:
    """Let a seat play an action (or NONE) and go on by the quick rules through the rounds that are left.

    Gives what becomes of its cards; the row is played on. It must be one in which no phase ends by itself.
    One loop with one call of each: machine code is made anew for every place that calls.
    """
    now, end = int(row[fields.ROUND]), find_verb(row, verbs.END)
    at, worth = find_seat(row, seat), 0.0
    step = int(row[fields.STEP]) if row[fields.PHASE] == rulebook.PRODUCTION else -1
    for _ in range(rulebook.MOST_DECISIONS):
        if row[fields.ROUND] == rulebook.ROUNDS and step == facts.N_RESOURCES:
            break
        sites = int(row[at + fields.N_SITES])
        if action != NONE:
            apply_action(row, seat, action)
        if row[at + fields.N_SITES] < sites or not takes_another(row, at, action, weights):
            action = choose_by_rules(row, seat, weights)
        if action == end:
            action, step = NONE, step + 1
            if step == facts.N_RESOURCES and row[fields.ROUND] < rulebook.ROUNDS:
                row[fields.ROUND] += 1
                step = 0
            if step < facts.N_RESOURCES:
                worth += produce_alone(row, seat, step, now, weights)
    return worth + value_future(row, at, now, weights)


@inlined
def hold_phases(row: States) -> None:
    """Let no phase end, and no sequence begin, that more than one seat's decisions bring about."""
    row[fields.PENDING], row[fields.SEQUENCE] = FOREVER, rulebook.SEQUENCES


@inlined
def project_action(row: States, seat: int, action: int, weights: Weights, scratch: States) -> float:
    """What becomes of the seat's own cards after an action; `scratch` is a spare row."""
    copy_cells(row, scratch)
    hold_phases(scratch)
    return play_alone(scratch, seat, action, weights)


@inlined
def find_gain(row: States, at: int, kind: int, weights: Weights) -> float:
    """By how much slating a card beats recycling it, by the values."""
    slated = value_slate(row, at, kind, 0.0, weights) - float(weights[named.SLATE_BAR])
    return slated - value_recycle(row, at, kind, weights)


@inlined
def find_clear(row: States, at: int, weights: Weights) -> int:
    """The card whose slating and recycling the values tell apart best, if they do so clearly; 0 for none."""
    most, chosen = float(weights[named.CHECK]), 0
    for i in range(int(row[at + fields.N_DRAFTED])):
        kind = int(row[at + fields.DRAFTED + i])
        gain = find_gain(row, at, kind, weights)
        if abs(gain) >= most:
            most, chosen = abs(gain), find_verb(row, verbs.SLATE if gain > 0 else verbs.RECYCLE) + kind
    return chosen


@pasted
def weigh_plan(row: States, seat: int, quick: bool, weights: Weights, scratch: States) -> tuple[int, bool]:
    """The heuristic's action, and whether it is the rules' plan that stood against every card turned around.

    It goes by the rules, but for slating and recycling: there clear cases come first; else the rules' plan is
    played through once, and once for each card on which it is turned around, and the best of these is played.
    With `quick` the rules alone decide.
    """
    planned = choose_by_rules(row, seat, weights)
    plans = row[fields.PHASE] == rulebook.PLANNING and weights[named.CHECK] > 0 and not quick
    if not plans or planned < find_verb(row, verbs.SLATE) or planned >= find_verb(row, verbs.TOSS):
        return planned, False
    at = find_seat(row, seat)
    chosen = find_clear(row, at, weights)
    if chosen > 0:
        return chosen, False
    best, stands = NEVER, True
    for i in range(-1, int(row[at + fields.N_DRAFTED])):
        action = planned
        if i >= 0:
            kind = int(row[at + fields.DRAFTED + i])
            if i > 0 and row[at + fields.DRAFTED + i - 1] == kind:
                continue
            action = (
                find_verb(row, verbs.RECYCLE if find_gain(row, at, kind, weights) > 0 else verbs.SLATE) + kind
            )
        value = project_action(row, seat, action, weights, scratch)
        if value > best + (weights[named.SURE] if i >= 0 else 0.0):
            best, chosen, stands = value, action, i < 0
    return chosen, stands


@pasted
def choose_heuristic(row: States, seat: int, weights: Weights, scratch: States) -> int:
    """The heuristic's action for a seat that owes a decision; always legal. `scratch` is a spare row."""
    return weigh_plan(row, seat, False, weights, scratch)[0]
