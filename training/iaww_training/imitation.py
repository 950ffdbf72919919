"""Learning what other bots played, and what came of it for them: policy and value of a network at once.

Games come from `iaww selfplay` (see `datasets`). A file of them is played again in a batch; decisions of some
files at a time are mixed, and files are read in another order each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from iaww_agents.networks.inputs import Inputs
from iaww_env.batch import Batch
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.selfplay import SelfPlayRollout
from iaww_training.datasets import NO_ACTION, Games, read_file, record
from iaww_training.decisions import Seen, cut, join, look_at_games
from iaww_training.network import ScoringNetwork

Floats = npt.NDArray[np.float32]

REWARD = "points"  # what networks learn from where nothing else is said
KEPT = 20  # every so many files of a folder one is kept for testing
AT_ONCE = 6  # files whose decisions are mixed


class Lesson(NamedTuple):
    """Decisions, what was played, and what the seat had earned at the end. (decisions, ...) each."""

    seen: Seen
    actions: npt.NDArray[np.int64]
    returns: Floats


@dataclass(frozen=True)
class Pace:
    """How a network imitates."""

    minutes: float | None = None
    """CPU minutes."""
    decisions: int | None = None
    """Decisions in place of minutes: the same seed then gives the same network."""
    learning_rate: float = 1e-3
    """At the beginning; it falls to a twentieth along a cosine."""
    minibatch: int = 1024
    """Decisions of a step of learning."""
    value_weight: float = 0.5
    """Of the squared error of the value beside the policy's."""
    seed: int = 1
    """Of the order of games."""


def choose_reward(config: GameConfig, reward: str) -> str:
    """What a seat learns from: alone, what the goal of the game makes of its points."""
    return "goal" if config.solo else reward


def replay(inputs: Inputs, games: Games, scale: float, reward: str = REWARD) -> Lesson:
    """Play games again, all side by side; every decision with what was seen and what came of it."""
    config = GameConfig.from_dict(games.about["config"])
    seeds = games.seeds.tolist()
    batch = Batch(config, len(seeds), seeds, observation=inputs.profile, reward=choose_reward(config, reward))
    sources = inputs.find(config)
    rollout = SelfPlayRollout(batch, games.actions.shape[1], observed=False)
    seen, goes_on = [], games.actions.T != NO_ACTION
    zeros = np.zeros(len(seeds), np.float32)
    for asked, chosen in zip(goes_on, games.actions.T, strict=True):
        seen.append(look_at_games(inputs, sources, batch, asked))
        # Where the game is over another has begun, which nobody looks at.
        rollout.step(np.where(asked, chosen, batch.masks.argmax(axis=1)), zeros)
    rollout.rewards *= scale
    _, returns = rollout.estimate(np.zeros(rollout.rewards.shape[1:]), gamma=1.0, lam=1.0)
    return Lesson(join(seen), rollout.actions[goes_on].astype(np.int64), returns[goes_on])


def join_lessons(parts: Sequence[Lesson]) -> Lesson:
    """Decisions of several files behind each other."""
    seen = join([part.seen for part in parts])
    return Lesson(seen, *(np.concatenate([part[n] for part in parts]) for n in (1, 2)))


class Library:
    """Games of several folders: a few files are kept for testing, the others are learnt from."""

    def __init__(self, inputs: Inputs, folders: Sequence[Path], scale: float) -> None:
        """Find the files.

        Raises:
            ConfigError: A folder holds no files of games.
        """
        self.inputs, self.scale = inputs, scale
        self.files: list[Path] = []
        self.kept: list[Path] = []
        for folder in folders:
            found = sorted(folder.glob("games-*.npz"))
            if not found:
                raise ConfigError(f"{folder} holds no files of games")
            self.kept += found[::KEPT] if len(found) > 1 else []
            self.files += [file for n, file in enumerate(found) if n % KEPT or len(found) == 1]

    def draw(self, rng: np.random.Generator) -> Iterator[Lesson]:
        """Games without end, some files at a time, each round in another order."""
        while True:
            order = rng.permutation(len(self.files))
            for start in range(0, len(order), AT_ONCE):
                some = [self.files[n] for n in order[start : start + AT_ONCE]]
                yield join_lessons([replay(self.inputs, read_file(file), self.scale) for file in some])

    def test(self) -> dict[str, Lesson]:
        """The games kept for testing, by folder."""
        folders: dict[str, list[Lesson]] = {}
        for file in self.kept:
            lesson = replay(self.inputs, read_file(file), self.scale)
            folders.setdefault(file.parent.name, []).append(lesson)
        return {name: join_lessons(lessons) for name, lessons in folders.items()}


