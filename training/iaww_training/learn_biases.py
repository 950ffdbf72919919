"""Learn what each kind is worth beyond its figures: the biases in `iaww_agents/heuristic/kinds.csv`.

    python -m iaww_training.learn_biases --rounds 2 --out kinds.csv

In many games one seat compares its candidates as search does: sampled worlds, each played to its end after
each candidate, on common random numbers. A ridge regression then says what the values found have beyond the
heuristic's own, kind by kind and round by round of the game. That is added to the biases, and the next round
of learning begins with them.

The table in use was made in two steps: two rounds with `--slates --quick` and 24 worlds, 240 games of four
players on base cards; then two rounds for picks on all TABLES with 14 worlds, of 36 games each and of 48 (the
latter with `--rate 0.7`), with a forerunner of the playouts of today, so that these commands do not make it
anew byte for byte. Solo has no biases.
"""

from __future__ import annotations

import csv
import io
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import tyro

from iaww_agents.heuristic.rules import value_pick
from iaww_agents.heuristic.values import value_recycle, value_slate
from iaww_agents.heuristic.weights import (
    COLUMNS,
    N_KINDS,
    PICK_BIAS,
    SLATE_BAR,
    SLATE_BIAS,
    Weights,
    list_biases,
    read_weights,
)
from iaww_agents.jit import kernel
from iaww_agents.search.playouts import play_world
from iaww_env import rulebook
from iaww_env.batch import make_stream
from iaww_env.cards import EXPANSIONS, kinds
from iaww_env.cli.running import run_command
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.kernels.game import redeterminize_row
from iaww_env.engine.rng import Stream
from iaww_env.engine.row import copy_cells, find_seat
from iaww_env.engine.rules.knowledge import MOST_PLACES
from iaww_env.engine.rules.legal import find_next_seat, list_legal
from iaww_env.engine.rules.scoring import Numbers
from iaww_env.engine.rules.transition import apply_action
from iaww_env.outputs import check_output, write_whole
from iaww_training.games import GREEDY, HEURISTIC, LEARNER, Bots, choose_for, deal_games, make_bots

# Players, expansions, side, and who sits where in the first game of a deal.
TABLES = (
    (4, (), "A", (LEARNER, GREEDY, GREEDY, GREEDY)),
    (4, (), "A", (LEARNER, HEURISTIC, HEURISTIC, HEURISTIC)),
    (3, (), "A", (LEARNER, HEURISTIC, GREEDY)),
    (2, (), "A", (LEARNER, HEURISTIC)),
    (4, (), "B", (LEARNER, HEURISTIC, HEURISTIC, GREEDY)),
    (3, (), "B", (LEARNER, HEURISTIC, GREEDY)),
    (4, EXPANSIONS, "A", (LEARNER, HEURISTIC, HEURISTIC, GREEDY)),
    (3, EXPANSIONS, "A", (LEARNER, HEURISTIC, GREEDY)),
    (2, EXPANSIONS, "B", (LEARNER, HEURISTIC)),
    (4, EXPANSIONS, "B", (LEARNER, HEURISTIC, HEURISTIC, GREEDY)),
    (5, (), "A", (LEARNER, HEURISTIC, HEURISTIC, HEURISTIC, GREEDY)),
    (5, EXPANSIONS, "A", (LEARNER, HEURISTIC, HEURISTIC, GREEDY, GREEDY)),
)
WIN_BONUS = 20.0
MOST_DECISIONS = 2 * rulebook.ROUNDS * 8  # of one seat in one game: picks, and cards slated or recycled
Floats = npt.NDArray[np.float64]


class Playouts(NamedTuple):
    """How the learner plays its candidates out, and scratch for it: two rows, hidden places, values."""

    worlds: int
    slates: bool
    quick: bool
    stream: Stream
    rows: States
    places: States
    values: Floats


class Notes(NamedTuple):
    """What was found: found[decision, candidate] holds phase, round, action, own value and mean."""

    found: Floats
    counts: Numbers
    """Candidates of each decision."""


# --- Games -----------------------------------------------------------------------------------------


@called
def compare_actions(row: States, seat: int, n: int, bots: Bots, how: Playouts) -> None:
    """Mean values of the first n legal actions over sampled worlds, the same for all."""
    values = how.values
    for a in range(n):
        values[a] = 0.0
    for _ in range(how.worlds):
        copy_cells(row, how.rows[0])
        redeterminize_row(how.rows[0], seat, how.stream, how.places)
        for a in range(n):
            world = how.rows[1]
            copy_cells(how.rows[0], world)
            apply_action(world, seat, int(bots.legal[a]))
            values[a] += play_world(world, seat, how.quick, bots.learnt, WIN_BONUS, bots.row) / how.worlds


