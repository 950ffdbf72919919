"""Action numbers, in the order of the verbs in `iaww_env.actions`: where each verb begins."""

from __future__ import annotations

from iaww_env.engine.fields import CARDS, KINDS, States
from iaww_env.engine.jit import rule

PICK, SLATE, RECYCLE, TOSS, PLACE, DISCARD, USE, TO_EMPIRE, CHOOSE, DIG, END, WAIT = range(12)
N_USES, N_CHOICES, N_DIGS = 8, 2, 2


@rule
def find_verb(row: States, verb: int) -> int:
    """The number of a verb's first action."""
    if verb <= PLACE:
        return verb * int(row[KINDS])
    first = 4 * int(row[KINDS]) + int(row[CARDS])
    if verb > DISCARD:
        first += int(row[CARDS])
    if verb > USE:
        first += N_USES
    if verb > TO_EMPIRE:
        first += 1
    if verb > CHOOSE:
        first += N_CHOICES
    if verb > DIG:
        first += N_DIGS
    if verb > END:
        first += 1
    return first


@rule
def count_actions(row: States) -> int:
    """How many actions the table of this card pool has."""
    return find_verb(row, WAIT) + 1
