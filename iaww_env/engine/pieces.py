"""What a seat observes: every piece is declared here once, and the encoder, spaces and reference follow.

A number in an observation is the raw number times the scale of its piece. Two profiles: `full` holds
everything a seat may know; `compact` leaves out single spaces and sums up the other seats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from iaww_env.engine.cards import COPIES, N_RESOURCES, N_SPACES
from iaww_env.engine.layout import SITES_MULTI, SITES_SOLO

Offsets = npt.NDArray[np.int64]

PROFILES = ("full", "compact")
FULL, COMPACT, BOTH = ("full",), ("compact",), PROFILES
COPY, POINT, CUBE, TOKEN, SPACE = 1 / 4, 1 / 100, 1 / 10, 1 / 10, 1 / 4
MOST = 255  # more than a seat can ever hold, make or have open of one thing
MOST_POINTS = 2000
MOST_MISSING = 9
MOST_COPIES = int(COPIES.max())


@dataclass(frozen=True, slots=True)
class Piece:
    """One named part of an observation; low and high bound the raw numbers."""

    name: str
    shape: tuple[int | str, ...]
    scale: float
    low: int
    high: int
    who: str
    profiles: tuple[str, ...]
    meaning: str
    solo: bool | None = None  # True: solo games only; False: with two players and more only


# name, shape, scale, low, high, profiles, meaning
_Rows = tuple[tuple[str, tuple[int | str, ...], float, int, int, tuple[str, ...], str], ...]

_TABLE: _Rows = (
    ("round", (4,), 1, 0, 1, BOTH, "the round, one-hot"),
    ("phase", (4,), 1, 0, 1, BOTH, "draft, planning, production, over, one-hot"),
    ("step", (5,), 1, 0, 1, BOTH, "production step, one-hot; zeros elsewhere"),
    ("pick", (), 1 / 7, 0, 7, BOTH, "picks revealed in this draft"),
    ("direction", (), 1, -1, 1, BOTH, "packs pass left 1, right -1; 0 in solo"),
    ("pack_size", (), 1 / 12, 0, 12, BOTH, "cards in every pack; solo: cards shown by a dig"),
    ("players", (7,), 1, 0, 1, BOTH, "how many play, one-hot"),
    ("ascension", (), 1, 0, 1, BOTH, "Corruption & Ascension is played"),
    ("side", (6,), 1, 0, 1, BOTH, "side of the empire cards, one-hot"),
    ("gone", ("kinds",), COPY, 0, 7, FULL, "cards known to be gone, by kind"),
)

_SOLO: _Rows = (
    ("scenario", (12,), 1, 0, 1, BOTH, "scenario, one-hot; zeros: the standard game"),
    ("sequence", (), 1 / 2, 0, 2, BOTH, "sequences begun in this planning phase"),
    ("dig", (2,), 1, 0, 1, BOTH, "deck being dug, one-hot"),
    ("tosses", (), 1 / 2, 0, 2, BOTH, "cards still to toss for the dig"),
    ("deck_left", (2,), 1 / 150, 0, 150, BOTH, "cards left in the decks"),
    ("reshuffled", (2,), 1, 0, 1, BOTH, "the deck is made of shuffled discards"),
    ("known_deck", ("kinds",), COPY, 0, 7, FULL, "what is in reshuffled decks, by kind"),
)

_OWN: _Rows = (
    ("empire", (7,), 1, 0, 1, BOTH, "empire, one-hot"),
    ("acted", (), 1, 0, 1, BOTH, "has ended the phase, or picked"),
    ("held", (8,), 1, 0, 1, BOTH, "token in hand by the space it may fill, one-hot"),
    ("loose", (N_RESOURCES,), CUBE, 0, MOST, BOTH, "loose cubes by resource"),
    ("must_choose", (), 1, 0, 1, BOTH, "owes the choice of science supremacy"),
    ("tokens", (3,), TOKEN, 0, MOST, BOTH, "generals, financiers, krystallium"),
    ("empire_cubes", (), 1 / 5, 0, 4, BOTH, "cubes on the empire card"),
    ("production", (N_RESOURCES,), CUBE, -MOST, MOST, BOTH, "production, before the floor of 0"),
    ("production_slated", (N_RESOURCES,), CUBE, -MOST, MOST, BOTH, "the same with all slated built"),
    ("types_built", (5,), CUBE, 0, 48, BOTH, "built cards by type"),
    ("point_rate", (7,), CUBE, 0, MOST, BOTH, "points per type, more per general, per financier"),
    ("points", (), POINT, 0, MOST_POINTS, BOTH, "points it would score now"),
    ("open", (N_SPACES,), CUBE, 0, MOST, BOTH, "open spaces by what fills them"),
    ("hand", ("kinds",), COPY, 0, 7, BOTH, "cards to pick from, by kind"),
    ("drafted", ("kinds",), COPY, 0, 7, BOTH, "cards to slate or recycle, by kind"),
    ("built", ("kinds",), COPY, 0, 7, BOTH, "built cards by kind"),
    ("slated", ("kinds",), COPY, 0, 7, BOTH, "cards under construction by kind"),
    ("left", ("kinds",), CUBE, 0, 24, COMPACT, "spaces missing on the oldest copy, by kind"),
    ("accepts", ("kinds",), 1, 0, 1, BOTH, "kinds that take the cube or token now to be placed"),
    ("worth", ("kinds",), CUBE, 0, MOST, BOTH, "points that building the kind would bring now"),
    ("missing", ("kinds", N_SPACES), SPACE, 0, MOST_MISSING, FULL, "spaces missing on the oldest copy"),
    ("sites", ("sites", 9), SPACE, 0, 116, FULL, "cards under construction: kind + 1, then missing"),
)

_OTHERS: _Rows = (
    ("other_empire", ("others", 7), 1, 0, 1, FULL, "empire, one-hot"),
    ("other_loose", ("others", N_RESOURCES), CUBE, 0, MOST, FULL, "loose cubes by resource"),
    ("other_must_choose", ("others",), 1, 0, 1, FULL, "owes the choice of supremacy"),
    ("other_tokens", ("others", 3), TOKEN, 0, MOST, FULL, "generals, financiers, krystallium"),
    ("other_empire_cubes", ("others",), 1 / 5, 0, 4, FULL, "cubes on the empire card"),
    ("other_production", ("others", 5), CUBE, -MOST, MOST, FULL, "production before the floor"),
    ("other_types_built", ("others", 5), CUBE, 0, 48, FULL, "built cards by type"),
    ("other_point_rate", ("others", 7), CUBE, 0, MOST, FULL, "points per type and character"),
    ("other_points", ("others",), POINT, 0, MOST_POINTS, FULL, "points it would score now"),
    ("other_open", ("others", N_SPACES), CUBE, 0, MOST, FULL, "open spaces"),
    ("other_drafted", ("others", "kinds"), COPY, 0, 7, FULL, "drafted cards by kind"),
    ("other_built", ("others", "kinds"), COPY, 0, 7, FULL, "built cards by kind"),
    ("other_slated", ("others", "kinds"), COPY, 0, 7, FULL, "under construction by kind"),
    ("other_sites", ("others", "sites", 9), SPACE, 0, 116, FULL, "as sites, for each seat"),
    ("pack_known", ("others",), 1, 0, 1, FULL, "the pack it holds was in hand before"),
    ("pack", ("others", "kinds"), COPY, 0, 7, FULL, "that pack, by kind; zeros if unknown"),
    ("most_production", (N_RESOURCES,), CUBE, 0, MOST, COMPACT, "the most any other makes"),
    ("sum_production", (N_RESOURCES,), CUBE / 4, 0, 6 * MOST, COMPACT, "what the others make"),
    ("sum_types_built", (5,), CUBE / 4, 0, 6 * 48, COMPACT, "cards the others have built"),
    ("sum_tokens", (3,), TOKEN / 4, 0, 6 * MOST, COMPACT, "tokens the others hold"),
    ("most_points", (), POINT, 0, MOST_POINTS, COMPACT, "the most points another would score"),
    ("sum_points", (), POINT / 4, 0, 6 * MOST_POINTS, COMPACT, "points of the others"),
    ("next_wants", (5,), CUBE, 0, 48, COMPACT, "types built by the seat packs pass to"),
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
