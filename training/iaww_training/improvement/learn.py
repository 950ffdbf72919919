"""A network learns from comparisons: `python -m iaww_training.improvement.learn --help` says how.

What a position teaches is by how much one candidate is worth more than another. That is known by a few worlds
only, so no single position says what to play: scores are drawn to what actions are worth in proportion, and
chance cancels out over all that the network holds for alike. (A policy that is drawn to the best candidate
learns the chance as well; one that is paid by how often it plays what, next to nothing of what it seldom
plays.) The value learns the points that the policy came to there. Where nothing was compared, scores and
values are kept as they were, on positions of games that the network plays with itself and heuristics
(`keep`). What cannot be learnt by heart is said of files that are kept for testing: how far what the network
plays is behind the best candidate, before it learnt and after.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
import tyro

from iaww_agents.networks.inputs import POINT_WORTH, Inputs, Rows
from iaww_agents.ppo_search.playouts import NO_ACTION
from iaww_env.actions import action_table
from iaww_env.cli.running import run_command
from iaww_env.engine import fields
from iaww_env.engine.kernels.game import show_one_seat
from iaww_env.errors import ConfigError
from iaww_env.observation import lend_offsets, observation_table
from iaww_training.decisions import Seen, cut, join, look
from iaww_training.improvement.compare import Comparisons, read_file
from iaww_training.improvement.keep import Kept, find_change, keep_positions
from iaww_training.network import NOWHERE, ScoringNetwork, load_network, save_network
from iaww_training.ppo.settings import find_mode

FAR = NOWHERE / 1000  # scores of what is no candidate, in whatever unit, are below
KEPT = 12  # every so many files one is kept for testing


@dataclass(frozen=True)
class How:
    """How a network learns."""

    epochs: int = 20
    """Times that the positions are learnt from."""
    learning_rate: float = 1e-3
    """At the beginning; it falls to a twentieth."""
    minibatch: int = 1024
    """Positions of a step of learning."""
    point: float = 2.0
    """By so much the score of an action grows with a point that it is worth more."""
    before: float = 0.2
    """So much of the scores before is left; at 1 what is learnt is added to them."""
    value_weight: float = 0.25
    """Of the squared error of the value beside that of the scores."""
    keep: int = 100_000
    """Positions on which the network is kept as it was where nothing was compared."""
    keep_modes: tuple[str, ...] = ()
    """Games that they are of, as `iaww train` names them; those that were compared by default."""
    keep_weight: float = 10.0
    """What it counts to leave them."""
    seed: int = 1
    """Of the order of positions, and of the games to keep."""


@dataclass(frozen=True, kw_only=True)
class Options(How):
    """Who learns from what."""

    data: tyro.conf.Positional[tuple[Path, ...]]
    """Folders of comparisons."""
    network: Path
    """The network to begin with."""
    out: Path
    """The network that comes of it."""


class Lesson(NamedTuple):
    """Positions as the network sees them; (positions, most legal) by the places of their legal actions.

    Attributes:
        seen: What is seen.
        log_probs: How likely the policy that was compared was to play each candidate; NOWHERE for all others.
        worth: What each candidate is worth in points; 0 for all others.
        values: (positions,) what that policy came to, as networks learn it.
    """

    seen: Seen
    log_probs: npt.NDArray[np.float32]
    worth: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]


def look_at_positions(inputs: Inputs, held: Comparisons) -> Seen:
    """What the network sees of positions."""
    config = find_mode(held.about["mode"])
    table, count = observation_table(config, inputs.profile), len(held.seats)
    masks = np.zeros((count, len(action_table(config.expansions))), np.int8)
    observations = np.zeros((count, table.size), np.float32)
    legal, offsets = np.empty(fields.MOST_LEGAL, np.int16), lend_offsets(table)
    for n, seat in enumerate(held.seats.tolist()):
        show_one_seat(held.states[n], seat, 0, legal, masks[n], offsets, observations[n])
    rows = Rows(held.states, held.seats)
    return look(inputs, inputs.find(config), observations, masks, rows)


def make_lesson(inputs: Inputs, held: Comparisons) -> Lesson:
    """What positions teach."""
    seen = look_at_positions(inputs, held)
    is_there = held.actions != NO_ACTION
    odds = np.where(is_there, np.exp(held.log_probs), 0)
    worth = np.zeros((len(seen), fields.MOST_LEGAL), np.float32)
    log_probs, legal = np.full_like(worth, NOWHERE), seen.legal
    for place in range(held.actions.shape[1]):
        matches = legal.actions == held.actions[legal.rows, place]
        rows, places = legal.rows[matches], legal.places[matches]
        log_probs[rows, places] = held.log_probs[rows, place]
        worth[rows, places] = held.values[rows, place]
    expected = (odds * np.where(is_there, held.points, 0)).sum(axis=1) / odds.sum(axis=1)
    return Lesson(seen, log_probs, worth, (POINT_WORTH * expected).astype(np.float32))


def read_lessons(inputs: Inputs, files: Sequence[Path]) -> tuple[list[Lesson], list[dict[str, Any]]]:
    """What the positions of files teach, and what is said of each file that has any."""
    lessons, told = [], []
    for held in map(read_file, files):
        if len(held.seats):
            lessons.append(make_lesson(inputs, held))
            told.append(held.about)
    return lessons, told


def join_lessons(parts: Sequence[Lesson]) -> Lesson:
    """Positions of several files behind each other."""
    arrays = [np.concatenate([part[n] for part in parts]) for n in range(1, len(Lesson._fields))]
    return Lesson(join([part.seen for part in parts]), *arrays)


def find_files(folders: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Files to learn from, and those kept for testing.

    Raises:
        ConfigError: There are too few.
    """
    files = sorted(path for folder in folders for path in folder.glob("*.npz"))
    kept = files[::KEPT] if len(files) > 1 else []
    left = [path for path in files if path not in kept]
    if not left:
        raise ConfigError(f"{', '.join(map(str, folders))}: no files of comparisons")
    return left, kept


