"""The encoder of the other seats, and of what a perfect player remembers of their packs."""

from __future__ import annotations

from iaww_env.engine.cards import N_RESOURCES, N_SIDES, N_SPACES, N_TYPES
from iaww_env.engine.construction import find_built, find_discarded
from iaww_env.engine.draft import find_pack
from iaww_env.engine.encode_cells import (
    SITE_ENTRY,
    Vector,
    add_cells,
    count_kinds,
    encode_loose,
    encode_sites,
    find_visible,
    write_cells,
)
from iaww_env.engine.hidden import knows_pack
from iaww_env.engine.jit import rule
from iaww_env.engine.layout import (
    DRAFT,
    DRAFTED_AT,
    EMPIRE,
    EMPIRE_CUBES,
    KINDS,
    MUST_CHOOSE,
    N_DRAFTED,
    OPEN,
    PACK_SHIFT,
    PACK_SIZE,
    PHASE,
    PLAYERS,
    POINT_RATE,
    ROUND,
    SEAT_PRODUCTION,
    SEAT_SIZE,
    SEATS_AT,
    SEEN_AT,
    SHOWN_POINTS,
    SITES,
    TOKENS,
    TYPES_BUILT,
    States,
)
from iaww_env.engine.pieces import SCALES, Offsets, find_piece

_OTHER_EMPIRE = find_piece("other_empire")
_OTHER_LOOSE = find_piece("other_loose")
_OTHER_CHOOSE = find_piece("other_must_choose")
_OTHER_TOKENS = find_piece("other_tokens")
_OTHER_CUBES = find_piece("other_empire_cubes")
_OTHER_PRODUCTION = find_piece("other_production")
_OTHER_TYPES = find_piece("other_types_built")
_OTHER_RATE = find_piece("other_point_rate")
_OTHER_POINTS = find_piece("other_points")
_OTHER_OPEN = find_piece("other_open")
_OTHER_DRAFTED = find_piece("other_drafted")
_OTHER_BUILT = find_piece("other_built")
_OTHER_SLATED = find_piece("other_slated")
_OTHER_SITES = find_piece("other_sites")
_PACK_KNOWN = find_piece("pack_known")
_PACK = find_piece("pack")
_MOST_PRODUCTION = find_piece("most_production")
_SUM_PRODUCTION = find_piece("sum_production")
_SUM_TYPES = find_piece("sum_types_built")
_SUM_TOKENS = find_piece("sum_tokens")
_MOST_POINTS = find_piece("most_points")
_SUM_POINTS = find_piece("sum_points")
_NEXT = find_piece("next_wants")
_GONE = find_piece("gone")


