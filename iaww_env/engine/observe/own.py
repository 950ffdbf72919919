"""The encoder of a seat itself: all that it holds."""

from __future__ import annotations

import numpy as np

from iaww_env.engine.facts import (
    BONUS,
    FLAT_POINTS,
    N_COUNTED,
    N_RESOURCES,
    N_SIDES,
    N_SPACES,
    N_TYPES,
    PER_RESOURCE,
    PER_TYPE,
    RATE,
    RATE_OF,
)
from iaww_env.engine.fields import (
    ACTED,
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
    OVER,
    PACK_SIZE,
    PACKS_AT,
    PER_TYPE_NOW,
    PHASE,
    PICKED,
    PLAYERS,
    POINT_RATE,
    PRODUCTION,
    SEAT_PRODUCTION,
    SITE,
    SITE_AT,
    SITE_KIND,
    SITE_LEFT,
    SITE_MISSING,
    SLATED_PRODUCTION,
    STEP,
    TYPES_BUILT,
    TYPES_SLATED,
    States,
)
from iaww_env.engine.jit import rule
from iaww_env.engine.observe.cells import (
    Vector,
    count_kinds,
    encode_loose,
    write_cells,
)
from iaww_env.engine.observe.pieces import SCALES, Offsets, find_piece
from iaww_env.engine.observe.worth import encode_worth
from iaww_env.engine.rules.construction import find_built
from iaww_env.engine.rules.deal import find_seat
from iaww_env.engine.rules.draft import find_pack
from iaww_env.engine.rules.scoring import score_seat

_EMPIRE = find_piece("empire")
_ACTED = find_piece("acted")
_HELD = find_piece("held")
_LOOSE = find_piece("loose")
_CHOOSE = find_piece("must_choose")
_CUBES = find_piece("empire_cubes")
_PRODUCTION = find_piece("production")
_PRODUCTION_THEN = find_piece("production_then")
_COMING = find_piece("coming")
_TYPES_BUILT = find_piece("types_built")
_TYPES_SLATED = find_piece("types_slated")
_TOKENS_SLATED = find_piece("tokens_slated")
_RATE = find_piece("point_rate")
_RATE_SLATED = find_piece("point_rate_slated")
_POINTS = find_piece("points")
_PICKED = find_piece("picked")
_HAND = find_piece("hand")
_DRAFTED = find_piece("drafted")
_BUILT = find_piece("built")
_SLATED = find_piece("slated")
_LEFT = find_piece("left")
_ACCEPTS = find_piece("accepts")
_MISSING = find_piece("missing")
_SITE_KIND = find_piece("site_kind")
_SITE_MISSING = find_piece("site_missing")


@rule
def encode_hand(row: States, seat: int, block: int, at: Offsets, out: Vector) -> None:
    """Cards to pick from, and cards to slate or recycle; an unrevealed pick lies drafted already."""
    scale = SCALES[_HAND]
    if row[PHASE] == DRAFT:
        count_kinds(row, find_pack(row, seat), int(row[PACK_SIZE]), out, at[_HAND], scale)
        if row[block + PICKED] > 0:
            kind = int(row[block + PICKED]) - 1
            out[at[_HAND] + kind] -= scale
            out[at[_DRAFTED] + kind] += scale
            if at[_PICKED] >= 0:
                out[at[_PICKED]] = (kind + 1) * SCALES[_PICKED]
    elif row[PLAYERS] == 1:
        count_kinds(row, PACKS_AT, int(row[PACK_SIZE]), out, at[_HAND], scale)
    count_kinds(row, block + DRAFTED_AT, int(row[block + N_DRAFTED]), out, at[_DRAFTED], scale)


@rule
def encode_coming(row: States, block: int, at: Offsets, out: Vector) -> None:
    """What the production steps still to come in this round would make as things stand."""
    if row[PHASE] == OVER:
        return
    first = int(row[STEP]) + 1 if row[PHASE] == PRODUCTION else 0
    for resource in range(first, N_RESOURCES):
        made = max(0, int(row[block + SEAT_PRODUCTION + resource]))
        out[at[_COMING] + resource] = made * SCALES[_COMING]


@rule
def write_production_then(row: States, block: int, out: Vector, to: int) -> None:
    """Production with all slated built, but for what these cards would make per type."""
    for resource in range(N_RESOURCES):
        made = int(row[block + SEAT_PRODUCTION + resource]) + int(row[block + SLATED_PRODUCTION + resource])
        for of_type in range(N_TYPES):
            rate = int(row[block + PER_TYPE_NOW + resource * N_TYPES + of_type])
            made += rate * int(row[block + TYPES_SLATED + of_type])
        out[to + resource] = made * SCALES[_PRODUCTION_THEN]


