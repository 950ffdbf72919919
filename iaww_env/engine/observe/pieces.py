"""What a seat observes: every piece is declared here once, and the encoder, spaces and reference follow.

A number in an observation is the raw number times the scale of its piece. Scales are powers of two, so
nothing is lost by rounding: dividing by the scale gives the raw number back. Three profiles: `full` holds
everything a seat may know; `compact` leaves out single spaces and sums up the other seats; `cards` is
`compact` with what each own card lacks, and with what the next seat collects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.facts import Facts
from iaww_env.engine.observe.bounds import (
    LEAST_MADE,
    MOST_ACCEPTED,
    MOST_ASCENSION,
    MOST_BUILT,
    MOST_MADE,
    MOST_OF_SPACE,
    MOST_OPEN,
    MOST_OTHERS,
    MOST_PICKED,
    MOST_RATE,
    MOST_SCORE,
    MOST_TOKENS,
    MOST_WORTH,
)
from iaww_env.errors import FactsError

Offsets = npt.NDArray[np.int64]
Bound = int | Facts

MOST_EXACT = 1 << 24  # the largest whole number up to which float32 holds all
PROFILES = ("full", "compact", "cards")
# Which profiles hold a piece: any of them, or some by what they are.
ANY = PROFILES
FULL, CARDS = ("full",), ("cards",)
SUMMED = ("compact", "cards")  # those that sum the other seats up
BY_CARD = ("full", "cards")  # those that say what each card lacks
COPY, POINT, CUBE, SPACE = 1 / 4, 1 / 128, 1 / 8, 1 / 4
ALL = 1 / 32  # sums over all other seats of what has the scale 1/8 for one
CARD = 1 / 128  # the number of a kind, counted from 1
RESOURCES, SPACES, TYPES, COUNTED = facts.N_RESOURCES, facts.N_SPACES, facts.N_TYPES, facts.N_COUNTED
EMPIRES, DECKS, IN_DECK = facts.N_EMPIRES, facts.N_DECKS, facts.MOST_IN_DECK
SORTS = facts.N_TOKENS  # of tokens: generals, financiers, krystallium
MOST_CUBES = rulebook.CUBES_FOR_KRYSTALLIUM - 1
MADE, LOST = MOST_MADE, LEAST_MADE
ALL_MADE, ALL_LOST, ALL_TOKENS, ALL_POINTS = (
    MOST_OTHERS * one for one in (MADE, LOST, MOST_TOKENS, MOST_SCORE)
)
ALL_BUILT = MOST_OTHERS * fields.SITES_MULTI
COPIES, COST, SPACES_TO_FILL = facts.COPIES, facts.COST, facts.SPACES_TO_FILL


@dataclass(frozen=True, slots=True)
class Piece:
    """One named part of an observation; low and high bound the raw numbers.

    A bound may be a table of card facts: then its rows are kinds, or it fits the last dimension.
    """

    name: str
    shape: tuple[int | str, ...]
    scale: float
    low: int
    high: Bound
    who: str
    profiles: tuple[str, ...]
    meaning: str
    solo: bool | None = None  # True: solo games only; False: with two players and more only


# name, shape, scale, low, high, profiles, meaning
_Rows = tuple[tuple[str, tuple[int | str, ...], float, int, Bound, tuple[str, ...], str], ...]

_TABLE: _Rows = (
    ("round", (rulebook.ROUNDS,), 1, 0, 1, ANY, "the round, one-hot"),
    ("phase", (len(rulebook.PHASES),), 1, 0, 1, ANY, "draft, planning, production, over, one-hot"),
    ("step", (RESOURCES,), 1, 0, 1, ANY, "production step, one-hot; zeros elsewhere"),
    ("pick", (), 1 / 8, 0, rulebook.PICKS - 1, ANY, "picks revealed in this draft"),
    ("direction", (), 1, -1, 1, ANY, "packs pass left 1, right -1; 0 in solo"),
    ("pack_size", (), 1 / 16, 0, fields.PACK, ANY, "cards in every pack; solo: cards shown by a dig"),
    ("players", (fields.MOST_SEATS,), 1, 0, 1, ANY, "how many play, one-hot"),
    ("ascension", (), 1, 0, 1, ANY, "Corruption & Ascension is played"),
    ("side", (facts.N_SIDES,), 1, 0, 1, ANY, f"side of the empire cards, {facts.SIDE_SPAN}, one-hot"),
    ("gone", ("kinds",), COPY, 0, COPIES, FULL, "discarded cards, by kind"),
)

_SOLO: _Rows = (
    ("scenario", (facts.N_SCENARIOS,), 1, 0, 1, ANY, "scenario, one-hot; zeros: the standard game"),
    ("sequence", (), 1 / 2, 0, rulebook.SEQUENCES, ANY, "sequences begun in this planning phase"),
    ("dig", (DECKS,), 1, 0, 1, ANY, "deck being dug, base or ascension, one-hot"),
    ("tosses", (), 1 / 2, 0, rulebook.TOSSES, ANY, "cards still to toss for the dig"),
    ("deck_left", (DECKS,), 1 / 128, 0, IN_DECK, ANY, "cards left in the decks, base and ascension"),
    ("reshuffled", (DECKS,), 1, 0, 1, ANY, "the deck is made of shuffled discards"),
    ("known_deck", ("kinds",), COPY, 0, COPIES, FULL, "what is in reshuffled decks, by kind"),
)

_OWN: _Rows = (
    ("empire", (EMPIRES,), 1, 0, 1, ANY, "empire, one-hot"),
    ("acted", (), 1, 0, 1, ANY, "has ended the phase; draft: has picked"),
    ("held", (SPACES,), 1, 0, 1, ANY, "token in hand, by the space it is to fill, one-hot"),
    ("loose", (RESOURCES,), CUBE, 0, MADE, ANY, "loose cubes by resource"),
    ("must_choose", (), 1, 0, 1, ANY, "owes the choice of science supremacy"),
    ("empire_cubes", (), 1 / 4, 0, MOST_CUBES, ANY, "cubes on the empire card"),
    ("production", (RESOURCES,), CUBE, LOST, MADE, ANY, "by resource, before the floor of 0"),
    ("production_then", (RESOURCES,), CUBE, LOST, MADE, ANY, "with all slated built"),
    ("coming", (RESOURCES,), CUBE, 0, MADE, ANY, "cubes of the steps to come in this round"),
    ("supremacy", (RESOURCES,), CUBE, -1 - MADE, MADE, ANY, "production above what it asks for"),
    ("types_built", (TYPES,), CUBE, 0, MOST_BUILT, ANY, "built cards by type"),
    ("tokens", (SORTS,), CUBE, 0, MOST_TOKENS, ANY, "generals, financiers, krystallium"),
    ("types_slated", (TYPES,), CUBE, 0, MOST_BUILT, ANY, "cards under construction by type"),
    ("tokens_slated", (SORTS,), CUBE, 0, MOST_TOKENS, ANY, "such tokens that all slated would bring"),
    ("point_rate", (COUNTED,), CUBE, 0, MOST_RATE, ANY, "points per type, more per general, per financier"),
    ("open", (SPACES,), CUBE, 0, MOST_OPEN, ANY, "open spaces by what fills them"),
    (
        "point_rate_slated",
        (COUNTED,),
        CUBE,
        0,
        MOST_RATE,
        ANY,
        "what all slated would add to the point rates",
    ),
    ("points", (), POINT, 0, MOST_SCORE, ANY, "points it would score now"),
    ("points_then", (), POINT, 0, MOST_SCORE, ANY, "points with all slated built"),
    ("picked", (), CARD, 0, MOST_PICKED, FULL, "card picked in secret: its kind + 1; 0 is none"),
    ("hand", ("kinds",), COPY, 0, COPIES, ANY, "cards to pick from, by kind, without the one picked"),
    ("drafted", ("kinds",), COPY, 0, COPIES, ANY, "cards to slate or recycle, by kind, with the one picked"),
    ("built", ("kinds",), COPY, 0, COPIES, ANY, "built cards by kind"),
    ("slated", ("kinds",), COPY, 0, COPIES, ANY, "cards under construction by kind"),
    ("left", ("kinds",), CUBE, 0, SPACES_TO_FILL, SUMMED, "spaces missing on the oldest copy, by kind"),
    ("accepts", ("kinds",), SPACE, 0, MOST_ACCEPTED, ANY, "spaces for the cube or token now to be placed"),
    ("worth", ("kinds",), CUBE, 0, MOST_WORTH, ANY, "points more if a card of the kind were built now"),
    ("worth_then", ("kinds",), CUBE, 0, MOST_WORTH, ANY, "points more if it were built after all slated"),
    ("missing", ("kinds", SPACES), SPACE, 0, COST, BY_CARD, "spaces missing on the oldest copy"),
    ("site_kind", ("sites",), CARD, 0, MOST_PICKED, FULL, "cards under construction: kind + 1; 0 is none"),
    ("site_missing", ("sites", SPACES), SPACE, 0, MOST_OF_SPACE, FULL, "spaces missing on each of them"),
)

_OTHERS: _Rows = (
    ("other_empire", ("others", EMPIRES), 1, 0, 1, FULL, "empire, one-hot"),
    ("other_loose", ("others", RESOURCES), CUBE, 0, MADE, FULL, "loose cubes by resource"),
    ("other_must_choose", ("others",), 1, 0, 1, FULL, "owes the choice of supremacy"),
    ("other_tokens", ("others", SORTS), CUBE, 0, MOST_TOKENS, FULL, "generals, financiers, krystallium"),
    ("other_empire_cubes", ("others",), 1 / 4, 0, MOST_CUBES, FULL, "cubes on the empire card"),
    ("other_production", ("others", RESOURCES), CUBE, LOST, MADE, FULL, "production before the floor"),
    ("other_types_built", ("others", TYPES), CUBE, 0, MOST_BUILT, FULL, "built cards by type"),
    ("other_types_slated", ("others", TYPES), CUBE, 0, MOST_BUILT, FULL, "under construction by type"),
    ("other_production_slated", ("others", RESOURCES), CUBE, LOST, MADE, FULL, "what these would make"),
    ("other_point_rate", ("others", COUNTED), CUBE, 0, MOST_RATE, FULL, "points per type and character"),
    ("other_points", ("others",), POINT, 0, MOST_SCORE, FULL, "points it would score now"),
    ("other_open", ("others", SPACES), CUBE, 0, MOST_OPEN, FULL, "open spaces"),
    ("other_drafted", ("others", "kinds"), COPY, 0, COPIES, FULL, "drafted cards by kind"),
    ("other_built", ("others", "kinds"), COPY, 0, COPIES, FULL, "built cards by kind"),
    ("other_slated", ("others", "kinds"), COPY, 0, COPIES, FULL, "under construction by kind"),
    ("other_site_kind", ("others", "sites"), CARD, 0, MOST_PICKED, FULL, "as site_kind, for each seat"),
    ("other_site_missing", ("others", "sites", SPACES), SPACE, 0, MOST_OF_SPACE, FULL, "as site_missing"),
    ("pack_ascension", ("others",), COPY, 0, MOST_ASCENSION, FULL, "ascension cards in its pack (draft)"),
    ("pack_known", ("others",), 1, 0, 1, FULL, "that pack has been in hand in this draft"),
    ("pack", ("others", "kinds"), COPY, 0, COPIES, FULL, "what is in it, by kind; zeros if not known"),
    ("most_production", (RESOURCES,), CUBE, 0, MADE, ANY, "the most that another seat makes"),
    ("sum_production", (RESOURCES,), ALL, 0, ALL_MADE, SUMMED, "what the others make together"),
    ("sum_types_built", (TYPES,), ALL, 0, ALL_BUILT, SUMMED, "cards the others have built, by type"),
    ("sum_tokens", (SORTS,), ALL, 0, ALL_TOKENS, SUMMED, "generals, financiers, krystallium of the others"),
    ("sum_types_slated", (TYPES,), ALL, 0, ALL_BUILT, SUMMED, "cards they have under construction"),
    ("sum_production_slated", (RESOURCES,), ALL, ALL_LOST, ALL_MADE, SUMMED, "what these would make"),
    ("most_points", (), POINT, 0, MOST_SCORE, SUMMED, "the most points another would score now"),
    ("sum_points", (), POINT / 4, 0, ALL_POINTS, SUMMED, "points of the others together"),
    ("next_types", (TYPES,), CUBE, 0, MOST_BUILT, SUMMED, "types built or slated by the seat packs pass to"),
    ("next_production", (RESOURCES,), CUBE, LOST, MADE, CARDS, "its production before the floor"),
    ("next_production_slated", (RESOURCES,), CUBE, LOST, MADE, CARDS, "what its slated cards would make"),
    ("next_point_rate", (COUNTED,), CUBE, 0, MOST_RATE, CARDS, "its points per type and character"),
    ("next_open", (SPACES,), CUBE, 0, MOST_OPEN, CARDS, "its open spaces"),
)


def _declare(who: str, solo: bool | None, rows: _Rows) -> tuple[Piece, ...]:
    return tuple(
        Piece(name, shape, scale, low, high, who, profiles, meaning, solo)
        for name, shape, scale, low, high, profiles, meaning in rows
    )


PIECES = (
    _declare("table", None, _TABLE)
    + _declare("table", True, _SOLO)
    + _declare("own", None, _OWN)
    + _declare("others", False, _OTHERS)
)

# Pieces that the encoder writes as one, as the fields of the state lie: they must stand one behind the other,
# with one scale and in the same profiles.
RUNS = (
    ("types_built", "tokens"),
    ("types_slated", "tokens_slated"),
    ("point_rate", "open"),
    ("sum_types_built", "sum_tokens"),
    ("sum_types_slated", "sum_production_slated"),
)
# One-hot pieces, and the field of the state whose values they tell apart.
ONE_HOT = {"round": "round", "phase": "phase", "step": "step", "players": "players", "side": "side"}


def check_pieces(pieces: Sequence[Piece]) -> None:
    """Refuse a declaration that cannot be: a bound out of reach, a run torn apart, too few places."""
    names = [piece.name for piece in pieces]
    for piece in pieces:
        high = int(np.max(piece.high))
        if not -MOST_EXACT <= piece.low <= high <= MOST_EXACT:
            raise FactsError(
                f"the piece {piece.name} goes from {piece.low} to {high}, and an observation is exact up to "
                f"{MOST_EXACT}: the card facts are too many or too large"
            )
        if np.frexp(piece.scale)[0] != 0.5:
            raise FactsError(f"the scale of the piece {piece.name} is {piece.scale}: take a power of two")
        if names.count(piece.name) > 1:
            raise FactsError(f"the piece {piece.name} is declared twice")
    for first, *rest in RUNS:
        start = names.index(first)
        run = pieces[start : start + len(rest) + 1]
        if [one.name for one in run] != [first, *rest] or len({(one.scale, one.profiles) for one in run}) > 1:
            raise FactsError(
                f"the pieces {', '.join([first, *rest])} are written at once: declare them one behind the "
                "other, with one scale and the same profiles"
            )
    values = {field.name: field.high - field.low + 1 for field in fields.TABLE_FIELDS}
    for name, field in ONE_HOT.items():
        (places,) = pieces[names.index(name)].shape
        if places != values[field]:
            raise FactsError(
                f"the piece {name} has {places} places for the {values[field]} values of {field}"
            )


check_pieces(PIECES)

# The numbers of the pieces, for the encoder: each constant is the piece of its name, in the order of the
# declaration; a test holds them to it.
(
    ROUND, PHASE, STEP, PICK, DIRECTION, PACK_SIZE, PLAYERS, ASCENSION, SIDE, GONE, SCENARIO, SEQUENCE,
    DIG, TOSSES, DECK_LEFT, RESHUFFLED, KNOWN_DECK, EMPIRE, ACTED, HELD, LOOSE, MUST_CHOOSE, EMPIRE_CUBES,
    PRODUCTION, PRODUCTION_THEN, COMING, SUPREMACY, TYPES_BUILT, TOKENS, TYPES_SLATED, TOKENS_SLATED,
    POINT_RATE, OPEN, POINT_RATE_SLATED, POINTS, POINTS_THEN, PICKED, HAND, DRAFTED, BUILT, SLATED, LEFT,
    ACCEPTS, WORTH, WORTH_THEN, MISSING, SITE_KIND, SITE_MISSING, OTHER_EMPIRE, OTHER_LOOSE,
    OTHER_MUST_CHOOSE, OTHER_TOKENS, OTHER_EMPIRE_CUBES, OTHER_PRODUCTION, OTHER_TYPES_BUILT,
    OTHER_TYPES_SLATED, OTHER_PRODUCTION_SLATED, OTHER_POINT_RATE, OTHER_POINTS, OTHER_OPEN,
    OTHER_DRAFTED, OTHER_BUILT, OTHER_SLATED, OTHER_SITE_KIND, OTHER_SITE_MISSING, PACK_ASCENSION,
    PACK_KNOWN, PACK, MOST_PRODUCTION, SUM_PRODUCTION, SUM_TYPES_BUILT, SUM_TOKENS, SUM_TYPES_SLATED,
    SUM_PRODUCTION_SLATED, MOST_POINTS, SUM_POINTS, NEXT_TYPES, NEXT_PRODUCTION, NEXT_PRODUCTION_SLATED,
    NEXT_POINT_RATE, NEXT_OPEN,
) = range(len(PIECES))  # fmt: skip
ABSENT = -1

SCALES = np.array([piece.scale for piece in PIECES], np.float32)
SCALES.flags.writeable = False


def measure_piece(piece: Piece, players: int, kinds: int) -> tuple[int, ...]:
    """The shape of a piece in a configuration."""
    sites = fields.SITES_SOLO if players == 1 else fields.SITES_MULTI
    sizes = {"kinds": kinds, "sites": sites, "others": players - 1}
    return tuple(dim if isinstance(dim, int) else sizes[dim] for dim in piece.shape)


def measure_high(piece: Piece, players: int, kinds: int) -> npt.NDArray[np.int32]:
    """The upper bounds of the raw numbers of a piece, in its shape: never 0, for a space needs some width."""
    high = np.maximum(piece.high, 1).astype(np.int32)
    if "kinds" in piece.shape and high.ndim:
        high = high[:kinds]
    return np.broadcast_to(high, measure_piece(piece, players, kinds))


def is_present(piece: Piece, profile: str, players: int) -> bool:
    """Whether a piece is part of a profile for so many players."""
    return profile in piece.profiles and piece.solo in (None, players == 1)


def place_pieces(profile: str, players: int, kinds: int) -> tuple[Offsets, int]:
    """Where each piece begins (or ABSENT), and the length of the observation."""
    offsets = np.full(len(PIECES), ABSENT, np.int64)
    at = 0
    for number, piece in enumerate(PIECES):
        if is_present(piece, profile, players):
            offsets[number] = at
            at += int(np.prod(measure_piece(piece, players, kinds), dtype=np.int64))
    return offsets, at