@inlined
def is_compared(row: States, seat: int, slates: bool) -> bool:
    """Whether this is a pick, or a card to slate or recycle where those are learnt too."""
    at = find_seat(row, seat)
    if row[fields.PHASE] == rulebook.DRAFT:
        return True
    decides = row[fields.PHASE] == rulebook.PLANNING and row[at + fields.N_DRAFTED] > 0
    return bool(slates and decides and row[at + fields.LOOSE] == 0 and row[at + fields.HELD] == 0)


@inlined
def find_best(values: Floats, n: int) -> int:
    """The first of the greatest of n values."""
    best = 0
    for a in range(n):
        if values[a] > values[best]:
            best = a
    return best


@kernel
def gather_values(states: States, sorts: Numbers, bots: Bots, how: Playouts, notes: Notes) -> None:
    """Play every row to its end, and note each decision that the learner compares."""
    decision = 0
    for g in range(states.shape[0]):
        row = states[g]
        while row[fields.PHASE] != rulebook.OVER:
            seat = find_next_seat(row)
            action = choose_for(int(sorts[g, seat]), row, seat, bots)
            if sorts[g, seat] == LEARNER and is_compared(row, seat, how.slates):
                n = list_legal(row, seat, False, bots.legal)
                if n > 1:
                    compare_actions(row, seat, n, bots, how)
                    note_decision(row, seat, n, bots, how.values, notes.found[decision])
                    notes.counts[decision] = n
                    decision += 1
                    action = int(bots.legal[find_best(how.values, n)])
            apply_action(row, seat, action)


@inlined
def note_decision(row: States, seat: int, n: int, bots: Bots, values: Floats, found: Floats) -> None:
    """Note a decision: for each candidate phase, round, action, the heuristic's own value and the mean."""
    at, weights = find_seat(row, seat), bots.learnt
    for a in range(n):
        kind = int(bots.legal[a]) % int(row[fields.KINDS])
        found[a, 0], found[a, 1] = row[fields.PHASE], row[fields.ROUND]
        found[a, 2], found[a, 4] = bots.legal[a], values[a]
        if row[fields.PHASE] == rulebook.DRAFT:
            found[a, 3] = value_pick(row, at, kind, weights)
        else:
            gain = value_slate(row, at, kind, 0.0, weights) - value_recycle(row, at, kind, weights)
            found[a, 3] = gain - weights[SLATE_BAR]


@dataclass(frozen=True)
class Samples:
    """What one table taught: of picks whole decisions, of slates single cards."""

    picks: list[tuple[int, Numbers, Floats, Floats]]
    """Round, kinds, own values, means."""
    slates: list[tuple[int, int, float, float]]
    """Round, kind, own gain of slating over recycling, mean gain."""


def gather_table(number: int, options: Options, seed: int, weights: Weights) -> Samples:
    """Play the games of one table and compare the learner's candidates."""
    n, expansions, side, seats = TABLES[number]
    config = GameConfig(players=n, expansions=expansions, empire_side=side)
    states = deal_games(config, options.games, seed)
    sorts = np.array([np.roll(seats, game % n) for game in range(options.games)], np.int16)
    most = options.games * MOST_DECISIONS
    how = Playouts(
        worlds=options.worlds,
        slates=options.slates,
        quick=options.quick,
        stream=make_stream(seed),
        rows=np.empty((2, states.shape[1]), np.int16),
        places=np.zeros(MOST_PLACES, np.int16),
        values=np.zeros(fields.MOST_LEGAL),
    )
    notes = Notes(np.zeros((most, fields.MOST_LEGAL, 5)), np.zeros(most, np.int16))
    gather_values(states, sorts, make_bots(weights, weights, states), how, notes)
    samples = Samples([], [])
    for decision in np.flatnonzero(notes.counts):
        read_decision(notes.found[decision, : notes.counts[decision]], config.kinds, samples)
    return samples


def read_decision(found: Floats, n_kinds: int, samples: Samples) -> None:
    """Add a noted decision to the samples."""
    number, actions = int(found[0, 1]), found[:, 2].astype(np.int16)
    if found[0, 0] == rulebook.DRAFT:
        samples.picks.append((number, actions % n_kinds, found[:, 3], found[:, 4]))
        return
    means = dict(zip(actions.tolist(), found[:, 4].tolist(), strict=True))
    for action, own in zip(actions.tolist(), found[:, 3].tolist(), strict=True):
        if n_kinds <= action < 2 * n_kinds and action + n_kinds in means:
            gain = means[action] - means[action + n_kinds]
            samples.slates.append((number, action - n_kinds, own, gain))


# --- Fitting ---------------------------------------------------------------------------------------


