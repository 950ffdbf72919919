"""The kernels of many games: one decision of each stepped per call, and whole games at random.

`states` is (games, state_size) int16; `stream` is the caller's own random stream, four words in int64,
never the stream of a game. Nothing here allocates: everything is written into the caller's arrays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined, kernel
from iaww_env.engine.observe.cells import Vector
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.shown import show_decision
from iaww_env.engine.observe.table import encode_seat
from iaww_env.engine.rewards import NOBODY, POINTS_GAIN, Rewards, pay_gain, settle_end
from iaww_env.engine.rng import Stream, can_draw, draw_below
from iaww_env.engine.row import find_verb
from iaww_env.engine.rules.legal import (
    ASK_FORCED,
    Actions,
    Mask,
    find_next_seat,
    is_listed,
    list_legal,
    offers_discards,
)
from iaww_env.engine.rules.scoring import Numbers
from iaww_env.engine.rules.transition import apply_action, begin_game

Counts = npt.NDArray[np.int64]

# A turn is what a batch knows of one of its games besides the state: who decides, how many actions are legal,
# whether the last step ended a game, points and places of that, points paid, and the legal actions.
TURN_SEAT, TURN_COUNT, TURN_DONE, TURN_POINTS = 0, 1, 2, 3
TURN_PLACES = TURN_POINTS + fields.MOST_SEATS
TURN_PAID = TURN_PLACES + fields.MOST_SEATS
TURN_LEGAL = TURN_PAID + fields.MOST_SEATS
TURN = TURN_LEGAL + fields.MOST_LEGAL

MOST_REDRAWS = 1 << 15  # of one that is wanted among MOST_LEGAL: no stream that draws comes to this end


@called
def find_decision(row: States, asks: int, legal: Actions) -> tuple[int, int]:
    """The next seat to decide and how many actions it has; (0, 0) when the game is over."""
    for _ in range(rulebook.MOST_DECISIONS):
        if row[fields.PHASE] == rulebook.OVER:
            break
        seat = find_next_seat(row)
        n = list_legal(row, seat, offers_discards(asks), legal)
        if n > 1 or asks & ASK_FORCED != 0:
            return seat, n
        apply_action(row, seat, int(legal[0]))
    return 0, 0


@inlined
def choose_at_random(
    row: States, seat: int, with_discards: bool, stream: Stream, legal: Actions
) -> tuple[int, int]:
    """A uniformly random legal action, and how many there were; without discards where asked."""
    n = list_legal(row, seat, with_discards, legal)
    if n == 1:
        return int(legal[0]), 1
    return int(legal[draw_below(stream, n)]), n


@inlined
def close_game(row: States, scheme: int, turn: Numbers, rewards: Rewards) -> None:
    """A finished game: points, places and the last rewards; nothing is paid of the next one."""
    paid = turn[TURN_PAID:]
    settle_end(row, scheme, NOBODY, turn[TURN_POINTS:], turn[TURN_PLACES:], paid, rewards)
    for seat in range(len(rewards)):
        paid[seat] = 0


@inlined
def find_illegal(actions: Actions, turns: Numbers) -> int:
    """The first game whose action is not legal, or -1. Masks are not asked: they are the user's to change."""
    for g in range(turns.shape[0]):
        if not is_listed(int(actions[g]), turns[g, TURN_LEGAL:], int(turns[g, TURN_COUNT])):
            return g
    return -1


@kernel
def step_batch(
    states: States,
    actions: Actions,
    begin: bool,
    asks: int,
    scheme: int,
    turns: Numbers,
    masks: Mask,
    rewards: Rewards,
    offsets: Offsets,
    observations: Vector,
) -> int:
    """Play one decision in every game and find the next; a finished game is scored and begins anew.

    With `begin` every row begins a game instead, from its own stream. Returns -1, or the first game whose
    action is not legal: then nothing was played anywhere.
    """
    if not begin:
        illegal = find_illegal(actions, turns)
        if illegal >= 0:
            return illegal
    for g in range(states.shape[0]):
        row, turn = states[g], turns[g]
        legal = turn[TURN_LEGAL:]
        seat, n = 0, 0
        for i in range(rewards.shape[1]):
            rewards[g, i] = 0
        if not begin:
            apply_action(row, int(turn[TURN_SEAT]), int(actions[g]))
            seat, n = find_decision(row, asks, legal)
            if n == 0:
                close_game(row, scheme, turn, rewards[g])
        turn[TURN_DONE] = n == 0 and not begin
        if n == 0:
            begin_game(row)
            seat, n = find_decision(row, asks, legal)
        turn[TURN_SEAT], turn[TURN_COUNT] = seat, n
        if scheme == POINTS_GAIN:
            rewards[g, seat] += pay_gain(row, seat, turn[TURN_PAID:])
        show_decision(row, seat, legal, n, masks[g], offsets, observations[g])
    return -1


@kernel
def find_illegal_turn(actions: Actions, turns: Numbers) -> int:
    """The first game whose action is not legal, or -1: asked before several threads step their shares."""
    return find_illegal(actions, turns)


@kernel
def sample_batch(
    states: States, turns: Numbers, with_discards: bool, stream: Stream, actions: Actions
) -> bool:
    """A uniformly random legal action for every game; without discards where asked.

    False, and nothing drawn, where the stream is none.
    """
    if not can_draw(stream):
        return False
    for g in range(states.shape[0]):
        first, last = find_verb(states[g], verbs.DISCARD), find_verb(states[g], verbs.USE)
        n = int(turns[g, TURN_COUNT])
        action = int(turns[g, TURN_LEGAL + draw_below(stream, n)])
        # Something else than a discard is always legal, and comes up long before the bound.
        for _ in range(MOST_REDRAWS):
            if with_discards or not first <= action < last:
                break
            action = int(turns[g, TURN_LEGAL + draw_below(stream, n)])
        actions[g] = action
    return True


@kernel
def play_out(states: States, with_discards: bool, stream: Stream, legal: Actions, decisions: Counts) -> None:
    """Play every row at random to its end. Adds decisions with a choice and forced ones to `decisions`."""
    for g in range(states.shape[0]):
        row = states[g]
        played = 0
        while played < rulebook.MOST_DECISIONS and row[fields.PHASE] != rulebook.OVER:
            played += 1
            seat = find_next_seat(row)
            action, n = choose_at_random(row, seat, with_discards, stream, legal)
            decisions[0 if n > 1 else 1] += 1
            apply_action(row, seat, action)


@kernel
def show_all_seats(states: States, offsets: Offsets, observations: Vector) -> None:
    """What every seat of every game sees now, whoever decides: (games, players, size)."""
    for g in range(states.shape[0]):
        for seat in range(observations.shape[1]):
            encode_seat(states[g], seat, offsets, observations[g, seat])


@kernel
def begin_rows(states: States) -> None:
    """A new game in every row, each from its own stream."""
    for g in range(states.shape[0]):
        begin_game(states[g])
