"""What happens in random games, boiled down to checksums of every step.

Run as a module it plays games in a process of its own and prints their traces:
`python -m tests.engine.traces '[["solo", 1]]'`.
"""

from __future__ import annotations

import json
import random
import sys
import zlib

from iaww_env.engine.kernels import game as game_kernels
from iaww_env.game import Game
from tests.modes import MODES
from tests.processes import run_python
from tests.random_play import play_batch, play_on, play_some


def sum_row(game: Game) -> int:
    """A checksum of the row's bytes, the same on every system."""
    return zlib.crc32(game.row.astype("<i2").tobytes())


def trace_game(game: Game, seed: int) -> list[int]:
    """Checksums of the row at every step of a random game, then the scores and places."""
    sums = [sum_row(game)]
    sums += [sum_row(game) for _ in play_on(game, random.Random(seed), discards=seed % 2 == 0)]
    return sums + game.scores() + game.places()


def trace_mode(mode: str, seed: int) -> list[int]:
    """The trace of the game with this seed, of what a seat may imagine on the way, and of a batch."""
    sums = trace_game(Game(MODES[mode], seed), seed)
    for decisions in (0, 9, 40, 120):
        game = play_some(mode, seed, decisions)
        sums += [sum_row(game.redeterminize(seat, seed)) for seat in range(game.config.players)]
    batch = play_batch(mode, seed, steps=180)
    sums += [int(array.astype("<i8").sum()) for array in (batch.seats, batch.masks, batch.points)]
    return [*sums, zlib.crc32(batch.states.astype("<i2").tobytes())]


def trace_elsewhere(games: list[tuple[str, int]], **environment: str) -> list[list[int]]:
    """The traces of these games (mode, seed), played in a process with these settings."""
    compiled, traces = json.loads(run_python("-m", "tests.engine.traces", json.dumps(games), **environment))
    assert compiled == ("NUMBA_DISABLE_JIT" not in environment)
    answer: list[list[int]] = traces
    return answer


def main(games: str) -> None:
    """Play the games, given as JSON, and print whether kernels are compiled here, and the traces."""
    traces = [trace_mode(mode, seed) for mode, seed in json.loads(games)]
    print(json.dumps([hasattr(game_kernels.play_action, "signatures"), traces]))


if __name__ == "__main__":
    main(*sys.argv[1:])
