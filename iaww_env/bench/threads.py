"""What a second thread gains: large batches, one thread and two in turn, on the wall clock.

Seconds of CPU time would say nothing here: two threads spend as many as one, in half the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env.batch import Batch, make_stream
from iaww_env.bench.drawing import SEED, draw_vector, make_vector
from iaww_env.bench.report import SpeedRow
from iaww_env.config import GameConfig

WALL_RATE = "decisions / wall s"
GAMES = 4096
COUNTS = {1: "one thread", 2: "two threads"}

TimedWork = Callable[[], tuple[int, float]]
"""Plays on, and returns how many decisions it took and the seconds that count."""


def measure_threads(repeats: int, games: int) -> list[SpeedRow]:
    """The rows of batches that threads share; `games` says how long a repeat is."""
    drawn, decisions = draw_vector(make_vector(GAMES, "compact"), 2 * games)
    vectors = [time_vector(make_vector(GAMES, "compact", count), drawn, decisions) for count in COUNTS]
    batches = [time_batch(GAMES, max(1, games // 2), count) for count in COUNTS]
    rows = []
    for name, works, what in (
        ("native batch", batches, "random legal play without discards; observation, mask, resets"),
        ("vector Versus", vectors, "the learner's decisions against three random opponents; the same"),
    ):
        rates = measure_wall_rates(works, repeats)
        for (count, threads), value in zip(COUNTS.items(), rates, strict=True):
            gain = f" ({value / rates[0]:.2f} times as much as one)" if count > 1 else ""
            includes = f"{what}; steps alone, on the wall clock, for CPU time would add up the threads{gain}"
            row = f"{name} of {GAMES:,}, compact, {threads}"
            rows.append(SpeedRow(row, value, WALL_RATE, None, includes))
    return rows


def measure_wall_rates(works: Sequence[TimedWork], repeats: int) -> list[float]:
    """What each did per second of wall clock: best of several repeats in turn, after one that warms up."""
    best = [0.0] * len(works)
    for repeat in range(repeats + 1):
        for number, work in enumerate(works):
            done, spent = work()
            if repeat > 0 and spent > 0:
                best[number] = max(best[number], done / spent)
    return best


def time_batch(games: int, calls: int, threads: int) -> TimedWork:
    """Steps of a native batch; drawing, which one thread does, is not counted."""
    batch = Batch(GameConfig(players=4), games, seed=1, observation="compact", threads=threads)
    stream = make_stream(2)

    def play() -> tuple[int, float]:
        spent = 0.0
        for _ in range(calls):
            actions = batch.sample_legal(stream, discards=False)
            start = time.perf_counter()
            batch.step(actions)
            spent += time.perf_counter() - start
        return calls * games, spent

    return play


def time_vector(env: Any, drawn: Sequence[npt.NDArray[np.int64]], decisions: int) -> TimedWork:
    """Steps of the vector environment, actions drawn before; the reset is not counted."""

    def play() -> tuple[int, float]:
        env.reset(seed=SEED)
        start = time.perf_counter()
        for actions in drawn:
            env.step(actions)
        return decisions, time.perf_counter() - start

    return play
