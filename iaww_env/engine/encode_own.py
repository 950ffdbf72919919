"""The encoder of a seat itself: all it holds, and what its cards would bring."""

from __future__ import annotations

from iaww_env.engine.cards import (
    DUOS,
    FLAT_POINTS,
    N_BASE_KINDS,
    N_BASE_RUNS,
    N_DUOS,
    N_RATED,
    N_RESOURCES,
    N_RUNS,
    N_SIDES,
    N_SPACES,
    N_TYPES,
    PER_RESOURCE,
    PER_TYPE,
    RATE,
    RATE_OF,
    RATED,
    TYPE,
    TYPE_RUNS,
)
from iaww_env.engine.construction import find_built
from iaww_env.engine.deal import find_seat
from iaww_env.engine.draft import find_pack
from iaww_env.engine.encode_cells import Vector, count_kinds, encode_loose, encode_sites, write_cells
from iaww_env.engine.jit import rule
from iaww_env.engine.layout import (
    ACTED,
    COUNTS,
    DRAFT,
    DRAFTED_AT,
    EMPIRE,
    EMPIRE_CUBES,
    HELD,
    KINDS,
    LOOSE,
    LOOSE_RESOURCE,
    MUST_CHOOSE,
    N_DRAFTED,
    N_SITES,
    OPEN,
    PACK_SIZE,
    PACKS_AT,
    PER_TYPE_NOW,
    PHASE,
    PICKED,
    PLAYERS,
    POINT_RATE,
    SEAT_PRODUCTION,
    SITE,
    SITE_AT,
    SITE_KIND,
    SITE_LEFT,
    SITE_MISSING,
    SLATED_PRODUCTION,
    TOKENS,
    TYPES_BUILT,
    TYPES_SLATED,
    States,
)
from iaww_env.engine.pieces import SCALES, Offsets, find_piece
from iaww_env.engine.scoring import score_seat

_OWN_EMPIRE = find_piece("empire")
_OWN_LOOSE = find_piece("loose")
_OWN_CHOOSE = find_piece("must_choose")
_OWN_TOKENS = find_piece("tokens")
_OWN_CUBES = find_piece("empire_cubes")
_OWN_PRODUCTION = find_piece("production")
_OWN_TYPES = find_piece("types_built")
_OWN_RATE = find_piece("point_rate")
_OWN_POINTS = find_piece("points")
_OWN_OPEN = find_piece("open")
_OWN_DRAFTED = find_piece("drafted")
_OWN_BUILT = find_piece("built")
_OWN_SLATED = find_piece("slated")
_OWN_SITES = find_piece("sites")
_ACTED = find_piece("acted")
_HELD = find_piece("held")
_HAND = find_piece("hand")
_PRODUCTION_SLATED = find_piece("production_slated")
_LEFT = find_piece("left")
_MISSING = find_piece("missing")
_ACCEPTS = find_piece("accepts")
_WORTH = find_piece("worth")


@rule
def encode_hand(row: States, seat: int, block: int, at: Offsets, out: Vector) -> None:
    """Cards to pick from, and cards to slate or recycle; an unrevealed pick lies drafted already."""
    scale = SCALES[_HAND]
    if row[PHASE] == DRAFT:
        count_kinds(row, find_pack(row, seat), int(row[PACK_SIZE]), out, at[_HAND], scale)
    elif row[PLAYERS] == 1:
        count_kinds(row, PACKS_AT, int(row[PACK_SIZE]), out, at[_HAND], scale)
    if row[block + PICKED] > 0:
        kind = int(row[block + PICKED]) - 1
        out[at[_HAND] + kind] -= scale
        out[at[_OWN_DRAFTED] + kind] += scale
    count_kinds(row, block + DRAFTED_AT, int(row[block + N_DRAFTED]), out, at[_OWN_DRAFTED], scale)


@rule
def encode_worth(row: States, block: int, at: Offsets, out: Vector) -> None:
    """Points that building a kind would bring now: its own, and what it adds to rates already there."""
    to, scale = at[_WORTH], SCALES[_WORTH]
    for i in range(N_RUNS if row[KINDS] > N_BASE_KINDS else N_BASE_RUNS):
        rate = int(row[block + POINT_RATE + int(TYPE_RUNS[i, 2])])
        for kind in range(int(TYPE_RUNS[i, 0]), int(TYPE_RUNS[i, 1])):
            out[to + kind] = (int(FLAT_POINTS[kind]) + rate) * scale
    for i in range(N_RATED):
        kind, counted = int(RATED[i]), int(RATE_OF[int(RATED[i])])
        if kind < row[KINDS]:
            count = int(row[block + COUNTS + counted]) + (1 if counted == TYPE[kind] else 0)
            out[to + kind] += int(RATE[kind]) * count * scale
    if row[KINDS] > N_BASE_KINDS:
        for i in range(N_DUOS):
            kind, first, second = int(DUOS[i, 0]), int(DUOS[i, 2]), int(DUOS[i, 3])
            one = int(row[block + COUNTS + first]) + (1 if first == TYPE[kind] else 0)
            two = int(row[block + COUNTS + second]) + (1 if second == TYPE[kind] else 0)
            out[to + kind] += int(DUOS[i, 1]) * min(one, two) * scale


