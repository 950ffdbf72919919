"""What search gains by its budget: `python -m iaww_agents.arena.measure.budget --write` publishes it.

One search against three heuristics, with more and more worlds, on the same duplicate deals.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from iaww_agents.arena.measure.games import Measuring
from iaww_agents.arena.measure.standings import summarize_agents
from iaww_agents.arena.publish.plots import check_plot, plot_budget
from iaww_agents.arena.publish.report import TextTable, show_interval
from iaww_agents.arena.publish.scripts import publish
from iaww_env.config import GameConfig
from iaww_env.publish import name_processor


@dataclass(frozen=True)
class Options(Measuring):
    """How much is played."""

    worlds: tuple[int, ...] = (8, 16, 32, 64, 128)
    """Worlds for each decision, one line of the table each."""
    opponent: str = "heuristic"
    """Who sits in all other seats."""
    players: int = 4
    """Seats."""
    games: int = 100
    """Games with each number of worlds, in whole deals."""
    key: str = "budget"
    out: Path = Path("budget.jsonl")
    plot: Path | None = None
    """Draw the shares of wins into this file, such as budget.svg (needs matplotlib)."""


def make_budget_table(options: Options, command: str) -> str:
    """Play what is missing, and tell how the search did with each budget."""
    if options.plot is not None:
        check_plot(options.plot)
    config, rows, shares = GameConfig(players=options.players), [], []
    for worlds in options.worlds:
        spec = f"search:worlds={worlds}"
        agents = [spec, *[options.opponent] * (options.players - 1)]
        found = options.play(agents, config, options.games)
        standing = summarize_agents(found.results)[spec]
        wins, points = show_interval(standing.wins, 1, percent=True), show_interval(standing.points, 1)
        seconds = sum(result.seconds for result in found.results) / len(found.results)
        margin = show_interval(standing.margin, 1)
        rows.append((str(worlds), wins, points, margin, f"{seconds:.2f}", str(standing.n)))
        shares.append(standing.wins)
        print(f"{spec}: {wins}", file=sys.stderr)
    if options.plot is not None:
        plot_budget(options.worlds, shares, 1 / options.players, options.plot)
    heads = ("worlds", "wins", "points", "margin", "seconds a game", "games")
    others = f"{options.players - 1} x {options.opponent}"
    return (
        f"One search against {others}, base, side A, on {datetime.date.today()} by `{command}` "
        f"({name_processor()}); 95 % intervals with deals as units, a fair share is "
        f"{1 / options.players:.0%}.\n\n" + TextTable("", heads, tuple(rows)).to_markdown()
    )


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    return publish("iaww_agents.arena.measure.budget", "budget", Options, make_budget_table, __doc__, args)


if __name__ == "__main__":
    sys.exit(main())
