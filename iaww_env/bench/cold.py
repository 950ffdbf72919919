"""What compiling costs: CPU seconds of what a user does first, each in a fresh process with an empty cache.

Interpreter and imports are counted, and processes that the process starts.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from iaww_env.bench.measuring import run_python
from iaww_env.bench.report import SpeedReport, SpeedRow, run_report

MARK = "cold speed"

_GAME = """
from iaww_env import Game, GameConfig
game = Game(GameConfig(players=4), seed=1)
while not game.over:
    seat = game.seats_to_act()[0]
    game.step(seat, game.legal_actions(seat)[0])
game.scores()
"""

_BATCH = """
from iaww_env import Batch, GameConfig, make_stream
batch = Batch(GameConfig(players=4), 16, seed=1, observation="compact")
batch.step(batch.sample_legal(make_stream(2), discards=False))
"""

_VERSUS = """
from iaww_env import VersusEnv
VersusEnv().reset(seed=1)
"""

_BOTS = """
from iaww_agents.arena.play.tournament import run_tournament
from iaww_env import GameConfig
run_tournament(["{bot}", "greedy"], GameConfig(players=2), games=2, workers=1)
"""

# What is done first: the work, the goal in CPU seconds, and what it says in the table.
WORKS = {
    "first game": (_GAME, 8.0, "a game through `Game`"),
    "first batch": (_BATCH, 18.0, "`Batch`, with observations, a step"),
    "first Versus": (_VERSUS, 18.0, "`VersusEnv().reset()`"),
    "first tournament": (_BOTS.format(bot="heuristic"), 25.0, "heuristic against greedy"),
    "first tournament with search": (_BOTS.format(bot="search:simulations=2"), 40.0, "search against greedy"),
}


def measure_cold(work: str) -> float:
    """CPU seconds of a snippet in a fresh interpreter with an empty cache."""
    before = os.times()
    with tempfile.TemporaryDirectory() as cache:
        run_python(["-c", work], {"NUMBA_CACHE_DIR": cache}, check=True)
    after = os.times()
    spent = after.children_user - before.children_user
    return spent + after.children_system - before.children_system


def measure_all(repeats: int) -> SpeedReport:
    """Every work, the best of so many repeats."""
    report = SpeedReport("Compiling, once for each version", f"iaww bench cold --repeats {repeats}")
    for name, (work, goal, includes) in WORKS.items():
        best = min(measure_cold(work) for _ in range(repeats))
        report.rows.append(SpeedRow(name, best, "CPU seconds", goal, includes, higher_is_better=False))
    return report


def run_cold(repeats: int, json_path: Path | None = None, into: Path | None = None) -> None:
    """Measure, print, and write JSON and the table where asked; raises as `run_report` does."""
    run_report(lambda: measure_all(repeats), MARK, json_path, into)
