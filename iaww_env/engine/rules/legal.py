"""Legal actions of a seat, in ascending order of their numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine.facts import N_SPACES
from iaww_env.engine.fields import (
    ACTED,
    DIG_DECK,
    DRAFT,
    DRAFTED_AT,
    HELD,
    LOOSE,
    LOOSE_RESOURCE,
    MUST_CHOOSE,
    N_DRAFTED,
    N_SITES,
    OPEN,
    OVER,
    PACK_SIZE,
    PACKS_AT,
    PENDING,
    PHASE,
    PLANNING,
    PLAYERS,
    SITE,
    SITE_AT,
    SITE_CARD,
    SITE_MISSING,
    SITE_TWIN,
    TOSSES_LEFT,
    States,
)
from iaww_env.engine.jit import chapter, rule
from iaww_env.engine.rules.construction import find_token
from iaww_env.engine.rules.deal import find_seat
from iaww_env.engine.rules.draft import find_pack
from iaww_env.engine.rules.solo import can_dig
from iaww_env.engine.verbs import (
    CHOOSE,
    DIG,
    DISCARD,
    END,
    N_DIGS,
    PICK,
    PLACE,
    RECYCLE,
    SLATE,
    TO_EMPIRE,
    TOSS,
    USE,
    WAIT,
    count_actions,
    find_verb,
)

Actions = npt.NDArray[np.int16]
Mask = npt.NDArray[np.int8]


@rule
def list_kinds(row: States, start: int, size: int, first: int, out: Actions, n: int) -> int:
    """One action for each kind in the ascending list row[start:start + size]."""
    before = -1
    for i in range(start, start + size):
        kind = int(row[i])
        if kind != before:
            out[n] = first + kind
            n += 1
            before = kind
    return n


@rule
def list_places(row: States, at: int, space: int, out: Actions, n: int) -> int:
    """Cards under construction with an open space of this sort; of equal copies the oldest."""
    first = find_verb(row, PLACE)
    site = at + SITE_AT
    for _ in range(int(row[at + N_SITES])):
        if row[site + SITE_MISSING + space] > 0 and row[site + SITE_TWIN] == 0:
            out[n] = first + int(row[site + SITE_CARD])
            n += 1
        site += SITE
    return n


@rule
def list_discards(row: States, at: int, out: Actions, n: int) -> int:
    """Cards under construction that can be given up; of equal copies the oldest (ruling 6)."""
    first = find_verb(row, DISCARD)
    site = at + SITE_AT
    for _ in range(int(row[at + N_SITES])):
        if row[site + SITE_TWIN] == 0:
            out[n] = first + int(row[site + SITE_CARD])
            n += 1
        site += SITE
    return n


@rule
def list_uses(row: States, at: int, out: Actions, n: int) -> int:
    """Tokens that could be laid on an open space (ruling 5)."""
    first = find_verb(row, USE)
    for space in range(N_SPACES):
        if row[at + find_token(space)] > 0 and row[at + OPEN + space] > 0:
            out[n] = first + space
            n += 1
    return n


@rule
def list_planning(row: States, at: int, out: Actions) -> int:
    """Picks, slates, recyclings and tosses of a seat that is planning."""
    n = 0
    if row[PLAYERS] == 1 and row[PACK_SIZE] > 0:
        return list_kinds(row, PACKS_AT, int(row[PACK_SIZE]), find_verb(row, PICK), out, n)
    drafted, size = at + DRAFTED_AT, int(row[at + N_DRAFTED])
    if row[TOSSES_LEFT] > 0:
        return list_kinds(row, drafted, size, find_verb(row, TOSS), out, n)
    if row[at + LOOSE] == 0:
        n = list_kinds(row, drafted, size, find_verb(row, SLATE), out, n)
        n = list_kinds(row, drafted, size, find_verb(row, RECYCLE), out, n)
    return n


@rule
def list_digs(row: States, at: int, out: Actions, n: int) -> int:
    """Solo: decks that can be dug now."""
    if row[PLAYERS] == 1 and row[PHASE] == PLANNING and row[at + N_DRAFTED] >= 2 and row[DIG_DECK] == 0:
        for deck in range(N_DIGS):
            if can_dig(row, deck):
                out[n] = find_verb(row, DIG) + deck
                n += 1
    return n


@rule
def list_phase(row: States, at: int, with_discards: bool, out: Actions) -> int:
    """Legal actions of a seat in planning or production that holds no token and owes no choice."""
    n = 0
    loose = int(row[at + LOOSE])
    if row[PHASE] == PLANNING:
        n = list_planning(row, at, out)
    if loose > 0:
        n = list_places(row, at, int(row[at + LOOSE_RESOURCE]), out, n)
    if with_discards:
        n = list_discards(row, at, out, n)
    n = list_uses(row, at, out, n)
    if loose > 0:
        out[n] = find_verb(row, TO_EMPIRE)
        return n + 1
    n = list_digs(row, at, out, n)
    if row[at + N_DRAFTED] == 0 and row[DIG_DECK] == 0:
        out[n] = find_verb(row, END)
        n += 1
    return n


@chapter
def list_legal(row: States, seat: int, with_discards: bool, out: Actions) -> int:
    """Write the legal actions of a seat into `out`; returns how many. Never none."""
    at = find_seat(row, seat)
    if row[PHASE] == OVER or row[ACTED + seat] == 1:
        out[0] = find_verb(row, WAIT)
        return 1
    if row[PHASE] == DRAFT:
        return list_kinds(row, find_pack(row, seat), int(row[PACK_SIZE]), find_verb(row, PICK), out, 0)
    if row[at + HELD] > 0:
        return list_places(row, at, int(row[at + HELD]) - 1, out, 0)
    if row[at + MUST_CHOOSE] > 0:
        first = find_verb(row, CHOOSE)
        out[0], out[1] = first, first + 1
        return 2
    return list_phase(row, at, with_discards, out)


# --- What is asked of the list ---------------------------------------------------------------------


@rule
def is_listed(action: int, legal: Actions, n: int) -> bool:
    """Whether an action is among the first n of a list of legal ones."""
    for i in range(n):
        if legal[i] == action:
            return True
    return False


@rule
def is_legal(row: States, seat: int, action: int, legal: Actions) -> bool:
    """Whether an action is legal for a seat; `wait` where it has nothing to decide."""
    return is_listed(action, legal, list_legal(row, seat, True, legal))


@rule
def can_play(row: States, seat: int, action: int, legal: Actions) -> bool:
    """Whether a seat owes a decision and may take this one; `wait` is no move."""
    return row[PHASE] != OVER and row[ACTED + seat] == 0 and is_legal(row, seat, action, legal)


@rule
def write_mask(row: States, legal: Actions, n: int, mask: Mask) -> None:
    """1 for each of the first n of a list of legal actions, 0 for all others."""
    for i in range(count_actions(row)):
        mask[i] = 0
    for i in range(n):
        mask[int(legal[i])] = 1


@rule
def find_next_seat(row: States) -> int:
    """The first seat that owes a decision; seat 0 where the game is over."""
    if row[PENDING] > 0:
        for seat in range(int(row[PLAYERS])):
            if row[ACTED + seat] == 0:
                return seat
    return 0
