"""The encoder of the other seats, and of what a perfect player remembers of their packs."""

from __future__ import annotations

import numpy as np

from iaww_env.engine.facts import (
    N_BASE_KINDS,
    N_COUNTED,
    N_EMPIRES,
    N_RESOURCES,
    N_SIDES,
    N_SPACES,
    N_TYPES,
)
from iaww_env.engine.fields import (
    DRAFT,
    DRAFTED_AT,
    EMPIRE,
    EMPIRE_CUBES,
    KINDS,
    MUST_CHOOSE,
    N_DRAFTED,
    N_SITES,
    OPEN,
    PACK_SHIFT,
    PACK_SIZE,
    PHASE,
    PLAYERS,
    POINT_RATE,
    ROUND,
    SEAT_PRODUCTION,
    SEAT_SIZE,
    SHOWN_POINTS,
    SITE,
    SITE_AT,
    SITE_KIND,
    SITE_MISSING,
    SITES,
    SLATED_PRODUCTION,
    SOLO_SUPREMACY,
    TOKENS,
    TYPES_BUILT,
    TYPES_SLATED,
    States,
)
from iaww_env.engine.jit import rule
from iaww_env.engine.observe.cells import (
    Vector,
    add_cells,
    count_kinds,
    encode_loose,
    find_shown,
    find_visible,
    write_cells,
)
from iaww_env.engine.observe.pieces import SCALES, Offsets, find_piece
from iaww_env.engine.rules.construction import find_built, find_discarded
from iaww_env.engine.rules.deal import find_seat
from iaww_env.engine.rules.draft import find_pack
from iaww_env.engine.rules.knowledge import knows_pack
from iaww_env.engine.rules.production import SEATS_WITH_TWO_SUPREMACIES, count_production

_SUPREMACY = find_piece("supremacy")
_OTHER_EMPIRE = find_piece("other_empire")
_OTHER_LOOSE = find_piece("other_loose")
_OTHER_CHOOSE = find_piece("other_must_choose")
_OTHER_TOKENS = find_piece("other_tokens")
_OTHER_CUBES = find_piece("other_empire_cubes")
_OTHER_PRODUCTION = find_piece("other_production")
_OTHER_PRODUCTION_SLATED = find_piece("other_production_slated")
_OTHER_TYPES = find_piece("other_types_built")
_OTHER_TYPES_SLATED = find_piece("other_types_slated")
_OTHER_RATE = find_piece("other_point_rate")
_OTHER_POINTS = find_piece("other_points")
_OTHER_OPEN = find_piece("other_open")
_OTHER_DRAFTED = find_piece("other_drafted")
_OTHER_BUILT = find_piece("other_built")
_OTHER_SLATED = find_piece("other_slated")
_OTHER_SITE_KIND = find_piece("other_site_kind")
_OTHER_SITE_MISSING = find_piece("other_site_missing")
_PACK_ASCENSION = find_piece("pack_ascension")
_PACK_KNOWN = find_piece("pack_known")
_PACK = find_piece("pack")
_MOST_PRODUCTION = find_piece("most_production")
_SUM_PRODUCTION = find_piece("sum_production")
_SUM_TYPES = find_piece("sum_types_built")
_SUM_TYPES_SLATED = find_piece("sum_types_slated")
_MOST_POINTS = find_piece("most_points")
_SUM_POINTS = find_piece("sum_points")
_NEXT_TYPES = find_piece("next_types")
_GONE = find_piece("gone")


@rule
def find_neighbour(seat: int, n: int, by: int) -> int:
    """The seat so many places to the left."""
    other = seat + by
    return other - n if other >= n else other


# --- Full: seat by seat ----------------------------------------------------------------------------