def teach(network: ScoringNetwork, lesson: Lesson, how: How, kept: Kept | None = None) -> None:
    """Learn from a lesson, and stay as it was on what is kept."""
    optimizer = torch.optim.Adam(network.parameters(), lr=how.learning_rate, fused=True)
    rng, size = np.random.default_rng(how.seed), min(how.minibatch, len(lesson.seen))
    steps, step = how.epochs * (len(lesson.seen) // size), 0
    for _ in range(how.epochs):
        for chosen in cut(len(lesson.seen), size, rng):
            fall = 0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * step / steps))
            optimizer.param_groups[0]["lr"] = how.learning_rate * fall
            scores, values = network(*lesson.seen.take(chosen))
            before, worth = (torch.from_numpy(array[chosen, : scores.shape[1]]) for array in lesson[1:3])
            policy = find_policy_loss(scores / how.point, how.before / how.point * before, worth)
            value = torch.nn.functional.mse_loss(values, torch.from_numpy(lesson.values[chosen]))
            loss = policy + how.value_weight * value
            if kept is not None:
                drawn = rng.integers(len(kept.seen), size=min(size, len(kept.seen)))
                loss = loss + how.keep_weight * find_change(network, kept, drawn)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1


def find_policy_loss(scores: torch.Tensor, before: torch.Tensor, worth: torch.Tensor) -> torch.Tensor:
    """How far scores are from those before and what actions are worth: the mean square, in points.

    Only by how much the candidates of a position differ from each other counts, and no other action.
    """
    is_there = before > FAR
    count = is_there.sum(1, keepdim=True)
    off = (scores - before - worth).masked_fill(~is_there, 0)
    off = (off - off.sum(1, keepdim=True) / count).masked_fill(~is_there, 0)
    return (off.square().sum(1) / count[:, 0]).mean()


@torch.no_grad()
def find_losses(network: ScoringNetwork, lesson: Lesson) -> tuple[float, float]:
    """How far the candidate that the network scores highest is behind the best one, in points of a decision.

    And how far its value is from what is to be expected, in points.
    """
    behind, errors = [], []
    for start in range(0, len(lesson.seen), 4096):
        chosen = np.arange(start, min(start + 4096, len(lesson.seen)))
        scores, values = network(*lesson.seen.take(chosen))
        known = torch.from_numpy(lesson.log_probs[chosen, : scores.shape[1]]) > NOWHERE
        places = torch.where(known, scores, -1e9).argmax(1).numpy()
        behind.append(find_best(lesson, chosen) - lesson.worth[chosen, places])
        errors.append((values.numpy() - lesson.values[chosen]) / POINT_WORTH)
    return float(np.concatenate(behind).mean()), float(np.sqrt(np.square(np.concatenate(errors)).mean()))


def find_best(lesson: Lesson, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """What the best candidate of each position is worth."""
    worth = np.where(lesson.log_probs[chosen] > NOWHERE, lesson.worth[chosen], -np.inf)
    best: npt.NDArray[np.float32] = worth.max(axis=1)
    return best


def learn(options: Options) -> None:
    """Teach a network what lies in folders, write it, and tell how far it came."""
    network = load_network(options.network)
    files, kept = find_files(options.data)
    (lessons, told), (tests, _) = (read_lessons(network.inputs, paths) for paths in (files, kept))
    if not lessons:
        raise ConfigError(f"{', '.join(map(str, options.data))}: no positions in these files")
    lesson = join_lessons(lessons)
    print(f"{len(lesson.seen):,} positions of {len(files)} files, {len(kept)} kept for testing", flush=True)
    modes = options.keep_modes or tuple(sorted({about["mode"] for about in told}))
    free = {phase for about in told for phase in about["phases"]}
    stays = keep_positions(network, modes, free, options.keep, options.seed)
    for when in ("before", "after"):
        if when == "after":
            teach(network, lesson, options, stays)
            save_network(network, options.out)
        for what, one in (("learnt", lesson), *((("tested", join_lessons(tests)),) if tests else ())):
            behind, error = find_losses(network, one)
            print(
                f"{when}, {what}: {behind:.3f} points behind the best; value {error:.2f} points off",
                flush=True,
            )


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    name = "iaww_training.improvement.learn"

    def run() -> int:
        options = tyro.cli(Options, args=args, prog=f"python -m {name}", description=__doc__)
        torch.set_num_threads(1)
        learn(options)
        return 0

    return run_command(run, "learn", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
