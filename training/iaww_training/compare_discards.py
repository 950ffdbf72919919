"""What it gains and costs to learn without giving up constructions (`discards=False`).

    python -m iaww_training.compare_discards --decisions 1500000 --write

Two networks learn by self-play from nothing, one without and one with the complete choice; and two more go on
from a network that plays already (`--start`), where one is there. All see as many decisions. Then each plays
against itself and, in one seat, against heuristics, and the two pairs meet at one table.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from iaww_agents.arena.publish.scripts import publish
from iaww_env.publish import write_markdown
from iaww_training.examples import selfplay_ppo
from iaww_training.matches import choose_heuristic, find_mean, make_chooser, play_lineup
from iaww_training.network import ScoringNetwork, load_network, save_network
from iaww_training.publishing import GUIDE, sign_table

MARK = "discards"
SEED = 30_000_000  # of the games that are counted


@dataclass(frozen=True)
class Options:
    """What is compared."""

    decisions: int = 1_500_000
    """Decisions that each network learns from."""
    start: Path | None = None
    """A network with which two more go on."""
    folder: Path = Path("runs/discards")
    """Where the networks lie; those that are there are not made again."""
    games: int = 2000
    """Games of each match."""
    write: bool = False
    """Write the table into training/README.md; by default it is printed."""
    into: Path = GUIDE
    """The file it is written into."""


def learn(options: Options, name: str, discards: bool, start: Path | None) -> ScoringNetwork:
    """The network of a name, made where it is missing."""
    path = options.folder / f"{name}_{options.decisions}.npz"
    if not path.exists():
        how = selfplay_ppo.Options(decisions=options.decisions, discards=discards, start=start)
        save_network(selfplay_ppo.learn(how), path)
    return load_network(path)


def compare_pair(options: Options, name: str, start: Path | None) -> list[tuple[object, ...]]:
    """Two lines of the table."""
    choosers = []
    for discards in (False, True):
        begun = time.process_time()
        network = learn(options, f"{name}_{'with' if discards else 'without'}", discards, start)
        print(f"{name}: {time.process_time() - begun:.0f} CPU seconds", file=sys.stderr, flush=True)
        choosers.append(make_chooser(network, discards=discards))
    shared = play_lineup((choosers[0], choosers[1]) * 2, options.games, SEED, "cards")
    rows: list[tuple[object, ...]] = []
    for place, (label, chooser) in enumerate(zip(("without", "with"), choosers, strict=True)):
        alone = play_lineup((chooser,) * 4, options.games, SEED, "cards")
        against = play_lineup((chooser, *(choose_heuristic,) * 3), options.games, SEED, "cards")
        rows.append((
            f"{name.replace('_', ' ')}, {label}",
            find_mean(alone.points.mean(1)),
            find_mean(against.points[:, 0]),
            find_mean(100 * against.wins[:, 0]),
            find_mean(shared.points[:, place::2].mean(1) - shared.points[:, 1 - place :: 2].mean(1)),
        ))  # fmt: skip
    return rows


def make_table(options: Options, command: str) -> str:
    """The table, signed."""
    rows = compare_pair(options, "from_nothing", None)
    if options.start is not None:
        rows += compare_pair(options, "from_imitation", options.start)
    heads = (
        "learnt",
        "points in self-play",
        "points against three heuristics",
        "% of wins there (fair: 25)",
        "points more than the other of its pair, two seats each",
    )
    table = write_markdown(heads, rows, range(1, len(heads)))
    how = f"{options.decisions:,} decisions each, {options.games:,} games a match."
    return f"{table}\n\n{sign_table(command)} {how}"


def main(args: Sequence[str] | None = None) -> int:
    """Run the script."""
    return publish("iaww_training.compare_discards", MARK, Options, make_table, __doc__, args)


if __name__ == "__main__":
    sys.exit(main())
