"""Search: sampled worlds, each played out after every candidate action, on common random numbers.

For a decision the bot draws worlds that agree with all its seat knows (`View.sample_game`). In each world
every candidate is played; the other seats stand as the phase began, so their simultaneous decisions are still
to come, and all seats go on by the heuristic's quick rules to the end of the game. Candidates are compared on
the same worlds, and one that is clearly behind is dropped, so the budget goes to the close ones. What the
heuristic would play is played unless another candidate is better beyond the noise of the comparison.
"""

from __future__ import annotations

import time
from math import sqrt

import numpy as np
import numpy.typing as npt

from agents.base import Agent, View
from agents.heuristic import choose_by_values, read_weights
from agents.lookahead import play_worlds
from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError

CHUNK = 8
BEHIND = 2.0  # standard errors by which a candidate must be behind to be dropped


class SearchAgent(Agent):
    """Determinised search with heuristic playouts."""

    def __init__(
        self,
        worlds: int = 64,
        simulations: int | None = None,
        milliseconds: float | None = None,
        win_bonus: float = 20.0,
        doubt: float = 1.0,
    ) -> None:
        """Make the bot.

        Args:
            worlds: Sampled worlds for a decision, at most.
            simulations: Playouts for a decision, at most; None for as many as the worlds need.
            milliseconds: Time for a decision, at most; None for no limit. Only without it do the same seeds
                give the same moves.
            win_bonus: Points that winning is worth beyond the margin.
            doubt: Standard errors by which a candidate must beat what the heuristic would play.
        """
        for name, value in (("worlds", worlds), ("simulations", simulations), ("milliseconds", milliseconds)):
            if value is not None and value <= 0:
                raise ConfigError(f"search: {name} is {value}; give a number above 0")
        self._worlds, self._simulations = int(worlds), simulations
        self._seconds = None if milliseconds is None else milliseconds / 1000
        self._win_bonus, self._doubt = float(win_bonus), float(doubt)
        self._seat = 0
        self._rng = np.random.default_rng(0)

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat; the worlds come from the seed."""
        self._seat = seat
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """The candidate with the best mean value."""
        candidates = self._list_candidates(view)
        if len(candidates) == 1:
            return int(candidates[0])
        return int(candidates[self._compare(view, candidates)])

    def _list_candidates(self, view: View) -> npt.NDArray[np.int16]:
        """Legal actions, without giving up cards; the one that the heuristic would play is the first."""
        legal = np.array(view.legal_actions(), np.int16)
        if len(legal) == 1:
            return legal
        row = view.sample_game(self._rng).row
        planned = choose_by_values(row, self._seat, read_weights(view.config.solo), np.empty_like(row))
        table = action_table(view.config.expansions)
        gives_up = (legal >= table.discard) & (legal < table.use)
        others = legal[~gives_up & (legal != planned)]
        return np.concatenate([np.array([planned], np.int16), others])

    def _compare(self, view: View, candidates: npt.NDArray[np.int16]) -> int:
        """The number of the best candidate, found within the budget."""
        alive = np.arange(len(candidates))
        values = np.empty((len(candidates), 0))
        deadline = None if self._seconds is None else time.perf_counter() + self._seconds
        played = 0
        while len(alive) > 1 and values.shape[1] < self._worlds:
            new = self._play_chunk(view, candidates[alive])
            values = np.concatenate([values, new], axis=1)
            played += new.size
            keep = find_rivals(values)
            alive, values = alive[keep], values[keep]
            if deadline is not None and time.perf_counter() >= deadline:
                break
            if self._simulations is not None and played + CHUNK * len(alive) > self._simulations:
                break
        best = int(values.mean(axis=1).argmax())
        if alive[0] == 0 and best > 0:
            ahead = values[best] - values[0]
            if ahead.mean() <= self._doubt * ahead.std() / sqrt(ahead.size):
                best = 0
        return int(alive[best])

    def _play_chunk(self, view: View, actions: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
        """Values of the candidates in a few fresh worlds, the same for all."""
        worlds = np.stack([view.sample_game(self._rng).row for _ in range(CHUNK)])
        values = np.empty((len(actions), CHUNK))
        room = np.empty(worlds.shape[1], np.int16)
        weights = read_weights(view.config.solo)
        play_worlds(worlds, room, self._seat, np.ascontiguousarray(actions), weights, self._win_bonus, values)
        return values


def find_rivals(values: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which candidates are not clearly behind the best: values[candidate, world], compared world by world."""
    best = values[int(values.mean(axis=1).argmax())]
    behind = best - values
    error = behind.std(axis=1) / sqrt(values.shape[1])
    rivals: npt.NDArray[np.bool_] = behind.mean(axis=1) <= BEHIND * error + 1e-9
    return rivals
