"""What cards would score: every kind if it were built now, and once all that is slated is built.

It is worked out in observations, not in rows: the counts and rates that a seat has stand there already,
times a scale of 1/8, and so do those that its slated cards would add.
"""

from __future__ import annotations

import numpy as np

from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined
from iaww_env.engine.observe import pieces
from iaww_env.engine.observe.cells import Vector
from iaww_env.engine.observe.pieces import SCALES, Offsets
from iaww_env.engine.row import count_duos, find_built
from iaww_env.errors import FactsError

Number = np.float32
Sevens = tuple[Number, Number, Number, Number, Number, Number, Number]


if facts.N_COUNTED != 7:
    raise FactsError(
        f"points are paid for {facts.N_COUNTED} things, and what cards are worth is written out for 7"
    )
GENERAL, FINANCIER = facts.N_TYPES, facts.N_TYPES + 1
RAW = np.float32(1 / SCALES[pieces.TYPES_BUILT])
COPIES_PER_UNIT = np.float32(1 / SCALES[pieces.SLATED])
_ALL = np.arange(len(facts.TYPE))

# What a kind brings of each thing that points are paid for: its type, generals, financiers.
BRINGS = np.zeros((facts.N_COUNTED, len(facts.TYPE)), np.float32)
BRINGS[facts.TYPE, _ALL] = 1
BRINGS[GENERAL], BRINGS[FINANCIER] = facts.BONUS[:, 1], facts.BONUS[:, 2]
# What it pays for each of them.
PAYS = np.zeros((facts.N_COUNTED, len(facts.TYPE)), np.float32)
PAYS[facts.RATE_OF[facts.RATE_OF >= 0], _ALL[facts.RATE_OF >= 0]] = facts.RATE[facts.RATE_OF >= 0]
# What it scores by itself, scaled: flat points, characters, and its rate paid for what it brings.
_OWN_RATE = (PAYS * BRINGS).sum(axis=0)
ALONE = (
    (facts.FLAT_POINTS + facts.BONUS[:, 1] + facts.BONUS[:, 2] + _OWN_RATE) * SCALES[pieces.WORTH]
).astype(np.float32)
# Of each duo: how many of its two things its own kind brings, scaled.
_FIRST, _SECOND = BRINGS[facts.DUOS[:, 2], facts.DUOS[:, 0]], BRINGS[facts.DUOS[:, 3], facts.DUOS[:, 0]]
DUO_BRINGS = np.stack([_FIRST, _SECOND], axis=1) * SCALES[pieces.TYPES_BUILT]
for _table in (BRINGS, PAYS, ALONE, DUO_BRINGS):
    _table.flags.writeable = False


@inlined
def read_sevens(out: Vector, a: int) -> Sevens:
    """The counts or rates of the seven things that stand at a place."""
    return out[a], out[a + 1], out[a + 2], out[a + 3], out[a + 4], out[a + 5], out[a + 6]


@inlined
def add_sevens(one: Sevens, two: Sevens) -> Sevens:
    """Both together, thing by thing."""
    first = (one[0] + two[0], one[1] + two[1], one[2] + two[2], one[3] + two[3])
    return (*first, one[4] + two[4], one[5] + two[5], one[6] + two[6])


@inlined
def multiply_sevens(one: Sevens, two: Sevens) -> Number:
    """The sum of the products, thing by thing: the points that rates pay for counts."""
    first = one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3]
    return first + one[4] * two[4] + one[5] * two[5] + one[6] * two[6]


@inlined
def write_worth(kinds: int, counts: Sevens, rates: Sevens, out: Vector, to: int) -> None:
    """What every kind scores by itself, is paid for what there is, and adds to the rates there are."""
    if to >= 0:  # known to be no wrap-around: the compiler can work out many at once
        for k in range(kinds):
            paid = counts[0] * PAYS[0, k] + counts[1] * PAYS[1, k] + counts[2] * PAYS[2, k]
            paid += counts[3] * PAYS[3, k] + counts[4] * PAYS[4, k]
            paid += counts[5] * PAYS[5, k] + counts[6] * PAYS[6, k]
            paid += rates[0] * BRINGS[0, k] + rates[1] * BRINGS[1, k] + rates[2] * BRINGS[2, k]
            paid += rates[3] * BRINGS[3, k] + rates[4] * BRINGS[4, k]
            paid += rates[5] * BRINGS[5, k] + rates[6] * BRINGS[6, k]
            out[to + k] = ALONE[k] + paid