def play_fresh(
    inputs: Inputs,
    bot: str,
    modes: Sequence[tuple[GameConfig, int]],
    scale: float,
    seed: int,
    reward: str = REWARD,
) -> Iterator[Lesson]:
    """Fresh games of a bot without end: of each configuration a share of 128 at a time."""
    total, first = sum(count for _, count in modes), seed
    while True:
        parts = []
        for config, count in modes:
            games = max(1, 128 * count // total)
            seeds = range(first, first + games)
            parts.append(replay(inputs, record(config, bot, seeds), scale, reward))
            first += games
        yield join_lessons(parts)


def imitate(
    network: ScoringNetwork,
    lessons: Iterator[Lesson],
    pace: Pace,
    say: Callable[[float, int, float, float], None] | None = None,
) -> dict[str, Any]:
    """Learn from lessons for so many CPU minutes or decisions; how many decisions that were.

    Args:
        network: What learns.
        lessons: What it learns from, without end.
        pace: How long, and how fast.
        say: Told now and then how much is done, from how many decisions, and both losses.
    """
    optimizer = torch.optim.Adam(network.parameters(), lr=pace.learning_rate, fused=True)
    rng = np.random.default_rng(pace.seed)
    begun, learnt, step = time.process_time(), 0, 0
    for lesson in lessons:
        # Few games give a smaller part rather than none: the clock is looked at between parts.
        for chosen in cut(len(lesson.seen), min(pace.minibatch, len(lesson.seen)), rng):
            if pace.decisions is not None:
                done = learnt / pace.decisions
            else:
                done = (time.process_time() - begun) / (60 * (pace.minutes or 0))
            if done >= 1:
                return {"decisions": learnt, "cpu_seconds": time.process_time() - begun}
            fall = 0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * done))
            optimizer.param_groups[0]["lr"] = pace.learning_rate * fall
            policy, value = find_losses(network, lesson, chosen)
            optimizer.zero_grad()
            loss = policy + pace.value_weight * value
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            learnt += len(chosen)
            step += 1
            if say is not None and step % 50 == 0:
                say(done, learnt, policy.item(), value.item())
    raise AssertionError("lessons come without end")


def find_losses(
    network: ScoringNetwork, lesson: Lesson, chosen: npt.NDArray[np.int64]
) -> tuple[torch.Tensor, torch.Tensor]:
    """How far the policy is from what was played, and the value from what came of it."""
    known, legal = lesson.seen.take(chosen)
    scores, values = network(known, legal)
    actions = torch.from_numpy(lesson.actions[chosen])
    places = legal.places[legal.actions == actions.index_select(0, legal.rows)]
    policy = torch.nn.functional.cross_entropy(scores, places)
    return policy, torch.nn.functional.mse_loss(values, torch.from_numpy(lesson.returns[chosen]))


@torch.no_grad()
def predict(network: ScoringNetwork, seen: Seen) -> tuple[npt.NDArray[np.int64], Floats]:
    """What the network would play, and what it expects: (decisions,) each."""
    actions, values = [], []
    for start in range(0, len(seen), 4096):
        chosen = np.arange(start, min(start + 4096, len(seen)))
        scores, value = network(*seen.take(chosen))
        actions.append(seen.legal.actions[seen.offsets[chosen] + scores.argmax(1).numpy()])
        values.append(value.numpy())
    return np.concatenate(actions).astype(np.int64), np.concatenate(values)


def measure(network: ScoringNetwork, lesson: Lesson) -> dict[str, float]:
    """How often the network says what was played, and how much of the outcome its value explains."""
    actions, values = predict(network, lesson.seen)
    error = values - lesson.returns
    return {
        "accuracy": float((actions == lesson.actions).mean()),
        "explained": float(1 - error.var() / lesson.returns.var()),
    }
