"""The state tensor: every field is declared here once, and nowhere else does a number say where it lies.

A row is one game: the table, the packs, the seats, the seats as everybody last saw them, the decks
and the pools. A row is complete: it holds its own sizes and its random stream, so that it can be copied,
saved, compared and continued alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from iaww_env.engine.facts import N_BASE_CARDS, N_RESOURCES, N_SPACES

if TYPE_CHECKING:
    from iaww_env.config import GameConfig

States = npt.NDArray[np.int16]

MOST_SEATS = 7
PACK = 12  # the largest hand dealt: two players with Corruption & Ascension
DRAFTED = 8  # seven picks, or a solo hand of five and the card a dig adds
ROUNDS = 4
PICKS = 7
STEPS = N_RESOURCES
SEQUENCES = 2
POOLS = ROUNDS * SEQUENCES
POOL = 5
SITES_MULTI = PICKS * ROUNDS
SITES_SOLO = 48  # eight pools of five, a scenario's cards, and room
EMPIRE_CUBES_FOR_KRYSTALLIUM = 5
SOLO_SUPREMACY = 5
TOSSES = 2
RNG_WORDS = 8
MOST_LEGAL = 160  # more than a seat can ever choose from

# Phases
DRAFT, PLANNING, PRODUCTION, OVER = 0, 1, 2, 3
PHASES = ("draft", "planning", "production", "over")

# The fields of a card under construction
SITE_KIND, SITE_CARD, SITE_TWIN, SITE_LEFT, SITE_MISSING = 0, 1, 2, 3, 4
SITE = SITE_MISSING + N_SPACES


@dataclass(frozen=True, slots=True)
class Field:
    """One named part of a row: dims are numbers or the names of sizes that the configuration gives."""

    name: str
    shape: tuple[int | str, ...]
    low: int
    high: int
    meaning: str


TABLE_FIELDS = (
    Field("players", (), 1, 7, "seats in the game"),
    Field("kinds", (), 78, 116, "kinds of card in the pool"),
    Field("cards", (), 150, 206, "physical cards in the pool"),
    Field("sites", (), 28, 48, "most cards a seat can have under construction"),
    Field("seats_at", (), 0, 32767, "where the block of seat 0 begins in the row"),
    Field("seat_size", (), 0, 32767, "length of a seat's block"),
    Field("seen_at", (), 0, 32767, "where the seats as last seen by everybody begin"),
    Field("decks_at", (), 0, 32767, "where the decks begin"),
    Field("side", (), 0, 5, "side of the empire cards, A to F"),
    Field("scenario", (), 0, 12, "solo scenario, counted from 1; 0 is none"),
    Field("hand_base", (), 3, 10, "base cards dealt to a seat each round (solo: to a pool)"),
    Field("hand_ascension", (), 0, 4, "Corruption & Ascension cards dealt likewise"),
    Field("named_empire", (MOST_SEATS,), 0, 7, "empire asked for by seat, counted from 1; 0 is random"),
    Field("phase", (), 0, 3, "draft, planning, production, over"),
    Field("round", (), 1, 4, "round, counted from 1"),
    Field("step", (), 0, 4, "production step: materials, energy, science, gold, exploration"),
    Field("pick", (), 0, 7, "picks revealed in this draft"),
    Field("pack_size", (), 0, 12, "cards in every pack; solo: cards looked at in a dig"),
    Field("pack_shift", (), 0, 6, "seat s holds the pack dealt to seat s + shift"),
    Field("sequence", (), 0, 2, "solo: sequences begun in this planning phase"),
    Field("dig_deck", (), 0, 2, "solo: deck being dug, counted from 1; 0 is none"),
    Field("tosses", (), 0, 2, "solo: cards still to toss for the dig"),
    Field("pending", (), 0, 7, "seats that have not ended the phase (draft: not picked)"),
    Field("acted", (MOST_SEATS,), 0, 1, "by seat: has ended the phase (draft: has picked)"),
    Field("deck_next", (2,), 0, 150, "base and ascension deck: place of the next card"),
    Field("deck_end", (2,), 0, 150, "base and ascension deck: place after the last card"),
    Field("reshuffled", (2,), 0, 1, "solo: this deck is made of shuffled discards"),
    Field("rng", (RNG_WORDS,), -32768, 32767, "random stream: four words of 32 bits, low half first"),
)

SEAT_FIELDS = (
    Field("empire", (), 0, 41, "empire x 6 + side"),
    Field("types_built", (5,), 0, 48, "built cards by type"),
    Field("generals", (), 0, 32767, "generals held"),
    Field("financiers", (), 0, 32767, "financiers held"),
    Field("krystallium", (), 0, 32767, "krystallium held"),
    Field("empire_cubes", (), 0, 4, "cubes on the empire card"),
    Field("loose", (), 0, 32767, "cubes that must be placed"),
    Field("loose_resource", (), 0, 4, "their resource; 0 where there are none"),
    Field("held", (), 0, 8, "token in hand: number of the use + 1; 0 is none"),
    Field("must_choose", (), 0, 1, "owes the choice of science supremacy"),
    Field("picked", (), 0, 116, "kind picked and not yet revealed, counted from 1; 0 is none"),
    Field("n_drafted", (), 0, 8, "cards not yet slated or recycled (solo: the hand)"),
    Field("n_sites", (), 0, 48, "cards under construction"),
    Field("n_built", (), 0, 48, "cards built"),
    Field("flat_points", (), 0, 32767, "points printed on built cards"),
    Field("production", (N_RESOURCES,), -32768, 32767, "by resource, less corruption, before the floor of 0"),
    Field("per_type", (N_RESOURCES, 5), 0, 32767, "by resource and type: made for each built card of it"),
    Field("types_slated", (5,), 0, 48, "cards under construction by type"),
    Field("slated_production", (N_RESOURCES,), -32768, 32767, "fixed production of cards under construction"),
    Field("shown_points", (), 0, 32767, "points as the phase began"),
    Field("point_rate", (7,), 0, 32767, "points per built card of a type, more per general, financier"),
    Field("open", (N_SPACES,), 0, 32767, "open spaces on cards under construction, by what fills them"),
    Field("drafted", (DRAFTED,), -1, 115, "kinds not yet slated or recycled, ascending, then -1"),
    Field("site", ("sites", SITE), 0, 205, "under construction: kind, card, twin, left, missing by space"),
    Field("built", ("kinds",), 0, 7, "built cards by kind"),
    Field("discarded", ("kinds",), 0, 32767, "cards recycled, given up, tossed or left over, by kind"),
)


def _measure(shape: tuple[int | str, ...], sizes: dict[str, int]) -> int:
    length = 1
    for dim in shape:
        length *= dim if isinstance(dim, int) else sizes[dim]
    return length


def _find_offsets(fields: tuple[Field, ...], sizes: dict[str, int]) -> dict[str, int]:
    """Where each field begins; a field behind one of unknown size is left out."""
    offsets, at = {}, 0
    for field in fields:
        offsets[field.name] = at
        if any(isinstance(dim, str) and dim not in sizes for dim in field.shape):
            break
        at += _measure(field.shape, sizes)
    return offsets


_TABLE = _find_offsets(TABLE_FIELDS, {})
_SEAT = _find_offsets(SEAT_FIELDS, {})
TABLE_SIZE = sum(_measure(field.shape, {}) for field in TABLE_FIELDS)

PLAYERS, KINDS, CARDS, SITES = (_TABLE[name] for name in ("players", "kinds", "cards", "sites"))
SEATS_AT, SEAT_SIZE, SEEN_AT, DECKS_AT = (_TABLE[n] for n in ("seats_at", "seat_size", "seen_at", "decks_at"))
SIDE, SCENARIO, NAMED_EMPIRE = _TABLE["side"], _TABLE["scenario"], _TABLE["named_empire"]
HAND_BASE, HAND_ASCENSION = _TABLE["hand_base"], _TABLE["hand_ascension"]
PHASE, ROUND, STEP, PICK = (_TABLE[name] for name in ("phase", "round", "step", "pick"))
PACK_SIZE, PACK_SHIFT = _TABLE["pack_size"], _TABLE["pack_shift"]
SEQUENCE, DIG_DECK, TOSSES_LEFT = _TABLE["sequence"], _TABLE["dig_deck"], _TABLE["tosses"]
PENDING, ACTED = _TABLE["pending"], _TABLE["acted"]
DECK_NEXT, DECK_END, RESHUFFLED = _TABLE["deck_next"], _TABLE["deck_end"], _TABLE["reshuffled"]
RNG = _TABLE["rng"]
PACKS_AT = TABLE_SIZE

EMPIRE, KRYSTALLIUM = _SEAT["empire"], _SEAT["krystallium"]
GENERALS, FINANCIERS = _SEAT["generals"], _SEAT["financiers"]
EMPIRE_CUBES, LOOSE, LOOSE_RESOURCE = _SEAT["empire_cubes"], _SEAT["loose"], _SEAT["loose_resource"]
HELD, MUST_CHOOSE, PICKED = _SEAT["held"], _SEAT["must_choose"], _SEAT["picked"]
N_DRAFTED, N_SITES, N_BUILT = _SEAT["n_drafted"], _SEAT["n_sites"], _SEAT["n_built"]
FLAT_POINTS_NOW, SEAT_PRODUCTION, PER_TYPE_NOW = _SEAT["flat_points"], _SEAT["production"], _SEAT["per_type"]
TYPES_BUILT, POINT_RATE, OPEN = _SEAT["types_built"], _SEAT["point_rate"], _SEAT["open"]
TYPES_SLATED, SLATED_PRODUCTION = _SEAT["types_slated"], _SEAT["slated_production"]
SHOWN_POINTS = _SEAT["shown_points"]
# What points are counted by: five types built, generals, financiers, one behind the other. Tokens: the last
# two and krystallium behind them.
COUNTS, TOKENS = TYPES_BUILT, GENERALS
DRAFTED_AT, SITE_AT = _SEAT["drafted"], _SEAT["site"]


class Layout:
    """The sizes and offsets of the rows of one configuration."""

    def __init__(self, players: int, kinds: int, cards: int) -> None:
        """Measure a row for so many seats, kinds of card and physical cards."""
        self.players, self.kinds, self.cards = players, kinds, cards
        self.sites = SITES_SOLO if players == 1 else SITES_MULTI
        self.sizes = {"players": players, "kinds": kinds, "cards": cards, "sites": self.sites}
        self.seat_offsets = _find_offsets(SEAT_FIELDS, self.sizes)
        self.seat_size = sum(_measure(field.shape, self.sizes) for field in SEAT_FIELDS)
        self.seats_at = PACKS_AT + players * PACK
        self.seen_at = self.seats_at + players * self.seat_size
        self.decks_at = self.seen_at + players * self.seat_size
        self.pools_at = self.decks_at + cards
        self.state_size = self.pools_at + (POOLS * POOL if players == 1 else 0)

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
        self._states = states
        lead = states.shape[:-1]
        n, size = layout.players, layout.seat_size
        self._windows: dict[str, States] = {}
        at = 0
        for field in TABLE_FIELDS:
            self._windows[field.name] = self._cut(states, at, field)
            at += _measure(field.shape, layout.sizes)
        self._windows["packs"] = states[..., PACKS_AT : layout.seats_at].reshape(*lead, n, PACK)
        for prefix, start in (("", layout.seats_at), ("seen_", layout.seen_at)):
            block = states[..., start : start + n * size].reshape(*lead, n, size)
            at = 0
            for field in SEAT_FIELDS:
                self._windows[prefix + field.name] = self._cut(block, at, field)
                at += _measure(field.shape, layout.sizes)
            site = self._windows[prefix + "site"]
            for name, column in zip(("kind", "card", "twin", "left"), range(SITE_MISSING), strict=True):
                self._windows[f"{prefix}site_{name}"] = site[..., column]
            self._windows[prefix + "site_missing"] = site[..., SITE_MISSING:]
        deck = states[..., layout.decks_at : layout.pools_at]
        self._windows["base_deck"] = deck[..., :N_BASE_CARDS]
        self._windows["ascension_deck"] = deck[..., N_BASE_CARDS:]
        if n == 1:
            self._windows["pools"] = states[..., layout.pools_at :].reshape(*lead, POOLS, POOL)

    def _cut(self, block: States, at: int, field: Field) -> States:
        if not field.shape:
            return block[..., at]
        dims = [dim if isinstance(dim, int) else self._layout.sizes[dim] for dim in field.shape]
        window = block[..., at : at + _measure(field.shape, self._layout.sizes)]
        return window.reshape(*block.shape[:-1], *dims)

    def __getattr__(self, name: str) -> States:
        """The window of a field."""
        try:
            return self._windows[name]
        except KeyError:
            raise AttributeError(f"no field {name!r}; the fields are {', '.join(self._windows)}") from None

    def __dir__(self) -> list[str]:
        return sorted(self._windows)