@rule
def encode_oldest(row: States, block: int, site: int, at: Offsets, out: Vector) -> None:
    """What is missing on the oldest copy of a kind."""
    kind = int(row[site + SITE_KIND])
    if at[_LEFT] >= 0:
        out[at[_LEFT] + kind] = row[site + SITE_LEFT] * SCALES[_LEFT]
    if at[_MISSING] >= 0:
        write_cells(row, site + SITE_MISSING, N_SPACES, out, at[_MISSING] + kind * N_SPACES, SCALES[_MISSING])


@rule
def encode_construction(row: States, block: int, at: Offsets, out: Vector) -> None:
    """By kind: what is missing and what takes the cube or token to be placed; production with all built."""
    space = int(row[block + HELD]) - 1
    if space < 0 and row[block + LOOSE] > 0:
        space = int(row[block + LOOSE_RESOURCE])
    encode_slated_production(row, block, out, at[_PRODUCTION_SLATED])
    site, before = block + SITE_AT, -1
    for _ in range(int(row[block + N_SITES])):
        kind = int(row[site + SITE_KIND])
        if space >= 0 and row[site + SITE_MISSING + space] > 0:
            out[at[_ACCEPTS] + kind] = 1
        if kind != before:
            encode_oldest(row, block, site, at, out)
        if PER_RESOURCE[kind] >= 0:
            counted = int(PER_TYPE[kind])
            made = int(row[block + TYPES_BUILT + counted]) + int(row[block + TYPES_SLATED + counted])
            out[at[_PRODUCTION_SLATED] + int(PER_RESOURCE[kind])] += made * SCALES[_PRODUCTION_SLATED]
        before = kind
        site += SITE


@rule
def encode_slated_production(row: States, block: int, out: Vector, to: int) -> None:
    """Production with everything under construction built, but for what that counts per type itself."""
    for resource in range(N_RESOURCES):
        made = int(row[block + SEAT_PRODUCTION + resource]) + int(row[block + SLATED_PRODUCTION + resource])
        for of_type in range(N_TYPES):
            rate = int(row[block + PER_TYPE_NOW + resource * N_TYPES + of_type])
            made += rate * int(row[block + TYPES_SLATED + of_type])
        out[to + resource] = made * SCALES[_PRODUCTION_SLATED]


@rule
def encode_own(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """The seat itself."""
    block = find_seat(row, seat)
    out[at[_OWN_EMPIRE] + int(row[block + EMPIRE]) // N_SIDES] = 1
    out[at[_ACTED]] = row[ACTED + seat]
    if row[block + HELD] > 0:
        out[at[_HELD] + int(row[block + HELD]) - 1] = 1
    encode_loose(row, block, out, at[_OWN_LOOSE])
    out[at[_OWN_CHOOSE]] = row[block + MUST_CHOOSE]
    start = block + TOKENS
    write_cells(row, start, 3, out, at[_OWN_TOKENS], SCALES[_OWN_TOKENS])
    out[at[_OWN_CUBES]] = row[block + EMPIRE_CUBES] * SCALES[_OWN_CUBES]
    start = block + SEAT_PRODUCTION
    write_cells(row, start, N_RESOURCES, out, at[_OWN_PRODUCTION], SCALES[_OWN_PRODUCTION])
    start = block + TYPES_BUILT
    write_cells(row, start, N_TYPES, out, at[_OWN_TYPES], SCALES[_OWN_TYPES])
    write_cells(row, block + POINT_RATE, 7, out, at[_OWN_RATE], SCALES[_OWN_RATE])
    out[at[_OWN_POINTS]] = score_seat(row, block) * SCALES[_OWN_POINTS]
    write_cells(row, block + OPEN, N_SPACES, out, at[_OWN_OPEN], SCALES[_OWN_OPEN])
    encode_hand(row, seat, block, at, out)
    built = find_built(row, block)
    write_cells(row, built, int(row[KINDS]), out, at[_OWN_BUILT], SCALES[_OWN_BUILT])
    encode_sites(row, block, out, at[_OWN_SLATED], at[_OWN_SITES])
    encode_construction(row, block, at, out)
    encode_worth(row, block, at, out)
