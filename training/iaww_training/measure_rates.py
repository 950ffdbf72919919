"""How many decisions a second the trainers learn from: `python -m iaww_training.measure_rates --write`.

Each trainer is run twice as a command of its own, for few decisions and for more; what counts is the
difference, so that starting and compiling are left out. Let nothing else run meanwhile.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from iaww_agents.arena.publish.scripts import publish
from iaww_env.errors import ConfigError
from iaww_env.publish import write_markdown
from iaww_training.publishing import GUIDE, sign_table

MARK = "rates"
EXAMPLES = "iaww_training.examples"
TRAIN = ("iaww_env.cli", "train", "--preset", "base4", "--games", "256", "--mixed", "0", "--evaluations", "0")
# Name, the command as it is typed, and how many processes learn from so many decisions each.
WAYS: dict[str, tuple[tuple[str, ...], int]] = {
    "MaskablePPO as it comes, one seat learns against greedy bots": (
        (f"{EXAMPLES}.sb3_maskable_ppo", "--players", "4", "--games", "256", "--steps", "64"),
        1,
    ),
    "`iaww train`, one thread of PyTorch": (TRAIN, 1),
    "`iaww train --threads 2`": ((*TRAIN, "--threads", "2"), 1),
    "`iaww train --plain`": ((*TRAIN, "--plain"), 1),
    "`iaww train --plain --threads 2`": ((*TRAIN, "--plain", "--threads", "2"), 1),
    "the trainer on a page": ((f"{EXAMPLES}.selfplay_ppo",), 1),
    "the trainer on a page, two processes": ((f"{EXAMPLES}.selfplay_processes", "--processes", "2"), 2),
}


@dataclass(frozen=True)
class Options:
    """How much is learnt."""

    few: int = 40_000
    """Decisions of the first run of each."""
    more: int = 240_000
    """Decisions of the second."""
    repeats: int = 2
    """Pairs of runs; the best counts."""
    write: bool = False
    """Write the table into training/README.md as well."""
    into: Path = GUIDE
    """The file it is written into."""


def time_command(typed: Sequence[str], decisions: int, folder: Path) -> tuple[float, float]:
    """Seconds by the clock and of CPU time that a trainer takes.

    Raises:
        ConfigError: It fails.
    """
    module, *rest = typed
    out = folder / f"{time.monotonic_ns()}"
    command = [sys.executable, "-m", module, *rest, "--decisions", str(decisions), "--out", str(out)]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    spent, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise ConfigError(f"{' '.join(command)} failed: {done.stderr[-500:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, cpu


def measure(options: Options) -> list[tuple[str, str, str]]:
    """A row for each way: its name, and its decisions a second by the clock and of CPU time."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (typed, times) in WAYS.items():
            found = []
            for _ in range(options.repeats):
                few, more = (
                    time_command(typed, count // times, Path(folder)) for count in (options.few, options.more)
                )
                learnt = options.more - options.few
                found.append([learnt / (two - one) for one, two in zip(few, more, strict=True)])
            rates = [max(one) for one in zip(*found, strict=True)]
            rows.append((name, *(f"{rate:,.0f}" for rate in rates)))
            print(*rows[-1], file=sys.stderr, flush=True)
    return [(name, clock, cpu) for name, clock, cpu in rows]


def make_table(options: Options, command: str) -> str:
    """The table, signed."""
    heads = ("trainer", "decisions learnt a second", "a CPU second")
    how = f"Four players, 256 games, best of {options.repeats}."
    return f"{write_markdown(heads, measure(options), (1, 2))}\n\n{sign_table(command)} {how}"


def main(args: Sequence[str] | None = None) -> int:
    """Run the script."""
    return publish("iaww_training.measure_rates", MARK, Options, make_table, __doc__, args)


if __name__ == "__main__":
    sys.exit(main())
