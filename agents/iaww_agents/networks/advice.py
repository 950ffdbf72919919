"""What the heuristic says of a decision: of each legal action, and of how all seats stand.

A network that is told so need not learn to project its own cards through the rounds: it learns what the
heuristic gets wrong. All of it is found from what the seat may know: its own table as it stands, the others'
as they are shown.
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
Numbers = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]

N_ADVICE, N_OUTLOOK = 6, 1
CHOSEN = 0  # the number that is 1 for what the heuristic would play
SCALE, FAR = 0.2, 4.0
SHORT = 0.05

kernel = compile_apart(__file__, *BOTS)


@inlined
def take_up(row: States, at: int, kind: int) -> None:
    """Put a card into a hand."""
    insert_kind(row, at + fields.DRAFTED, int(row[at + fields.N_DRAFTED]), kind)
    row[at + fields.N_DRAFTED] += 1


@inlined
def lay_aside(row: States, scratch: States) -> None:
    """Copy a row so that no phase ends, and no pack or dig is left to pick from."""
    copy_cells(row, scratch)
    hold_phases(scratch)
    scratch[fields.DIG_DECK] = 0
    if row[fields.PHASE] == rulebook.DRAFT:
        start, seen, end = int(row[fields.SEATS_AT]), int(row[fields.SEEN_AT]), int(row[fields.DECKS_AT])
        copy_cells(row[start:seen], scratch[seen:end])
        scratch[fields.PHASE] = rulebook.PLANNING


@inlined
def turns_around(row: States, at: int, action: int, weights: Weights) -> bool:
    """Whether an action slates what the rules would recycle, or the other way round."""
    gain = find_gain(row, at, action % int(row[fields.KINDS]), weights)
    return (gain > 0) == (action >= find_verb(row, verbs.RECYCLE))


@inlined
def advise_seat(
    row: States,
    seat: int,
    actions: Numbers,
    weights: Weights,
    scratch: States,
    out: Floats,
    outlook: Floats,
) -> None:
    """Fill in what is said of the legal actions, and of how the seat stands."""
    at, kinds = find_seat(row, seat), int(row[fields.KINDS])
    slate, recycle, toss = find_verb(row, verbs.SLATE), find_verb(row, verbs.RECYCLE), find_verb(row, verbs.TOSS)
    planned = choose_by_rules(row, seat, weights) if len(actions) > 0 else NONE
    weighs = row[fields.PHASE] == rulebook.PLANNING and slate <= planned < toss
    clear = find_clear(row, at, weights) if weighs else 0
    chosen = clear if clear > 0 else planned
    base, best_value = 0.0, NEVER
    for i in range(-1, len(actions)):
        action = NONE if i < 0 else int(actions[i])
        picks, plans = 0 <= action < slate, slate <= action < toss
        value, bias, worth = 0.0, 0.0, base
        if picks:
            value = value_in_hand(row, at, action, weights)
            bias = find_bias(row, action, named.PICK_BIAS, weights)
        elif plans:
            value = find_gain(row, at, action % kinds, weights) * (1 if action < recycle else -1)
        # What the rules would do with a card anyway is what becomes of the seat without saying so.
        if i < 0 or picks or (plans and clear == 0 and turns_around(row, at, action, weights)):
            lay_aside(row, scratch)
            if picks:
                take_up(scratch, at, action)
                action = NONE
            worth = play_alone(scratch, seat, action, weights)
        if i < 0:
            base = worth
        else:
            out[i, 1], out[i, 3], out[i, 5] = worth - base, value, bias
            best_value = max(best_value, value)
    if weighs and clear == 0:
        chosen = weigh_all(row, at, actions, planned, weights, out)
    best = NEVER
    for i in range(len(actions)):
        best = max(best, out[i, 1])
    for i in range(len(actions)):
        said = out[i]
        said[CHOSEN] = 1 if actions[i] == chosen else 0
        said[2], said[4] = said[1] - best, said[3] - best_value
        for n in range(1, N_ADVICE):
            said[n] = max(-FAR, min(FAR, SCALE * said[n]))
    outlook[0] = SHORT * base


@inlined
def weigh_all(
    row: States, at: int, actions: Numbers, planned: int, weights: Weights, out: Floats
) -> int:
    """What the heuristic plays, where it plays its cards through to decide: the rules' plan or one better."""
    chosen, best, kinds = planned, 0.0, int(row[fields.KINDS])
    for n in range(int(row[at + fields.N_DRAFTED])):
        kind = int(row[at + fields.DRAFTED + n])
        for i in range(len(actions)):
            slates = find_verb(row, verbs.SLATE) <= actions[i] < find_verb(row, verbs.TOSS)
            if slates and actions[i] % kinds == kind and turns_around(row, at, int(actions[i]), weights):
                if out[i, 1] > best + weights[named.SURE]:
                    best, chosen = out[i, 1], int(actions[i])
    return chosen


@kernel
def advise_all(
    states: States,
    seats: npt.NDArray[np.int64],
    actions: Numbers,
    offsets: npt.NDArray[np.int64],
    weights: Weights,
    scratch: States,
    out: Floats,
    outlook: Floats,
) -> None:
    """Advice on so many decisions, whose legal actions stand one behind the other."""
    for g in range(states.shape[0]):
        first, last = offsets[g], offsets[g + 1]
        advise_seat(
            states[g], int(seats[g]), actions[first:last], weights, scratch, out[first:last], outlook[g]
        )


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
        said = np.empty((len(actions), N_ADVICE), np.float32)
        outlook = np.empty((len(seats), N_OUTLOOK), np.float32)
        scratch = np.empty(states.shape[1], np.int16)
        who = np.asarray(seats, np.int64)
        advise_all(np.ascontiguousarray(states), who, actions, offsets, self._weights, scratch, said, outlook)
        return said, outlook
