"""What a seat observes: every piece is declared here once, and the encoder, spaces and reference follow.

A number in an observation is the raw number times the scale of its piece. Scales are powers of two, so
nothing is lost by rounding: dividing by the scale gives the raw number back. Two profiles: `full` holds
everything a seat may know; `compact` leaves out single spaces and sums up the other seats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from iaww_env.engine.facts import COPIES, COST, N_RESOURCES, N_SPACES, SPACES_TO_FILL, Facts
from iaww_env.engine.fields import SITES_MULTI, SITES_SOLO

Offsets = npt.NDArray[np.int64]
Bound = int | Facts

PROFILES = ("full", "compact")
FULL, COMPACT, BOTH = ("full",), ("compact",), PROFILES
COPY, POINT, CUBE, SPACE = 1 / 4, 1 / 128, 1 / 8, 1 / 4
ALL = 1 / 32  # sums over all other seats of what has the scale 1/8 for one
CARD = 1 / 128  # the number of a kind, counted from 1
MOST_MADE = 170  # of one resource, with the 48 best cards of it built
LEAST_MADE = -9  # with all corruption of one resource built
MOST_OPEN = 171  # spaces of one sort, with the 48 cards slated that have most of it
MOST_RATE = 14  # with all built that is paid for one thing
MOST_TOKENS = 255  # more than 48 cards bring and all cubes of a game make
MOST_POINTS = 2000
MOST_WORTH = 600
MOST_BUILT = SITES_SOLO
MOST_OF_SPACE = COST.max(axis=0)  # (8,)
MOST_ACCEPTED = COPIES * COST.max(axis=1)  # (kinds,)
MOST_PICKED = len(COPIES)


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
# Pieces that stand one behind the other with one scale, as the fields of the state do, are written at once:
# types_built and tokens; types_slated and tokens_slated; point_rate and open; their sums likewise.
_Rows = tuple[tuple[str, tuple[int | str, ...], float, int, Bound, tuple[str, ...], str], ...]

_TABLE: _Rows = (
    ("round", (4,), 1, 0, 1, BOTH, "the round, one-hot"),
    ("phase", (4,), 1, 0, 1, BOTH, "draft, planning, production, over, one-hot"),
    ("step", (5,), 1, 0, 1, BOTH, "production step, one-hot; zeros elsewhere"),
    ("pick", (), 1 / 8, 0, 6, BOTH, "picks revealed in this draft"),
    ("direction", (), 1, -1, 1, BOTH, "packs pass left 1, right -1; 0 in solo"),
    ("pack_size", (), 1 / 16, 0, 12, BOTH, "cards in every pack; solo: cards shown by a dig"),
    ("players", (7,), 1, 0, 1, BOTH, "how many play, one-hot"),
    ("ascension", (), 1, 0, 1, BOTH, "Corruption & Ascension is played"),
    ("side", (6,), 1, 0, 1, BOTH, "side of the empire cards, A to F, one-hot"),
    ("gone", ("kinds",), COPY, 0, COPIES, FULL, "discarded cards, by kind"),
)

_SOLO: _Rows = (
    ("scenario", (12,), 1, 0, 1, BOTH, "scenario, one-hot; zeros: the standard game"),
    ("sequence", (), 1 / 2, 0, 2, BOTH, "sequences begun in this planning phase"),
    ("dig", (2,), 1, 0, 1, BOTH, "deck being dug, base or ascension, one-hot"),
    ("tosses", (), 1 / 2, 0, 2, BOTH, "cards still to toss for the dig"),
    ("deck_left", (2,), 1 / 128, 0, 150, BOTH, "cards left in the decks, base and ascension"),
    ("reshuffled", (2,), 1, 0, 1, BOTH, "the deck is made of shuffled discards"),
    ("known_deck", ("kinds",), COPY, 0, COPIES, FULL, "what is in reshuffled decks, by kind"),
)

_OWN: _Rows = (
    ("empire", (7,), 1, 0, 1, BOTH, "empire, one-hot"),
    ("acted", (), 1, 0, 1, BOTH, "has ended the phase; draft: has picked"),
    ("held", (8,), 1, 0, 1, BOTH, "token in hand, by the space it is to fill, one-hot"),
    ("loose", (N_RESOURCES,), CUBE, 0, MOST_MADE, BOTH, "loose cubes by resource"),
    ("must_choose", (), 1, 0, 1, BOTH, "owes the choice of science supremacy"),
    ("empire_cubes", (), 1 / 4, 0, 4, BOTH, "cubes on the empire card"),
    ("production", (N_RESOURCES,), CUBE, LEAST_MADE, MOST_MADE, BOTH, "by resource, before the floor of 0"),
    ("production_then", (N_RESOURCES,), CUBE, LEAST_MADE, MOST_MADE, BOTH, "with all slated built"),
    ("coming", (N_RESOURCES,), CUBE, 0, MOST_MADE, BOTH, "cubes of the steps to come in this round"),
    ("supremacy", (N_RESOURCES,), CUBE, -1 - MOST_MADE, MOST_MADE, BOTH, "production above what it asks for"),
    ("types_built", (5,), CUBE, 0, MOST_BUILT, BOTH, "built cards by type"),
    ("tokens", (3,), CUBE, 0, MOST_TOKENS, BOTH, "generals, financiers, krystallium"),
    ("types_slated", (5,), CUBE, 0, MOST_BUILT, BOTH, "cards under construction by type"),
    ("tokens_slated", (3,), CUBE, 0, MOST_TOKENS, BOTH, "such tokens that all slated would bring"),
    ("point_rate", (7,), CUBE, 0, MOST_RATE, BOTH, "points per type, more per general, per financier"),
    ("open", (N_SPACES,), CUBE, 0, MOST_OPEN, BOTH, "open spaces by what fills them"),
    ("point_rate_slated", (7,), CUBE, 0, MOST_RATE, BOTH, "what all slated would add to the point rates"),
    ("points", (), POINT, 0, MOST_POINTS, BOTH, "points it would score now"),
    ("points_then", (), POINT, 0, MOST_POINTS, BOTH, "points with all slated built"),
    ("picked", (), CARD, 0, MOST_PICKED, FULL, "card picked in secret: its kind + 1; 0 is none"),
    ("hand", ("kinds",), COPY, 0, COPIES, BOTH, "cards to pick from, by kind, without the one picked"),
    ("drafted", ("kinds",), COPY, 0, COPIES, BOTH, "cards to slate or recycle, by kind, with the one picked"),
    ("built", ("kinds",), COPY, 0, COPIES, BOTH, "built cards by kind"),
    ("slated", ("kinds",), COPY, 0, COPIES, BOTH, "cards under construction by kind"),
    ("left", ("kinds",), CUBE, 0, SPACES_TO_FILL, COMPACT, "spaces missing on the oldest copy, by kind"),
    ("accepts", ("kinds",), SPACE, 0, MOST_ACCEPTED, BOTH, "spaces for the cube or token now to be placed"),
    ("worth", ("kinds",), CUBE, 0, MOST_WORTH, BOTH, "points more if a card of the kind were built now"),
    ("worth_then", ("kinds",), CUBE, 0, MOST_WORTH, BOTH, "points more if it were built after all slated"),
    ("missing", ("kinds", N_SPACES), SPACE, 0, COST, FULL, "spaces missing on the oldest copy"),
    ("site_kind", ("sites",), CARD, 0, MOST_PICKED, FULL, "cards under construction: kind + 1; 0 is none"),
    ("site_missing", ("sites", N_SPACES), SPACE, 0, MOST_OF_SPACE, FULL, "spaces missing on each of them"),
)

_OTHERS: _Rows = (
    ("other_empire", ("others", 7), 1, 0, 1, FULL, "empire, one-hot"),
    ("other_loose", ("others", N_RESOURCES), CUBE, 0, MOST_MADE, FULL, "loose cubes by resource"),
    ("other_must_choose", ("others",), 1, 0, 1, FULL, "owes the choice of supremacy"),
    ("other_tokens", ("others", 3), CUBE, 0, MOST_TOKENS, FULL, "generals, financiers, krystallium"),
    ("other_empire_cubes", ("others",), 1 / 4, 0, 4, FULL, "cubes on the empire card"),
    ("other_production", ("others", 5), CUBE, LEAST_MADE, MOST_MADE, FULL, "production before the floor"),
    ("other_types_built", ("others", 5), CUBE, 0, MOST_BUILT, FULL, "built cards by type"),
    ("other_types_slated", ("others", 5), CUBE, 0, MOST_BUILT, FULL, "under construction by type"),
    ("other_production_slated", ("others", 5), CUBE, LEAST_MADE, MOST_MADE, FULL, "what these would make"),
    ("other_point_rate", ("others", 7), CUBE, 0, MOST_RATE, FULL, "points per type and character"),
    ("other_points", ("others",), POINT, 0, MOST_POINTS, FULL, "points it would score now"),
    ("other_open", ("others", N_SPACES), CUBE, 0, MOST_OPEN, FULL, "open spaces"),
    ("other_drafted", ("others", "kinds"), COPY, 0, COPIES, FULL, "drafted cards by kind"),
    ("other_built", ("others", "kinds"), COPY, 0, COPIES, FULL, "built cards by kind"),
    ("other_slated", ("others", "kinds"), COPY, 0, COPIES, FULL, "under construction by kind"),
    ("other_site_kind", ("others", "sites"), CARD, 0, MOST_PICKED, FULL, "as site_kind, for each seat"),
    ("other_site_missing", ("others", "sites", N_SPACES), SPACE, 0, MOST_OF_SPACE, FULL, "as site_missing"),
    ("pack_ascension", ("others",), COPY, 0, 4, FULL, "ascension cards in the pack it holds (draft)"),
    ("pack_known", ("others",), 1, 0, 1, FULL, "that pack has been in hand in this draft"),
    ("pack", ("others", "kinds"), COPY, 0, COPIES, FULL, "what is in it, by kind; zeros if not known"),
    ("most_production", (N_RESOURCES,), CUBE, 0, MOST_MADE, BOTH, "the most that another seat makes"),
    ("sum_production", (N_RESOURCES,), ALL, 0, 6 * MOST_MADE, COMPACT, "what the others make together"),
    ("sum_types_built", (5,), ALL, 0, 6 * SITES_MULTI, COMPACT, "cards the others have built, by type"),
    ("sum_tokens", (3,), ALL, 0, 6 * MOST_TOKENS, COMPACT, "generals, financiers, krystallium of the others"),
    ("sum_types_slated", (5,), ALL, 0, 6 * SITES_MULTI, COMPACT, "cards they have under construction"),
    ("sum_production_slated", (5,), ALL, 6 * LEAST_MADE, 6 * MOST_MADE, COMPACT, "what these would make"),
    ("most_points", (), POINT, 0, MOST_POINTS, COMPACT, "the most points another would score now"),
    ("sum_points", (), POINT / 4, 0, 6 * MOST_POINTS, COMPACT, "points of the others together"),
    ("next_types", (5,), CUBE, 0, MOST_BUILT, COMPACT, "types built or slated by the seat packs pass to"),
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

PIECE_NUMBERS = {piece.name: number for number, piece in enumerate(PIECES)}
ABSENT = -1


def find_piece(name: str) -> int:
    """The number of a piece, for the encoder."""
    return PIECE_NUMBERS[name]


SCALES = np.array([piece.scale for piece in PIECES], np.float32)
SCALES.flags.writeable = False


def measure_piece(piece: Piece, players: int, kinds: int) -> tuple[int, ...]:
    """The shape of a piece in a configuration."""
    sites = SITES_SOLO if players == 1 else SITES_MULTI
    sizes = {"kinds": kinds, "sites": sites, "others": players - 1}
    return tuple(dim if isinstance(dim, int) else sizes[dim] for dim in piece.shape)


def measure_high(piece: Piece, players: int, kinds: int) -> npt.NDArray[np.int16]:
    """The upper bounds of the raw numbers of a piece, in its shape: never 0, for a space needs some width."""
    high = np.maximum(piece.high, 1).astype(np.int16)
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
