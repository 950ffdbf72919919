"""Networks on the ladder: `python -m iaww_training.improvement.ladder NET NET ...`; `--write` for the guide.

Each plays the same deals, one seat against heuristics in all others. What it wins more than the first is told
deal by deal, so that luck that all had counts for none of them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import tyro

from iaww_agents.arena.publish.scripts import publish
from iaww_env.errors import ConfigError
from iaww_env.publish import write_markdown
from iaww_training.matches import Played, find_mean, play_among_heuristics
from iaww_training.network import load_network
from iaww_training.ppo.settings import find_mode
from iaww_training.publishing import GUIDE, sign_table

MARK = "ladder"


@dataclass(frozen=True, kw_only=True)
class Options:
    """Who plays what."""

    networks: tyro.conf.Positional[tuple[Path, ...]]
    """Files of networks, the one that all are told from first; their names stand in the table."""
    modes: tuple[str, ...] = ("base4",)
    """Kinds of games, as `iaww train` names them."""
    games: int = 6000
    """Games of each network in each."""
    seed: int = 900_000_000
    """Of the first games; take one that no network here has learnt from."""
    mark: str = MARK
    """Of the place in the file."""
    write: bool = False
    """Write the table into training/README.md as well."""
    into: Path = GUIDE
    """The file it is written into."""


def make_table(options: Options, command: str) -> str:
    """A row for each network and mode, signed."""
    if not options.networks:
        raise ConfigError("which networks? Name one or more files")
    rows = []
    torch.set_num_threads(1)
    for mode in options.modes:
        if find_mode(mode).solo:
            raise ConfigError(f"{mode} is played alone: there is nobody to win against")
        first: Played | None = None
        for path in options.networks:
            played = play_among_heuristics(load_network(path), find_mode(mode), options.games, options.seed)
            margin = played.points[:, 0] - played.points[:, 1:].max(axis=1)
            shown = [path.stem, mode, str(find_mean(100 * played.wins[:, 0])), str(find_mean(margin))]
            if first is None:
                first, more = played, ""
            else:
                more = str(find_mean(100 * (played.wins[:, 0] - first.wins[:, 0])))
            rows.append([*shown, more])
            print(*rows[-1], file=sys.stderr, flush=True)
    heads = ("network", "game", "% of wins", "margin", "more than the first")
    fair = ", ".join(f"{100 / find_mode(mode).players:.0f} % in {mode}" for mode in options.modes)
    return (
        f"{write_markdown(heads, rows, range(2, 5))}\n\n{options.games:,} games each, ± half of 95 % "
        f"intervals; fair are {fair}. {sign_table(command)}"
    )


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    return publish(
        "iaww_training.improvement.ladder", lambda one: one.mark, Options, make_table, __doc__, args
    )


if __name__ == "__main__":
    sys.exit(main())
