"""The encoder of the other seats, and of what a perfect player remembers of their packs."""

from __future__ import annotations

import numpy as np

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined
from iaww_env.engine.observe import pieces
from iaww_env.engine.observe.cells import Vector, add_cells, count_kinds, encode_loose, write_cells
from iaww_env.engine.observe.pieces import SCALES, Offsets
from iaww_env.engine.row import (
    find_built,
    find_discarded,
    find_neighbour,
    find_pack,
    find_seat,
    find_shown,
    find_visible,
    has_ascension,
)
from iaww_env.engine.rules.draft import find_receiver
from iaww_env.engine.rules.knowledge import knows_pack
from iaww_env.engine.rules.production import count_production

# --- Full: seat by seat ----------------------------------------------------------------------------


@inlined
def encode_other(row: States, at: int, i: int, where: Offsets, out: Vector) -> None:
    """Another seat, the i-th from the left, as this seat sees it."""
    out[where[pieces.OTHER_EMPIRE] + i * facts.N_EMPIRES + int(row[at + fields.EMPIRE]) // facts.N_SIDES] = 1
    encode_loose(row, at, out, where[pieces.OTHER_LOOSE] + i * facts.N_RESOURCES)
    out[where[pieces.OTHER_MUST_CHOOSE] + i] = row[at + fields.MUST_CHOOSE]
    out[where[pieces.OTHER_EMPIRE_CUBES] + i] = (
        row[at + fields.EMPIRE_CUBES] * SCALES[pieces.OTHER_EMPIRE_CUBES]
    )
    to = where[pieces.OTHER_TOKENS] + i * facts.N_TOKENS
    write_cells(row, at + fields.TOKENS, facts.N_TOKENS, out, to, SCALES[pieces.OTHER_TOKENS])
    start, to = at + fields.PRODUCTION, where[pieces.OTHER_PRODUCTION] + i * facts.N_RESOURCES
    write_cells(row, start, facts.N_RESOURCES, out, to, SCALES[pieces.OTHER_PRODUCTION])
    start, to = at + fields.TYPES_BUILT, where[pieces.OTHER_TYPES_BUILT] + i * facts.N_TYPES
    write_cells(row, start, facts.N_TYPES, out, to, SCALES[pieces.OTHER_TYPES_BUILT])
    start, to = at + fields.TYPES_SLATED, where[pieces.OTHER_TYPES_SLATED] + i * facts.N_TYPES
    write_cells(row, start, facts.N_TYPES, out, to, SCALES[pieces.OTHER_TYPES_SLATED])
    start, to = at + fields.SLATED_PRODUCTION, where[pieces.OTHER_PRODUCTION_SLATED] + i * facts.N_RESOURCES
    write_cells(row, start, facts.N_RESOURCES, out, to, SCALES[pieces.OTHER_PRODUCTION_SLATED])
    start, to = at + fields.POINT_RATE, where[pieces.OTHER_POINT_RATE] + i * facts.N_COUNTED
    write_cells(row, start, facts.N_COUNTED, out, to, SCALES[pieces.OTHER_POINT_RATE])
    out[where[pieces.OTHER_POINTS] + i] = row[at + fields.SHOWN_POINTS] * SCALES[pieces.OTHER_POINTS]
    start, to = at + fields.OPEN, where[pieces.OTHER_OPEN] + i * facts.N_SPACES
    write_cells(row, start, facts.N_SPACES, out, to, SCALES[pieces.OTHER_OPEN])


@inlined
def encode_other_cards(row: States, at: int, i: int, where: Offsets, out: Vector) -> None:
    """The cards of another seat: drafted, built and under construction."""
    kinds, sites = int(row[fields.KINDS]), int(row[fields.SITES])
    to = where[pieces.OTHER_DRAFTED] + i * kinds
    count_kinds(
        row,
        at + fields.DRAFTED,
        int(row[at + fields.N_DRAFTED]),
        out,
        to,
        SCALES[pieces.OTHER_DRAFTED],
    )
    to = where[pieces.OTHER_BUILT] + i * kinds
    write_cells(row, find_built(row, at), kinds, out, to, SCALES[pieces.OTHER_BUILT])
    site, slated = at + fields.SITE, where[pieces.OTHER_SLATED] + i * kinds
    for place in range(i * sites, i * sites + int(row[at + fields.N_SITES])):
        kind = int(row[site + fields.SITE_KIND])
        out[slated + kind] += SCALES[pieces.OTHER_SLATED]
        out[where[pieces.OTHER_SITE_KIND] + place] = (kind + 1) * SCALES[pieces.OTHER_SITE_KIND]
        to = where[pieces.OTHER_SITE_MISSING] + place * facts.N_SPACES
        write_cells(
            row, site + fields.SITE_MISSING, facts.N_SPACES, out, to, SCALES[pieces.OTHER_SITE_MISSING]
        )
        site += fields.SITE_SIZE


@inlined
def encode_pack(row: States, seat: int, other: int, i: int, where: Offsets, out: Vector) -> None:
    """The pack another seat holds: all of it, where it has been in this seat's hand in this draft.

    How many ascension cards it holds is known of every pack: so many were dealt, and all see what is picked.
    """
    start, size = find_pack(row, other), int(row[fields.PACK_SIZE])
    if has_ascension(row):
        for place in range(start, start + size):
            if row[place] >= facts.N_BASE_KINDS:
                out[where[pieces.PACK_ASCENSION] + i] += SCALES[pieces.PACK_ASCENSION]
    origin = find_neighbour(other, int(row[fields.PLAYERS]), int(row[fields.PACK_SHIFT]))
    if knows_pack(row, seat, origin):
        out[where[pieces.PACK_KNOWN] + i] = 1
        count_kinds(
            row, start, size, out, where[pieces.PACK] + i * int(row[fields.KINDS]), SCALES[pieces.PACK]
        )


@inlined
def encode_gone(row: States, seat: int, where: Offsets, out: Vector) -> None:
    """Discarded cards: the seat's own, and the others' as it sees them."""
    for other in range(int(row[fields.PLAYERS])):
        start = find_discarded(row, find_visible(row, seat, other))
        add_cells(row, start, int(row[fields.KINDS]), out, where[pieces.GONE], SCALES[pieces.GONE])


# --- Compact and cards: summed up ------------------------------------------------------------------


@inlined
def note_production(row: States, at: int, where: Offsets, out: Vector) -> None:
    """Another seat's production, among the most of each resource and (compact) in the sum."""
    for resource in range(facts.N_RESOURCES):
        made = count_production(row, at, resource)
        most = where[pieces.MOST_PRODUCTION] + resource
        out[most] = max(out[most], made * SCALES[pieces.MOST_PRODUCTION])
        if where[pieces.SUM_PRODUCTION] >= 0:
            out[where[pieces.SUM_PRODUCTION] + resource] += made * SCALES[pieces.SUM_PRODUCTION]


@inlined
def find_second(row: States, seat: int, first: int, resource: int) -> int:
    """The second highest production among the other seats."""
    most, second = 0, 0
    for by in range(1, int(row[fields.PLAYERS])):
        at = first + find_neighbour(seat, int(row[fields.PLAYERS]), by) * int(row[fields.SEAT_SIZE])
        made = count_production(row, at, resource)
        second = max(second, min(most, made))
        most = max(most, made)
    return second


@inlined
def encode_rivals(row: States, seat: int, where: Offsets, out: Vector) -> None:
    """What the others make, and how far the seat is above what supremacy asks for (rulings 8, 9 and 13)."""
    n, first = int(row[fields.PLAYERS]), find_shown(row)
    for by in range(1, n):
        note_production(row, first + find_neighbour(seat, n, by) * int(row[fields.SEAT_SIZE]), where, out)
    for resource in range(facts.N_RESOURCES):
        asked = np.float32(rulebook.SOLO_SUPREMACY * SCALES[pieces.SUPREMACY])
        if n >= rulebook.SEATS_WITH_TWO_SUPREMACIES:
            asked = np.float32((1 + find_second(row, seat, first, resource)) * SCALES[pieces.SUPREMACY])
        elif n > 1:
            asked = out[where[pieces.MOST_PRODUCTION] + resource] + SCALES[pieces.SUPREMACY]
        own = count_production(row, find_seat(row, seat), resource)
        out[where[pieces.SUPREMACY] + resource] = own * SCALES[pieces.SUPREMACY] - asked


@inlined
def encode_next(row: States, at: int, where: Offsets, out: Vector) -> None:
    """Cards: what the seat that packs pass to makes, scores for and lacks, so what it would like to get."""
    to, scale = where[pieces.NEXT_PRODUCTION], SCALES[pieces.NEXT_PRODUCTION]
    write_cells(row, at + fields.PRODUCTION, facts.N_RESOURCES, out, to, scale)
    to, scale = where[pieces.NEXT_PRODUCTION_SLATED], SCALES[pieces.NEXT_PRODUCTION_SLATED]
    write_cells(row, at + fields.SLATED_PRODUCTION, facts.N_RESOURCES, out, to, scale)
    to, scale = where[pieces.NEXT_POINT_RATE], SCALES[pieces.NEXT_POINT_RATE]
    write_cells(row, at + fields.POINT_RATE, facts.N_COUNTED, out, to, scale)
    to, scale = where[pieces.NEXT_OPEN], SCALES[pieces.NEXT_OPEN]
    write_cells(row, at + fields.OPEN, facts.N_SPACES, out, to, scale)


@inlined
def sum_others(row: States, seat: int, where: Offsets, out: Vector) -> None:
    """What the other seats hold together."""
    n, size, first = int(row[fields.PLAYERS]), int(row[fields.SEAT_SIZE]), find_shown(row)
    scale, most, total = SCALES[pieces.SUM_TYPES_BUILT], 0, 0
    for by in range(1, n):
        at = first + find_neighbour(seat, n, by) * size
        add_cells(
            row,
            at + fields.TYPES_BUILT,
            facts.N_TYPES + facts.N_TOKENS,
            out,
            where[pieces.SUM_TYPES_BUILT],
            scale,
        )
        add_cells(
            row,
            at + fields.TYPES_SLATED,
            facts.N_TYPES + facts.N_RESOURCES,
            out,
            where[pieces.SUM_TYPES_SLATED],
            scale,
        )
        most = max(most, int(row[at + fields.SHOWN_POINTS]))
        total += int(row[at + fields.SHOWN_POINTS])
    out[where[pieces.MOST_POINTS]] = most * SCALES[pieces.MOST_POINTS]
    out[where[pieces.SUM_POINTS]] = total * SCALES[pieces.SUM_POINTS]
    receiver = first + find_receiver(row, seat) * size
    write_cells(
        row,
        receiver + fields.TYPES_BUILT,
        facts.N_TYPES,
        out,
        where[pieces.NEXT_TYPES],
        SCALES[pieces.NEXT_TYPES],
    )
    add_cells(
        row,
        receiver + fields.TYPES_SLATED,
        facts.N_TYPES,
        out,
        where[pieces.NEXT_TYPES],
        SCALES[pieces.NEXT_TYPES],
    )
    if where[pieces.NEXT_PRODUCTION] >= 0:
        encode_next(row, receiver, where, out)


@inlined
def encode_others(row: States, seat: int, where: Offsets, out: Vector) -> None:
    """The other seats from the left: one by one (full), or summed up (compact and cards)."""
    n = int(row[fields.PLAYERS])
    encode_rivals(row, seat, where, out)
    if where[pieces.OTHER_EMPIRE] < 0:
        if n > 1:
            sum_others(row, seat, where, out)
        return
    for i in range(n - 1):
        other = find_neighbour(seat, n, 1 + i)
        at = find_visible(row, seat, other)
        encode_other(row, at, i, where, out)
        encode_other_cards(row, at, i, where, out)
        if row[fields.PHASE] == rulebook.DRAFT:
            encode_pack(row, seat, other, i, where, out)
