"""One game whose seats decide together: what a parallel environment calls once per step."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import chapter, kernel, rule
from iaww_env.engine.kernels.batch import Mask, Vectors, score_game, write_mask
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.table import encode_seat
from iaww_env.engine.rewards import Rewards, reward_seat
from iaww_env.engine.row import find_seat, find_verb
from iaww_env.engine.rules.legal import Actions, list_legal
from iaww_env.engine.rules.scoring import is_scenario_won, score_seat
from iaww_env.engine.rules.transition import apply_action, begin_game

Numbers = Actions


@rule
def is_allowed(row: States, seat: int, action: int, legal: Actions) -> bool:
    """Whether an action is legal for a seat; `wait` where it has nothing to decide."""
    n = list_legal(row, seat, True, legal)
    for i in range(n):
        if legal[i] == action:
            return True
    return False


@chapter
def play_forced(row: States, legal: Actions) -> None:
    """Play decisions with one legal action until a seat has a choice, or the game is over."""
    while row[fields.PHASE] != rulebook.OVER:
        played, choices = 0, 0
        for seat in range(int(row[fields.PLAYERS])):
            if row[fields.PHASE] != rulebook.OVER and row[fields.ACTED + seat] == 0:
                if list_legal(row, seat, True, legal) == 1:
                    apply_action(row, seat, int(legal[0]))
                    played += 1
                else:
                    choices += 1
        if played == 0:
            return


@chapter
def show_seat(row: States, seat: int, legal: Actions, mask: Mask, at: Offsets, out: Vectors) -> None:
    """Mask and observation of one seat."""
    n = list_legal(row, seat, True, legal)
    write_mask(row, legal, n, mask)
    if len(at) > 0:
        encode_seat(row, seat, at, out)


@kernel
def show_one_seat(row: States, seat: int, legal: Actions, mask: Mask, at: Offsets, out: Vectors) -> None:
    """Mask and observation of one seat as the game stands."""
    show_seat(row, seat, legal, mask, at, out)


@kernel
def step_together(
    row: States,
    actions: Actions,
    begin: bool,
    skip_forced: bool,
    legal: Actions,
    masks: Mask,
    points: Numbers,
    at: Offsets,
    observations: Vectors,
) -> int:
    """Play an action of every seat at once (`wait` where it has none), and show every seat what follows.

    With `begin` a new game begins in the row instead. Returns -1, or the first seat whose action is not
    legal: then nothing was played.
    """
    n = int(row[fields.PLAYERS])
    if begin:
        begin_game(row)
    else:
        for seat in range(n):
            if not is_allowed(row, seat, int(actions[seat]), legal):
                return seat
        wait = find_verb(row, verbs.WAIT)
        for seat in range(n):
            # A seat that waits has ended its phase, so the phase cannot end before every seat has played.
            if actions[seat] != wait:
                apply_action(row, seat, int(actions[seat]))
    if skip_forced:
        play_forced(row, legal)
    for seat in range(n):
        show_seat(row, seat, legal, masks[seat], at, observations[seat])
        points[seat] = score_seat(row, find_seat(row, seat))
    return -1


@kernel
def step_seat(row: States, seat: int, action: int, skip_forced: bool, legal: Actions) -> bool:
    """Play an action of one seat, and forced decisions behind it; False, and nothing played, if not legal."""
    if (
        row[fields.PHASE] == rulebook.OVER
        or row[fields.ACTED + seat] == 1
        or not is_allowed(row, seat, action, legal)
    ):
        return False
    apply_action(row, seat, action)
    if skip_forced:
        play_forced(row, legal)
    return True


@kernel
def skip_forced_now(row: States, legal: Actions) -> None:
    """Play forced decisions of a position as it stands."""
    play_forced(row, legal)


@kernel
def finish_row(
    row: States, scheme: int, points: Numbers, places: Numbers, paid: Numbers, rewards: Rewards
) -> bool:
    """Points, places and last rewards of a finished game; returns whether the scenario is won."""
    score_game(row, points, places)
    for seat in range(int(row[fields.PLAYERS])):
        rewards[seat] = reward_seat(row, scheme, points, places, paid, seat)
    return is_scenario_won(row)
