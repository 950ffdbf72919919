"""The state tensor: every field is declared here once, and nowhere else does a number say where it lies.

A row is one game: the table, the packs, the seats, the seats as everybody last saw them, the decks
and the pools. A row is complete: it holds its own sizes and its random stream, so that it can be copied,
saved, compared and continued alone. Bounds follow from the card facts and the rulebook.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.config import GameConfig
from iaww_env.engine import facts, verbs
from iaww_env.errors import FactsError

States = npt.NDArray[np.int16]

HANDS = (*rulebook.HANDS_BASE.values(), *rulebook.HANDS_ASCENSION.values())
MOST_SEATS = rulebook.MOST_PLAYERS
PACK = max(map(sum, HANDS))  # the largest hand dealt
MOST_DRAFTED = max(rulebook.PICKS, rulebook.POOL) + 1  # seven picks, or a solo hand and the card a dig adds
SITES_MULTI = rulebook.PICKS * rulebook.ROUNDS
# Pools and a scenario's cards, in whole eights: rows keep their length when a scenario has a card more.
SITES_SOLO = -(-(rulebook.POOLS * rulebook.POOL + facts.MOST_SCENARIO_CARDS) // 8) * 8
STREAM_CELLS = 8  # four words of 32 bits, two cells each
# Every drafted card slated or recycled, a place and a discard for every site, and all verbs without cards.
MOST_LEGAL = 2 * MOST_DRAFTED + 2 * SITES_SOLO + verbs.N_PLAIN

LEAST, MOST = (int(end) for end in (np.iinfo(np.int16).min, np.iinfo(np.int16).max))

# The cells of a card under construction
SITE_KIND, SITE_CARD, SITE_TWIN, SITE_LEFT, SITE_MISSING = range(5)
SITE_SIZE = SITE_MISSING + facts.N_SPACES
MOST_IN_SITE = max(facts.N_CARDS - 1, int(facts.SPACES_TO_FILL.max()))


@dataclass(frozen=True, slots=True)
class Field:
    """One named part of a row: dims are numbers or the names of sizes that the configuration gives."""

    name: str
    shape: tuple[int | str, ...]
    low: int
    high: int
    meaning: str


TABLE_FIELDS = (
    Field("players", (), 1, rulebook.MOST_PLAYERS, "seats in the game"),
    Field("kinds", (), facts.N_BASE_KINDS, facts.N_KINDS, "kinds of card in the pool"),
    Field("cards", (), facts.N_BASE_CARDS, facts.N_CARDS, "physical cards in the pool"),
    Field("sites", (), SITES_MULTI, SITES_SOLO, "most cards a seat can have under construction"),
    Field("seats_at", (), 0, MOST, "where the block of seat 0 begins in the row"),
    Field("seat_size", (), 0, MOST, "length of a seat's block"),
    Field("seen_at", (), 0, MOST, "where the seats as last seen by everybody begin"),
    Field("decks_at", (), 0, MOST, "where the decks begin"),
    Field("side", (), 0, facts.N_SIDES - 1, f"side of the empire cards, {facts.SIDE_SPAN}"),
    Field("scenario", (), 0, facts.N_SCENARIOS, "solo scenario, counted from 1; 0 is none"),
    Field(
        "hand_base",
        (),
        min(HANDS)[0],
        max(HANDS)[0],
        "base cards dealt to a seat each round (solo: to a pool)",
    ),
    Field(
        "hand_ascension", (), 0, max(two for _, two in HANDS), "Corruption & Ascension cards dealt likewise"
    ),
    Field(
        "named_empire",
        (MOST_SEATS,),
        0,
        facts.N_EMPIRES,
        "empire asked for by seat, counted from 1; 0 is random",
    ),
    Field("phase", (), 0, len(rulebook.PHASES) - 1, "draft, planning, production, over"),
    Field("round", (), 1, rulebook.ROUNDS, "round, counted from 1"),
    Field(
        "step", (), 0, facts.N_RESOURCES - 1, "production step: materials, energy, science, gold, exploration"
    ),
    Field("pick", (), 0, rulebook.PICKS, "picks revealed in this draft"),
    Field("pack_size", (), 0, PACK, "cards in every pack; solo: cards looked at in a dig"),
    Field("pack_shift", (), 0, MOST_SEATS - 1, "seat s holds the pack dealt to seat s + shift"),
    Field("sequence", (), 0, rulebook.SEQUENCES, "solo: sequences begun in this planning phase"),
    Field("dig_deck", (), 0, facts.N_DECKS, "solo: deck being dug, counted from 1; 0 is none"),
    Field("tosses", (), 0, rulebook.TOSSES, "solo: cards still to toss for the dig"),
    Field("pending", (), 0, MOST_SEATS, "seats that have not ended the phase (draft: not picked)"),
    Field("acted", (MOST_SEATS,), 0, 1, "by seat: has ended the phase (draft: has picked)"),
    Field(
        "deck_next",
        (facts.N_DECKS,),
        0,
        facts.MOST_IN_DECK,
        "base and ascension deck: place of the next card",
    ),
    Field(
        "deck_end",
        (facts.N_DECKS,),
        0,
        facts.MOST_IN_DECK,
        "base and ascension deck: place after the last card",
    ),
    Field("reshuffled", (facts.N_DECKS,), 0, 1, "solo: this deck is made of shuffled discards"),
    Field("rng", (STREAM_CELLS,), LEAST, MOST, "random stream: four words of 32 bits, low half first"),
)

SEAT_FIELDS = (
    Field("empire", (), 0, facts.N_EMPIRES * facts.N_SIDES - 1, f"empire x {facts.N_SIDES} + side"),
    Field("types_built", (facts.N_TYPES,), 0, SITES_SOLO, "built cards by type"),
    Field("generals", (), 0, MOST, "generals held"),
    Field("financiers", (), 0, MOST, "financiers held"),
    Field("krystallium", (), 0, MOST, "krystallium held"),
    Field("empire_cubes", (), 0, rulebook.CUBES_FOR_KRYSTALLIUM - 1, "cubes on the empire card"),
    Field("loose", (), 0, MOST, "cubes that must be placed"),
    Field("loose_resource", (), 0, facts.N_RESOURCES - 1, "their resource; 0 where there are none"),
    Field("held", (), 0, facts.N_SPACES, "token in hand: number of the use + 1; 0 is none"),
    Field("must_choose", (), 0, 1, "owes the choice of science supremacy"),
    Field("picked", (), 0, facts.N_KINDS, "kind picked and not yet revealed, counted from 1; 0 is none"),
    Field("n_drafted", (), 0, MOST_DRAFTED, "cards not yet slated or recycled (solo: the hand)"),
    Field("n_sites", (), 0, SITES_SOLO, "cards under construction"),
    Field("n_built", (), 0, SITES_SOLO, "cards built"),
    Field("flat_points", (), 0, MOST, "points printed on built cards"),
    Field(
        "production", (facts.N_RESOURCES,), LEAST, MOST, "by resource, less corruption, before the floor of 0"
    ),
    Field(
        "per_type",
        (facts.N_RESOURCES, facts.N_TYPES),
        0,
        MOST,
        "by resource and type: made for each built card of it",
    ),
    Field("types_slated", (facts.N_TYPES,), 0, SITES_SOLO, "cards under construction by type"),
    Field(
        "slated_production", (facts.N_RESOURCES,), LEAST, MOST, "fixed production of cards under construction"
    ),
    Field("shown_points", (), 0, MOST, "points as the phase began"),
    Field(
        "point_rate",
        (facts.N_COUNTED,),
        0,
        MOST,
        "points per built card of a type, more per general, financier",
    ),
    Field("open", (facts.N_SPACES,), 0, MOST, "open spaces on cards under construction, by what fills them"),
    Field(
        "drafted",
        (MOST_DRAFTED,),
        -1,
        facts.N_KINDS - 1,
        "kinds not yet slated or recycled, ascending, then -1",
    ),
    Field(
        "site",
        ("sites", SITE_SIZE),
        0,
        MOST_IN_SITE,
        "under construction: kind, card, twin, left, missing by space",
    ),
    Field("built", ("kinds",), 0, facts.MOST_COPIES, "built cards by kind"),
    Field("discarded", ("kinds",), 0, MOST, "cards recycled, given up, tossed or left over, by kind"),
)

# Fields that kernels read, or wipe, as one: they must lie one behind the other. What is played stands before
# `phase`, and what a new game wipes from there to the stream.
RUNS = (
    ("hand_ascension", "named_empire", "phase", "round", "step"),
    ("reshuffled", "rng"),
    ("site", "built", "discarded"),
    ("types_built", "generals", "financiers", "krystallium"),
    ("types_slated", "slated_production"),
    ("point_rate", "open"),
)


def check_fields(fields: Sequence[Field]) -> None:
    """Refuse a declaration that cannot be: bounds that no cell holds, a name said twice, a run torn apart."""
    names = [field.name for field in fields]
    for field in fields:
        if not LEAST <= field.low <= field.high <= MOST:
            raise FactsError(
                f"the field {field.name} goes from {field.low} to {field.high}, and a cell holds {LEAST} to "
                f"{MOST}: the card facts are too many or too large"
            )
        if names.count(field.name) > 1:
            raise FactsError(f"the field {field.name} is declared twice")
    for first, *rest in RUNS:
        start = names.index(first) if first in names else 0
        if first in names and names[start : start + len(rest) + 1] != [first, *rest]:
            raise FactsError(f"the fields {', '.join([first, *rest])} must lie one behind the other")


check_fields(TABLE_FIELDS)
check_fields(SEAT_FIELDS)
N_ACTIONS = sum(
    {"kind": facts.N_KINDS, "card": facts.N_CARDS}.get(str(verb.names), 0) for verb in verbs.VERBS
)
if N_ACTIONS + verbs.N_PLAIN > MOST:
    raise FactsError(f"the cards make {N_ACTIONS:,} actions, and {MOST:,} can be numbered: take fewer copies")


def measure(shape: tuple[int | str, ...], sizes: dict[str, int]) -> int:
    """How many cells a field takes."""
    length = 1
    for dim in shape:
        length *= dim if isinstance(dim, int) else sizes[dim]
    return length


def place_fields(fields: Sequence[Field], sizes: dict[str, int]) -> list[int]:
    """Where each field begins; those behind the first field of unknown size are left out."""
    offsets, at = [], 0
    for field in fields:
        offsets.append(at)
        if any(isinstance(dim, str) and dim not in sizes for dim in field.shape):
            break
        at += measure(field.shape, sizes)
    return offsets


# Where the fields begin: in the row, and in a seat's block. Each constant is the field of its name, in the
# order of the declaration; a test holds them to it.
(
    PLAYERS, KINDS, CARDS, SITES, SEATS_AT, SEAT_SIZE, SEEN_AT, DECKS_AT, SIDE, SCENARIO, HAND_BASE,
    HAND_ASCENSION, NAMED_EMPIRE, PHASE, ROUND, STEP, PICK, PACK_SIZE, PACK_SHIFT, SEQUENCE, DIG_DECK,
    TOSSES, PENDING, ACTED, DECK_NEXT, DECK_END, RESHUFFLED, RNG,
) = place_fields(TABLE_FIELDS, {})  # fmt: skip
(
    EMPIRE, TYPES_BUILT, GENERALS, FINANCIERS, KRYSTALLIUM, EMPIRE_CUBES, LOOSE, LOOSE_RESOURCE, HELD,
    MUST_CHOOSE, PICKED, N_DRAFTED, N_SITES, N_BUILT, FLAT_POINTS, PRODUCTION, PER_TYPE, TYPES_SLATED,
    SLATED_PRODUCTION, SHOWN_POINTS, POINT_RATE, OPEN, DRAFTED, SITE,
) = place_fields(SEAT_FIELDS, {})  # fmt: skip
# Behind the sites, whose number differs, lie `built` and `discarded`: see `engine/row.py`.
PACKS_AT = sum(measure(field.shape, {}) for field in TABLE_FIELDS)
# What points are counted by, in one run: types built, generals, financiers. Tokens: the last two and
# krystallium.
COUNTS, TOKENS = TYPES_BUILT, GENERALS


class Layout:
    """The sizes and offsets of the rows of one configuration."""

    def __init__(self, players: int, kinds: int, cards: int) -> None:
        """Measure a row for so many seats, kinds of card and physical cards."""
        self.players, self.kinds, self.cards = players, kinds, cards
        self.sites = SITES_SOLO if players == 1 else SITES_MULTI
        self.sizes = {"players": players, "kinds": kinds, "cards": cards, "sites": self.sites}
        self.seat_size = sum(measure(field.shape, self.sizes) for field in SEAT_FIELDS)
        self.seats_at = PACKS_AT + players * PACK
        self.seen_at = self.seats_at + players * self.seat_size
        self.decks_at = self.seen_at + players * self.seat_size
        self.pools_at = self.decks_at + cards
        self.state_size = self.pools_at + (rulebook.POOLS * rulebook.POOL if players == 1 else 0)

    def views(self, states: States) -> StateViews:
        """Named windows into an array of rows (or into one row)."""
        return StateViews(self, states)


def find_layout(config: GameConfig) -> Layout:
    """The layout of a configuration's rows."""
    key = (config.players, config.kinds, config.cards)
    if key not in _LAYOUTS:
        _LAYOUTS[key] = Layout(*key)
    return _LAYOUTS[key]


