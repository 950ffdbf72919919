"""The kernels of one game: set up, legal actions, playing, scoring, what a seat is shown and may imagine.

`row` is (state_size,) int16. Nothing here allocates: everything is written into the caller's arrays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import kernel
from iaww_env.engine.observe.cells import Vector
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.shown import show_seat
from iaww_env.engine.rng import Stream, draw_below
from iaww_env.engine.rules.deal import set_up_game
from iaww_env.engine.rules.knowledge import redraw_hidden
from iaww_env.engine.rules.legal import ASK_ALL, Actions, Mask, can_play, list_legal, offers_discards
from iaww_env.engine.rules.scoring import Numbers, break_down_seat, is_scenario_won, score_game
from iaww_env.engine.rules.transition import apply_action, start_game

Moves = npt.NDArray[np.int16]  # (moves, 2) seat and action


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
def draw_legal(row: States, seat: int, asks: int, stream: Stream, legal: Actions) -> int:
    """A uniformly random legal action of a seat that is asked so."""
    return int(legal[draw_below(stream, list_legal(row, seat, offers_discards(asks), legal))])


@kernel
def play_action(row: States, seat: int, action: int, legal: Actions) -> bool:
    """Play an action of a seat; False, and nothing changed, where it is not legal."""
    if not can_play(row, seat, action, ASK_ALL, legal):
        return False
    apply_action(row, seat, action)
    return True


@kernel
def play_moves(row: States, moves: Moves, legal: Actions) -> int:
    """Play seats and actions one after the other up to the first that is not legal; returns how many."""
    for number in range(moves.shape[0]):
        seat = int(moves[number, 0])
        if seat < 0 or seat >= row[fields.PLAYERS]:
            return number
        if not can_play(row, seat, int(moves[number, 1]), ASK_ALL, legal):
            return number
        apply_action(row, seat, int(moves[number, 1]))
    return int(moves.shape[0])


@kernel
def score_row(row: States, points: Numbers, places: Numbers) -> bool:
    """Write points and places of every seat; returns whether the scenario is won."""
    score_game(row, points, places)
    return is_scenario_won(row)


@kernel
def break_down_row(row: States, parts: Numbers, lost: Numbers) -> None:
    """Where the points of every seat come from, and what corruption costs it: (players, ...) each."""
    for seat in range(int(row[fields.PLAYERS])):
        break_down_seat(row, seat, parts[seat], lost[seat])


@kernel
def show_one_seat(
    row: States, seat: int, asks: int, legal: Actions, mask: Mask, offsets: Offsets, observation: Vector
) -> None:
    """Mask and observation of one seat as the game stands."""
    show_seat(row, seat, asks, legal, mask, offsets, observation)


@kernel
def redeterminize_row(row: States, seat: int, stream: Stream, places: States) -> None:
    """Turn a game into another that agrees with everything the seat knows, drawn with `stream`.

    The draw depends on nothing but that and `stream`. `places` is scratch for MOST_PLACES numbers.
    """
    redraw_hidden(row, seat, stream, places)
