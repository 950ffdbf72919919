"""Where the points of a game come from: each seat's score in parts that sum exactly to it (ruling 11).

Counted anew from the built cards and the empires, not read from what the engine keeps; so that the parts sum
to the score is a check of both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from iaww_env.cards import COUNTED, SIDES, TYPES, empire, kinds
from iaww_env.errors import StateError
from iaww_env.game import Game

Counts = npt.NDArray[np.int64]

CHARACTERS = COUNTED[len(TYPES) :]
# The parts of a score, in the order in which they are told.
PARTS = (
    "points on cards",
    *(f"per {thing.replace('_', ' ')}" for thing in COUNTED),
    "duos",
    *(f"{one}s held" for one in CHARACTERS),
)
SeatParts = tuple[int, ...]


class PrintedPoints(NamedTuple):
    """What the cards of a pool print, by kind: points, points for each thing, and what their duos pair."""

    flat: Counts  # (kinds,)
    rates: Counts  # (kinds, things)
    duos: Counts  # (duos, 4) kind, points, and the two things that it pairs


@lru_cache(maxsize=2)
def read_printed(expansions: tuple[str, ...]) -> PrintedPoints:
    """What the cards of a pool print."""
    pool = kinds(expansions)
    rates, duos = np.zeros((len(pool), len(COUNTED)), np.int64), []
    for kind in pool:
        per = kind.points_per
        if per is None:
            continue
        first = COUNTED.index(per.first)
        if per.second is None:
            rates[kind.index, first] = per.points
        else:
            duos.append((kind.index, per.points, first, COUNTED.index(per.second)))
    flat = np.array([kind.points for kind in pool], np.int64)
    return PrintedPoints(flat, rates, np.array(duos, np.int64).reshape(-1, 4))


def break_down(game: Game) -> tuple[SeatParts, ...]:
    """Of each seat its points by part, in the order of `PARTS`, as the game stands.

    Raises:
        StateError: They do not sum to the score: the rules and this module count differently.
    """
    printed, state = read_printed(game.config.expansions), game.state
    built = state.built.astype(np.int64)  # (players, kinds)
    counts = np.empty((len(built), len(COUNTED)), np.int64)
    counts[:, : len(TYPES)] = state.types_built
    counts[:, len(TYPES)], counts[:, len(TYPES) + 1] = state.generals, state.financiers
    rates = built @ printed.rates
    for seat, (name, number) in enumerate(zip(game.empires, state.empire.tolist(), strict=True)):
        per = empire(name, SIDES[number % len(SIDES)]).points_per
        if per is not None:
            rates[seat, COUNTED.index(per.first)] += per.points
    kind, points, first, second = printed.duos.T
    pairs = np.minimum(counts[:, first], counts[:, second])
    found = np.empty((len(built), len(PARTS)), np.int64)
    found[:, 0] = built @ printed.flat
    found[:, 1 : 1 + len(COUNTED)] = rates * counts
    found[:, 1 + len(COUNTED)] = (built[:, kind] * points * pairs).sum(axis=1)
    found[:, 2 + len(COUNTED) :] = counts[:, len(TYPES) :]
    if found.sum(axis=1).tolist() != game.scores():
        raise StateError(f"the parts {found.tolist()} do not sum to the scores {game.scores()}")
    return tuple(map(tuple, found.tolist()))
