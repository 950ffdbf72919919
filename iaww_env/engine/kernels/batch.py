"""The public kernels: one game or many, each called from Python with one signature.

`states` is (games, state_size) int16; `words` is the caller's own random stream, four words in int64,
never the stream of a game. Nothing here allocates: everything is written into the caller's arrays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import chapter, kernel, rule
from iaww_env.engine.observe.cells import Vector
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.table import encode_seat
from iaww_env.engine.rewards import POINTS_GAIN, Numbers, Rewards, reward_seat
from iaww_env.engine.rng import Words, draw_below
from iaww_env.engine.row import count_actions, find_seat, find_verb
from iaww_env.engine.rules.deal import set_up_game
from iaww_env.engine.rules.legal import Actions, list_legal
from iaww_env.engine.rules.scoring import is_scenario_won, place_seat, score_seat
from iaww_env.engine.rules.transition import apply_action, begin_game, start_game

Mask = npt.NDArray[np.int8]
Vectors = npt.NDArray[np.float32]
Counts = npt.NDArray[np.int64]

# A lane is what a batch knows of one of its games besides the state: who decides, what is legal, its end.
LANE_SEAT, LANE_COUNT, LANE_DONE, LANE_POINTS = 0, 1, 2, 3
LANE_PLACES = LANE_POINTS + fields.MOST_SEATS
LANE_PAID = LANE_PLACES + fields.MOST_SEATS
LANE_LEGAL = LANE_PAID + fields.MOST_SEATS
LANE = LANE_LEGAL + fields.MOST_LEGAL


@rule
def find_next_seat(row: States) -> int:
    """The first seat that owes a decision; seat 0 where the game is over."""
    if row[fields.PENDING] > 0:
        for seat in range(int(row[fields.PLAYERS])):
            if row[fields.ACTED + seat] == 0:
                return seat
    return 0


@rule
def write_mask(row: States, legal: Actions, n: int, mask: Mask) -> None:
    """1 for each legal action, 0 for all others."""
    for i in range(count_actions(row)):
        mask[i] = 0
    for i in range(n):
        mask[int(legal[i])] = 1


@chapter
def score_game(row: States, points: Numbers, places: Numbers) -> None:
    """Points and places of every seat as the game stands."""
    for seat in range(int(row[fields.PLAYERS])):
        points[seat] = score_seat(row, find_seat(row, seat))
        places[seat] = place_seat(row, seat)


@chapter
def find_decision(row: States, skip_forced: bool, legal: Actions) -> tuple[int, int]:
    """The next seat to decide and how many actions it has; (0, 0) when the game is over."""
    while row[fields.PHASE] != rulebook.OVER:
        seat = find_next_seat(row)
        n = list_legal(row, seat, True, legal)
        if n > 1 or not skip_forced:
            return seat, n
        apply_action(row, seat, int(legal[0]))
    return 0, 0


@rule
def choose_at_random(
    row: States, seat: int, with_discards: bool, words: Words, legal: Actions
) -> tuple[int, int]:
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
def play_action(row: States, seat: int, action: int, legal: Actions) -> bool:
    """Play an action of a seat; False, and nothing changed, where it is not legal."""
    if row[fields.PHASE] == rulebook.OVER or row[fields.ACTED + seat] == 1:
        return False
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


@rule
def open_decision(
    row: States,
    seat: int,
    n: int,
    scheme: int,
    lane: Numbers,
    mask: Mask,
    rewards: Rewards,
    offsets: Offsets,
    observation: Vector,
) -> None:
    """Write all about the decision of a seat that has n legal actions."""
    lane[LANE_SEAT] = seat
    lane[LANE_COUNT] = n
    write_mask(row, lane[LANE_LEGAL:], n, mask)
    if scheme == POINTS_GAIN:
        points = score_seat(row, find_seat(row, seat))
        rewards[seat] += points - lane[LANE_PAID + seat]
        lane[LANE_PAID + seat] = points
    if len(offsets) > 0:
        encode_seat(row, seat, offsets, observation)


@rule
def close_game(row: States, scheme: int, lane: Numbers, rewards: Rewards) -> None:
    """A finished game: points, places and the last rewards."""
    points, places = lane[LANE_POINTS:], lane[LANE_PLACES:]
    score_game(row, points, places)
    for seat in range(int(row[fields.PLAYERS])):
        rewards[seat] = reward_seat(row, scheme, points, places, lane[LANE_PAID:], seat)
        lane[LANE_PAID + seat] = 0


@rule
def is_listed(action: int, lane: Numbers) -> bool:
    """Whether an action stands in the lane's list of legal ones."""
    for i in range(int(lane[LANE_COUNT])):
        if lane[LANE_LEGAL + i] == action:
            return True
    return False


@rule
def find_illegal(actions: Actions, lanes: Numbers) -> int:
    """The first game whose action is not legal, or -1. Masks are not asked: they are the user's to change."""
    for g in range(lanes.shape[0]):
        if not is_listed(int(actions[g]), lanes[g]):
            return g
    return -1


@kernel
def step_batch(
    states: States,
    actions: Actions,
    begin: bool,
    skip_forced: bool,
    scheme: int,
    lanes: Numbers,
    masks: Mask,
    rewards: Rewards,
    offsets: Offsets,
    observations: Vectors,
) -> int:
    """Play one decision in every game and find the next; a finished game is scored and begins anew.

    With `begin` every row begins a game instead, from its own stream. Returns -1, or the first game whose
    action is not legal: then nothing was played anywhere.
    """
    if not begin:
        illegal = find_illegal(actions, lanes)
        if illegal >= 0:
            return illegal
    for g in range(states.shape[0]):
        row, lane = states[g], lanes[g]
        seat, n = 0, 0
        for i in range(rewards.shape[1]):
            rewards[g, i] = 0
        if not begin:
            apply_action(row, int(lane[LANE_SEAT]), int(actions[g]))
            seat, n = find_decision(row, skip_forced, lane[LANE_LEGAL:])
            if n == 0:
                close_game(row, scheme, lane, rewards[g])
        lane[LANE_DONE] = n == 0 and not begin
        if n == 0:
            begin_game(row)
            seat, n = find_decision(row, skip_forced, lane[LANE_LEGAL:])
        open_decision(row, seat, n, scheme, lane, masks[g], rewards[g], offsets, observations[g])
    return -1


@kernel
def sample_batch(states: States, lanes: Numbers, with_discards: bool, words: Words, actions: Actions) -> None:
    """A uniformly random legal action for every game; without discards where asked."""
    for g in range(states.shape[0]):
        first, last = find_verb(states[g], verbs.DISCARD), find_verb(states[g], verbs.USE)
        n = int(lanes[g, LANE_COUNT])
        action = int(lanes[g, LANE_LEGAL + draw_below(words, n)])
        # Something else than a discard is always legal, so this ends.
        while not with_discards and first <= action < last:
            action = int(lanes[g, LANE_LEGAL + draw_below(words, n)])
        actions[g] = action


@kernel
def play_out(states: States, with_discards: bool, words: Words, legal: Actions, decisions: Counts) -> None:
    """Play every row at random to its end. Adds decisions with a choice and forced ones to `decisions`."""
    for g in range(states.shape[0]):
        row = states[g]
        while row[fields.PHASE] != rulebook.OVER:
            seat = find_next_seat(row)
            action, n = choose_at_random(row, seat, with_discards, words, legal)
            decisions[0 if n > 1 else 1] += 1
            apply_action(row, seat, action)


@kernel
def begin_rows(states: States) -> None:
    """A new game in every row, each from its own stream."""
    for g in range(states.shape[0]):
        begin_game(states[g])
