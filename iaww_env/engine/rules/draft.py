"""The draft: picks in secret, revealed together, and packs that go round (ruling 1)."""

from __future__ import annotations

from iaww_env.engine.fields import (
    ACTED,
    DRAFTED_AT,
    N_DRAFTED,
    PACK,
    PACK_SHIFT,
    PACK_SIZE,
    PACKS_AT,
    PENDING,
    PICK,
    PICKED,
    PICKS,
    PLAYERS,
    ROUND,
    States,
)
from iaww_env.engine.jit import chapter, rule
from iaww_env.engine.rules.construction import find_discarded
from iaww_env.engine.rules.deal import await_seats, find_seat, insert_kind, remove_kind


@rule
def find_pack(row: States, seat: int) -> int:
    """Where the pack that a seat holds begins in the row."""
    origin = seat + int(row[PACK_SHIFT])
    if origin >= row[PLAYERS]:
        origin -= int(row[PLAYERS])
    return PACKS_AT + origin * PACK


@rule
def finish_seat(row: States, seat: int) -> None:
    """The seat does nothing more until the next phase, or the next pick (ruling 10)."""
    row[ACTED + seat] = 1
    row[PENDING] -= 1


@rule
def pick_card(row: States, seat: int, kind: int) -> None:
    """Pick in secret: the card stays in the pack until all have picked."""
    row[find_seat(row, seat) + PICKED] = kind + 1
    finish_seat(row, seat)


@rule
def pass_packs(row: States) -> None:
    """Packs go to the left neighbour, seat i + 1, in rounds 1 and 3, to the right in rounds 2 and 4."""
    n = int(row[PLAYERS])
    by = n - 1 if row[ROUND] % 2 == 1 else 1
    row[PACK_SHIFT] = (int(row[PACK_SHIFT]) + by) % n


@rule
def reveal_picks(row: States) -> None:
    """Every picked card leaves its pack and lies drafted before its seat."""
    size = int(row[PACK_SIZE])
    for seat in range(int(row[PLAYERS])):
        at = find_seat(row, seat)
        kind = int(row[at + PICKED]) - 1
        row[at + PICKED] = 0
        remove_kind(row, find_pack(row, seat), size, kind)
        insert_kind(row, at + DRAFTED_AT, int(row[at + N_DRAFTED]), kind)
        row[at + N_DRAFTED] += 1
    row[PACK_SIZE] = size - 1
    row[PICK] += 1


@rule
def discard_hands(row: States) -> None:
    """What is left in a hand after the last pick is discarded without a bonus."""
    for seat in range(int(row[PLAYERS])):
        start = find_pack(row, seat)
        discarded = find_discarded(row, find_seat(row, seat))
        for i in range(start, start + int(row[PACK_SIZE])):
            row[discarded + int(row[i])] += 1
            row[i] = -1
    row[PACK_SIZE] = 0


@chapter
def end_pick(row: States) -> bool:
    """All have picked: reveal, and pass the packs. True when the draft is over."""
    reveal_picks(row)
    if row[PICK] == PICKS:
        discard_hands(row)
        row[PICK] = 0
        row[PACK_SHIFT] = 0
        return True
    pass_packs(row)
    await_seats(row)
    return False
