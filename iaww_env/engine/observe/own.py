"""The encoder of a seat itself: all that it holds."""

from __future__ import annotations

import numpy as np

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined
from iaww_env.engine.observe import pieces
from iaww_env.engine.observe.cells import (
    Vector,
    count_kinds,
    encode_loose,
    write_cells,
)
from iaww_env.engine.observe.pieces import SCALES, Offsets
from iaww_env.engine.observe.worth import encode_worth
from iaww_env.engine.row import find_built, find_pack, find_seat
from iaww_env.engine.rules.production import count_production
from iaww_env.engine.rules.scoring import score_seat


@inlined
def encode_hand(row: States, seat: int, at: int, where: Offsets, out: Vector) -> None:
    """Cards to pick from, and cards to slate or recycle; an unrevealed pick lies drafted already."""
    scale = SCALES[pieces.HAND]
    if row[fields.PHASE] == rulebook.DRAFT:
        count_kinds(row, find_pack(row, seat), int(row[fields.PACK_SIZE]), out, where[pieces.HAND], scale)
        if row[at + fields.PICKED] > 0:
            kind = int(row[at + fields.PICKED]) - 1
            out[where[pieces.HAND] + kind] -= scale
            out[where[pieces.DRAFTED] + kind] += scale
            if where[pieces.PICKED] >= 0:
                out[where[pieces.PICKED]] = (kind + 1) * SCALES[pieces.PICKED]
    elif row[fields.PLAYERS] == 1:
        count_kinds(row, fields.PACKS_AT, int(row[fields.PACK_SIZE]), out, where[pieces.HAND], scale)
    count_kinds(row, at + fields.DRAFTED, int(row[at + fields.N_DRAFTED]), out, where[pieces.DRAFTED], scale)


@inlined
def encode_coming(row: States, at: int, where: Offsets, out: Vector) -> None:
    """What the production steps still to come in this round would make as things stand."""
    if row[fields.PHASE] == rulebook.OVER:
        return
    first = int(row[fields.STEP]) + 1 if row[fields.PHASE] == rulebook.PRODUCTION else 0
    for resource in range(first, facts.N_RESOURCES):
        made = count_production(row, at, resource)
        out[where[pieces.COMING] + resource] = made * SCALES[pieces.COMING]


@inlined
def write_production_then(row: States, at: int, out: Vector, to: int) -> None:
    """Production with all slated built, but for what these cards would make per type."""
    for resource in range(facts.N_RESOURCES):
        made = int(row[at + fields.PRODUCTION + resource]) + int(
            row[at + fields.SLATED_PRODUCTION + resource]
        )
        for of_type in range(facts.N_TYPES):
            rate = int(row[at + fields.PER_TYPE + resource * facts.N_TYPES + of_type])
            made += rate * int(row[at + fields.TYPES_SLATED + of_type])
        out[to + resource] = made * SCALES[pieces.PRODUCTION_THEN]


@inlined
def add_per_type(row: States, at: int, kind: int, out: Vector, to: int) -> None:
    """What a card under construction would make per type with all slated built."""
    if facts.PER_RESOURCE[kind] >= 0:
        counted = int(facts.PER_TYPE[kind])
        made = int(row[at + fields.TYPES_BUILT + counted]) + int(row[at + fields.TYPES_SLATED + counted])
        out[to + int(facts.PER_RESOURCE[kind])] += made * SCALES[pieces.PRODUCTION_THEN]


@inlined
def encode_site(row: States, at: int, site: int, space: int, where: Offsets, out: Vector) -> None:
    """A card under construction: what takes the cube or token to be placed, and what the card will bring."""
    kind = int(row[site + fields.SITE_KIND])
    out[where[pieces.SLATED] + kind] += SCALES[pieces.SLATED]
    if space >= 0:
        out[where[pieces.ACCEPTS] + kind] += row[site + fields.SITE_MISSING + space] * SCALES[pieces.ACCEPTS]
    for token in range(2):
        out[where[pieces.TOKENS_SLATED] + token] += (
            facts.BONUS[kind, 1 + token] * SCALES[pieces.TOKENS_SLATED]
        )
    out[where[pieces.TOKENS_SLATED] + 2] += facts.BONUS[kind, 0] * SCALES[pieces.TOKENS_SLATED]
    if facts.RATE_OF[kind] >= 0:
        out[where[pieces.POINT_RATE_SLATED] + int(facts.RATE_OF[kind])] += (
            facts.RATE[kind] * SCALES[pieces.POINT_RATE_SLATED]
        )
    add_per_type(row, at, kind, out, where[pieces.PRODUCTION_THEN])


