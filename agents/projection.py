"""The planning of the heuristic: what becomes of the seat's own cards is played through before it decides.

A projection copies the row, takes a decision, and lets the seat go on by the quick rules of `agents.policy`
through the rounds that are left, without any more cards: its own production and its own supremacies, the
others as they stand. It reads nothing but what the seat may know. Its value is what the seat would score in
the end, and a price for each cube that no card of today could use: the cards of tomorrow will.
"""

from __future__ import annotations

from agents.policy import NEVER, choose_by_rules, choose_dig
from agents.valuation import (
    CHECK,
    SLATE_BAR,
    SPARE,
    SPARE_CHARACTER,
    SPARE_KRYSTALLIUM,
    SPARE_LATE,
    SPARE_NOW,
    SPARE_TYPE,
    SURE,
    Weights,
    count_best_other,
    value_recycle,
    value_slate,
)
from iaww_env.engine.cards import N_RESOURCES, N_TYPES
from iaww_env.engine.construction import settle_surplus
from iaww_env.engine.deal import find_seat
from iaww_env.engine.jit import chapter, rule
from iaww_env.engine.layout import (
    DIG_DECK,
    DRAFTED_AT,
    FINANCIERS,
    GENERALS,
    HELD,
    KRYSTALLIUM,
    LOOSE,
    LOOSE_RESOURCE,
    N_DRAFTED,
    OPEN,
    PENDING,
    PHASE,
    PLANNING,
    PLAYERS,
    POINT_RATE,
    PRODUCTION,
    ROUND,
    ROUNDS,
    SEQUENCE,
    SEQUENCES,
    STEP,
    States,
)
from iaww_env.engine.numbers import END, RECYCLE, SLATE, find_verb
from iaww_env.engine.production import award_supremacy, count_production
from iaww_env.engine.scoring import score_seat
from iaww_env.engine.transition import apply_action

FOREVER = 7  # seats that owe a decision: with so many no phase ever ends


@chapter
def settle_seat(row: States, seat: int, weights: Weights) -> None:
    """Let the seat go on by the rules until it would end the phase."""
    end = find_verb(row, END)
    action = choose_by_rules(row, seat, weights)
    while action != end:
        apply_action(row, seat, action)
        action = choose_by_rules(row, seat, weights)


@rule
def price_spare(row: States, resource: int, now: int, weights: Weights) -> float:
    """What a cube is worth that no card of today can use, in the round and step of the row."""
    if row[ROUND] == now:
        return float(weights[SPARE_NOW])
    late = float(weights[SPARE_LATE])
    return float(weights[SPARE + resource]) * (late + (1 - late) * (ROUNDS - int(row[ROUND])) / (ROUNDS - 1))


@chapter
def project_step(row: States, seat: int, step: int, now: int, weights: Weights) -> float:
    """One production step of the seat alone; what its spare cubes are worth."""
    at = find_seat(row, seat)
    row[PHASE], row[STEP] = PRODUCTION, step
    made = count_production(row, at, step)
    if made > count_best_other(row, at, step):
        award_supremacy(row, seat, step)
    worth = 0.0
    if made > 0:
        worth = max(0, made - int(row[at + OPEN + step])) * price_spare(row, step, now, weights)
        row[at + LOOSE], row[at + LOOSE_RESOURCE] = made, step
        settle_surplus(row, at)
    settle_seat(row, seat, weights)
    return worth


@chapter
def project_seat(row: States, seat: int, weights: Weights) -> float:
    """Play the seat's own cards through to the end, in a row that is given up for it; what that is worth."""
    at, now = find_seat(row, seat), int(row[ROUND])
    row[PENDING], row[SEQUENCE] = FOREVER, SEQUENCES
    worth = 0.0
    settle_seat(row, seat, weights)
    for number in range(now, ROUNDS + 1):
        row[ROUND] = number
        for step in range(N_RESOURCES):
            worth += project_step(row, seat, step, now, weights)
    worth += score_seat(row, at)
    if now < ROUNDS:
        left = ROUNDS - now
        worth += weights[SPARE_KRYSTALLIUM] * int(row[at + KRYSTALLIUM])
        worth += weights[SPARE_CHARACTER] * (int(row[at + GENERALS]) + int(row[at + FINANCIERS]))
        for thing in range(N_TYPES):
            worth += weights[SPARE_TYPE] * left * int(row[at + POINT_RATE + thing])
    return worth


@chapter
def project_action(row: States, seat: int, action: int, weights: Weights, room: States) -> float:
    """What becomes of the seat's own cards after an action; `room` is a spare row."""
    for i in range(len(row)):
        room[i] = row[i]
    room[PENDING], room[SEQUENCE] = FOREVER, SEQUENCES
    apply_action(room, seat, action)
    return project_seat(room, seat, weights)


@rule
def find_clear(row: States, at: int, weights: Weights) -> int:
    """The card whose slating and recycling the values tell apart best, if they do so clearly; 0 for none."""
    most, chosen = float(weights[CHECK]), 0
    for i in range(int(row[at + N_DRAFTED])):
        kind = int(row[at + DRAFTED_AT + i])
        gain = value_slate(row, at, kind, 0.0, weights) - value_recycle(row, at, kind, weights)
        gain -= weights[SLATE_BAR]
        if abs(gain) >= most:
            most, chosen = abs(gain), find_verb(row, SLATE if gain > 0 else RECYCLE) + kind
    return chosen


@rule
def choose_planned(row: States, seat: int, at: int, weights: Weights, room: States) -> int:
    """Slate or recycle a card: a clear case first, then the first, or the most, decided by projection."""
    chosen = find_clear(row, at, weights)
    if chosen > 0:
        return chosen
    most, previous = NEVER, -1
    for i in range(int(row[at + N_DRAFTED])):
        kind = int(row[at + DRAFTED_AT + i])
        if kind != previous and most < weights[SURE]:
            slated = project_action(row, seat, find_verb(row, SLATE) + kind, weights, room)
            gain = slated - project_action(row, seat, find_verb(row, RECYCLE) + kind, weights, room)
            if abs(gain) > most:
                most, chosen = abs(gain), find_verb(row, SLATE if gain > 0 else RECYCLE) + kind
        previous = kind
    return chosen


@rule
def plans_card(row: States, at: int, weights: Weights) -> bool:
    """Whether the seat is to slate or recycle a card, and the weights ask for projections."""
    if row[PHASE] != PLANNING or row[at + N_DRAFTED] == 0 or row[DIG_DECK] > 0:
        return False
    return bool(row[at + LOOSE] == 0 and row[at + HELD] == 0 and weights[CHECK] > 0)


@chapter
def choose_heuristic(row: States, seat: int, weights: Weights, room: States) -> int:
    """The heuristic's action for a seat that owes a decision; always legal. `room` is a spare row."""
    at = find_seat(row, seat)
    if plans_card(row, at, weights):
        if row[PLAYERS] == 1:
            dig = choose_dig(row, at, weights)
            if dig >= 0:
                return dig
        return choose_planned(row, seat, at, weights, room)
    return choose_by_rules(row, seat, weights)
