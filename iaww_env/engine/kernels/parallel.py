"""The kernels of one game under PettingZoo: all seats decide together, or one after the other."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, kernel
from iaww_env.engine.observe.cells import Vector
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.shown import show_seat
from iaww_env.engine.rewards import NOBODY, POINTS_GAIN, Rewards, pay_gain, settle_end
from iaww_env.engine.row import find_verb
from iaww_env.engine.rules.legal import (
    ASK_FORCED,
    Actions,
    Mask,
    can_play,
    is_legal,
    list_legal,
    offers_discards,
)
from iaww_env.engine.rules.scoring import Numbers
from iaww_env.engine.rules.transition import apply_action


@called
def play_forced(row: States, asks: int, legal: Actions) -> None:
    """Play decisions with one legal action until a seat has a choice, or the game is over."""
    turns = 0
    while turns < rulebook.MOST_DECISIONS and row[fields.PHASE] != rulebook.OVER:
        turns += 1
        played, choices = 0, 0
        for seat in range(int(row[fields.PLAYERS])):
            if row[fields.PHASE] != rulebook.OVER and row[fields.ACTED + seat] == 0:
                if list_legal(row, seat, offers_discards(asks), legal) == 1:
                    apply_action(row, seat, int(legal[0]))
                    played += 1
                else:
                    choices += 1
        if played == 0:
            return


@kernel
def step_together(
    row: States,
    actions: Actions,
    asks: int,
    legal: Actions,
    masks: Mask,
    offsets: Offsets,
    observations: Vector,
) -> int:
    """Play an action of every seat at once (`wait` where it has none), and show every seat what follows.

    Returns -1, or the first seat whose action is not legal: then nothing was played.
    """
    n = int(row[fields.PLAYERS])
    for seat in range(n):
        if not is_legal(row, seat, int(actions[seat]), asks, legal):
            return seat
    wait = find_verb(row, verbs.WAIT)
    for seat in range(n):
        # A seat that waits has ended its phase, so the phase cannot end before every seat has played.
        if actions[seat] != wait:
            apply_action(row, seat, int(actions[seat]))
    if asks & ASK_FORCED == 0:
        play_forced(row, asks, legal)
    for seat in range(n):
        show_seat(row, seat, asks, legal, masks[seat], offsets, observations[seat])
    return -1


@kernel
def step_seat(row: States, seat: int, action: int, asks: int, legal: Actions) -> bool:
    """Play an action of one seat, and forced decisions behind it; False, and nothing played, if not legal."""
    if not can_play(row, seat, action, asks, legal):
        return False
    apply_action(row, seat, action)
    if asks & ASK_FORCED == 0:
        play_forced(row, asks, legal)
    return True


@kernel
def skip_forced_now(row: States, asks: int, legal: Actions) -> None:
    """Play forced decisions of a position as it stands."""
    play_forced(row, asks, legal)


@kernel
def settle_step(
    row: States,
    scheme: int,
    offender: int,
    points: Numbers,
    places: Numbers,
    paid: Numbers,
    rewards: Rewards,
) -> None:
    """Write the rewards of a step; where it ended the game, points and places of the end as well."""
    if offender != NOBODY or row[fields.PHASE] == rulebook.OVER:
        settle_end(row, scheme, offender, points, places, paid, rewards)
        return
    for seat in range(int(row[fields.PLAYERS])):
        rewards[seat] = pay_gain(row, seat, paid) if scheme == POINTS_GAIN else 0.0
