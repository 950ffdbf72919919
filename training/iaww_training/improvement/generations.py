"""Expert iteration: `python -m iaww_training.improvement.generations --network NET --out runs/generations`.

In each generation the network plays and looks ahead (`compare`), learns from what it found (`learn`), and is
measured on the same deals as the one before it: one seat against heuristics in all others. What has been done
is not done again, so a run that was stopped goes on with the same command. Where a generation is no better,
what bounds it is the looking ahead: try more worlds, or farther ones.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
import tyro

from iaww_env.cli.running import run_command
from iaww_env.outputs import write_whole
from iaww_training.improvement import compare, learn
from iaww_training.matches import find_mean, play_among_heuristics
from iaww_training.network import load_network
from iaww_training.ppo.settings import find_mode

MEASURED_FROM = 950_000_000  # seeds of games that nothing is learnt from


@dataclass(frozen=True)
class Options:
    """How many generations, and of what."""

    network: Path
    """The network to begin with."""
    generations: int = 2
    """How many there are in all, with those that are done."""
    keep: int = 2
    """Of so many generations the comparisons are learnt from, the newest among them."""
    measured: int = 1000
    """Games of each mode in which a generation is measured."""
    out: Path = Path("runs/generations")
    """Folder; a generation has one of its own in it."""
    compared: compare.How = field(default_factory=compare.How)
    """How positions are compared."""
    learnt: learn.How = field(default_factory=learn.How)
    """How is learnt from them."""


def run_generation(options: Options, number: int) -> None:
    """Compare and learn, so far as that is not done."""
    before, out = find_network(options, number - 1), find_network(options, number)
    folders = [options.out / str(one) / "comparisons" for one in range(1, number + 1)]
    said = asdict(options.compared) | {"network": before, "out": folders[-1], "seed": number}
    for done in compare.write_comparisons(compare.Options(**said)):
        print(f"generation {number}: {done:,} positions", flush=True)
    if not out.exists():
        data = tuple(folders[-options.keep :])
        learn.learn(learn.Options(**asdict(options.learnt), data=data, network=before, out=out))


def find_network(options: Options, number: int) -> Path:
    """The network of a generation; the first begins with the one that was named."""
    return options.out / str(number) / "network.npz" if number else options.network


def measure(options: Options, number: int) -> dict[str, Any]:
    """How a generation plays: read where it stands already, or played and written down."""
    path = options.out / str(number) / "measured.json"
    if not path.exists():
        network, found = load_network(find_network(options, number)), {}
        for mode in dict.fromkeys(options.compared.modes):
            games = play_among_heuristics(network, find_mode(mode), options.measured, MEASURED_FROM)
            found[mode] = {
                "wins": find_mean(100 * games.wins[:, 0])._asdict(),
                "points": find_mean(games.points[:, 0])._asdict(),
            }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(found, indent=1).encode() + b"\n")
    held: dict[str, Any] = json.loads(path.read_text())
    return held


def run_generations(options: Options) -> Iterator[str]:
    """Bring all generations on; tells of each how it plays."""
    for number in range(options.generations + 1):
        if number:
            run_generation(options, number)
        for mode, found in measure(options, number).items():
            wins, points = found["wins"], found["points"]
            yield (
                f"generation {number}, {mode}: {wins['value']:.1f} ± {wins['error']:.1f} % of wins, "
                f"{points['value']:.1f} ± {points['error']:.1f} points"
            )


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    name = "iaww_training.improvement.generations"

    def run() -> int:
        options = tyro.cli(Options, args=args, prog=f"python -m {name}", description=__doc__)
        torch.set_num_threads(1)
        for line in run_generations(options):
            print(line, flush=True)
        return 0

    return run_command(run, "generations", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
