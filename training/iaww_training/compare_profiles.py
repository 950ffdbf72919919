"""Which observation a learner plans best with: networks that imitate the heuristic, each for the same time.

    python -m iaww_training.compare_profiles --minutes 10 --out runs/profiles.jsonl

Every network sees another part of what the seat may know. Each learns for so many minutes of CPU time from
fresh games of the heuristic, seen once. Then it says what the heuristic plays in games it never saw, and
plays: against itself, and one seat against heuristics. A line of figures for each is written as it is found.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro

from iaww_env.batch import Batch
from iaww_env.cli.running import run_command
from iaww_env.config import GameConfig
from iaww_env.observation import observation_table
from iaww_training.experts import HeuristicExpert
from iaww_training.network import ScoringNetwork, list_legal

BY_RESOURCE = ("missing",)
NEXT_SEAT = ("next_production", "next_production_slated", "next_point_rate", "next_open")
# Name, profile, and pieces of it that the network does not see.
VARIANTS = {
    "compact": ("compact", ()),
    "compact, missing spaces by resource": ("cards", NEXT_SEAT),
    "cards": ("cards", ()),
    "full": ("full", ()),
}


@dataclass(frozen=True)
class Options:
    """What is compared."""

    out: Path
    """Figures as JSON Lines; what stands there is not measured again."""
    minutes: float = 10.0
    """CPU minutes of learning for each network."""
    variants: tuple[str, ...] = tuple(VARIANTS)
    """What networks see."""
    games: int = 256
    """Games side by side."""
    minibatch: int = 1024
    """Decisions of a step of learning."""
    learning_rate: float = 1e-3
    """At the beginning; it falls to a twentieth along a cosine."""
    test_games: int = 1000
    """Games of each match at the end."""
    width: int = 256
    """Of the trunk."""
    seed: int = 1
    """Of games and weights."""


def play_heuristic(batch: Batch, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Observations, masks and actions of so many steps, all games of each."""
    expert = HeuristicExpert(batch)
    seen, masks, actions = [], [], []
    for _ in range(steps):
        chosen = expert.choose()
        seen.append(batch.observations.copy())
        masks.append(batch.masks.copy())
        actions.append(chosen.astype(np.int64))
        batch.step(chosen)
    return np.concatenate(seen), np.concatenate(masks), np.concatenate(actions)


def draw_minibatches(batch: Batch, size: int, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, ...]]:
    """Fresh decisions without end, mixed over some ten thousands."""
    while True:
        parts = play_heuristic(batch, 96)
        order = rng.permutation(len(parts[0]))
        for start in range(0, len(order) - size + 1, size):
            chosen = order[start : start + size]
            yield tuple(part[chosen] for part in parts)


def imitate(network: ScoringNetwork, batch: Batch, options: Options) -> dict[str, float]:
    """Learn what the heuristic plays for so many CPU minutes; says how many decisions that were."""
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate)
    rng = np.random.default_rng(options.seed)
    HeuristicExpert(batch).choose()  # compiled before the clock runs
    begun, learnt = time.process_time(), 0
    for seen, masks, actions in draw_minibatches(batch, options.minibatch, rng):
        done = (time.process_time() - begun) / (60 * options.minutes)
        if done >= 1:
            break
        rate = options.learning_rate * (0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * done)))
        optimizer.param_groups[0]["lr"] = rate
        legal = list_legal(torch.from_numpy(masks))
        scores, _ = network(torch.from_numpy(seen), legal)
        target = (legal.actions == torch.from_numpy(actions)[:, None]) & legal.is_action
        loss = -torch.log_softmax(scores, 1)[target].mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        learnt += len(seen)
        if learnt // len(seen) % 500 == 0:
            print(f"  {done:.0%} {learnt:,} decisions, loss {loss.item():.3f}", file=sys.stderr, flush=True)
    return {"decisions": learnt, "cpu_seconds": time.process_time() - begun}


