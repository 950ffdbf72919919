"""What the heuristic says of a decision: of each legal action, and of how the seat stands.

A network that is told so need not learn to play a seat's cards through the rounds: it learns where the
heuristic goes wrong. All of it is found from what the seat may know, as the heuristic finds it: its own table
as it stands, the others' as they are shown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_agents.heuristic import weights as named
from iaww_agents.heuristic.plan import NONE, find_clear, find_gain, hold_phases, play_alone
from iaww_agents.heuristic.rules import NEVER, choose_by_rules, value_in_hand
from iaww_agents.heuristic.values import find_bias
from iaww_agents.heuristic.weights import Weights, read_weights
from iaww_agents.jit import BOTS, compile_apart
from iaww_env import rulebook
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined
from iaww_env.engine.row import copy_cells, find_seat, find_verb, insert_kind

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]

# Of each legal action: 1 for what the heuristic would play; by how much the seat's projection is better than
# without it (a pick, or a card decided otherwise than by the rules), and by how much less than the best; its
# value by the quick rules, and how far that is behind; what search has found of the kind beyond its figures.
CHOSEN, GAIN, GAIN_BEHIND, VALUE, VALUE_BEHIND, BIAS = range(6)
N_ADVICE = 6
N_OUTLOOK = 1  # of the seat: what would become of its cards without any more of them
SCALE, FAR = 0.2, 4.0  # of points and values, and where they are cut off
OUTLOOK_SCALE = 0.05

kernel = compile_apart(__file__, *BOTS)


@inlined
def lay_out(row: States, scratch: States) -> None:
    """Copy a row so that no phase ends and nothing is left to pick from: the seat plans its own cards."""
    copy_cells(row, scratch)
    hold_phases(scratch)
    scratch[fields.DIG_DECK] = 0
    if row[fields.PHASE] == rulebook.DRAFT:
        start, seen, end = int(row[fields.SEATS_AT]), int(row[fields.SEEN_AT]), int(row[fields.DECKS_AT])
        copy_cells(row[start:seen], scratch[seen:end])
        scratch[fields.PHASE] = rulebook.PLANNING


@inlined
def take_up(row: States, at: int, kind: int) -> None:
    """Put a card into a hand."""
    insert_kind(row, at + fields.DRAFTED, int(row[at + fields.N_DRAFTED]), kind)
    row[at + fields.N_DRAFTED] += 1


@inlined
def is_plan(row: States, action: int) -> bool:
    """Whether an action slates or recycles."""
    return bool(find_verb(row, verbs.SLATE) <= action < find_verb(row, verbs.TOSS))


@inlined
def turns_around(row: States, at: int, action: int, weights: Weights) -> bool:
    """Whether an action slates what the values would recycle, or the other way round."""
    gain = find_gain(row, at, action % int(row[fields.KINDS]), weights)
    return bool((gain > 0) == (action >= find_verb(row, verbs.RECYCLE)))


@inlined
def value_action(row: States, at: int, action: int, weights: Weights) -> float:
    """What an action is worth by the quick rules; 0 for those that are no pick, slate or recycle."""
    if action < find_verb(row, verbs.SLATE):
        return float(value_in_hand(row, at, action, weights))
    if is_plan(row, action):
        gain = find_gain(row, at, action % int(row[fields.KINDS]), weights)
        return float(gain if action < find_verb(row, verbs.RECYCLE) else -gain)
    return 0.0


@inlined
def choose_projected(
    row: States, at: int, actions: Numbers, planned: int, weights: Weights, out: Doubles
) -> int:
    """The rules' plan, or the card turned around that is projected to be surely better than it."""
    chosen, best, kinds = planned, 0.0, int(row[fields.KINDS])
    for n in range(int(row[at + fields.N_DRAFTED])):
        kind = int(row[at + fields.DRAFTED + n])
        for i in range(len(actions)):
            action = int(actions[i])
            if is_plan(row, action) and action % kinds == kind and turns_around(row, at, action, weights):
                if out[i, GAIN] > best + weights[named.SURE]:
                    best, chosen = out[i, GAIN], action
    return chosen


