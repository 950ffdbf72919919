"""Rewards: what the end of a game is worth to each seat, and points gained on the way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import rule

Rewards = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int16]

OUTCOME, RANK, POINTS, MARGIN, POINTS_GAIN = range(5)
SCHEMES = ("outcome", "rank", "points", "margin", "points_gain")
SOLO_UNIT = 100


@rule
def reward_outcome(places: Numbers, n: int, seat: int) -> float:
    """(n x win share - 1) / (n - 1): 1 for a lone winner, -1 / (n - 1) for the others, in all 0."""
    winners = 0
    for other in range(n):
        winners += places[other] == 1
    share = 1 / winners if places[seat] == 1 else 0.0
    return (n * share - 1) / (n - 1)


@rule
def reward_rank(places: Numbers, n: int, seat: int) -> float:
    """1 for the first place down to -1 for the last in even steps; equal seats share theirs."""
    level = 0
    for other in range(n):
        level += places[other] == places[seat]
    middle = int(places[seat]) + (level - 1) / 2
    return 1 - 2 * (middle - 1) / (n - 1)


@rule
def reward_margin(points: Numbers, n: int, seat: int) -> float:
    """Points ahead of the best of the others, or behind it."""
    best = -1
    for other in range(n):
        if other != seat:
            best = max(best, int(points[other]))
    return float(int(points[seat]) - best)


@rule
def reward_seat(
    row: States, scheme: int, points: Numbers, places: Numbers, paid: Numbers, seat: int
) -> float:
    """What the end of the game brings a seat; `paid` holds the points that points_gain has paid already."""
    n = int(row[fields.PLAYERS])
    if scheme == POINTS_GAIN:
        return float(int(points[seat]) - int(paid[seat]))
    if scheme == POINTS:
        return float(points[seat])
    if n == 1:
        return int(points[seat]) / SOLO_UNIT
    if scheme == RANK:
        return reward_rank(places, n, seat)
    if scheme == MARGIN:
        return reward_margin(points, n, seat)
    return reward_outcome(places, n, seat)