@rule
def encode_other(row: States, block: int, i: int, at: Offsets, out: Vector) -> None:
    """Another seat, the i-th from the left, as this seat sees it."""
    kinds = int(row[KINDS])
    out[at[_OTHER_EMPIRE] + i * 7 + int(row[block + EMPIRE]) // N_SIDES] = 1
    encode_loose(row, block, out, at[_OTHER_LOOSE] + i * N_RESOURCES)
    out[at[_OTHER_CHOOSE] + i] = row[block + MUST_CHOOSE]
    to = at[_OTHER_TOKENS] + i * 3
    write_cells(row, block + TOKENS, 3, out, to, SCALES[_OTHER_TOKENS])
    out[at[_OTHER_CUBES] + i] = row[block + EMPIRE_CUBES] * SCALES[_OTHER_CUBES]
    start, to = block + SEAT_PRODUCTION, at[_OTHER_PRODUCTION] + i * N_RESOURCES
    write_cells(row, start, N_RESOURCES, out, to, SCALES[_OTHER_PRODUCTION])
    start, to = block + TYPES_BUILT, at[_OTHER_TYPES] + i * N_TYPES
    write_cells(row, start, N_TYPES, out, to, SCALES[_OTHER_TYPES])
    start, to = block + POINT_RATE, at[_OTHER_RATE] + i * 7
    write_cells(row, start, 7, out, to, SCALES[_OTHER_RATE])
    out[at[_OTHER_POINTS] + i] = row[block + SHOWN_POINTS] * SCALES[_OTHER_POINTS]
    start, to = block + OPEN, at[_OTHER_OPEN] + i * N_SPACES
    write_cells(row, start, N_SPACES, out, to, SCALES[_OTHER_OPEN])
    to = at[_OTHER_DRAFTED] + i * kinds
    count_kinds(row, block + DRAFTED_AT, int(row[block + N_DRAFTED]), out, to, SCALES[_OTHER_DRAFTED])
    start, to = find_built(row, block), at[_OTHER_BUILT] + i * kinds
    write_cells(row, start, kinds, out, to, SCALES[_OTHER_BUILT])
    to = at[_OTHER_SITES] + i * int(row[SITES]) * SITE_ENTRY
    encode_sites(row, block, out, at[_OTHER_SLATED] + i * kinds, to)


@rule
def encode_pack(row: States, seat: int, other: int, i: int, at: Offsets, out: Vector) -> None:
    """The pack another seat holds, where it has been in this seat's hand in this draft (section 5)."""
    start = find_pack(row, other)
    origin = find_neighbour(other, int(row[PLAYERS]), int(row[PACK_SHIFT]))
    if knows_pack(row, seat, origin):
        out[at[_PACK_KNOWN] + i] = 1
        to = at[_PACK] + i * int(row[KINDS])
        count_kinds(row, start, int(row[PACK_SIZE]), out, to, SCALES[_PACK])


@rule
def encode_gone(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """Cards that the seat knows to be gone: its own, and the others' as it sees them."""
    for other in range(int(row[PLAYERS])):
        start = find_discarded(row, find_visible(row, seat, other))
        add_cells(row, start, int(row[KINDS]), out, at[_GONE], SCALES[_GONE])


@rule
def sum_production(row: States, seat: int, first: int, at: Offsets, out: Vector) -> None:
    """Compact: the most that another seat makes of each resource, and what the others make together."""
    size = int(row[SEAT_SIZE])
    for resource in range(N_RESOURCES):
        most, total = 0, 0
        for other in range(int(row[PLAYERS])):
            if other != seat:
                made = max(0, int(row[first + other * size + SEAT_PRODUCTION + resource]))
                most = max(most, made)
                total += made
        out[at[_MOST_PRODUCTION] + resource] = most * SCALES[_MOST_PRODUCTION]
        out[at[_SUM_PRODUCTION] + resource] = total * SCALES[_SUM_PRODUCTION]


@rule
def sum_field(row: States, seat: int, first: int, field: int) -> int:
    """One number of the seats' blocks, summed over the others."""
    total = 0
    for other in range(int(row[PLAYERS])):
        if other != seat:
            total += int(row[first + other * int(row[SEAT_SIZE]) + field])
    return total


@rule
def sum_others(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """Compact: the other seats summed up."""
    n, size = int(row[PLAYERS]), int(row[SEAT_SIZE])
    first = int(row[SEATS_AT]) if row[PHASE] == DRAFT else int(row[SEEN_AT])
    sum_production(row, seat, first, at, out)
    for i in range(N_TYPES):
        out[at[_SUM_TYPES] + i] = sum_field(row, seat, first, TYPES_BUILT + i) * SCALES[_SUM_TYPES]
    for i in range(3):
        out[at[_SUM_TOKENS] + i] = sum_field(row, seat, first, TOKENS + i) * SCALES[_SUM_TOKENS]
    out[at[_SUM_POINTS]] = sum_field(row, seat, first, SHOWN_POINTS) * SCALES[_SUM_POINTS]
    most = 0
    for other in range(n):
        if other != seat:
            most = max(most, int(row[first + other * size + SHOWN_POINTS]))
    out[at[_MOST_POINTS]] = most * SCALES[_MOST_POINTS]
    receiver = find_neighbour(seat, n, 1 if row[ROUND] % 2 == 1 else n - 1)
    write_cells(row, first + receiver * size + TYPES_BUILT, N_TYPES, out, at[_NEXT], SCALES[_NEXT])


@rule
def find_neighbour(seat: int, n: int, by: int) -> int:
    """The seat so many places to the left."""
    other = seat + by
    return other - n if other >= n else other


@rule
def encode_others(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """The other seats from the left: one by one (full), or summed up (compact)."""
    n = int(row[PLAYERS])
    if at[_OTHER_EMPIRE] < 0:
        if n > 1:
            sum_others(row, seat, at, out)
        return
    for i in range(n - 1):
        other = find_neighbour(seat, n, 1 + i)
        encode_other(row, find_visible(row, seat, other), i, at, out)
        if row[PHASE] == DRAFT:
            encode_pack(row, seat, other, i, at, out)