@inlined
def pay_pairs(kinds: int, duo: int, copies: Number, one: Number, two: Number, out: Vector, to: int) -> None:
    """So many copies of a duo are there: kinds that bring the thing it lacks are worth more."""
    scale, paid = SCALES[pieces.TYPES_BUILT], copies * np.float32(facts.DUOS[duo, 1])
    lacking, other = int(facts.DUOS[duo, 2]), int(facts.DUOS[duo, 3])
    if two < one:
        lacking, other = other, lacking
    ahead = abs(two - one)
    for k in range(kinds):
        if BRINGS[lacking, k] > 0:
            out[to + k] += paid * min(BRINGS[lacking, k] * scale, ahead + BRINGS[other, k] * scale)


@inlined
def encode_duos(row: States, at: int, where: Offsets, out: Vector) -> Number:
    """Duos in both worths; returns the points, scaled, that they would score more with all slated built."""
    gained = np.float32(0)
    counts, more, slated = where[pieces.TYPES_BUILT], where[pieces.TYPES_SLATED], where[pieces.SLATED]
    for duo in range(count_duos(row)):
        kind, first, second = int(facts.DUOS[duo, 0]), int(facts.DUOS[duo, 2]), int(facts.DUOS[duo, 3])
        points = np.float32(facts.DUOS[duo, 1])
        one, two = out[counts + first], out[counts + second]
        one_then, two_then = one + out[more + first], two + out[more + second]
        out[where[pieces.WORTH] + kind] += points * min(one + DUO_BRINGS[duo, 0], two + DUO_BRINGS[duo, 1])
        pairs = min(one_then + DUO_BRINGS[duo, 0], two_then + DUO_BRINGS[duo, 1])
        out[where[pieces.WORTH_THEN] + kind] += points * pairs
        built = np.float32(row[find_built(row, at) + kind])
        copies = built + out[slated + kind] * COPIES_PER_UNIT
        if built > 0:
            pay_pairs(int(row[fields.KINDS]), duo, built, one, two, out, where[pieces.WORTH])
        if copies > 0:
            pay_pairs(int(row[fields.KINDS]), duo, copies, one_then, two_then, out, where[pieces.WORTH_THEN])
            gained += points * (copies * min(one_then, two_then) - built * min(one, two))
    return gained


@inlined
def encode_worth(row: States, at: int, flat: Number, where: Offsets, out: Vector) -> None:
    """Worth of every kind now and with all slated built, which scores `flat` points by itself."""
    kinds = int(row[fields.KINDS])
    counts, rates = read_sevens(out, where[pieces.TYPES_BUILT]), read_sevens(out, where[pieces.POINT_RATE])
    more, rates_more = (
        read_sevens(out, where[pieces.TYPES_SLATED]),
        read_sevens(out, where[pieces.POINT_RATE_SLATED]),
    )
    then = add_sevens(counts, more)
    write_worth(kinds, counts, rates, out, where[pieces.WORTH])
    write_worth(kinds, then, add_sevens(rates, rates_more), out, where[pieces.WORTH_THEN])
    paid = multiply_sevens(rates, more) + multiply_sevens(rates_more, then)
    # Rates and counts are both scaled, and characters score a point each.
    gained = flat + paid * RAW * RAW + (more[GENERAL] + more[FINANCIER]) * RAW
    if count_duos(row) > 0:
        gained += encode_duos(row, at, where, out) * RAW
    out[where[pieces.POINTS_THEN]] = out[where[pieces.POINTS]] + gained * SCALES[pieces.POINTS]
