"""Playouts for search: sampled worlds, each played to its end after each candidate action."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agents.family import kernel
from agents.policy import choose_by_rules
from agents.valuation import Weights
from iaww_env.engine.batch import find_next_seat
from iaww_env.engine.deal import find_seat
from iaww_env.engine.jit import rule
from iaww_env.engine.layout import OVER, PHASE, PLAYERS, States
from iaww_env.engine.legal import Actions
from iaww_env.engine.scoring import score_seat
from iaww_env.engine.transition import apply_action

Values = npt.NDArray[np.float64]


@rule
def value_end(row: States, seat: int, win_bonus: float) -> float:
    """What a finished game is worth: points ahead of the best other and a bonus for winning; solo: points."""
    own = score_seat(row, find_seat(row, seat))
    if row[PLAYERS] == 1:
        return float(own)
    best = -1
    for other in range(int(row[PLAYERS])):
        if other != seat:
            best = max(best, score_seat(row, find_seat(row, other)))
    ahead = float(own - best)
    if own > best:
        return ahead + win_bonus
    return ahead + (win_bonus / 2 if own == best else 0.0)


@kernel
def play_worlds(
    worlds: States,
    room: States,
    seat: int,
    actions: Actions,
    weights: Weights,
    win_bonus: float,
    values: Values,
) -> None:
    """Value of every candidate in every world: values[candidate, world]. `room` is a spare row.

    The worlds and everything behind the candidate are the same for all candidates: common random numbers.
    """
    for a in range(len(actions)):
        for w in range(worlds.shape[0]):
            for i in range(len(room)):
                room[i] = worlds[w, i]
            apply_action(room, seat, int(actions[a]))
            while room[PHASE] != OVER:
                other = find_next_seat(room)
                apply_action(room, other, choose_by_rules(room, other, weights))
            values[a, w] = value_end(room, seat, win_bonus)