@torch.no_grad()
def choose(network: ScoringNetwork, batch: Batch) -> np.ndarray:
    """The action that the network scores highest in each game."""
    legal = list_legal(torch.from_numpy(batch.masks))
    scores, _ = network(torch.from_numpy(batch.observations), legal)
    best = scores.argmax(1, keepdim=True)
    return legal.actions.gather(1, best)[:, 0].numpy().astype(np.int16)


def measure_accuracy(network: ScoringNetwork, options: Options, profile: str) -> dict[str, float]:
    """How often the network says what the heuristic plays, in games that it never saw."""
    batch = Batch(players=4, num_games=256, seed=10_000_000, observation=profile)
    expert = HeuristicExpert(batch)
    table = batch.game(0).actions
    right: dict[str, list[int]] = {}
    verbs = np.array([table.verb(action) for action in range(len(table))])
    for _ in range(240):
        theirs, ours = expert.choose(), choose(network, batch)
        for verb in np.unique(verbs[theirs]):
            here = verbs[theirs] == verb
            hit, all_ = right.setdefault(str(verb), [0, 0])
            right[str(verb)] = [hit + int((ours == theirs)[here].sum()), all_ + int(here.sum())]
        batch.step(theirs)
    hits, count = (sum(one[i] for one in right.values()) for i in (0, 1))
    return {"accuracy": hits / count} | {f"accuracy_{verb}": one[0] / one[1] for verb, one in right.items()}


def play_matches(network: ScoringNetwork, options: Options, profile: str, *, alone: bool) -> dict[str, float]:
    """Points of the network against itself, or of one seat against three heuristics and its share of wins."""
    games = min(500, options.test_games)
    batch = Batch(players=4, num_games=games, seed=20_000_000, observation=profile)
    expert = HeuristicExpert(batch)
    own = np.arange(games) % 4
    ended = np.zeros(games, np.int64)
    wanted = -(-options.test_games // games)
    points, wins = [], []
    while ended.min() < wanted:
        actions = choose(network, batch)
        if not alone:
            others = batch.seats != own
            actions = np.where(others, expert.choose(others), actions)
        batch.step(actions)
        for g in np.flatnonzero(batch.done):
            if ended[g] < wanted:
                at = own[g]
                points.append(batch.points[g].mean() if alone else batch.points[g, at])
                first = batch.places[g] == 1
                wins.append(first[at] / first.sum())
            ended[g] += 1
    error = 1.96 / np.sqrt(len(points))
    name = "self_play" if alone else "against_heuristic"
    found = {f"{name}_points": float(np.mean(points)), f"{name}_points_error": float(np.std(points) * error)}
    if not alone:
        found |= {"wins": float(np.mean(wins)), "wins_error": float(np.std(wins) * error)}
    return found


def compare(options: Options) -> int:
    """Measure what has not been measured yet."""
    torch.set_num_threads(1)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    known = set()
    if options.out.exists():
        known = {json.loads(line)["variant"] for line in options.out.read_text().splitlines()}
    for variant in options.variants:
        if variant in known:
            continue
        profile, without = VARIANTS[variant]
        torch.manual_seed(options.seed)
        network = ScoringNetwork(
            observation_table(GameConfig(players=4), profile), width=options.width, without=without
        )
        batch = Batch(players=4, num_games=options.games, seed=options.seed, observation=profile)
        found: dict[str, object] = {"variant": variant, "minutes": options.minutes, "width": options.width}
        found |= imitate(network, batch, options)
        found |= measure_accuracy(network, options, profile)
        found |= play_matches(network, options, profile, alone=True)
        found |= play_matches(network, options, profile, alone=False)
        with options.out.open("a") as file:
            file.write(json.dumps(found) + "\n")
        print(json.dumps(found), flush=True)
        torch.save(
            network.state_dict(), options.out.with_suffix(f".{len(known)}.{variant.replace(' ', '_')}.pt")
        )
    return 0


def main(args: Sequence[str] | None = None) -> int:
    """Run the script."""
    return run_command(
        lambda: compare(tyro.cli(Options, args=args, description=__doc__)),
        "compare_profiles",
        is_program=args is None,
    )


if __name__ == "__main__":
    sys.exit(main())
