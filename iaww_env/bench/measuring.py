"""What all measurements share: work that says what it did, the rate of it, fresh interpreters."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from iaww_env.batch import Batch, make_stream
from iaww_env.config import GameConfig

RATE = "decisions / CPU s"
ROOT = Path(__file__).resolve().parents[2]

Work = Callable[[], int]
"""Plays on, and returns how many decisions it took."""


def measure_rate(work: Work, repeats: int) -> float:
    """What the work did per second of CPU time: best of several repeats, after one that warms up."""
    work()
    best = 0.0
    for _ in range(repeats):
        start = time.process_time()
        done = work()
        spent = time.process_time() - start
        best = max(best, done / spent) if spent > 0 else best
    return best


def make_batch_work(config: GameConfig, games: int, decisions: int, profile: str | None = None) -> Work:
    """Stepping a native batch: drawing the actions in a kernel, playing them, masks, resets.

    Args:
        config: What is played.
        games: Rows of the batch.
        decisions: About so many in each call of the work, one in every row at least.
        profile: Of the observations; None makes none.
    """
    batch = Batch(config, games, seed=1, observation=profile)
    stream = make_stream(2)
    calls = max(1, decisions // games)

    def play() -> int:
        for _ in range(calls):
            batch.step(batch.sample_legal(stream, discards=False))
        return calls * games

    return play


def run_python(
    arguments: Sequence[str],
    variables: Mapping[str, str],
    *,
    check: bool = False,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a fresh interpreter that finds this package.

    Args:
        arguments: What stands behind `python` in the command.
        variables: What is added to the environment.
        check: Raise CalledProcessError where it fails.
        timeout: Seconds after which TimeoutExpired is raised.
    """
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, **variables, "PYTHONPATH": paths}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=check, timeout=timeout
    )
