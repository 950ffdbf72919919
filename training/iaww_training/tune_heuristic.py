"""Tune the weights of the heuristic by an evolution strategy (CMA-ES) over duplicate deals.

    python -m iaww_training.tune_heuristic --minutes 15 --out weights.json

Each candidate plays one seat of many games against the opponents, every seat in turn on the same deals, and
all candidates of a generation play the same deals. Its fitness is half its margin of points over the others
and 40 points for each game won; solo: its points. The mean of the last generation is written after every
fifth; what the weights say and the ones in use stand in `iaww_agents/heuristic/heuristic.csv`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
import tyro
from cmaes import CMA  # type: ignore[import-untyped]  # it ships no types

from iaww_agents.heuristic.weights import NAMES, Weights, read_weights
from iaww_agents.jit import kernel
from iaww_env import rulebook
from iaww_env.cards import EXPANSIONS
from iaww_env.cli.running import run_command
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.rules.legal import find_next_seat
from iaww_env.engine.rules.scoring import Numbers, score_game
from iaww_env.engine.rules.transition import apply_action
from iaww_env.errors import ConfigError, name_path
from iaww_env.outputs import check_output, write_whole
from iaww_training.games import GREEDY, HEURISTIC, LEARNER, Bots, choose_for, deal_games, make_bots

Opponents = tuple[int, int]
# Players, expansions, side, games: what a candidate is tried on.
TABLES = (
    (4, (), "A", 800),
    (3, (), "A", 300),
    (4, EXPANSIONS, "A", 400),
    (2, EXPANSIONS, "B", 200),
    (4, (), "B", 200),
)
SOLOS = tuple((1, pool, side, 200) for pool in ((), EXPANSIONS) for side in "AB")
WIN, MARGIN = 40.0, 0.5
POSITIVE, LEAST = ("short", "short_late"), 0.1
FIXED = ("check", "sure")  # these trade strength for time
OPPONENTS = {"greedy": (GREEDY, GREEDY), "heuristic": (HEURISTIC, HEURISTIC), "both": (GREEDY, HEURISTIC)}


# --- Games -----------------------------------------------------------------------------------------


@kernel
def play_candidate(states: States, sorts: Numbers, bots: Bots, points: Numbers, places: Numbers) -> None:
    """Play every row to its end; sorts[g, seat] says who sits there."""
    for g in range(states.shape[0]):
        row = states[g]
        while row[fields.PHASE] != rulebook.OVER:
            seat = find_next_seat(row)
            apply_action(row, seat, choose_for(int(sorts[g, seat]), row, seat, bots))
        score_game(row, points[g], places[g])


def play_table(
    config: GameConfig, games: int, seed: int, opponents: Opponents, candidate: Weights, rival: Weights
) -> tuple[float, float]:
    """Mean margin (solo: points) and share of wins of the candidate, every seat in turn on the same deals."""
    n, numbers = config.players, np.arange(games)
    states = deal_games(config, games, seed)
    sorts = np.array(opponents, np.int16)[numbers // n % 2, None].repeat(n, axis=1)
    sorts[numbers, numbers % n] = LEARNER
    points, places = np.zeros((games, n), np.int16), np.zeros((games, n), np.int16)
    play_candidate(states, sorts, make_bots(candidate, rival, states), points, places)
    mine = sorts == LEARNER
    if n == 1:
        return float(points.mean()), 0.0
    won = (places == 1) / (places == 1).sum(axis=1, keepdims=True)
    return float(points[mine].mean() - points[~mine].mean()), float(won[mine].mean())


def rate_candidate(solo: bool, opponents: Opponents, seed: int, candidate: Weights, rival: Weights) -> float:
    """The fitness of a candidate on the deals of a seed."""
    total, tables = 0.0, SOLOS if solo else TABLES
    for players, pool, side, games in tables:
        config = GameConfig(players=players, expansions=pool, empire_side=side)
        margin, won = play_table(config, games, seed, opponents, candidate, rival)
        total += margin if solo else MARGIN * margin + WIN * won
    return total / len(tables)


# --- Evolution -------------------------------------------------------------------------------------


class Space:
    """The weights around those to begin from: one dimension for each that may move, in halves of its size."""

    def __init__(self, start: Weights) -> None:
        """Begin from these weights; what stands behind the named ones stays as it is."""
        self.start = start
        self.free = np.array([place for place, name in enumerate(NAMES) if name not in FIXED])
        self.scale = np.maximum(np.abs(start[self.free]), 0.3) / 2
        self.positive = np.array([NAMES.index(name) for name in POSITIVE])

    def find_weights(self, point: npt.NDArray[np.float64]) -> Weights:
        """The weights at a point."""
        weights = self.start.copy()
        weights[self.free] += point * self.scale
        weights[self.positive] = np.maximum(weights[self.positive], LEAST)
        return weights


@dataclass(frozen=True)
class Generation:
    """How far evolution has come: generations so far, the weights at their mean, and the step."""

    number: int
    mean: Weights
    step: float


def evolve(
    space: Space, rate: Callable[[int, Weights], float], step: float, population: int, seed: int = 0
) -> Iterator[Generation]:
    """Generations without end; `rate` is given the number of the generation and a candidate's weights."""
    strategy = CMA(np.zeros(len(space.free)), step, seed=seed, population_size=population)
    number = 0
    while True:
        points = [strategy.ask() for _ in range(population)]
        # The package looks for the least.
        strategy.tell([(point, -rate(number, space.find_weights(point))) for point in points])
        number += 1
        # It shows its step nowhere else.
        yield Generation(number, space.find_weights(strategy.mean), float(strategy._sigma))