@rule
def add_per_type(row: States, block: int, kind: int, out: Vector, to: int) -> None:
    """What a card under construction would make per type with all slated built."""
    if PER_RESOURCE[kind] >= 0:
        counted = int(PER_TYPE[kind])
        made = int(row[block + TYPES_BUILT + counted]) + int(row[block + TYPES_SLATED + counted])
        out[to + int(PER_RESOURCE[kind])] += made * SCALES[_PRODUCTION_THEN]


@rule
def encode_site(row: States, block: int, site: int, space: int, at: Offsets, out: Vector) -> None:
    """A card under construction: what takes the cube or token to be placed, and what the card will bring."""
    kind = int(row[site + SITE_KIND])
    out[at[_SLATED] + kind] += SCALES[_SLATED]
    if space >= 0:
        out[at[_ACCEPTS] + kind] += row[site + SITE_MISSING + space] * SCALES[_ACCEPTS]
    for token in range(2):
        out[at[_TOKENS_SLATED] + token] += BONUS[kind, 1 + token] * SCALES[_TOKENS_SLATED]
    out[at[_TOKENS_SLATED] + 2] += BONUS[kind, 0] * SCALES[_TOKENS_SLATED]
    if RATE_OF[kind] >= 0:
        out[at[_RATE_SLATED] + int(RATE_OF[kind])] += RATE[kind] * SCALES[_RATE_SLATED]
    add_per_type(row, block, kind, out, at[_PRODUCTION_THEN])


@rule
def encode_missing(row: States, site: int, i: int, oldest: bool, at: Offsets, out: Vector) -> None:
    """What is missing on the i-th card under construction, and by kind on its oldest copy."""
    kind = int(row[site + SITE_KIND])
    if at[_LEFT] >= 0 and oldest:
        out[at[_LEFT] + kind] = row[site + SITE_LEFT] * SCALES[_LEFT]
    if at[_MISSING] >= 0:
        out[at[_SITE_KIND] + i] = (kind + 1) * SCALES[_SITE_KIND]
        to = at[_SITE_MISSING] + i * N_SPACES
        write_cells(row, site + SITE_MISSING, N_SPACES, out, to, SCALES[_SITE_MISSING])
        if oldest:
            to = at[_MISSING] + kind * N_SPACES
            write_cells(row, site + SITE_MISSING, N_SPACES, out, to, SCALES[_MISSING])


@rule
def encode_construction(row: States, block: int, at: Offsets, out: Vector) -> int:
    """The cards under construction; returns the points printed on them."""
    space = int(row[block + HELD]) - 1
    if space < 0 and row[block + LOOSE] > 0:
        space = int(row[block + LOOSE_RESOURCE])
    site, before, flat = block + SITE_AT, -1, 0
    for i in range(int(row[block + N_SITES])):
        kind = int(row[site + SITE_KIND])
        flat += int(FLAT_POINTS[kind])
        encode_site(row, block, site, space, at, out)
        encode_missing(row, site, i, kind != before, at, out)
        before = kind
        site += SITE
    return flat


@rule
def encode_holdings(row: States, block: int, at: Offsets, out: Vector) -> None:
    """Empire, cubes, tokens, production, types and rates."""
    out[at[_EMPIRE] + int(row[block + EMPIRE]) // N_SIDES] = 1
    if row[block + HELD] > 0:
        out[at[_HELD] + int(row[block + HELD]) - 1] = 1
    encode_loose(row, block, out, at[_LOOSE])
    out[at[_CHOOSE]] = row[block + MUST_CHOOSE]
    out[at[_CUBES]] = row[block + EMPIRE_CUBES] * SCALES[_CUBES]
    write_cells(row, block + SEAT_PRODUCTION, N_RESOURCES, out, at[_PRODUCTION], SCALES[_PRODUCTION])
    write_production_then(row, block, out, at[_PRODUCTION_THEN])
    encode_coming(row, block, at, out)
    write_cells(row, block + TYPES_BUILT, N_TYPES + 3, out, at[_TYPES_BUILT], SCALES[_TYPES_BUILT])
    write_cells(row, block + TYPES_SLATED, N_TYPES, out, at[_TYPES_SLATED], SCALES[_TYPES_SLATED])
    write_cells(row, block + POINT_RATE, N_COUNTED + N_SPACES, out, at[_RATE], SCALES[_RATE])


@rule
def encode_own(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """The seat itself."""
    block = find_seat(row, seat)
    out[at[_ACTED]] = row[ACTED + seat]
    encode_holdings(row, block, at, out)
    encode_hand(row, seat, block, at, out)
    write_cells(row, find_built(row, block), int(row[KINDS]), out, at[_BUILT], SCALES[_BUILT])
    flat = encode_construction(row, block, at, out)
    out[at[_POINTS]] = score_seat(row, block) * SCALES[_POINTS]
    encode_worth(row, block, np.float32(flat), at, out)
