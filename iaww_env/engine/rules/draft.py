"""The draft: picks in secret, revealed together, and packs that go round (ruling 1)."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.row import find_discarded, find_pack, find_seat, insert_kind, remove_kind
from iaww_env.engine.rules.deal import await_seats


@inlined
def finish_seat(row: States, seat: int) -> None:
    """The seat does nothing more until the next phase, or the next pick (ruling 10)."""
    row[fields.ACTED + seat] = 1
    row[fields.PENDING] -= 1


@inlined
def pick_card(row: States, seat: int, kind: int) -> None:
    """Pick in secret: the card stays in the pack until all have picked."""
    row[find_seat(row, seat) + fields.PICKED] = kind + 1
    finish_seat(row, seat)


@inlined
def find_direction(row: States) -> int:
    """To which neighbour packs pass in this round: 1 is the left one, seat i + 1, -1 the right one."""
    return rulebook.DIRECTIONS[int(row[fields.ROUND]) - 1]


@inlined
def find_receiver(row: States, seat: int) -> int:
    """The seat to which a seat passes its pack."""
    n = int(row[fields.PLAYERS])
    return (seat + n + find_direction(row)) % n


@inlined
def pass_packs(row: States) -> None:
    """Packs go to the left neighbour in rounds 1 and 3, to the right one in rounds 2 and 4."""
    n = int(row[fields.PLAYERS])
    row[fields.PACK_SHIFT] = (int(row[fields.PACK_SHIFT]) + n - find_direction(row)) % n


@inlined
def reveal_picks(row: States) -> None:
    """Every picked card leaves its pack and lies drafted before its seat."""
    size = int(row[fields.PACK_SIZE])
    for seat in range(int(row[fields.PLAYERS])):
        at = find_seat(row, seat)
        kind = int(row[at + fields.PICKED]) - 1
        row[at + fields.PICKED] = 0
        remove_kind(row, find_pack(row, seat), size, kind)
        insert_kind(row, at + fields.DRAFTED, int(row[at + fields.N_DRAFTED]), kind)
        row[at + fields.N_DRAFTED] += 1
    row[fields.PACK_SIZE] = size - 1
    row[fields.PICK] += 1


@inlined
def discard_hands(row: States) -> None:
    """What is left in a hand after the last pick is discarded without a bonus."""
    for seat in range(int(row[fields.PLAYERS])):
        start = find_pack(row, seat)
        discarded = find_discarded(row, find_seat(row, seat))
        for i in range(start, start + int(row[fields.PACK_SIZE])):
            row[discarded + int(row[i])] += 1
            row[i] = -1
    row[fields.PACK_SIZE] = 0


@called
def end_pick(row: States) -> bool:
    """All have picked: reveal, and pass the packs. True when the draft is over."""
    reveal_picks(row)
    if row[fields.PICK] == rulebook.PICKS:
        discard_hands(row)
        row[fields.PICK] = 0
        row[fields.PACK_SHIFT] = 0
        return True
    pass_packs(row)
    await_seats(row)
    return False
