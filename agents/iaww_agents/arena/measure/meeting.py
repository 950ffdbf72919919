"""The strongest among themselves: `python -m iaww_agents.arena.measure.meeting --write` publishes it.

All bots meet all others, in every seating, duplicate deals: who is placed before whom, and by how much.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import iaww_env
from iaww_agents.arena.measure.games import Measuring
from iaww_agents.arena.measure.leaderboard import name_mode
from iaww_agents.arena.measure.standings import compare_agents, summarize_agents
from iaww_agents.arena.publish.report import make_duel_table, make_standings_table
from iaww_agents.arena.publish.scripts import publish
from iaww_env.cards import EXPANSIONS
from iaww_env.config import GameConfig
from iaww_env.publish import describe_machine


@dataclass(frozen=True)
class Options(Measuring):
    """Who meets, and how often."""

    bots: tuple[str, ...] = ("heuristic", "search", "value", "ppo", "ppo_search")
    """All against all."""
    players: tuple[int, ...] = (4, 2)
    """Which numbers of players."""
    ascension: bool = True
    """Play Corruption & Ascension too, with those of the bots that know it."""
    base_only: tuple[str, ...] = ("value",)
    """Bots that know the base game alone."""
    deals: int = 100
    """Deals of each mode, each in every rotation of its seats."""
    key: str = "meeting"
    out: Path = Path("runs/meeting.jsonl")


def list_meetings(options: Options) -> Iterator[tuple[GameConfig, list[str]]]:
    """What is played, and who plays it."""
    for expansions in ((), EXPANSIONS) if options.ascension else ((),):
        bots = [bot for bot in options.bots if not (expansions and bot in options.base_only)]
        for players in options.players:
            yield GameConfig(players, expansions), bots


def make_tables(options: Options, command: str) -> str:
    """Standings and duels of each mode, and how they were made."""
    parts = [
        f"Random empires; made on {datetime.date.today()} with iaww-env {iaww_env.__version__} by "
        f"`{command}` ({describe_machine()}). {options.deals:,} deals of each mode, each in every rotation "
        "of its seats; where there are more bots than seats they take turns. In brackets 95 % intervals with "
        "deals as units. Ratings have the mean 1500; wins are shares of wins in the games of a bot. Below "
        "them: how often the bot of the line is placed before the one of the column, and by how many points."
        "\n"
    ]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    for config, bots in list_meetings(options):
        found = options.play(bots, config, options.deals * config.players)
        ranked = found.ratings.rank()
        standings = summarize_agents(found.results, bots)
        parts.append(make_standings_table(found.ratings, standings, f"**{name_mode(config)}**").to_markdown())
        parts.append(make_duel_table(ranked, compare_agents(found.results, ranked)).to_markdown())
        print(f"{name_mode(config)}: {len(found.results):,} games", file=sys.stderr)
    return "\n".join(parts)


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    return publish("iaww_agents.arena.measure.meeting", "meeting", Options, make_tables, __doc__, args)


if __name__ == "__main__":
    sys.exit(main())
