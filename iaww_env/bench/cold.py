"""What compiling costs: CPU seconds of what a user does first, each in a fresh process with an empty cache.

    python -m iaww_env.bench.cold [game batch versus heuristic search]

Interpreter and imports are counted, and processes that the process starts.
"""

from __future__ import annotations

import os
import sys
import tempfile

from iaww_env.bench.measuring import run_python

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

WORKS = {
    "game": _GAME,
    "batch": _BATCH,
    "versus": _VERSUS,
    "heuristic": _BOTS.format(bot="heuristic"),
    "search": _BOTS.format(bot="search:simulations=2"),
}


def measure_cold(work: str) -> float:
    """CPU seconds of a snippet in a fresh interpreter with an empty cache."""
    before = os.times()
    with tempfile.TemporaryDirectory() as cache:
        run_python(["-c", work], {"NUMBA_CACHE_DIR": cache}, check=True)
    after = os.times()
    spent = after.children_user - before.children_user
    return spent + after.children_system - before.children_system


def main() -> None:
    """Measure what the command names, or all."""
    for name in sys.argv[1:] or WORKS:
        print(f"{name}: {measure_cold(WORKS[name]):.1f} CPU seconds", flush=True)


if __name__ == "__main__":
    main()