_LAYOUTS: dict[tuple[int, int, int], Layout] = {}


class StateViews:
    """Named windows into rows: `views.krystallium[g, seat]`, `views.built[g, seat, kind]`, ...

    Nothing is copied: writing through a window changes the state. The windows of the seats as they stood when
    the last phase of planning or production began carry the prefix `seen_`; in the draft seats are seen live.
    """

    def __init__(self, layout: Layout, states: States) -> None:
        """Lay windows over `states`, of shape (..., state_size)."""
        self._layout = layout
        lead = states.shape[:-1]
        n, size = layout.players, layout.seat_size
        self._windows: dict[str, States] = {}
        at = 0
        for field in TABLE_FIELDS:
            self._windows[field.name] = self._cut(states, at, field)
            at += measure(field.shape, layout.sizes)
        self._windows["packs"] = states[..., PACKS_AT : layout.seats_at].reshape(*lead, n, PACK)
        for prefix, start in (("", layout.seats_at), ("seen_", layout.seen_at)):
            block = states[..., start : start + n * size].reshape(*lead, n, size)
            at = 0
            for field in SEAT_FIELDS:
                self._windows[prefix + field.name] = self._cut(block, at, field)
                at += measure(field.shape, layout.sizes)
            site = self._windows[prefix + "site"]
            for name, column in zip(("kind", "card", "twin", "left"), range(SITE_MISSING), strict=True):
                self._windows[f"{prefix}site_{name}"] = site[..., column]
            self._windows[prefix + "site_missing"] = site[..., SITE_MISSING:]
        deck = states[..., layout.decks_at : layout.pools_at]
        self._windows["base_deck"] = deck[..., : facts.N_BASE_CARDS]
        self._windows["ascension_deck"] = deck[..., facts.N_BASE_CARDS :]
        if n == 1:
            self._windows["pools"] = states[..., layout.pools_at :].reshape(
                *lead, rulebook.POOLS, rulebook.POOL
            )

    def _cut(self, block: States, at: int, field: Field) -> States:
        if not field.shape:
            return block[..., at]
        dims = [dim if isinstance(dim, int) else self._layout.sizes[dim] for dim in field.shape]
        window = block[..., at : at + measure(field.shape, self._layout.sizes)]
        return window.reshape(*block.shape[:-1], *dims)

    def __getattr__(self, name: str) -> States:
        """The window of a field."""
        try:
            return self._windows[name]
        except KeyError:
            raise AttributeError(f"no field {name!r}; the fields are {', '.join(self._windows)}") from None

    def __dir__(self) -> list[str]:
        return sorted(self._windows)
