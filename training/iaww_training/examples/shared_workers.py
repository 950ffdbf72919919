"""Several processes, each with a batch of its own, that write into one block of shared memory.

    python -m iaww_training.examples.shared_workers --workers 2 --games 512 --steps 200

The learner finds observations, masks and rewards of all games as one array each, and writes the actions:
nothing is pickled or sent. Here it draws legal actions at random; put a network in that place. With PyTorch
`torch.from_numpy(block["observations"])` is a tensor over the same memory.

On one machine threads are simpler and share one compiled engine: `Batch(threads=...)`. Processes are for
workers that also run Python of their own, such as bots in the other seats.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import pairwise
from threading import BrokenBarrierError
from typing import Any

import numpy as np
import numpy.typing as npt

import iaww_env

Block = dict[str, npt.NDArray[Any]]

CONFIG = iaww_env.GameConfig(players=4)
PROFILE = "compact"
SEED = 7
LONGEST = 300.0  # seconds that one waits for the others; the first time they may have to compile
WRITTEN = ("observations", "rewards", "masks")  # what a batch writes into arrays that it is given


def count_block(games: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """Shapes and types of what lies in the block; the widest in front, so that all are aligned."""
    return {
        "observations": ((games, iaww_env.observation_table(CONFIG, PROFILE).size), np.float32),
        "rewards": ((games, CONFIG.players), np.float32),
        "seats": ((games,), np.int16),
        "done": ((games,), np.int16),
        "actions": ((games,), np.int16),
        "masks": ((games, len(iaww_env.action_table())), np.int8),
    }


def lay_block(memory: Any, games: int) -> Block:
    """The shared memory as arrays by name."""
    block, at = Block(), 0
    for name, (shape, kind) in count_block(games).items():
        block[name] = np.ndarray(shape, kind, memory, at)
        at += block[name].nbytes
    return block


def work(memory: Any, games: int, part: slice, barrier: Any) -> None:
    """Play a part of the games, in a process of its own, until the learner stops."""
    mine = {name: array[part] for name, array in lay_block(memory, games).items()}
    arrays = {name: mine[name] for name in WRITTEN}
    try:
        # Game g of all begins from SEED + g, whoever plays it: the number of workers changes nothing.
        seeds = range(SEED + part.start, SEED + part.stop)
        batch = iaww_env.Batch(CONFIG, len(seeds), seeds, observation=PROFILE, discards=False, arrays=arrays)
        while True:
            mine["seats"][:], mine["done"][:] = batch.seats, batch.done
            barrier.wait(LONGEST)  # the learner may look
            barrier.wait(LONGEST)  # the learner has written its actions
            batch.step(mine["actions"])
    except BrokenBarrierError:
        pass  # the learner has stopped
    finally:
        barrier.abort()  # whatever went wrong here, nobody waits for this worker


def choose_actions(block: Block, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """The learner: a random legal action for every game."""
    chances = rng.random(block["masks"].shape, dtype=np.float32) + np.float32(1)
    chosen: npt.NDArray[np.int64] = np.argmax(chances * block["masks"], axis=1)
    return chosen


def learn(workers: int, games: int, steps: int) -> tuple[int, Block]:
    """Play so many steps of all games; how many games have ended, and what stands in the block then."""
    # Fresh processes: a fork would copy the threads of numba and PyTorch in the middle of what they do.
    context = multiprocessing.get_context("spawn")
    memory = context.RawArray(
        "b", sum(int(np.prod(shape)) * np.dtype(kind).itemsize for shape, kind in count_block(games).values())
    )
    block, barrier = lay_block(memory, games), context.Barrier(workers + 1)
    parts = [slice(a, b) for a, b in pairwise(games * n // workers for n in range(workers + 1))]
    processes = [
        context.Process(target=work, args=(memory, games, part, barrier), daemon=True) for part in parts
    ]
    for one in processes:
        one.start()
    rng, ended = np.random.default_rng(SEED), 0
    try:
        barrier.wait(LONGEST)
        for _ in range(steps):
            block["actions"][:] = choose_actions(block, rng)
            barrier.wait(LONGEST)  # the workers may step
            barrier.wait(LONGEST)  # the workers have stepped
            ended += int(block["done"].sum())
    finally:
        barrier.abort()
        for one in processes:
            one.join()
    return ended, block


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and say how fast."""
    parser = ArgumentParser(description="Several processes write into one block of shared memory.")
    parser.add_argument("--workers", type=int, default=2, help="processes beside the learner")
    parser.add_argument("--games", type=int, default=512, help="games of all workers together")
    parser.add_argument("--steps", type=int, default=200, help="decisions in each game")
    given = parser.parse_args(arguments)
    if not 1 <= given.workers <= given.games or given.steps < 1:
        parser.error("give a worker and a step at least, and a game for each worker")
    start = time.perf_counter()
    ended, block = learn(given.workers, given.games, given.steps)
    spent = time.perf_counter() - start
    print(f"{given.games * given.steps:,} decisions, {ended:,} games ended, {spent:.1f} s with the start")
    print(f"observations of all games: {block['observations'].shape}, one array")
    return 0


if __name__ == "__main__":
    sys.exit(main())
