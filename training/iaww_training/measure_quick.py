"""What `iaww train --preset quick` comes to: `python -m iaww_training.measure_quick --write`, several seeds.

Each seed is a run of its own, gone on with where its folder exists. The curve is the mean over the runs, with
what a further run may differ by; at its end each network plays fresh games against bots.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from iaww_agents.arena.publish.scripts import publish
from iaww_agents.networks.inputs import PROFILE
from iaww_env.errors import ConfigError
from iaww_env.publish import write_markdown
from iaww_training.matches import Mean, find_bot, find_mean, make_chooser, play_lineup
from iaww_training.network import load_network
from iaww_training.ppo.curves import read_metrics
from iaww_training.ppo.run import LADDER, Run, open_run
from iaww_training.ppo.settings import find_mode, find_preset
from iaww_training.publishing import GUIDE, sign_table

MARK = "quick"
SEED = 70_000_000  # of the games at the end, which no run has seen
# How many standard errors a 95 % interval is wide to each side, for 2, 3, ... runs (Student's t).
WIDTHS = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


@dataclass(frozen=True)
class Options:
    """How many runs, and how long they are measured."""

    seeds: int = 5
    """Runs, with seeds from 1."""
    games: int = 2000
    """Games of each network at its end against each bot."""
    decisions: int | None = None
    """Decisions of each run; as the preset says by default."""
    folder: Path = Path("runs/quick-seeds")
    """Where the runs lie."""
    write: bool = False
    """Write the tables into training/README.md as well."""
    into: Path = GUIDE
    """The file they are written into."""


def learn(options: Options, seed: int) -> Path:
    """Make or finish the run of a seed; its folder."""
    folder = options.folder / str(seed)
    if (folder / "settings.json").exists():
        run = open_run(folder)
    else:
        run = Run(find_preset("quick", seed=seed, decisions=options.decisions), folder)
    if run.done < 1 or not (folder / "network.npz").exists():
        run.learn(lambda line: None)
    if run.stopped is not None:
        raise run.stopped
    print(f"seed {seed}: {run.notes['seconds']:.0f} s of playing and learning", file=sys.stderr, flush=True)
    return folder


def find_spread(values: Sequence[float]) -> Mean:
    """The mean of a few runs, and half the width of its 95 % interval (Student's)."""
    found = np.asarray(values, np.float64)
    width = WIDTHS[len(found) - 2] * found.std(ddof=1) / np.sqrt(len(found))
    return Mean(float(found.mean()), float(width))


def make_curve(folders: Sequence[Path]) -> str:
    """A row for each time that the runs were measured: means over the runs."""
    runs = [[line for line in read_metrics(folder) if line["kind"] == "measure"] for folder in folders]
    rows = []
    for lines in zip(*runs, strict=True):
        shown = [f"{np.mean([line['decisions'] for line in lines]):,.0f}"]
        for bot in LADDER:
            shown.append(str(find_spread([100 * line[f"{bot}_wins"] for line in lines])))
            shown.append(str(find_spread([line[f"{bot}_points"] for line in lines])))
        rows.append(shown)
    heads = [head for bot in LADDER for head in (f"% of wins against three {bot}", "points there")]
    return write_markdown(("decisions", *heads), rows, range(1 + len(heads)))


def make_ends(options: Options, folders: Sequence[Path]) -> str:
    """A row for each run: its network against bots, on fresh games."""
    config = find_mode("base4")
    rows = []
    for seed, folder in enumerate(folders, 1):
        me = make_chooser(load_network(folder / "network.npz"))
        shown = [str(seed)]
        for bot in LADDER:
            lineup = (me, *(find_bot(bot),) * (config.players - 1))
            played = play_lineup(lineup, options.games, SEED, PROFILE, config)
            shown += [str(find_mean(100 * played.wins[:, 0])), str(find_mean(played.points[:, 0]))]
        seconds = max(line.get("seconds", 0) for line in read_metrics(folder))
        rows.append([*shown, f"{seconds / 60:.1f}"])
        print(*rows[-1], file=sys.stderr, flush=True)
    heads = [head for bot in LADDER for head in (f"% of wins against three {bot}", "points there")]
    return write_markdown(("seed", *heads, "minutes of learning"), rows, range(2 + len(heads)))


def make_table(options: Options, command: str) -> str:
    """Both tables, signed."""
    most = len(WIDTHS) + 1
    if not 2 <= options.seeds <= most:
        raise ConfigError(f"{options.seeds} seeds: one run tells nothing of others, so take 2 to {most}")
    folders = [learn(options, seed) for seed in range(1, options.seeds + 1)]
    return (
        f"{make_curve(folders)}\n\nMeans over {options.seeds} runs ± half their 95 % intervals. Each at its "
        f"end, {options.games:,} games against each bot (fair: 25 %):\n\n{make_ends(options, folders)}\n\n"
        f"{sign_table(command)}"
    )


def main(args: Sequence[str] | None = None) -> int:
    """Run the script."""
    return publish("iaww_training.measure_quick", MARK, Options, make_table, __doc__, args)


if __name__ == "__main__":
    sys.exit(main())
