"""A value of the positions behind decisions, learnt by TD(lambda): `python -m iaww_training.values.learn`.

A policy plays, with some actions drawn from all that is legal, so that the value of what it would not play is
learnt as well. Behind each decision stands what its seat sees then. What it learns to expect there is a mean,
geometric in lambda, of what it expects behind the seat's later decisions and of what the game brings in the
end. The network begins as the policy's own; of what comes of it the value alone is of use.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro

from iaww_agents.ppo.bot import load_forward
from iaww_env.cli.running import run_command
from iaww_training.decisions import cut
from iaww_training.network import ScoringNetwork, load_network, save_network
from iaww_training.ppo.settings import find_mode
from iaww_training.values.positions import Floats, Positions, Watcher

AT_ONCE = 8192  # positions that are judged at once
FIRST_SEED = 90_000_000  # of the games; those that others measure with begin elsewhere
LEAST_RATE = 0.05  # what is left of the learning rate at the end


@dataclass(frozen=True)
class Options:
    """How a value is learnt."""

    network: Path
    """The network that plays, and that the value begins as."""
    out: Path
    """The network that comes of it."""
    modes: tuple[str, ...] = ("base4", "base4", "base4", "base2", "base3", "base5")
    """Kinds of games, as `iaww train` names them; each is played as often as it is named."""
    games: int = 64
    """Games of each between two updates."""
    positions: int = 3_000_000
    """Positions to learn from."""
    decay: float = 0.9
    """Lambda: how much later positions and the end count."""
    stray: float = 0.1
    """Share of the decisions that are drawn from all that is legal."""
    temperature: float = 1.0
    """Of the draw from the policy otherwise."""
    epochs: int = 2
    """Times that positions are learnt from."""
    minibatch: int = 2048
    """Positions of a step of learning."""
    learning_rate: float = 5e-4
    """At the beginning; it falls along a cosine."""
    seed: int = 1
    """Of games, draws and the order of positions."""
    threads: int = 1
    """Threads of PyTorch."""


@torch.no_grad()
def judge(network: ScoringNetwork, known: Floats) -> Floats:
    """What a network expects of positions."""
    parts = [
        network.estimate(torch.from_numpy(known[start : start + AT_ONCE])).numpy()
        for start in range(0, len(known), AT_ONCE)
    ]
    values: Floats = np.concatenate(parts)
    return values


def find_targets(positions: Positions, values: Floats, decay: float) -> Floats:
    """What a value is to be at each position: TD(lambda) over the positions of one seat."""
    targets = np.empty_like(values)
    ahead: dict[int, float] = {}
    for n in range(len(values) - 1, -1, -1):
        owner = int(positions.owner[n])
        target = ahead.get(owner, float(positions.ends[n]))
        targets[n] = target
        ahead[owner] = (1 - decay) * float(values[n]) + decay * target
    return targets


def learn(network: ScoringNetwork, options: Options) -> Iterator[dict[str, float]]:
    """Play and learn in turns, until enough positions have been seen; tells of each turn."""
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate, fused=True)
    policy, rng = load_forward(options.network), np.random.default_rng(options.seed)
    how = {"stray": options.stray, "temperature": options.temperature}
    watchers = [Watcher(policy, find_mode(mode), **how) for mode in options.modes]
    seen, seed, begun = 0, FIRST_SEED + options.seed * 1_000_000, time.perf_counter()
    while seen < options.positions:
        turn = {"error": 0.0, "steps": 0.0, "explained": 0.0}
        known, targets = [], []
        for watcher in watchers:
            found = watcher.play(options.games, seed)
            seed += options.games
            values = judge(network, found.known)
            known.append(found.known)
            targets.append(find_targets(found, values, options.decay))
            turn["explained"] += 1 - float(np.var(found.ends - values) / np.var(found.ends))
        shown, wanted = torch.from_numpy(np.concatenate(known)), torch.from_numpy(np.concatenate(targets))
        rate = np.cos(0.5 * np.pi * min(1.0, seen / options.positions))
        optimizer.param_groups[0]["lr"] = options.learning_rate * max(LEAST_RATE, rate)
        for _ in range(options.epochs):
            for numbers in cut(len(shown), min(options.minibatch, len(shown)), rng):
                chosen = torch.from_numpy(numbers)
                loss = torch.nn.functional.mse_loss(network.estimate(shown[chosen]), wanted[chosen])
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimizer.step()
                turn["error"] += loss.item()
                turn["steps"] += 1
        seen += len(shown)
        yield {
            "positions": seen,
            "explained": turn["explained"] / len(watchers),
            "error": turn["error"] / turn["steps"],
            "seconds": time.perf_counter() - begun,
        }


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    name = "iaww_training.values.learn"

    def run() -> int:
        options = tyro.cli(Options, args=args, prog=f"python -m {name}", description=__doc__)
        torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        network = load_network(options.network)
        for turn in learn(network, options):
            print(
                f"{turn['positions']:,} positions, {turn['explained']:.1%} of the outcomes explained, "
                f"error {turn['error']:.4f}, {turn['positions'] / turn['seconds']:,.0f} positions/s",
                flush=True,
            )
            save_network(network, options.out)
        return 0

    return run_command(run, "learn", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
