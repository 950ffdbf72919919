"""Playouts for search: sampled worlds, each played to its end after each candidate action."""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

from iaww_agents.heuristic.plan import weigh_plan
from iaww_agents.heuristic.weights import Weights
from iaww_agents.jit import kernel
from iaww_env import rulebook
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined, pasted
from iaww_env.engine.row import copy_cells, find_seat
from iaww_env.engine.rules.goals import value_goal
from iaww_env.engine.rules.legal import Actions, find_next_seat
from iaww_env.engine.rules.scoring import score_seat
from iaww_env.engine.rules.transition import apply_action

Values = npt.NDArray[np.float64]

BEST_OTHER = 0.3  # what a point of the best other seat costs, beyond the bonus for being ahead of it
CLOSE = 5.0  # points of lead or arrears within which the bonus is still mostly open


@inlined
def value_end(row: States, seat: int, win_bonus: float) -> float:
    """What a finished game is worth: its points, less some of the best other's, and a bonus for a lead.

    Alone it is worth what its goal says: points, titles, medals, and the named cards that must stand.
    The bonus grows smoothly with the lead, for a lead in a sampled world only says that there may be one.
    """
    if row[fields.PLAYERS] == 1:
        return value_goal(row)
    own = score_seat(row, find_seat(row, seat))
    best = -1
    for other in range(int(row[fields.PLAYERS])):
        if other != seat:
            best = max(best, score_seat(row, find_seat(row, other)))
    return own - BEST_OTHER * best + win_bonus / (1 + exp((best - own) / CLOSE))


@pasted
def play_world(
    row: States, seat: int, quick: bool, weights: Weights, win_bonus: float, scratch: States
) -> float:
    """Play a world to its end, the others by the quick rules; what the end is worth to the seat.

    The seat itself goes on as the heuristic; but with two players and more, once its plan has stood in a
    round, by that plan. With `quick` it goes by the rules as well. `scratch` is a spare row.
    """
    settled = 0
    for _ in range(rulebook.MOST_DECISIONS):
        if row[fields.PHASE] == rulebook.OVER:
            break
        other = find_next_seat(row)
        by_rules = quick or other != seat or settled == row[fields.ROUND]
        action, stands = weigh_plan(row, other, by_rules, weights, scratch)
        # Alone, digs and the second hand bring new cards within a round.
        if stands and row[fields.PLAYERS] > 1:
            settled = int(row[fields.ROUND])
        apply_action(row, other, action)
    return value_end(row, seat, win_bonus)


@kernel
def play_worlds(
    worlds: States,
    scratch: States,
    seat: int,
    actions: Actions,
    weights: Weights,
    win_bonus: float,
    values: Values,
) -> None:
    """Value of every candidate in every world: values[candidate, world]. `scratch` are two spare rows.

    The worlds and everything behind the candidate are the same for all candidates: common random numbers.
    """
    for a in range(len(actions)):
        for w in range(worlds.shape[0]):
            copy_cells(worlds[w], scratch[0])
            apply_action(scratch[0], seat, int(actions[a]))
            values[a, w] = play_world(scratch[0], seat, False, weights, win_bonus, scratch[1])
