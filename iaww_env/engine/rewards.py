"""Rewards: what the end of a game is worth to each seat, forfeits included, and points gained on the way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined, pasted
from iaww_env.engine.row import find_seat
from iaww_env.engine.rules.goals import value_goal
from iaww_env.engine.rules.scoring import Numbers, score_game, score_seat

Rewards = npt.NDArray[np.float32]

OUTCOME, RANK, POINTS, MARGIN, POINTS_GAIN, GOAL = range(6)
SCHEMES = ("outcome", "rank", "points", "margin", "points_gain", "goal")
SOLO_UNIT = 100
NOBODY = -1  # in place of the seat that forfeits, where the game ended by its rules


@inlined
def reward_outcome(places: Numbers, n: int, seat: int) -> float:
    """(n x win share - 1) / (n - 1): 1 for a lone winner, -1 / (n - 1) for the others, in all 0."""
    winners = 0
    for other in range(n):
        winners += places[other] == 1
    share = 1 / winners if places[seat] == 1 else 0.0
    return (n * share - 1) / (n - 1)


@inlined
def reward_rank(places: Numbers, n: int, seat: int) -> float:
    """1 for the first place down to -1 for the last in even steps; equal seats share theirs."""
    level = 0
    for other in range(n):
        level += places[other] == places[seat]
    middle = int(places[seat]) + (level - 1) / 2
    return 1 - 2 * (middle - 1) / (n - 1)


@inlined
def reward_margin(points: Numbers, n: int, seat: int) -> float:
    """Points ahead of the best of the others, or behind it."""
    best = -1
    for other in range(n):
        if other != seat:
            best = max(best, int(points[other]))
    return float(int(points[seat]) - best)


@inlined
def reward_seat(
    row: States, scheme: int, points: Numbers, places: Numbers, paid: Numbers, seat: int
) -> float:
    """What the end of the game brings a seat; `paid` holds the points that points_gain has paid already."""
    n = int(row[fields.PLAYERS])
    if scheme == POINTS_GAIN:
        return float(int(points[seat]) - int(paid[seat]))
    if scheme == GOAL and n == 1:
        return value_goal(row)
    if scheme == POINTS or scheme == GOAL:
        return float(points[seat])
    if n == 1:
        return int(points[seat]) / SOLO_UNIT
    if scheme == RANK:
        return reward_rank(places, n, seat)
    if scheme == MARGIN:
        return reward_margin(points, n, seat)
    return reward_outcome(places, n, seat)


# --- The end, and on the way to it -----------------------------------------------------------------


@inlined
def reward_forfeit(scheme: int, n: int, points: Numbers, paid: Numbers, seat: int, offender: int) -> float:
    """What a forfeit brings a seat: the offender the lowest outcome, or as if it had no points."""
    own = 0 if seat == offender else int(points[seat])
    if scheme == POINTS_GAIN:
        return float(own - int(paid[seat]))
    if n == 1 or scheme == POINTS or scheme == GOAL:
        return float(own)
    if scheme == MARGIN:
        best = 0
        for other in range(n):
            if other != seat and other != offender:
                best = max(best, int(points[other]))
        return float(own - best)
    lowest = -1.0 if scheme == RANK else -1 / (n - 1)
    return lowest if seat == offender else -lowest / (n - 1)


@pasted
def reward_end(
    row: States, scheme: int, offender: int, points: Numbers, places: Numbers, paid: Numbers, seat: int
) -> float:
    """What the end of a game brings a seat, by its rules or by the forfeit of the offender."""
    if offender != NOBODY:
        return reward_forfeit(scheme, int(row[fields.PLAYERS]), points, paid, seat, offender)
    return reward_seat(row, scheme, points, places, paid, seat)


@pasted
def score_end(row: States, offender: int, points: Numbers, places: Numbers) -> None:
    """Points and places at the end: a seat that forfeits is last, and those behind it move up."""
    score_game(row, points, places)
    if offender != NOBODY:
        n, own = int(row[fields.PLAYERS]), int(places[offender])
        for other in range(n):
            if places[other] > own:
                places[other] -= 1
        places[offender] = n


@pasted
def settle_end(
    row: States,
    scheme: int,
    offender: int,
    points: Numbers,
    places: Numbers,
    paid: Numbers,
    rewards: Rewards,
) -> None:
    """Points, places and last rewards of every seat of a game that has ended."""
    score_end(row, offender, points, places)
    for seat in range(int(row[fields.PLAYERS])):
        rewards[seat] = reward_end(row, scheme, offender, points, places, paid, seat)


@inlined
def pay_gain(row: States, seat: int, paid: Numbers) -> float:
    """Points that a seat has gained since points_gain last paid it."""
    points = score_seat(row, find_seat(row, seat))
    gain = points - int(paid[seat])
    paid[seat] = points
    return float(gain)