@inlined
def encode_missing(row: States, site: int, i: int, oldest: bool, where: Offsets, out: Vector) -> None:
    """What is missing on the i-th card under construction, and by kind on its oldest copy."""
    kind = int(row[site + fields.SITE_KIND])
    if where[pieces.LEFT] >= 0 and oldest:
        out[where[pieces.LEFT] + kind] = row[site + fields.SITE_LEFT] * SCALES[pieces.LEFT]
    if where[pieces.MISSING] >= 0 and oldest:
        to = where[pieces.MISSING] + kind * facts.N_SPACES
        write_cells(row, site + fields.SITE_MISSING, facts.N_SPACES, out, to, SCALES[pieces.MISSING])
    if where[pieces.SITE_KIND] >= 0:
        out[where[pieces.SITE_KIND] + i] = (kind + 1) * SCALES[pieces.SITE_KIND]
        to = where[pieces.SITE_MISSING] + i * facts.N_SPACES
        write_cells(row, site + fields.SITE_MISSING, facts.N_SPACES, out, to, SCALES[pieces.SITE_MISSING])


@inlined
def encode_construction(row: States, at: int, where: Offsets, out: Vector) -> int:
    """The cards under construction; returns the points printed on them."""
    space = int(row[at + fields.HELD]) - 1
    if space < 0 and row[at + fields.LOOSE] > 0:
        space = int(row[at + fields.LOOSE_RESOURCE])
    site, before, flat = at + fields.SITE, -1, 0
    for i in range(int(row[at + fields.N_SITES])):
        kind = int(row[site + fields.SITE_KIND])
        flat += int(facts.FLAT_POINTS[kind])
        encode_site(row, at, site, space, where, out)
        encode_missing(row, site, i, kind != before, where, out)
        before = kind
        site += fields.SITE_SIZE
    return flat


@inlined
def encode_holdings(row: States, at: int, where: Offsets, out: Vector) -> None:
    """Empire, cubes, tokens, production, types and rates."""
    out[where[pieces.EMPIRE] + int(row[at + fields.EMPIRE]) // facts.N_SIDES] = 1
    if row[at + fields.HELD] > 0:
        out[where[pieces.HELD] + int(row[at + fields.HELD]) - 1] = 1
    encode_loose(row, at, out, where[pieces.LOOSE])
    out[where[pieces.MUST_CHOOSE]] = row[at + fields.MUST_CHOOSE]
    out[where[pieces.EMPIRE_CUBES]] = row[at + fields.EMPIRE_CUBES] * SCALES[pieces.EMPIRE_CUBES]
    write_cells(
        row,
        at + fields.PRODUCTION,
        facts.N_RESOURCES,
        out,
        where[pieces.PRODUCTION],
        SCALES[pieces.PRODUCTION],
    )
    write_production_then(row, at, out, where[pieces.PRODUCTION_THEN])
    encode_coming(row, at, where, out)
    write_cells(
        row,
        at + fields.TYPES_BUILT,
        facts.N_TYPES + facts.N_TOKENS,
        out,
        where[pieces.TYPES_BUILT],
        SCALES[pieces.TYPES_BUILT],
    )
    write_cells(
        row,
        at + fields.TYPES_SLATED,
        facts.N_TYPES,
        out,
        where[pieces.TYPES_SLATED],
        SCALES[pieces.TYPES_SLATED],
    )
    write_cells(
        row,
        at + fields.POINT_RATE,
        facts.N_COUNTED + facts.N_SPACES,
        out,
        where[pieces.POINT_RATE],
        SCALES[pieces.POINT_RATE],
    )


@inlined
def encode_own(row: States, seat: int, where: Offsets, out: Vector) -> None:
    """The seat itself."""
    at = find_seat(row, seat)
    out[where[pieces.ACTED]] = row[fields.ACTED + seat]
    encode_holdings(row, at, where, out)
    encode_hand(row, seat, at, where, out)
    write_cells(
        row,
        find_built(row, at),
        int(row[fields.KINDS]),
        out,
        where[pieces.BUILT],
        SCALES[pieces.BUILT],
    )
    flat = encode_construction(row, at, where, out)
    out[where[pieces.POINTS]] = score_seat(row, at) * SCALES[pieces.POINTS]
    encode_worth(row, at, np.float32(flat), where, out)
