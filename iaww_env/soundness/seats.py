"""The seats: cards under construction, what built cards add up to, and what waits to be decided.

Each seat stands in a row twice, as it is and as the others last saw it; both must be sound, for a search may
put the one in the place of the other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.cards import SIDES
from iaww_env.config import GameConfig
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States, find_layout
from iaww_env.soundness.bounds import refuse_unless
from iaww_env.soundness.table import Counts, Table, is_ascending

# Facts by kind as wide numbers, and "per type" production as one column for each resource and type.
WIDE = {name: getattr(facts, name).astype(np.int64) for name in ("PRODUCTION", "COST", "FLAT_POINTS")}
TYPES = np.eye(facts.N_TYPES, dtype=np.int64)[facts.TYPE]
_PAIRS = facts.PER_RESOURCE.astype(int) * facts.N_TYPES + facts.PER_TYPE
PER_TYPE = np.eye(facts.N_RESOURCES * facts.N_TYPES, dtype=np.int64)[_PAIRS] * (facts.PER_TYPE >= 0)[:, None]
RATES = np.eye(facts.N_COUNTED, dtype=np.int64)[facts.RATE_OF] * facts.RATE[:, None]
EMPIRE_RATES = np.eye(facts.N_COUNTED, dtype=np.int64)[facts.EMPIRE_RATE_OF] * facts.EMPIRE_RATE[:, None]


class Blocks:
    """The blocks of all seats, first as they stand, then as last seen: (2 x seats, ...) in every window."""

    def __init__(self, config: GameConfig, row: States) -> None:
        """Lay windows over the blocks."""
        layout = find_layout(config)
        self.config, self.n, self.kinds = config, config.players, config.kinds
        self.cells = row[layout.seats_at : layout.decks_at].reshape(2 * self.n, layout.seat_size)
        cells = self.cells.astype(np.int64)
        built_at = fields.SITE + layout.sites * fields.SITE_SIZE
        self.sites = cells[:, fields.SITE : built_at].reshape(2 * self.n, layout.sites, fields.SITE_SIZE)
        self.built = cells[:, built_at : built_at + self.kinds]
        self.discarded = cells[:, built_at + self.kinds :]
        self.drafted = cells[:, fields.DRAFTED : fields.SITE]
        self.open = cells[:, fields.OPEN : fields.OPEN + facts.N_SPACES]
        self.counts = cells[:, fields.COUNTS : fields.COUNTS + facts.N_COUNTED]
        self.tokens = cells[:, fields.TOKENS : fields.TOKENS + facts.N_TOKENS]
        self.production = cells[:, fields.PRODUCTION : fields.PER_TYPE]
        self.n_drafted, self.n_sites = cells[:, fields.N_DRAFTED], cells[:, fields.N_SITES]
        self.n_built, self.empire = cells[:, fields.N_BUILT], cells[:, fields.EMPIRE]
        self.loose, self.resource = cells[:, fields.LOOSE], cells[:, fields.LOOSE_RESOURCE]
        self.held, self.must_choose = cells[:, fields.HELD], cells[:, fields.MUST_CHOOSE]
        self.shown = cells[:, fields.SHOWN_POINTS]
        self.wide = cells

    def cut(self, first: int, length: int) -> Counts:
        """So many cells of every block."""
        return self.wide[:, first : first + length]

    def take(self, which: slice) -> Blocks:
        """Some of the blocks alone."""
        part = Blocks.__new__(Blocks)
        part.__dict__.update(
            {name: one[which] if isinstance(one, np.ndarray) else one for name, one in self.__dict__.items()}
        )
        return part


def check_blocks(table: Table, blocks: Blocks) -> None:
    """Every seat, as it stands and as last seen, is one of a game."""
    n = blocks.n
    if table.is_draft and table.round == 1:  # nothing has been shown yet
        empty = np.zeros_like(blocks.cells[n:])
        empty[:, fields.DRAFTED : fields.SITE] = -1
        refuse_unless(np.array_equal(blocks.cells[n:], empty), "seats were seen before anything was shown")
        sound = blocks.take(slice(n))
    else:
        refuse_unless(np.array_equal(blocks.empire[:n], blocks.empire[n:]), "an empire has changed")
        sound = blocks
    check_empires(blocks)
    check_sites(sound)
    check_account(sound)
    check_drafted(sound)
    check_tokens(sound)
    check_phase(table, blocks)
    check_points(table, blocks)


# --- Cards of a seat -------------------------------------------------------------------------------


def check_empires(blocks: Blocks) -> None:
    """Empires are distinct, of the card pool, and lie on the side that is played (ruling 12)."""
    empires, sides = np.divmod(blocks.empire[: blocks.n], facts.N_SIDES)
    most = facts.N_EMPIRES if blocks.config.ascension else facts.N_BASE_EMPIRES
    side = SIDES.index(str(blocks.config.empire_side))
    refuse_unless((sides == side).all() and (empires < most).all(), "an empire that is not played")
    refuse_unless(len(set(empires.tolist())) == blocks.n, "two seats have one empire")


def check_sites(blocks: Blocks) -> None:
    """Cards under construction lie in order, numbered by age, and their open spaces are summed up."""
    sites, size = blocks.sites, blocks.sites.shape[1]
    lies = np.arange(size) < blocks.n_sites[:, None]
    refuse_unless(not sites[~lies].any(), "cells behind the last card under construction")
    kind, left = sites[..., fields.SITE_KIND], sites[..., fields.SITE_LEFT]
    missing = sites[..., fields.SITE_MISSING :]
    refuse_unless((kind < blocks.kinds).all(), "a card under construction that is not in the card pool")
    last_first = np.where(lies, kind, blocks.kinds)
    refuse_unless(is_ascending(last_first), "cards under construction are out of order")
    cost = WIDE["COST"][kind] * lies[..., None]
    refuse_unless(((missing >= 0) & (missing <= cost)).all(), "more is missing of a card than it costs")
    refuse_unless((left == missing.sum(axis=2)).all(), "what is missing of a card is not summed up")
    refuse_unless((left[lies] > 0).all(), "a card under construction lacks nothing")
    same = (kind[:, :, None] == kind[:, None, :]) & np.tri(size, k=-1, dtype=np.bool_)  # older copies
    same &= lies[:, :, None] & lies[:, None, :]
    number = facts.FIRST_CARD[kind] * lies + same.sum(axis=2)
    refuse_unless((sites[..., fields.SITE_CARD] == number).all(), "copies are numbered otherwise")
    equal = same & (missing[:, :, None] == missing[:, None, :]).all(axis=3)
    refuse_unless((sites[..., fields.SITE_TWIN] == equal.any(axis=2)).all(), "copies that are equal")
    refuse_unless((blocks.open == missing.sum(axis=1)).all(), "open spaces are not summed up")
    types = (TYPES[kind] * lies[..., None]).sum(axis=1)
    refuse_unless((blocks.cut(fields.TYPES_SLATED, facts.N_TYPES) == types).all(), "types under construction")
    made = (WIDE["PRODUCTION"][kind] * lies[..., None]).sum(axis=1)
    counted = blocks.cut(fields.SLATED_PRODUCTION, facts.N_RESOURCES)
    refuse_unless((counted == made).all(), "production under construction")


def check_account(blocks: Blocks) -> None:
    """What a seat makes, and is paid for, is what its empire and its built cards add up to."""
    built, k = blocks.built, blocks.kinds
    types = built @ TYPES[:k]
    refuse_unless((blocks.n_built == built.sum(axis=1)).all(), "built cards are not summed up")
    refuse_unless((blocks.counts[:, : facts.N_TYPES] == types).all(), "types of built cards")
    per_type = (built @ PER_TYPE[:k]).reshape(-1, facts.N_RESOURCES, facts.N_TYPES)
    counted = blocks.cut(fields.PER_TYPE, facts.N_RESOURCES * facts.N_TYPES)
    refuse_unless((counted == per_type.reshape(len(built), -1)).all(), "production for each type")
    made = facts.EMPIRE_PRODUCTION[blocks.empire] + built @ WIDE["PRODUCTION"][:k]
    made = made + (per_type * types[:, None, :]).sum(axis=2)
    refuse_unless((blocks.production == made).all(), "production does not follow from the built cards")
    flat = blocks.wide[:, fields.FLAT_POINTS]
    refuse_unless((flat == built @ WIDE["FLAT_POINTS"][:k]).all(), "points of built cards")
    rates = EMPIRE_RATES[blocks.empire] + built @ RATES[:k]
    refuse_unless((blocks.cut(fields.POINT_RATE, facts.N_COUNTED) == rates).all(), "rates of points")


def check_drafted(blocks: Blocks) -> None:
    """Undecided cards ascend, as many as the seat says, and nothing lies behind them."""
    cards = blocks.drafted
    lies = np.arange(cards.shape[1]) < blocks.n_drafted[:, None]
    refuse_unless(((cards >= 0) == lies).all(), "drafted cards are not counted")
    refuse_unless((cards < blocks.kinds).all(), "a drafted card that is not in the card pool")
    refuse_unless(is_ascending(np.where(lies, cards, blocks.kinds)), "drafted cards are out of order")


# --- What waits to be decided ----------------------------------------------------------------------


def check_tokens(blocks: Blocks) -> None:
    """Loose cubes could all be placed, and the token in hand too (rulings 3 and 5)."""
    seats = np.arange(len(blocks.loose))
    spaces = blocks.open[seats, blocks.resource]
    refuse_unless((blocks.loose <= spaces).all(), "a loose cube has no open space")
    refuse_unless(((blocks.loose > 0) | (blocks.resource == 0)).all(), "a resource of cubes that are not")
    space = np.maximum(blocks.held - 1, 0)
    in_hand = blocks.held > 0
    sort = np.where(space < facts.FIRST_CHARACTER, facts.N_TOKENS - 1, space - facts.FIRST_CHARACTER)
    usable = (blocks.open[seats, space] > 0) & (blocks.tokens[seats, sort] > 0)
    refuse_unless((usable | ~in_hand).all(), "a token in hand that cannot be placed")
    refuse_unless(not (in_hand & (blocks.must_choose > 0)).any(), "a token in hand before the choice")


def check_phase(table: Table, blocks: Blocks) -> None:
    """What waits belongs to the phase; who has ended it owes nothing (rulings 8 and 10)."""
    n, wide = blocks.n, blocks.wide
    now, seen = blocks.take(slice(n)), blocks.take(slice(n, None))
    owes = now.loose + now.held + now.must_choose
    if table.is_draft or table.is_over:
        refuse_unless(not owes.any(), "nothing is placed or chosen in this phase")
    else:
        owes = owes + now.n_drafted
        ended = np.array(table.acted[:n]) > 0
        refuse_unless(not owes[ended].any(), "a seat that has ended the phase owes a decision")
    refuse_unless(not (seen.held.any() or wide[n:, fields.PICKED].any()), "a secret was shown")
    if table.is_draft:
        return
    refuse_unless(not wide[:n, fields.PICKED].any(), "picks are for the draft")
    if table.is_planning:
        refuse_unless(not blocks.must_choose.any(), "a choice is owed in planning")
        refuse_unless((now.loose <= 1).all() and not seen.loose.any(), "more than one cube is loose")
        hand = rulebook.POOL if table.config.solo else rulebook.PICKS
        refuse_unless((seen.n_drafted == hand).all(), "planning began with another hand")
    else:
        refuse_unless(not blocks.n_drafted.any(), "cards are undecided after planning")
    if table.is_production:
        check_step(table, blocks)
    if table.is_over:
        refuse_unless(np.array_equal(now.cells, seen.cells), "a game that is over is seen as it stands")


def check_step(table: Table, blocks: Blocks) -> None:
    """Loose cubes are what the step has made, and only supremacy in science leaves a choice (ruling 8)."""
    now, seen = blocks.take(slice(blocks.n)), blocks.take(slice(blocks.n, None))
    made = np.maximum(seen.production[:, table.step], 0)
    loose = np.minimum(made, seen.open[:, table.step])
    refuse_unless((seen.loose == loose).all() and (now.loose <= made).all(), "loose cubes and what was made")
    at_work = (blocks.loose == 0) | (blocks.resource == table.step)
    refuse_unless(at_work.all(), "loose cubes of another step")
    refuse_unless((now.must_choose <= seen.must_choose).all(), "a choice is owed that was not there")
    is_science = table.step == facts.SCIENCE
    refuse_unless(is_science or not blocks.must_choose.any(), "a choice is owed outside of science")


def check_points(table: Table, blocks: Blocks) -> None:
    """The points that others see are those as the phase began (in the draft they do not change)."""
    n = blocks.n
    points = score_blocks(blocks)
    if not table.is_draft:
        refuse_unless((blocks.shown[:n] == points[n:]).all(), "points as the others see them")
    else:
        refuse_unless((blocks.shown[:n] == points[:n]).all(), "points as the others see them")
    if not (table.is_draft and table.round == 1):
        refuse_unless((blocks.shown[n:] == points[n:]).all(), "points as the others saw them")


def score_blocks(blocks: Blocks) -> npt.NDArray[np.int64]:
    """What every block would score (ruling 11)."""
    rates = blocks.cut(fields.POINT_RATE, facts.N_COUNTED)
    points = blocks.wide[:, fields.FLAT_POINTS] + (rates * blocks.counts).sum(axis=1)
    points = points + blocks.counts[:, facts.N_TYPES :].sum(axis=1)  # a point for each character
    for kind, each, one, two in facts.DUOS.tolist():
        if kind < blocks.kinds:
            pairs = np.minimum(blocks.counts[:, one], blocks.counts[:, two])
            points = points + blocks.built[:, kind] * each * pairs
    return np.asarray(points)


def count_cards(blocks: Blocks) -> Counts:
    """(blocks, kinds) all cards of each block: undecided, under construction, built, discarded."""
    kinds = np.arange(blocks.kinds)
    lies = np.arange(blocks.sites.shape[1]) < blocks.n_sites[:, None]
    under = np.where(lies, blocks.sites[..., fields.SITE_KIND], -1)
    sites = (under[:, :, None] == kinds).sum(axis=1)
    drafted = (blocks.drafted[:, :, None] == kinds).sum(axis=1)
    return np.asarray(sites + drafted + blocks.built + blocks.discarded)
