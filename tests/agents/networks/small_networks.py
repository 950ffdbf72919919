"""Small networks with random weights, and decisions in the middle of games to show them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

import iaww_env
from iaww_agents.networks.inputs import Rows, make_inputs
from iaww_env.batch import lend_states
from iaww_training.network import ScoringNetwork, save_network

ASCENSION = ("corruption_and_ascension",)


def make_network(
    expansions: tuple[str, ...] = (), *, width: int = 24, depth: int = 8, seed: int = 3, **inputs: Any
) -> ScoringNetwork:
    """A network with weights drawn from a seed; the rest says what it sees."""
    torch.manual_seed(seed)
    return ScoringNetwork(make_inputs(expansions, **inputs), width=width, depth=depth)


def write_network(path: Path, expansions: tuple[str, ...] = (), **options: Any) -> Path:
    """The file of such a network."""
    save_network(make_network(expansions, **options), path)
    return path


def list_rows(batch: iaww_env.Batch) -> Rows:
    """The games of all decisions of a batch."""
    return Rows(lend_states(batch), batch.seats)


def draw_steps(
    config: iaww_env.GameConfig, steps: int, *, games: int = 32, seed: int = 5, profile: str = "cards"
) -> Iterator[iaww_env.Batch]:
    """A batch before each of so many steps of random play in which cards get built."""
    batch = iaww_env.Batch(config, games, seed, observation=profile)
    stream = iaww_env.make_stream(seed)
    for _ in range(steps):
        yield batch
        batch.step(batch.sample_legal(stream, discards=False))


def draw_decisions(config: iaww_env.GameConfig, steps: int = 60, **options: Any) -> iaww_env.Batch:
    """A batch in the middle of its games."""
    *_, batch = draw_steps(config, steps + 1, **options)
    return batch
