"""Search: sampled worlds, each played out after every candidate action, on common random numbers.

For a decision the bot draws worlds that agree with all its seat knows (`View.sample_game`). In each world
every candidate is played; the other seats stand as the phase began, so their simultaneous decisions are still
to come. To the end of the game its own seat goes on as the heuristic, the others by the heuristic's quick
rules. Candidates are compared on the same worlds, and one that is clearly behind is dropped, so the budget
goes to the close ones. What the heuristic would play is played unless another candidate is better beyond the
noise of the comparison.

Where the heuristic would pick, slate, recycle, toss or dig, all that is legal is compared, but for giving up
cards under construction. Where it would place, use or choose something else, that is played: searching there
gained nothing measurable. With two players and more, the heuristic's plan for a round is gone by without
further searching once it has stood in one comparison of twice the worlds.
"""

from __future__ import annotations

import time
from math import sqrt

import numpy as np
import numpy.typing as npt

from iaww_agents.base import Agent, View, Weighed
from iaww_agents.heuristic.bot import choose_by_values
from iaww_agents.heuristic.weights import read_weights
from iaww_agents.search.playouts import play_worlds
from iaww_env import rulebook
from iaww_env.actions import action_table
from iaww_env.bots.numbers import check_number, check_whole
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.game import lend_row

WORLDS, MOST_WORLDS = 16, 4096
MOST_SIMULATIONS, MOST_BONUS = 10_000_000, 1_000_000
LONGEST = 86_400_000  # milliseconds of a day
CHUNK = 8
BEHIND = 2.0  # standard errors by which a candidate must be behind to be dropped
SETTLING = 2  # times the worlds of other decisions, for a comparison that can settle a round's planning

Candidates = npt.NDArray[np.int16]


class SearchAgent(Agent):
    """Determinised search with heuristic playouts."""

    is_slow = True

    def __init__(
        self,
        worlds: int | None = None,
        simulations: int | None = None,
        milliseconds: float | None = None,
        win_bonus: float = 20.0,
        doubt: float = 1.0,
    ) -> None:
        """Make the bot.

        Args:
            worlds: Sampled worlds for a decision, in steps of 8, and twice as many where the plan for a round
                may be settled; 16 where no other budget is given either.
            simulations: Playouts for a decision, but for the first 8 worlds, which are always played; None
                for as many as the worlds need.
            milliseconds: Time for a decision, likewise; None for no limit. Only without it do the same seeds
                give the same moves.
            win_bonus: Points that winning is worth beyond the points themselves.
            doubt: Standard errors by which a candidate must beat what the heuristic would play, 0 to 2.
        """
        limited = simulations is not None or milliseconds is not None
        self._worlds = MOST_WORLDS if limited else WORLDS
        self._simulations: int | None = None
        self._seconds: float | None = None
        if worlds is not None:
            self._worlds = check_whole("search", "worlds", worlds, 1, MOST_WORLDS)
        if simulations is not None:
            self._simulations = check_whole("search", "simulations", simulations, 1, MOST_SIMULATIONS)
        if milliseconds is not None:
            self._seconds = check_number("search", "milliseconds", milliseconds, 0.001, LONGEST) / 1000
        self._win_bonus = check_number("search", "win_bonus", win_bonus, -MOST_BONUS, MOST_BONUS)
        self._doubt = check_number("search", "doubt", doubt, 0, BEHIND)
        self._seat, self._settled = 0, 0
        self._rng = np.random.default_rng(0)
        self._weighed: dict[int, float] = {}

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat; the worlds come from the seed."""
        self._seat, self._settled, self._weighed = seat, 0, {}
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """What the heuristic would play, or the candidate that is better beyond the noise."""
        self._weighed = {}
        row = lend_row(view.sample_game(self._rng))
        planned = choose_by_values(row, self._seat, read_weights(view.config.solo), np.empty_like(row))
        plans = bool(row[fields.PHASE] == rulebook.PLANNING) and not view.config.solo
        if not is_searched(view, planned) or (plans and row[fields.ROUND] == self._settled):
            return planned
        candidates = list_candidates(view, planned)
        if len(candidates) == 1:
            return planned
        best, is_final = self._compare(view, candidates, SETTLING * self._worlds if plans else self._worlds)
        if plans and is_final and best == 0:
            self._settled = int(row[fields.ROUND])
        return int(candidates[best])

    def explain(self) -> Weighed | None:
        """The mean value of each candidate of the last decision, over the worlds it was tried in."""
        return Weighed("value", dict(self._weighed)) if self._weighed else None

    def _compare(self, view: View, candidates: Candidates, worlds: int) -> tuple[int, bool]:
        """The number of the best candidate, the first one unless beyond doubt.

        And whether the comparison ran its course: one with a budget in time or playouts may be cut short.
        """
        alive = np.arange(len(candidates))
        values = np.empty((len(candidates), 0))
        begun, chunks, played = time.perf_counter(), 0, 0
        while len(alive) > 1 and values.shape[1] < worlds:
            new = self._play_chunk(view, candidates[alive])
            values = np.concatenate([values, new], axis=1)
            means = values.mean(axis=1).tolist()
            self._weighed |= dict(zip(candidates[alive].tolist(), means, strict=True))
            played, chunks = played + new.size, chunks + 1
            keep = find_rivals(values)
            alive, values = alive[keep], values[keep]
            spent = time.perf_counter() - begun
            if self._seconds is not None and spent + spent / chunks > self._seconds:
                break
            if self._simulations is not None and played + CHUNK * len(alive) > self._simulations:
                break
        is_final = len(alive) == 1 or values.shape[1] >= worlds
        best = int(values.mean(axis=1).argmax())
        if alive[0] == 0 and best > 0:
            ahead = values[best] - values[0]
            if ahead.mean() <= self._doubt * ahead.std() / sqrt(ahead.size):
                best = 0
        return int(alive[best]), is_final

    def _play_chunk(self, view: View, actions: Candidates) -> npt.NDArray[np.float64]:
        """Values of the candidates in a few fresh worlds, the same for all."""
        worlds = np.stack([view.sample_game(self._rng).row for _ in range(CHUNK)])
        values = np.empty((len(actions), CHUNK))
        scratch = np.empty((2, worlds.shape[1]), np.int16)
        weights = read_weights(view.config.solo)
        tried = np.ascontiguousarray(actions)
        play_worlds(worlds, scratch, self._seat, tried, weights, self._win_bonus, values)
        return values


def is_searched(view: View, planned: int) -> bool:
    """Whether what the heuristic would play is about a card that is no card under construction yet."""
    table = action_table(view.config.expansions)
    return planned < table.place or table.dig <= planned < table.end


def list_candidates(view: View, planned: int) -> Candidates:
    """Legal actions, without giving up cards under construction; the heuristic's action is the first."""
    legal = np.array(view.legal_actions(), np.int16)
    table = action_table(view.config.expansions)
    gives_up = (legal >= table.discard) & (legal < table.use)
    return np.concatenate([np.array([planned], np.int16), legal[~gives_up & (legal != planned)]])


def find_rivals(values: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which candidates are not clearly behind the best: values[candidate, world], compared world by world."""
    best = values[int(values.mean(axis=1).argmax())]
    behind = best - values
    error = behind.std(axis=1) / sqrt(values.shape[1])
    rivals: npt.NDArray[np.bool_] = behind.mean(axis=1) <= BEHIND * error + 1e-9
    return rivals