# --- The script ------------------------------------------------------------------------------------


@dataclass
class Options:
    """How to tune."""

    out: Path = Path("weights.json")
    """Where the weights are written, by name; an earlier file is gone on from."""
    minutes: float = 15.0
    """How long."""
    solo: bool = False
    """Tune the column for solo."""
    against: Literal["greedy", "heuristic", "both"] = "both"
    """The opponents: `greedy`, `heuristic` with the weights in use, or deal by deal the one and the other."""
    step: float = 0.4
    """How far the first candidates stray, in halves of each weight."""
    population: int = 16
    """Candidates in a generation."""
    seed: int = 0
    """Where chance begins."""


def read_start(options: Options) -> Weights:
    """The weights to begin from: those of an earlier run, else those in use."""
    start = read_weights(options.solo)
    check_output(options.out)
    if options.out.exists() and options.out.stat().st_size > 0:
        named = read_written(options.out)
        start[: len(NAMES)] = [named.get(name, old) for name, old in zip(NAMES, start, strict=False)]
    return start


def read_written(path: Path) -> dict[str, float]:
    """The weights of an earlier run by name.

    Raises:
        ConfigError: The file holds something else, and is not written either.
    """
    try:
        named = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(named, dict) or not named or not named.keys() <= set(NAMES):
            raise ValueError("it does not name weights of the heuristic")
        found = {name: float(value) for name, value in named.items()}
        if not np.isfinite(list(found.values())).all():
            raise ValueError("a weight is no number")
    except (ValueError, TypeError, RecursionError) as error:
        raise ConfigError(
            f"{name_path(path)} holds no weights of an earlier run ({error}): it is left as it is; name "
            "another file"
        ) from None
    return found


def write_weights(path: Path, weights: Weights) -> None:
    """Write the weights by name."""
    named = {name: round(float(value), 4) for name, value in zip(NAMES, weights, strict=False)}
    write_whole(path, json.dumps(named, indent=1) + "\n")


def tune_weights(options: Options) -> None:
    """Evolve the weights until the time is over."""
    rival, opponents = read_weights(options.solo), OPPONENTS[options.against]

    def rate(number: int, weights: Weights) -> float:
        deals = 10_000_000 + 5_000 * number + options.seed
        return rate_candidate(options.solo, opponents, deals, weights, rival)

    space, begun = Space(read_start(options)), time.monotonic()
    generations = evolve(space, rate, options.step, options.population, options.seed)
    for now in generations:
        if now.number % 5 == 0:
            write_weights(options.out, now.mean)
            fitness = rate_candidate(options.solo, opponents, 5_000_000, now.mean, rival)
            print(f"generation {now.number}: step {now.step:.3f}, fitness {fitness:.2f}", flush=True)
        if time.monotonic() - begun >= options.minutes * 60:
            return


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""

    def run() -> int:
        tune_weights(tyro.cli(Options, args=args))
        return 0

    return run_command(run, "tune_heuristic", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
