"""The public kernels: one game or many, each called from Python with one signature.

`states` is (games, state_size) int16; `words` is the caller's own random stream, four words in int64, never the
stream of a game. Nothing here allocates: everything is written into the caller's arrays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine.deal import find_seat, set_up_game
from iaww_env.engine.jit import kernel, rule
from iaww_env.engine.layout import (
    ACTED,
    CARDS,
    KINDS,
    MOST_LEGAL,
    N_CHOICES,
    N_DIGS,
    N_USES,
    OVER,
    PENDING,
    PHASE,
    PLAYERS,
    States,
)
from iaww_env.engine.legal import Actions, list_legal
from iaww_env.engine.rng import Words, draw_below
from iaww_env.engine.scoring import is_scenario_won, place_seat, score_seat
from iaww_env.engine.transition import apply_action, begin_game, start_game

Mask = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.int16]
Counts = npt.NDArray[np.int64]


@rule
def find_next_seat(row: States) -> int:
    """The first seat that owes a decision; seat 0 where the game is over."""
    if row[PENDING] > 0:
        for seat in range(int(row[PLAYERS])):
            if row[ACTED + seat] == 0:
                return seat
    return 0


@rule
def write_mask(row: States, legal: Actions, n: int, mask: Mask) -> None:
    """1 for each legal action, 0 for all others."""
    size = 4 * int(row[KINDS]) + 2 * int(row[CARDS]) + N_USES + N_CHOICES + N_DIGS + 3
    for i in range(size):
        mask[i] = 0
    for i in range(n):
        mask[int(legal[i])] = 1


@rule
def score_game(row: States, points: Numbers, places: Numbers) -> None:
    """Points and places of every seat as the game stands."""
    for seat in range(int(row[PLAYERS])):
        points[seat] = score_seat(row, find_seat(row, seat))
        places[seat] = place_seat(row, seat)


@rule
def find_decision(row: States, skip_forced: bool, legal: Actions) -> tuple[int, int]:
    """The next seat to decide and how many actions it has; plays forced ones where asked. (0, 0): game over."""
    while row[PHASE] != OVER:
        seat = find_next_seat(row)
        n = list_legal(row, seat, True, legal)
        if n > 1 or not skip_forced:
            return seat, n
        apply_action(row, seat, int(legal[0]))
    return 0, 0


@rule
def choose_at_random(row: States, seat: int, with_discards: bool, words: Words, legal: Actions) -> tuple[int, int]:
    """A uniformly random legal action, and how many there were; without discards where asked."""
    n = list_legal(row, seat, with_discards, legal)
    if n == 1:
        return int(legal[0]), 1
    return int(legal[draw_below(words, n)]), n


@kernel
def set_up_row(row: States) -> None:
    """Empires and shuffled decks, nothing dealt yet: what given deals may still rearrange."""
    set_up_game(row)


@kernel
def start_row(row: States) -> None:
    """Deal the first round of a row that is set up."""
    start_game(row)


@kernel
def list_actions(row: States, seat: int, out: Actions) -> int:
    """Write a seat's legal actions into `out`, ascending; returns how many."""
    return list_legal(row, seat, True, out)


@kernel
def play_action(row: States, seat: int, action: int) -> bool:
    """Play an action of a seat; False, and nothing changed, where it is not legal."""
    if row[PHASE] == OVER or row[ACTED + seat] == 1:
        return False
    legal = np.empty(MOST_LEGAL, np.int16)
    n = list_legal(row, seat, True, legal)
    for i in range(n):
        if legal[i] == action:
            apply_action(row, seat, action)
            return True
    return False


@kernel
def score_row(row: States, points: Numbers, places: Numbers) -> bool:
    """Write points and places of every seat; returns whether the scenario is won."""
    score_game(row, points, places)
    return is_scenario_won(row)


@kernel
def begin_batch(
    states: States, skip_forced: bool, seats: Numbers, legal: Actions, n_legal: Numbers, masks: Mask
) -> None:
    """A new game in every row, each from its own stream, and its first decision."""
    for g in range(states.shape[0]):
        row = states[g]
        begin_game(row)
        seat, n = find_decision(row, skip_forced, legal[g])
        seats[g] = seat
        n_legal[g] = n
        write_mask(row, legal[g], n, masks[g])


@kernel
def step_batch(
    states: States,
    actions: Actions,
    skip_forced: bool,
    seats: Numbers,
    legal: Actions,
    n_legal: Numbers,
    masks: Mask,
    done: Mask,
    points: Numbers,
    places: Numbers,
) -> int:
    """Play one decision in every game and find the next; a finished game is scored and begins anew.

    Returns -1, or the first game whose action is not legal: then nothing was played anywhere.
    """
    for g in range(states.shape[0]):
        action = int(actions[g])
        if action < 0 or action >= masks.shape[1] or masks[g, action] == 0:
            return g
    for g in range(states.shape[0]):
        row = states[g]
        apply_action(row, int(seats[g]), int(actions[g]))
        seat, n = find_decision(row, skip_forced, legal[g])
        done[g] = n == 0
        if n == 0:
            score_game(row, points[g], places[g])
            begin_game(row)
            seat, n = find_decision(row, skip_forced, legal[g])
        seats[g] = seat
        n_legal[g] = n
        write_mask(row, legal[g], n, masks[g])
    return -1


@kernel
def sample_batch(
    states: States, legal: Actions, n_legal: Numbers, with_discards: bool, words: Words, actions: Actions
) -> None:
    """A uniformly random legal action for every game; without discards where asked."""
    for g in range(states.shape[0]):
        first = 4 * int(states[g, KINDS]) + int(states[g, CARDS])
        last = first + int(states[g, CARDS])
        n = int(n_legal[g])
        action = int(legal[g, draw_below(words, n)])
        # Something else than a discard is always legal, so this ends.
        while not with_discards and first <= action < last:
            action = int(legal[g, draw_below(words, n)])
        actions[g] = action


@kernel
def play_out(states: States, with_discards: bool, words: Words, legal: Actions, decisions: Counts) -> None:
    """Play every row at random to its end. Adds decisions with a choice and forced ones to `decisions`."""
    for g in range(states.shape[0]):
        row = states[g]
        while row[PHASE] != OVER:
            seat = find_next_seat(row)
            action, n = choose_at_random(row, seat, with_discards, words, legal)
            decisions[0 if n > 1 else 1] += 1
            apply_action(row, seat, action)


@kernel
def begin_rows(states: States) -> None:
    """A new game in every row, each from its own stream."""
    for g in range(states.shape[0]):
        begin_game(states[g])
