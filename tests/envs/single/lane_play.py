"""Playing native batches: an action for every lane, from a stream of its own."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests.envs.frozen import freeze
from tests.envs.single.learner_play import choose

MODES = ("NextStep", "SameStep", "Disabled")


def choose_all(masks: np.ndarray, streams: list[random.Random], illegal: float = 0) -> np.ndarray:
    """An action for every lane, each from a stream of its own."""
    return np.array([choose(mask, stream, illegal) for mask, stream in zip(masks, streams, strict=True)])


def play_batch(env: Any, steps: int, seed: int | None = 4) -> list[Any]:
    """What so many steps returned."""
    answers = [env.reset(seed=seed)]
    streams = [random.Random(g) for g in range(env.num_envs)]
    for _ in range(steps):
        answers.append(env.step(choose_all(answers[-1][0]["action_mask"], streams)))
    return freeze(answers)
