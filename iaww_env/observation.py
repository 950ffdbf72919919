"""Observations for people: the pieces of a profile, bounds, named windows, and the features of the cards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from iaww_env.cards import RESOURCES, SPACES, TYPES, kinds
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.observe.pieces import (
    PIECES,
    PROFILES,
    Offsets,
    is_present,
    measure_high,
    measure_piece,
    place_pieces,
)
from iaww_env.engine.rules.legal import ASK_ALL
from iaww_env.errors import ConfigError, quote
from iaww_env.game import lend_row

if TYPE_CHECKING:
    from iaww_env.game import Game

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece of an observation where it lies in the vector of one configuration."""

    name: str
    shape: tuple[int, ...]
    start: int
    end: int
    scale: float
    low: float
    high: float
    who: str
    meaning: str


class ObservationTable:
    """What an observation of one configuration and profile holds, and where.

    >>> table = observation_table(GameConfig(players=4), "compact")
    >>> table.views(vector).hand[kind]        # doctest: +SKIP
    >>> table.raw_views(vector).points        # doctest: +SKIP

    Attributes:
        size: Length of the vector.
        low: (size,) float32, least values.
        high: (size,) float32, greatest values.
        scale: (size,) float32; a number divided by its scale is the raw number, exactly.
        offsets: Where each piece of the declaration begins; -1 where it is not there.
        pieces: The pieces in their order.
    """

    def __init__(self, config: GameConfig, profile: str) -> None:
        """Place the pieces of a profile for a configuration."""
        if profile not in PROFILES:
            raise ConfigError(f"there is no observation {quote(profile)}: choose from {', '.join(PROFILES)}")
        self.config, self.profile = config, profile
        offsets, self.size = place_pieces(profile, config.players, config.kinds)
        self.offsets = np.frombuffer(offsets.tobytes(), offsets.dtype)  # nobody can write into them
        self._lent = offsets
        self.low, self.high, self.scale = (np.zeros(self.size, np.float32) for _ in range(3))
        pieces = []
        for number, piece in enumerate(PIECES):
            if is_present(piece, profile, config.players):
                shape, start = measure_piece(piece, config.players, config.kinds), int(self.offsets[number])
                end = start + int(np.prod(shape, dtype=np.int64))
                high = measure_high(piece, config.players, config.kinds) * piece.scale
                self.low[start:end], self.high[start:end] = piece.low * piece.scale, high.ravel()
                self.scale[start:end] = piece.scale
                bounds = (piece.scale, piece.low * piece.scale, float(high.max()))
                pieces.append(PlacedPiece(piece.name, shape, start, end, *bounds, piece.who, piece.meaning))
        self.pieces = tuple(pieces)
        for array in (self.low, self.high, self.scale):
            array.flags.writeable = False
        self._is_fixed = True

    def __setattr__(self, name: str, value: object) -> None:
        """A table serves all who ask for it, kernels among them: it never changes."""
        if getattr(self, "_is_fixed", False):
            raise AttributeError(f"the table of an observation is fixed: {name} cannot be set")
        super().__setattr__(name, value)

    def views(self, observation: npt.NDArray[Any]) -> SimpleNamespace:
        """Named windows into a vector, or into an array of vectors: `views(vector).hand[kind]`."""
        if observation.shape[-1:] != (self.size,):
            found = observation.shape[-1] if observation.ndim else 1
            raise ValueError(f"an observation of this table has {self.size} numbers, not {found}")
        lead = observation.shape[:-1]
        return SimpleNamespace(
            **{p.name: observation[..., p.start : p.end].reshape((*lead, *p.shape)) for p in self.pieces}
        )

    def raw_views(self, observation: npt.NDArray[Any]) -> SimpleNamespace:
        """The raw numbers of a vector, or of an array of vectors, by name: `raw_views(vector).hand[kind]`.

        They are int32 and exact, in arrays of their own: cards, cubes and points as people count them.

        Raises:
            ValueError: These are no observations (means of some, perhaps): a raw number is a whole number.
        """
        raw = self.views(np.asarray(observation))
        for piece in self.pieces:
            found = getattr(raw, piece.name) / piece.scale
            if not (np.isfinite(found).all() and (found == np.rint(found)).all()):
                raise ValueError(f"raw numbers are whole numbers, and those of {piece.name} here are not")
            least, most = piece.low / piece.scale, piece.high / piece.scale
            if not ((found >= least) & (found <= most)).all():
                raise ValueError(f"{piece.name} goes from {least:g} to {most:g}: this is no observation")
            setattr(raw, piece.name, found.astype(np.int32))
        return raw

    def observe(self, game: Game, seat: int) -> tuple[Vector, npt.NDArray[np.int8]]:
        """Observation and action mask of a seat, as fresh arrays.

        Raises:
            ConfigError: The game is of another card pool or number of players than this table.
        """
        if (game.config.players, game.config.kinds) != (self.config.players, self.config.kinds):
            raise ConfigError(f"this table is for {self.config}, and the game is one of {game.config}")
        seat = game.check_seat(seat)
        observation = np.empty(self.size, np.float32)
        mask = np.empty(len(game.actions), np.int8)
        legal = np.empty(fields.MOST_LEGAL, np.int16)
        kernels.show_one_seat(lend_row(game), seat, ASK_ALL, legal, mask, self._lent, observation)
        return observation, mask


