"""Tune the weights of the heuristic by an evolution strategy (CMA-ES) over duplicate deals.

    python -m iaww_training.tune_heuristic --minutes 15 --out weights.json

Each candidate plays one seat of many games against the opponents, every seat in turn on the same deals, and
all candidates of a generation play the same deals. Its fitness is half its margin of points over the others
and 40 points for each game won; solo: its points. The mean of the last generation is written after every
fifth; what the weights say and the ones in use stand in `agents/weights/heuristic.csv`.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
import tyro

from iaww_agents.greedy import choose_action
from iaww_agents.heuristic.bot import read_weights
from iaww_agents.heuristic.plan import choose_heuristic
from iaww_agents.heuristic.values import NAMES, Weights
from iaww_agents.jit import kernel
from iaww_env.config import GameConfig
from iaww_env.engine.fields import MOST_LEGAL, OVER, PHASE, States
from iaww_env.engine.kernels.batch import begin_rows
from iaww_env.engine.new_rows import make_rows
from iaww_env.engine.rules.legal import find_next_seat
from iaww_env.engine.rules.scoring import Numbers, score_game
from iaww_env.engine.rules.transition import apply_action

ASCENSION = ("corruption_and_ascension",)
CANDIDATE, GREEDY, HEURISTIC = 0, 1, 2
Opponents = tuple[int, int]
# Players, expansions, side, games: what a candidate is tried on.
TABLES = (
    (4, (), "A", 800),
    (3, (), "A", 300),
    (4, ASCENSION, "A", 400),
    (2, ASCENSION, "B", 200),
    (4, (), "B", 200),
)
SOLOS = tuple((1, pool, side, 200) for pool in ((), ASCENSION) for side in "AB")
WIN, MARGIN = 40.0, 0.5
POSITIVE = ("short", "short_late")
FIXED = ("check", "sure")  # these trade strength for time
OPPONENTS = {"greedy": (GREEDY, GREEDY), "heuristic": (HEURISTIC, HEURISTIC), "both": (GREEDY, HEURISTIC)}


@kernel
def play_candidates(
    states: States,
    players: Numbers,
    candidate: Weights,
    rival: Weights,
    legal: Numbers,
    room: States,
    points: Numbers,
    places: Numbers,
) -> None:
    """Play every row to its end; players[g, seat] says who sits there. `legal` and `room` are spare."""
    for g in range(states.shape[0]):
        row = states[g]
        while row[PHASE] != OVER:
            seat = find_next_seat(row)
            if players[g, seat] == GREEDY:
                action = choose_action(row, seat, legal)
            elif players[g, seat] == HEURISTIC:
                action = choose_heuristic(row, seat, rival, room)
            else:
                action = choose_heuristic(row, seat, candidate, room)
            apply_action(row, seat, action)
        score_game(row, points[g], places[g])


def play_table(
    config: GameConfig, games: int, seed: int, opponents: Opponents, candidate: Weights, rival: Weights
) -> tuple[float, float]:
    """Mean margin (solo: points) and share of wins of the candidate, every seat in turn on the same deals."""
    n = config.players
    states = make_rows(config, [seed + game // n for game in range(games)])
    begin_rows(states)
    numbers = np.arange(games)
    players = np.array(opponents, np.int16)[numbers // n % 2, None].repeat(n, axis=1)
    players[numbers, numbers % n] = CANDIDATE
    points, places = np.zeros((games, n), np.int16), np.zeros((games, n), np.int16)
    legal = np.zeros(MOST_LEGAL, np.int16)
    room = np.empty_like(states[0])
    play_candidates(states, players, candidate, rival, legal, room, points, places)
    mine = players == CANDIDATE
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


class Evolution:
    """A covariance matrix adaptation evolution strategy, in its textbook form."""

    def __init__(self, size: int, step: float, population: int, seed: int) -> None:
        """Begin around 0 with steps of this length."""
        self.rng = np.random.default_rng(seed)
        self.population, self.size, self.step = population, size, step
        half = population // 2
        shares = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
        self.shares = shares / shares.sum()
        mass = 1 / (self.shares**2).sum()
        self.mass = mass
        self.path_rate = (mass + 2) / (size + mass + 5)
        self.matrix_rate = 4 / (size + 4)
        self.one = 2 / ((size + 1.3) ** 2 + mass)
        self.many = min(1 - self.one, 2 * (mass - 2 + 1 / mass) / ((size + 2) ** 2 + mass))
        self.length = np.sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size**2))
        self.mean = np.zeros(size)
        self.matrix = np.eye(size)
        self.path, self.step_path = np.zeros(size), np.zeros(size)

    def ask(self) -> npt.NDArray[np.float64]:
        """The candidates of a generation, one in each row."""
        values, vectors = np.linalg.eigh(self.matrix)
        roots = np.sqrt(np.maximum(values, 1e-12))
        self.whiten = (vectors / roots) @ vectors.T
        self.moves = self.rng.standard_normal((self.population, self.size)) @ (vectors * roots).T
        points: npt.NDArray[np.float64] = self.mean + self.step * self.moves
        return points

    def tell(self, fitness: npt.NDArray[np.float64]) -> None:
        """Learn from the fitness of the candidates asked for last."""
        best = self.moves[np.argsort(-fitness)[: len(self.shares)]]
        move = self.shares @ best
        self.mean = self.mean + self.step * move
        rate = self.path_rate
        self.step_path = (1 - rate) * self.step_path
        self.step_path += np.sqrt(rate * (2 - rate) * self.mass) * self.whiten @ move
        rate = self.matrix_rate
        self.path = (1 - rate) * self.path + np.sqrt(rate * (2 - rate) * self.mass) * move
        self.matrix *= 1 - self.one - self.many
        self.matrix += self.one * np.outer(self.path, self.path)
        self.matrix += self.many * (best.T * self.shares) @ best
        growth = np.linalg.norm(self.step_path) / self.length - 1
        self.step *= float(np.exp(self.path_rate / (1 + self.path_rate) * growth))


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
    if options.out.exists():
        named = json.loads(options.out.read_text(encoding="utf-8"))
        start[: len(NAMES)] = [named.get(name, old) for name, old in zip(NAMES, start, strict=False)]
    return start


def tune_weights(options: Options) -> None:
    """Evolve the weights until the time is over."""
    start, rival = read_start(options), read_weights(options.solo)
    own = start[: len(NAMES)]
    scale = np.maximum(np.abs(own), 0.3) / 2
    scale[[NAMES.index(name) for name in FIXED]] = 0
    positive = np.array([name in POSITIVE for name in NAMES])

    def scale_back(point: npt.NDArray[np.float64]) -> Weights:
        weights = own + point * scale
        return np.concatenate([np.where(positive, np.maximum(weights, 0.1), weights), start[len(NAMES) :]])

    evolution = Evolution(len(NAMES), options.step, options.population, options.seed)
    opponents = OPPONENTS[options.against]
    begun, generation = time.monotonic(), 0
    while time.monotonic() - begun < options.minutes * 60:
        deals = 10_000_000 + 5_000 * generation + options.seed
        points = evolution.ask()
        fitness = [rate_candidate(options.solo, opponents, deals, scale_back(p), rival) for p in points]
        evolution.tell(np.array(fitness))
        generation += 1
        if generation % 5 == 0:
            weights = scale_back(evolution.mean)
            named = {name: round(float(value), 4) for name, value in zip(NAMES, weights, strict=False)}
            options.out.write_text(json.dumps(named, indent=1) + "\n", encoding="utf-8")
            mean = rate_candidate(options.solo, opponents, 5_000_000, weights, rival)
            print(f"generation {generation}: step {evolution.step:.3f}, fitness {mean:.2f}", flush=True)


if __name__ == "__main__":
    tune_weights(tyro.cli(Options))
