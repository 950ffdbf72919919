"""Legal actions of a seat, in ascending order of their numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.engine import facts, fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined, pasted
from iaww_env.engine.row import count_actions, find_pack, find_seat, find_token, find_verb
from iaww_env.engine.rules.solo import can_dig

# What a seat is asked, in one number: decisions with one legal action too, and to give up constructions.
ASK_FORCED, ASK_DISCARDS = 1, 2
ASK_ALL = ASK_FORCED + ASK_DISCARDS

Actions = npt.NDArray[np.int16]
Mask = npt.NDArray[np.int8]


@inlined
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


@inlined
def list_places(row: States, at: int, space: int, out: Actions, n: int) -> int:
    """Cards under construction with an open space of this sort; of equal copies the oldest."""
    first = find_verb(row, verbs.PLACE)
    site = at + fields.SITE
    for _ in range(int(row[at + fields.N_SITES])):
        if row[site + fields.SITE_MISSING + space] > 0 and row[site + fields.SITE_TWIN] == 0:
            out[n] = first + int(row[site + fields.SITE_CARD])
            n += 1
        site += fields.SITE_SIZE
    return n


@inlined
def list_discards(row: States, at: int, out: Actions, n: int) -> int:
    """Cards under construction that can be given up; of equal copies the oldest (ruling 6)."""
    first = find_verb(row, verbs.DISCARD)
    site = at + fields.SITE
    for _ in range(int(row[at + fields.N_SITES])):
        if row[site + fields.SITE_TWIN] == 0:
            out[n] = first + int(row[site + fields.SITE_CARD])
            n += 1
        site += fields.SITE_SIZE
    return n


@inlined
def list_uses(row: States, at: int, out: Actions, n: int) -> int:
    """Tokens that could be laid on an open space (ruling 5)."""
    first = find_verb(row, verbs.USE)
    for space in range(facts.N_SPACES):
        if row[at + find_token(space)] > 0 and row[at + fields.OPEN + space] > 0:
            out[n] = first + space
            n += 1
    return n


@inlined
def list_planning(row: States, at: int, out: Actions) -> int:
    """Picks, slates, recyclings and tosses of a seat that is planning."""
    n = 0
    if row[fields.PLAYERS] == 1 and row[fields.PACK_SIZE] > 0:
        size = int(row[fields.PACK_SIZE])
        return list_kinds(row, fields.PACKS_AT, size, find_verb(row, verbs.PICK), out, n)
    drafted, size = at + fields.DRAFTED, int(row[at + fields.N_DRAFTED])
    if row[fields.TOSSES] > 0:
        return list_kinds(row, drafted, size, find_verb(row, verbs.TOSS), out, n)
    if row[at + fields.LOOSE] == 0:
        n = list_kinds(row, drafted, size, find_verb(row, verbs.SLATE), out, n)
        n = list_kinds(row, drafted, size, find_verb(row, verbs.RECYCLE), out, n)
    return n


@inlined
def list_digs(row: States, at: int, out: Actions, n: int) -> int:
    """Solo: decks that can be dug now."""
    if row[fields.PLAYERS] > 1 or row[fields.PHASE] != rulebook.PLANNING:
        return n
    if row[at + fields.N_DRAFTED] >= rulebook.TOSSES and row[fields.DIG_DECK] == 0:
        for deck in range(verbs.N_DIGS):
            if can_dig(row, deck):
                out[n] = find_verb(row, verbs.DIG) + deck
                n += 1
    return n


@inlined
def list_phase(row: States, at: int, with_discards: bool, out: Actions) -> int:
    """Legal actions of a seat in planning or production that holds no token and owes no choice."""
    n = 0
    loose = int(row[at + fields.LOOSE])
    if row[fields.PHASE] == rulebook.PLANNING:
        n = list_planning(row, at, out)
    if loose > 0:
        n = list_places(row, at, int(row[at + fields.LOOSE_RESOURCE]), out, n)
    if with_discards:
        n = list_discards(row, at, out, n)
    n = list_uses(row, at, out, n)
    if loose > 0:
        out[n] = find_verb(row, verbs.TO_EMPIRE)
        return n + 1
    n = list_digs(row, at, out, n)
    if row[at + fields.N_DRAFTED] == 0 and row[fields.DIG_DECK] == 0:
        out[n] = find_verb(row, verbs.END)
        n += 1
    return n


@called
def list_legal(row: States, seat: int, with_discards: bool, out: Actions) -> int:
    """Write the legal actions of a seat into `out`; returns how many. Never none."""
    at = find_seat(row, seat)
    if row[fields.PHASE] == rulebook.OVER or row[fields.ACTED + seat] == 1:
        out[0] = find_verb(row, verbs.WAIT)
        return 1
    if row[fields.PHASE] == rulebook.DRAFT:
        # Nothing but picks: no token is used and no card given up (ruling 19).
        return list_kinds(
            row, find_pack(row, seat), int(row[fields.PACK_SIZE]), find_verb(row, verbs.PICK), out, 0
        )
    if row[at + fields.HELD] > 0:
        return list_places(row, at, int(row[at + fields.HELD]) - 1, out, 0)
    if row[at + fields.MUST_CHOOSE] > 0:
        first = find_verb(row, verbs.CHOOSE)
        for choice in range(verbs.N_CHOICES):
            out[choice] = first + choice
        return verbs.N_CHOICES
    return list_phase(row, at, with_discards, out)


# --- What is asked of the list ---------------------------------------------------------------------


@inlined
def is_listed(action: int, legal: Actions, n: int) -> bool:
    """Whether an action is among the first n of a list of legal ones."""
    for i in range(n):
        if legal[i] == action:
            return True
    return False


@inlined
def offers_discards(asks: int) -> bool:
    """Whether a seat that is asked so may give up constructions."""
    return asks & ASK_DISCARDS != 0


@pasted
def is_legal(row: States, seat: int, action: int, asks: int, legal: Actions) -> bool:
    """Whether an action is legal for a seat; `wait` where it has nothing to decide."""
    return is_listed(action, legal, list_legal(row, seat, offers_discards(asks), legal))


@pasted
def can_play(row: States, seat: int, action: int, asks: int, legal: Actions) -> bool:
    """Whether a seat owes a decision and may take this one; `wait` is no move."""
    owes = row[fields.PHASE] != rulebook.OVER and row[fields.ACTED + seat] == 0
    return owes and is_legal(row, seat, action, asks, legal)


@inlined
def write_mask(row: States, legal: Actions, n: int, mask: Mask) -> None:
    """1 for each of the first n of a list of legal actions, 0 for all others."""
    for i in range(count_actions(row)):
        mask[i] = 0
    for i in range(n):
        mask[int(legal[i])] = 1


@inlined
def find_next_seat(row: States) -> int:
    """The first seat that owes a decision; seat 0 where the game is over."""
    if row[fields.PENDING] > 0:
        for seat in range(int(row[fields.PLAYERS])):
            if row[fields.ACTED + seat] == 0:
                return seat
    return 0