def fit_picks(samples: Samples, number: int, ridge: float) -> Floats:
    """What kinds bring when picked in a round beyond their own values, in units of those."""
    lefts, rights = [], []
    for _, kinds_of, own, means in (one for one in samples.picks if one[0] == number):
        left = np.zeros((len(own), 1 + N_KINDS))
        left[:, 0] = own
        left[np.arange(len(own)), 1 + kinds_of] = 1
        lefts.append(left - left.mean(axis=0))
        rights.append(means - means.mean())
    return solve_ridge(np.concatenate(lefts), np.concatenate(rights), ridge, 0.3)


def fit_slates(samples: Samples, number: int, ridge: float) -> Floats:
    """The same for slating a kind rather than recycling it; close decisions count most."""
    table: Floats = np.array([one[1:] for one in samples.slates if one[0] == number])
    left = np.zeros((len(table), 1 + N_KINDS))
    left[:, 0] = table[:, 1]
    left[np.arange(len(table)), 1 + table[:, 0].astype(int)] = 1
    root: Floats = np.power(1 + (table[:, 1] / 4) ** 2, -0.5)
    return solve_ridge(left * root[:, None], table[:, 2] * root, ridge, 0.5)


def solve_ridge(left: Floats, right: Floats, ridge: float, least: float) -> Floats:
    """Biases of kinds in units of the first column, whose own factor is not held back."""
    penalty: Floats = np.full(left.shape[1], ridge)
    penalty[0] = 1e-3
    found = np.linalg.solve(left.T @ left + np.diag(penalty), left.T @ right)
    print(f"factor {found[0]:.2f}, spread of biases {found[1:].std() / max(found[0], least):.2f}", flush=True)
    biases: Floats = np.asarray(found[1:] / max(float(found[0]), least), np.float64)
    return biases


def write_biases(path: Path, table: Weights, solo: Weights) -> None:
    """Write the biases of two columns of weights as a table of kinds."""
    heads = [head for column in COLUMNS for head in list_biases(column)]
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["kind", *heads])
    for kind in kinds(EXPANSIONS):
        values = [w[PICK_BIAS:].reshape(-1, N_KINDS)[:, kind.index] for w in (table, solo)]
        writer.writerow([kind.id, *(f"{value:.2f}" for value in np.concatenate(values))])
    write_whole(path, lines.getvalue(), holds_biases)


def holds_biases(begin: bytes) -> bool:
    """Whether a file with these first bytes is a table of biases."""
    return begin.startswith(f"kind,{list_biases(COLUMNS[0])[0]}".encode())


# --- The script ------------------------------------------------------------------------------------


@dataclass
class Options:
    """How to learn."""

    out: Path = Path("kinds.csv")
    """Where the biases are written after each round."""
    rounds: int = 2
    """Rounds of learning."""
    games: int = 36
    """Games of each table in a round."""
    worlds: int = 14
    """Worlds for a decision."""
    slates: bool = False
    """Also learn from cards slated and recycled."""
    quick: bool = False
    """Play worlds out by the quick rules for the learner too, without projections."""
    ridge: float = 30.0
    """How strongly biases are held back."""
    rate: float = 1.0
    """Share of what was found that is added."""
    workers: int = 2
    """Processes."""
    seed: int = 700_000
    """Seed of the first deal."""


def add_biases(weights: Weights, samples: Samples, options: Options) -> None:
    """Add what the samples teach to the biases, round by round of the game."""
    fits = [(PICK_BIAS, fit_picks), (SLATE_BIAS, fit_slates)][: 1 + options.slates]
    for played in range(rulebook.ROUNDS):
        for begin, fit in fits:
            first = begin + played * N_KINDS
            weights[first : first + N_KINDS] += options.rate * fit(samples, played + 1, options.ridge)


def learn_biases(options: Options) -> None:
    """Gather, fit and write, round after round."""
    weights, solo = read_weights(False), read_weights(True)
    check_output(options.out, holds_biases)  # before anybody has waited
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        for number in range(options.rounds):
            begun, seed = time.monotonic(), options.seed + 20_000 * number
            tasks = [
                pool.submit(gather_table, table, options, seed + 1000 * table, weights)
                for table in range(len(TABLES))
            ]
            parts = [task.result() for task in tasks]
            samples = Samples([x for p in parts for x in p.picks], [x for p in parts for x in p.slates])
            add_biases(weights, samples, options)
            write_biases(options.out, weights, solo)
            seconds = time.monotonic() - begun
            print(f"round {number + 1}: {seconds:.0f} s, written to {options.out}", flush=True)


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""

    def run() -> int:
        learn_biases(tyro.cli(Options, args=args))
        return 0

    return run_command(run, "learn_biases", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
