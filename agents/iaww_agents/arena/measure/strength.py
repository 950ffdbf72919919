"""How strong the bots are: `python -m iaww_agents.arena.measure.strength --write` publishes it.

Each bot alone and against itself, and each against three of the bot below it: numbers to compare with.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import iaww_env
from iaww_agents.arena.measure.games import Measuring
from iaww_agents.arena.measure.standings import Standing, summarize_agents
from iaww_agents.arena.publish.report import TextTable, show_interval
from iaww_agents.arena.publish.scripts import publish
from iaww_env.config import GameConfig
from iaww_env.publish import name_processor

TABLES = (4, 3, 2, 1)  # players, in the order of the columns
SEATS = 4  # of a match of one against all others


@dataclass(frozen=True)
class Options(Measuring):
    """How much is played."""

    bots: tuple[str, ...] = ("random:nodiscard", "greedy", "heuristic", "search")
    """From the weakest to the strongest."""
    deals: int = 1000
    """Deals of every table and match."""
    key: str = "strength"
    out: Path = Path("strength.jsonl")


def play_deals(
    options: Measuring, agents: Sequence[str], config: GameConfig, deals: int, *, duplicates: bool = True
) -> Standing:
    """Play what is missing of a table or match; how the first bot did."""
    games = deals * (config.players if duplicates and len(set(agents)) > 1 else 1)
    found = options.play(agents, config, games, duplicates=duplicates)
    standing = summarize_agents(found.results)[agents[0]]
    told = f"{standing.wins.value:.1%} of wins, {standing.points.value:.1f} points"
    print(f"{' '.join(agents)}, {config.players} players: {told}", file=sys.stderr)
    return standing


def make_strength_tables(options: Options, command: str) -> str:
    """Points of each bot against itself and alone; wins of each against three of the bot below it."""
    alone, matches = [], []

    def play(agents: Sequence[str], players: int) -> Standing:
        return play_deals(options, agents, GameConfig(players), options.deals)

    for bot in options.bots:
        points = [play([bot], players).points for players in TABLES]
        alone.append((bot, *(show_interval(one, 1) for one in points)))
    for weaker, bot in pairwise(options.bots):
        found = play([bot, *[weaker] * (SEATS - 1)], SEATS)
        wins = show_interval(found.wins, 1, percent=True)
        shown = wins, show_interval(found.points, 1), show_interval(found.margin, 1)
        matches.append((f"{bot} against {SEATS - 1} x {weaker}", *shown, f"{found.n:,}"))
    heads = ("bot", *(f"{players} players" for players in TABLES[:-1]), "solo")
    columns = ("match", "wins", "points", "margin", "games")
    points_table, match_table = TextTable("", heads, tuple(alone)), TextTable("", columns, tuple(matches))
    return (
        f"Base, side A, random empires; made on {datetime.date.today()} with iaww-env "
        f"{iaww_env.__version__} by `{command}` ({name_processor()}). {options.deals:,} deals each; 95 % "
        "intervals with deals as units.\n\nMean points of a seat where the same bot has all seats, and "
        f"alone:\n\n{points_table.to_markdown()}\nOne against three, every deal in {SEATS} "
        f"rotations (a fair share of wins is {1 / SEATS:.0%}):\n\n" + match_table.to_markdown()
    )


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    return publish(
        "iaww_agents.arena.measure.strength", "strength", Options, make_strength_tables, __doc__, args
    )


if __name__ == "__main__":
    sys.exit(main())