@inlined
def finish_advice(actions: Numbers, chosen: int, out: Doubles) -> None:
    """Compare the actions with the best of them, and bring numbers to size."""
    best, most = NEVER, NEVER
    for i in range(len(actions)):
        best, most = max(best, out[i, GAIN]), max(most, out[i, VALUE])
    for i in range(len(actions)):
        said = out[i]
        said[GAIN_BEHIND], said[VALUE_BEHIND] = said[GAIN] - best, said[VALUE] - most
        for n in range(GAIN, N_ADVICE):
            said[n] = max(-FAR, min(FAR, SCALE * said[n]))
        said[CHOSEN] = 1 if actions[i] == chosen else 0


@inlined
def advise_seat(
    row: States, seat: int, actions: Numbers, weights: Weights, scratch: States, out: Doubles
) -> float:
    """Fill in what is said of a seat's legal actions; what becomes of its cards without any more of them.

    One loop with one projection: machine code is made anew for every place that calls.
    """
    at, planned = find_seat(row, seat), NONE
    if len(actions) > 0:
        planned = choose_by_rules(row, seat, weights)
    weighs = row[fields.PHASE] == rulebook.PLANNING and is_plan(row, planned)
    clear = find_clear(row, at, weights) if weighs else 0
    outlook = 0.0
    for i in range(-1, len(actions)):
        action = NONE if i < 0 else int(actions[i])
        picks = NONE < action < find_verb(row, verbs.SLATE)
        worth = outlook
        # What the rules would do with a card anyway becomes of the seat without saying so.
        turns = is_plan(row, action) and clear == 0 and turns_around(row, at, action, weights)
        if i < 0 or picks or turns:
            lay_out(row, scratch)
            if picks:
                take_up(scratch, at, action)
            worth = play_alone(scratch, seat, NONE if picks else action, weights)
        if i < 0:
            outlook = worth
        else:
            out[i, GAIN], out[i, VALUE] = worth - outlook, value_action(row, at, action, weights)
            out[i, BIAS] = find_bias(row, action, named.PICK_BIAS, weights) if picks else 0.0
    if weighs:
        planned = clear if clear > 0 else choose_projected(row, at, actions, planned, weights, out)
    finish_advice(actions, planned, out)
    return float(outlook)


@kernel
def advise_all(
    states: States,
    seats: npt.NDArray[np.int64],
    actions: Numbers,
    offsets: Offsets,
    weights: Weights,
    scratch: States,
    out: Doubles,
    outlook: Doubles,
) -> None:
    """Advice on so many decisions, whose legal actions stand one behind the other."""
    for g in range(states.shape[0]):
        first, last = offsets[g], offsets[g + 1]
        worth = advise_seat(states[g], int(seats[g]), actions[first:last], weights, scratch, out[first:last])
        outlook[g, 0] = OUTLOOK_SCALE * worth


class Adviser:
    """The heuristic, asked about decisions of games of one mode."""

    def __init__(self, solo: bool) -> None:
        """Read its weights."""
        self._weights = read_weights(solo)

    def advise(
        self, states: States, seats: npt.NDArray[np.integer], actions: Numbers, offsets: Offsets
    ) -> tuple[Floats, Floats]:
        """What it says of each legal action, and of how each seat stands: (actions, 6), (decisions, 1).

        Args:
            states: (decisions, cells) the games, of which it reads what the seats may know.
            seats: (decisions,) who decides; who does not decide has no actions.
            actions: The legal actions of all decisions, one behind the other.
            offsets: (decisions + 1,) where those of each decision begin.
        """
        said = np.empty((len(actions), N_ADVICE))
        outlook = np.empty((len(seats), N_OUTLOOK))
        scratch = np.empty(states.shape[1], np.int16)
        who = np.asarray(seats, np.int64)
        advise_all(np.ascontiguousarray(states), who, actions, offsets, self._weights, scratch, said, outlook)
        return said.astype(np.float32), outlook.astype(np.float32)