def lend_offsets(table: ObservationTable) -> Offsets:
    """The offsets as all kernels take them: to them an array that can be written to is of another type."""
    return table._lent


@lru_cache(maxsize=64)
def observation_table(config: GameConfig, profile: str = "full") -> ObservationTable:
    """The table of a configuration and profile; the same object each time."""
    return ObservationTable(config, profile)


def views(observation: npt.NDArray[Any], config: GameConfig, profile: str = "full") -> SimpleNamespace:
    """Named windows into an observation: `views(vector, config).hand`, `.built`, `.other_production`, ..."""
    return observation_table(config, profile).views(observation)


def raw_views(observation: npt.NDArray[Any], config: GameConfig, profile: str = "full") -> SimpleNamespace:
    """The same as raw numbers, in int32 and exact: `raw_views(vector, config).points` is points."""
    return observation_table(config, profile).raw_views(observation)


CARD_FEATURES = (
    *(f"type_{name}" for name in TYPES),
    *(f"cost_{name}" for name in SPACES),
    *(f"recycling_{name}" for name in RESOURCES),
    *(f"production_{name}" for name in RESOURCES),
    *(f"per_type_{resource}_{name}" for resource in RESOURCES for name in TYPES),
    "bonus_general",
    "bonus_financier",
    "bonus_krystallium",
    "points",
    *(f"points_per_{name}" for name in (*TYPES, "general", "financier")),
    *(f"duo_with_{name}" for name in (*TYPES, "general", "financier")),
    "copies",
    "ascension",
)


@lru_cache(maxsize=2)
def _make_features(expansions: tuple[str, ...]) -> npt.NDArray[np.float32]:
    column = {name: i for i, name in enumerate(CARD_FEATURES)}
    features = np.zeros((len(kinds(expansions)), len(column)), np.float32)
    for kind in kinds(expansions):
        row = features[kind.index]
        row[column[f"type_{kind.type}"]] = 1
        for name, amount in zip(SPACES, kind.cost, strict=True):
            row[column[f"cost_{name}"]] = amount
        row[column[f"recycling_{kind.recycling}"]] = 1
        for name, amount in zip(RESOURCES, kind.production, strict=True):
            row[column[f"production_{name}"]] = amount
        if kind.production_per:
            row[column["per_type_{}_{}".format(*kind.production_per)]] = 1
        for name in ("general", "financier", "krystallium"):
            row[column[f"bonus_{name}"]] = getattr(kind, f"bonus_{name}")
        row[column["points"]] = kind.points
        if kind.points_per:
            verb = "duo_with" if kind.points_per.is_duo else "points_per"
            for name in filter(None, (kind.points_per.first, kind.points_per.second)):
                row[column[f"{verb}_{name}"]] = kind.points_per.points
        row[column["copies"]] = kind.copies
        row[column["ascension"]] = kind.deck == "ascension"
    features.flags.writeable = False
    return features


def card_features(expansions: tuple[str, ...] | list[str] = ()) -> npt.NDArray[np.float32]:
    """Facts of the kinds as a table (kind x feature), raw numbers; the columns are `CARD_FEATURES`."""
    return _make_features(tuple(expansions))