@rule
def encode_other(row: States, block: int, i: int, at: Offsets, out: Vector) -> None:
    """Another seat, the i-th from the left, as this seat sees it."""
    out[at[_OTHER_EMPIRE] + i * N_EMPIRES + int(row[block + EMPIRE]) // N_SIDES] = 1
    encode_loose(row, block, out, at[_OTHER_LOOSE] + i * N_RESOURCES)
    out[at[_OTHER_CHOOSE] + i] = row[block + MUST_CHOOSE]
    out[at[_OTHER_CUBES] + i] = row[block + EMPIRE_CUBES] * SCALES[_OTHER_CUBES]
    to = at[_OTHER_TOKENS] + i * 3
    write_cells(row, block + TOKENS, 3, out, to, SCALES[_OTHER_TOKENS])
    start, to = block + SEAT_PRODUCTION, at[_OTHER_PRODUCTION] + i * N_RESOURCES
    write_cells(row, start, N_RESOURCES, out, to, SCALES[_OTHER_PRODUCTION])
    start, to = block + TYPES_BUILT, at[_OTHER_TYPES] + i * N_TYPES
    write_cells(row, start, N_TYPES, out, to, SCALES[_OTHER_TYPES])
    start, to = block + TYPES_SLATED, at[_OTHER_TYPES_SLATED] + i * N_TYPES
    write_cells(row, start, N_TYPES, out, to, SCALES[_OTHER_TYPES_SLATED])
    start, to = block + SLATED_PRODUCTION, at[_OTHER_PRODUCTION_SLATED] + i * N_RESOURCES
    write_cells(row, start, N_RESOURCES, out, to, SCALES[_OTHER_PRODUCTION_SLATED])
    start, to = block + POINT_RATE, at[_OTHER_RATE] + i * N_COUNTED
    write_cells(row, start, N_COUNTED, out, to, SCALES[_OTHER_RATE])
    out[at[_OTHER_POINTS] + i] = row[block + SHOWN_POINTS] * SCALES[_OTHER_POINTS]
    start, to = block + OPEN, at[_OTHER_OPEN] + i * N_SPACES
    write_cells(row, start, N_SPACES, out, to, SCALES[_OTHER_OPEN])


@rule
def encode_other_cards(row: States, block: int, i: int, at: Offsets, out: Vector) -> None:
    """The cards of another seat: drafted, built and under construction."""
    kinds, sites = int(row[KINDS]), int(row[SITES])
    to = at[_OTHER_DRAFTED] + i * kinds
    count_kinds(row, block + DRAFTED_AT, int(row[block + N_DRAFTED]), out, to, SCALES[_OTHER_DRAFTED])
    to = at[_OTHER_BUILT] + i * kinds
    write_cells(row, find_built(row, block), kinds, out, to, SCALES[_OTHER_BUILT])
    site, slated = block + SITE_AT, at[_OTHER_SLATED] + i * kinds
    for place in range(i * sites, i * sites + int(row[block + N_SITES])):
        kind = int(row[site + SITE_KIND])
        out[slated + kind] += SCALES[_OTHER_SLATED]
        out[at[_OTHER_SITE_KIND] + place] = (kind + 1) * SCALES[_OTHER_SITE_KIND]
        to = at[_OTHER_SITE_MISSING] + place * N_SPACES
        write_cells(row, site + SITE_MISSING, N_SPACES, out, to, SCALES[_OTHER_SITE_MISSING])
        site += SITE


@rule
def encode_pack(row: States, seat: int, other: int, i: int, at: Offsets, out: Vector) -> None:
    """The pack another seat holds: all of it, where it has been in this seat's hand in this draft.

    How many ascension cards it holds is known of every pack: so many were dealt, and all see what is picked.
    """
    start, size = find_pack(row, other), int(row[PACK_SIZE])
    if row[KINDS] > N_BASE_KINDS:
        for place in range(start, start + size):
            if row[place] >= N_BASE_KINDS:
                out[at[_PACK_ASCENSION] + i] += SCALES[_PACK_ASCENSION]
    origin = find_neighbour(other, int(row[PLAYERS]), int(row[PACK_SHIFT]))
    if knows_pack(row, seat, origin):
        out[at[_PACK_KNOWN] + i] = 1
        count_kinds(row, start, size, out, at[_PACK] + i * int(row[KINDS]), SCALES[_PACK])


@rule
def encode_gone(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """Discarded cards: the seat's own, and the others' as it sees them."""
    for other in range(int(row[PLAYERS])):
        start = find_discarded(row, find_visible(row, seat, other))
        add_cells(row, start, int(row[KINDS]), out, at[_GONE], SCALES[_GONE])


# --- Compact: summed up ----------------------------------------------------------------------------


@rule
def note_production(row: States, block: int, at: Offsets, out: Vector) -> None:
    """Another seat's production, among the most of each resource and (compact) in the sum."""
    for resource in range(N_RESOURCES):
        made = count_production(row, block, resource)
        most = at[_MOST_PRODUCTION] + resource
        out[most] = max(out[most], made * SCALES[_MOST_PRODUCTION])
        if at[_SUM_PRODUCTION] >= 0:
            out[at[_SUM_PRODUCTION] + resource] += made * SCALES[_SUM_PRODUCTION]


@rule
def find_second(row: States, seat: int, first: int, resource: int) -> int:
    """The second highest production among the other seats."""
    most, second = 0, 0
    for by in range(1, int(row[PLAYERS])):
        block = first + find_neighbour(seat, int(row[PLAYERS]), by) * int(row[SEAT_SIZE])
        made = count_production(row, block, resource)
        second = max(second, min(most, made))
        most = max(most, made)
    return second


@rule
def encode_rivals(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """What the others make, and how far the seat is above what supremacy asks for (rulings 8, 9 and 13)."""
    n, first = int(row[PLAYERS]), find_shown(row)
    for by in range(1, n):
        note_production(row, first + find_neighbour(seat, n, by) * int(row[SEAT_SIZE]), at, out)
    for resource in range(N_RESOURCES):
        asked = np.float32(SOLO_SUPREMACY * SCALES[_SUPREMACY])
        if n >= SEATS_WITH_TWO_SUPREMACIES:
            asked = np.float32((1 + find_second(row, seat, first, resource)) * SCALES[_SUPREMACY])
        elif n > 1:
            asked = out[at[_MOST_PRODUCTION] + resource] + SCALES[_SUPREMACY]
        own = count_production(row, find_seat(row, seat), resource)
        out[at[_SUPREMACY] + resource] = own * SCALES[_SUPREMACY] - asked


@rule
def sum_others(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """Compact: what the other seats hold together."""
    n, size, first = int(row[PLAYERS]), int(row[SEAT_SIZE]), find_shown(row)
    scale, most, total = SCALES[_SUM_TYPES], 0, 0
    for by in range(1, n):
        block = first + find_neighbour(seat, n, by) * size
        add_cells(row, block + TYPES_BUILT, N_TYPES + 3, out, at[_SUM_TYPES], scale)
        add_cells(row, block + TYPES_SLATED, N_TYPES + N_RESOURCES, out, at[_SUM_TYPES_SLATED], scale)
        most = max(most, int(row[block + SHOWN_POINTS]))
        total += int(row[block + SHOWN_POINTS])
    out[at[_MOST_POINTS]] = most * SCALES[_MOST_POINTS]
    out[at[_SUM_POINTS]] = total * SCALES[_SUM_POINTS]
    receiver = first + find_neighbour(seat, n, 1 if row[ROUND] % 2 == 1 else n - 1) * size
    write_cells(row, receiver + TYPES_BUILT, N_TYPES, out, at[_NEXT_TYPES], SCALES[_NEXT_TYPES])
    add_cells(row, receiver + TYPES_SLATED, N_TYPES, out, at[_NEXT_TYPES], SCALES[_NEXT_TYPES])


@rule
def encode_others(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """The other seats from the left: one by one (full), or summed up (compact)."""
    n = int(row[PLAYERS])
    encode_rivals(row, seat, at, out)
    if at[_OTHER_EMPIRE] < 0:
        if n > 1:
            sum_others(row, seat, at, out)
        return
    for i in range(n - 1):
        other = find_neighbour(seat, n, 1 + i)
        block = find_visible(row, seat, other)
        encode_other(row, block, i, at, out)
        encode_other_cards(row, block, i, at, out)
        if row[PHASE] == DRAFT:
            encode_pack(row, seat, other, i, at, out)
