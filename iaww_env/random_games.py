"""Games of random legal play: in a batch for points and throughput, or one by one for records."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env.actions import action_table
from iaww_env.batch import Batch, make_stream
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import check_seed
from iaww_env.game import Game
from iaww_env.records import record_game

MOST_SLOTS = 1024
STEPS_PER_REPORT = 50
# Away from the seeds of the games, so that no game's cards and the choices come from one stream.
CHOICES_SEED = 1 << 64


class BatchPoints:
    """Points of many games of one configuration.

    Attributes:
        config: What was played.
        seed: Seed of the first game.
        games: Games finished and counted.
        decisions: Decisions with a choice that were played, those of games left unfinished included.
        seconds: CPU time that playing took, the choice of the actions included.
        total: (players,) sum of points; likewise the sum of their squares, and the two after it.
        squares: (players,)
        least: (players,)
        most: (players,)
        wins: (players,) games won; a win that is shared counts in parts.
    """

    def __init__(self, config: GameConfig, seed: int) -> None:
        """No game counted yet."""
        self.config, self.seed = config, seed
        self.games = self.decisions = 0
        self.seconds = 0.0
        self.total = np.zeros(config.players, np.int64)
        self.squares = np.zeros(config.players, np.int64)
        self.least = np.full(config.players, np.iinfo(np.int64).max)
        self.most = np.full(config.players, np.iinfo(np.int64).min)
        self.wins = np.zeros(config.players)

    def add_games(self, points: npt.NDArray[np.int16], places: npt.NDArray[np.int16]) -> None:
        """Count finished games: (games, players) points and places."""
        wide = points.astype(np.int64)
        won = places == 1
        self.games += len(points)
        self.total += wide.sum(axis=0)
        self.squares += (wide * wide).sum(axis=0)
        self.least = np.minimum(self.least, wide.min(axis=0))
        self.most = np.maximum(self.most, wide.max(axis=0))
        self.wins += (won / won.sum(axis=1, keepdims=True)).sum(axis=0)

    @property
    def mean(self) -> npt.NDArray[np.float64]:
        """(players,) mean points."""
        return self.total / self.games

    @property
    def deviation(self) -> npt.NDArray[np.float64]:
        """(players,) standard deviation of the points."""
        return np.sqrt(np.maximum(0.0, self.squares / self.games - self.mean**2))


def play_batch(
    config: GameConfig,
    games: int,
    seed: int | None = None,
    *,
    discards: bool = False,
    report: Callable[[int], object] | None = None,
) -> BatchPoints:
    """Play and score so many games by uniformly random legal play.

    Each row of the batch plays its own share of the games and only these count: counting whichever games end
    first would count too many short ones.

    Args:
        config: What is played.
        games: Games to be counted.
        seed: Seed of the first game and of the choices; None draws one.
        discards: Also discard cards under construction.
        report: Told now and then how many games are counted.
    """
    seed = check_seed(seed)
    slots = min(games, MOST_SLOTS)
    _warm_up(config)
    played = Batch(config, slots, seed, observation=None)
    stream = make_stream(seed + CHOICES_SEED)
    left = np.full(slots, games // slots)
    left[: games % slots] += 1
    tally = BatchPoints(config, seed)
    steps = 0
    start = time.thread_time()
    while tally.games < games:
        played.step(played.sample_legal(stream, discards=discards))
        steps += 1
        ended = np.flatnonzero(played.done)
        counted = ended[left[ended] > 0]
        if len(counted):
            left[counted] -= 1
            tally.add_games(played.points[counted], played.places[counted])
        if report is not None and steps % STEPS_PER_REPORT == 0:
            report(tally.games)
    tally.seconds = time.thread_time() - start
    tally.decisions = slots * steps
    return tally


def _warm_up(config: GameConfig) -> None:
    """Load or compile the kernels, so that this is not measured."""
    small = Batch(config, 1, 0, observation=None)
    small.step(small.sample_legal(make_stream(0)))


def show_batch(tally: BatchPoints) -> None:
    """Print points by seat and the throughput."""
    from rich.console import Console
    from rich.table import Table

    multi = tally.config.players > 1
    table = Table("seat", "mean points", "std. deviation", "least", "most", *(["win share"] if multi else []))
    for column in table.columns:
        column.justify = "right"
    for seat in range(tally.config.players):
        cells = [str(seat), f"{tally.mean[seat]:.2f}", f"{tally.deviation[seat]:.2f}"]
        cells += [str(tally.least[seat]), str(tally.most[seat])]
        table.add_row(*cells, *([f"{tally.wins[seat] / tally.games:.3f}"] if multi else []))
    rate = tally.decisions / max(tally.seconds, 1e-9)
    print(f"{tally.games:,} game{'' if tally.games == 1 else 's'} of random legal play, seed {tally.seed}")
    Console().print(table)
    print(
        f"{tally.decisions:,} decisions in {tally.seconds:.2f} s of CPU time: "
        f"{rate:,.0f} decisions per second on one thread"
    )


def record_games(
    config: GameConfig, games: int, seed: int | None = None, *, checks: bool = True, discards: bool = False
) -> Iterator[dict[str, Any]]:
    """Records of so many games of uniformly random legal play; game g is set up with `seed + g`."""
    first = check_seed(seed)
    for g in range(first, first + games):
        rng = np.random.default_rng(g + CHOICES_SEED)

        def choose(game: Game, seat: int, rng: np.random.Generator = rng) -> int:
            return choose_at_random(game, seat, rng, discards=discards)

        yield record_game(config, choose, g, checks=checks)


def choose_at_random(game: Game, seat: int, rng: np.random.Generator, *, discards: bool = False) -> int:
    """A uniformly random legal action; without `discards`, no card under construction is given up."""
    legal = game.legal_actions(seat)
    if not discards:
        first = game.actions.discard
        legal = [action for action in legal if not first <= action < game.actions.use]
    return legal[int(rng.integers(len(legal)))]


def mask_out_discards(expansions: Sequence[str]) -> npt.NDArray[np.bool_]:
    """What is laid over a mask so that no card under construction is given up: False for these actions."""
    table = action_table(expansions)
    kept = np.ones(len(table), np.bool_)
    kept[table.discard : table.use] = False
    return kept
