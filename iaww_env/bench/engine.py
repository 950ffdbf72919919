"""The engine's figures: playouts, batch stepping, copying, importing, starting, compiling."""

from __future__ import annotations

import tempfile
import timeit
from pathlib import Path

import numpy as np

from iaww_env.batch import make_stream
from iaww_env.bench.measuring import RATE, make_batch_work, measure_rate, run_python
from iaww_env.bench.report import SpeedReport, SpeedRow, run_report
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.kernels import batch as kernels
from iaww_env.engine.new_rows import make_rows
from iaww_env.game import Game

PLAYOUT_GAMES = 512
DECISIONS_PER_REPEAT = 200_000
PLAYOUT = ", no mask; forced decisions counted too (about 1 in 100)"
MARK = "engine speed"

_FIRST_GAME = """
import time
start = time.process_time()
from iaww_env import Game, GameConfig
game = Game(GameConfig(players=4), seed=1)
while not game.over:
    seat = game.seats_to_act()[0]
    game.step(seat, game.legal_actions(seat)[0])
game.scores()
print(time.process_time() - start)
"""

_IMPORT = """
import time
start = time.process_time()
import iaww_env
print(time.process_time() - start)
"""


def measure_playouts(players: int, repeats: int) -> float:
    """Games played inside one kernel, from the deal to the end."""
    states = make_rows(GameConfig(players=players), range(PLAYOUT_GAMES))
    legal = np.zeros(fields.MOST_LEGAL, np.int16)
    decisions = np.zeros(2, np.int64)
    stream = make_stream(1)

    def play() -> int:
        decisions[:] = 0
        kernels.begin_rows(states)
        kernels.play_out(states, False, stream, legal, decisions)
        return int(decisions.sum())

    return measure_rate(play, repeats)


def measure_batch(games: int, repeats: int) -> float:
    """Stepping a batch of four players, with the next seat's mask and without observations."""
    return measure_rate(make_batch_work(GameConfig(players=4), games, DECISIONS_PER_REPEAT), repeats)


def measure_clone(repeats: int) -> float:
    """Microseconds for a copy of a four-player game."""
    game = Game(GameConfig(players=4), seed=1)
    calls = 20_000
    return min(timeit.repeat(game.clone, number=calls, repeat=repeats)) / calls * 1e6


def run_fresh(code: str, cache: Path, repeats: int = 1) -> float:
    """Best of the CPU seconds that a snippet prints in a fresh interpreter, with its own cache of kernels."""
    variables = {"NUMBA_CACHE_DIR": str(cache)}
    return min(float(run_python(["-c", code], variables, check=True).stdout) for _ in range(repeats))


def measure_engine(repeats: int = 15) -> SpeedReport:
    """Measure every row of the engine."""
    report = SpeedReport("Engine", f"iaww bench engine --repeats {repeats}")
    drawn = "random legal play without discards; drawing the action included"
    report.rows += [
        SpeedRow(
            "raw playouts, four players", measure_playouts(4, repeats), RATE, 5_000_000, drawn + PLAYOUT
        ),
        SpeedRow("batch of 256 with mask", measure_batch(256, repeats), RATE, 3_000_000, drawn + ", resets"),
        SpeedRow("batch of 64 with mask", measure_batch(64, repeats), RATE, 1_600_000, "the same"),
        SpeedRow("batch of 1 with mask", measure_batch(1, repeats), RATE, 700_000, "the same"),
        SpeedRow("copying a game", measure_clone(repeats), "microseconds", 2.0, "Game.clone()", False),
    ]
    with tempfile.TemporaryDirectory() as cache:
        run_fresh(_FIRST_GAME, Path(cache))  # compiles: what that costs is what `iaww bench cold` measures
        warm = run_fresh(_FIRST_GAME, Path(cache), 5)
        imported = run_fresh(_IMPORT, Path(cache), 5)
    report.rows += [
        SpeedRow("import iaww_env", imported, "CPU seconds", 0.5, "a fresh interpreter", False),
        SpeedRow("first game, warm cache", warm, "CPU seconds", 1.0, "import, a game through Game", False),
    ]
    return report


def run_engine(repeats: int = 15, json_path: Path | None = None, into: Path | None = None) -> None:
    """Measure, print, and write JSON and the table between its marks where asked."""
    run_report(lambda: measure_engine(repeats), MARK, json_path, into)
