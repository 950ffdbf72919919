"""The tuner: it climbs, moves what may move and nothing else, and goes on from what it has written."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from iaww_agents.heuristic.weights import NAMES, Weights, read_weights
from iaww_env.config import GameConfig
from iaww_training import tune_heuristic
from iaww_training.games import HEURISTIC
from iaww_training.tune_heuristic import (
    FIXED,
    LEAST,
    POSITIVE,
    Options,
    Space,
    evolve,
    play_table,
    tune_weights,
)


def take(space: Space, target: Weights, generations: int, seed: int = 1) -> list[Weights]:
    """The means of some generations whose fitness is the nearness to a target, in halves of each weight."""

    def rate(number: int, weights: Weights) -> float:
        return -float((((weights - target)[space.free] / space.scale) ** 2).sum())

    return [now.mean for now in itertools.islice(evolve(space, rate, 0.4, 16, seed), generations)]


def test_evolution_comes_nearer_to_the_best_weights() -> None:
    start = read_weights(False)
    space = Space(start)
    target = space.find_weights(np.full(len(space.free), 0.5))
    means = take(space, target, 150)
    away = [float(np.abs((mean - target)[space.free] / space.scale).mean()) for mean in (start, means[-1])]
    assert away[0] > 0.45
    assert away[1] < 0.1


def test_fixed_weights_and_biases_stay_and_all_others_move() -> None:
    start = read_weights(False)
    space = Space(start)
    found = take(space, start, 3)[-1]
    moved = {NAMES[place] for place in np.flatnonzero(found != start)}
    assert moved == set(NAMES) - set(FIXED)
    assert found[len(NAMES) :].tolist() == start[len(NAMES) :].tolist()
    assert np.array_equal(start, read_weights(False))


def test_bars_that_are_divided_by_stay_above_nothing() -> None:
    space = Space(read_weights(False))
    found = space.find_weights(np.full(len(space.free), -99.0))
    assert {name: found[NAMES.index(name)] for name in POSITIVE} == dict.fromkeys(POSITIVE, LEAST)


def test_the_same_seed_gives_the_same_generations() -> None:
    space = Space(read_weights(False))
    first, again, other = (take(space, space.start, 3, seed)[-1].tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_a_run_writes_weights_by_name_and_a_later_one_goes_on_from_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tune_heuristic, "TABLES", ((2, (), "A", 4),))
    # A second passes between two looks at the clock, so a run of five seconds has five generations.
    clock = itertools.count()
    monkeypatch.setattr("iaww_training.tune_heuristic.time.monotonic", lambda: next(clock))
    options = Options(out=tmp_path / "weights.json", minutes=5 / 60, population=4)
    tune_weights(options)
    assert "generation 5: step 0." in capsys.readouterr().out
    written = json.loads(options.out.read_text(encoding="utf-8"))
    assert tuple(written) == NAMES
    in_use = dict(zip(NAMES, read_weights(False).tolist(), strict=False))
    changed = {name for name in NAMES if written[name] != pytest.approx(in_use[name], abs=1e-4)}
    assert len(changed) > 30
    assert not changed & set(FIXED)
    start = tune_heuristic.read_start(options)
    assert start[: len(NAMES)].tolist() == list(written.values())
    assert start[len(NAMES) :].tolist() == read_weights(False)[len(NAMES) :].tolist()


def test_tables_are_fair_between_equal_bots() -> None:
    weights = read_weights(False)
    margin, share = play_table(GameConfig(players=4), 4000, 5, (HEURISTIC, HEURISTIC), weights, weights)
    assert margin == 0
    assert share == 0.25
