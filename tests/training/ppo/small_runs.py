"""Runs of a few hundred decisions, for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from iaww_agents.networks.files import read_weights
from iaww_training.ppo.run import Run
from iaww_training.ppo.settings import Settings

SMALL: dict[str, Any] = {
    "modes": {"base2": 12, "base3": 6, "basesolo": 4},
    "decisions": 2600,
    "steps": 16,
    "epochs": 2,
    "minibatch": 64,
    "advised": False,
    "width": 16,
    "depth": 8,
    "mixed": 0.5,
    "evaluations": 2,
    "evaluate_games": 2,
    "snapshots": 2,
}


def make_settings(**changes: Any) -> Settings:
    return Settings(**SMALL | changes)


def make_run(folder: Path, **changes: Any) -> Run:
    return Run(make_settings(**changes), folder)


def read_lines(folder: Path) -> list[dict[str, Any]]:
    """The metrics of a run but for what the clock said."""
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def be_silent(line: dict[str, Any]) -> None:
    """Told of a run, and says nothing."""


def read_all(folder: Path) -> dict[str, bytes]:
    weights, _ = read_weights(folder / "network.npz")
    return {name: array.tobytes() for name, array in weights.items()}
