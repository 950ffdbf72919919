"""Bots that are imitated: what they would play in every game of a batch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_agents.greedy import choose_action
from iaww_agents.heuristic.plan import choose_heuristic
from iaww_agents.heuristic.weights import Weights, read_weights
from iaww_agents.jit import kernel
from iaww_env.batch import Batch, lend_states
from iaww_env.engine.fields import States
from iaww_env.engine.rules.legal import Actions

Numbers = npt.NDArray[np.int16]


@kernel
def choose_everywhere(
    states: States,
    seats: Numbers,
    asked: npt.NDArray[np.bool_],
    weights: Weights,
    scratch: States,
    out: Numbers,
) -> None:
    """What the heuristic would play in each row that is asked, for the seat that decides there."""
    for g in range(states.shape[0]):
        if asked[g]:
            out[g] = choose_heuristic(states[g], int(seats[g]), weights, scratch)


@kernel
def choose_greedily(
    states: States, seats: Numbers, asked: npt.NDArray[np.bool_], legal: Actions, out: Numbers
) -> None:
    """What greedy would play in each row that is asked, for the seat that decides there."""
    for g in range(states.shape[0]):
        if asked[g]:
            out[g] = choose_action(states[g], int(seats[g]), legal)


class HeuristicExpert:
    """The heuristic, for whole batches."""

    def __init__(self, batch: Batch) -> None:
        """Get ready for the games of a batch."""
        self._batch = batch
        self._weights = read_weights(batch.config.solo)
        self._scratch = np.empty_like(lend_states(batch)[0])
        self._out = np.zeros(batch.num_games, np.int16)
        self._all = np.ones(batch.num_games, np.bool_)

    def choose(self, asked: npt.NDArray[np.bool_] | None = None) -> Numbers:
        """(games,) its action where it is asked, by default in every game; a fresh array."""
        batch = self._batch
        seats = np.ascontiguousarray(batch.seats)
        rows = lend_states(batch)
        chosen = self._all if asked is None else asked
        choose_everywhere(rows, seats, chosen, self._weights, self._scratch, self._out)
        return self._out.copy()


def seat_network(games: int, players: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """(games, players) where a network sits: everywhere, in every second game in one seat among experts."""
    seated = np.ones((games, players), np.bool_)
    seated[1::2] = np.arange(players) == rng.integers(players, size=(games // 2, 1))
    return seated
