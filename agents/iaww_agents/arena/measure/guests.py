"""What a process of its own costs: `python -m iaww_agents.arena.measure.guests --write` publishes it.

Bots of others play in processes of their own. Here a bot that answers at once plays all seats, so that
what is measured is the arena: the game, the views, and their way there and back.
"""

from __future__ import annotations

import datetime
import resource
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import iaww_env
from iaww_agents.arena.play.guests import BotShelf
from iaww_agents.arena.play.match import play_match
from iaww_agents.arena.play.results import OK
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.publish.report import TextTable
from iaww_agents.arena.publish.scripts import BOTS_GUIDE, publish
from iaww_env.cards import EXPANSIONS
from iaww_env.config import GameConfig
from iaww_env.publish import name_processor

MODES = {
    "2 players": GameConfig(players=2),
    "4 players": GameConfig(players=4),
    "7 players, Corruption & Ascension": GameConfig(players=7, expansions=EXPANSIONS),
}
BOT = """
from iaww_agents import Agent

class FirstLegal(Agent):
    profile = {profile!r}

    def act(self, view):
        return int(view.action_mask.argmax())
"""


@dataclass(frozen=True)
class Options:
    """How much is played."""

    games: int = 20
    """Games of each line."""
    repeats: int = 3
    """The best of so many counts."""
    into: Path = BOTS_GUIDE
    """The file it is written into."""
    write: bool = False
    """Write the table into agents/README.md; by default it is printed."""


def read_clock() -> float:
    """CPU seconds of this process and of all its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def play_games(config: GameConfig, spec: str, games: int) -> tuple[int, float]:
    """Play games in which the bot has all seats: decisions and CPU seconds, all processes counted."""
    lineup = (spec,) * config.players
    begun, decisions = read_clock(), 0
    with BotShelf() as shelf:
        for seed in range(games):
            result = play_match(Fixture(seed, seed, lineup, config), partial(shelf.take, lineup))
            assert result.status == OK, result.reason
            decisions += result.decisions
    return decisions, read_clock() - begun


def measure_rate(config: GameConfig, profile: str, options: Options) -> float:
    """Decisions per CPU second; what it takes to start the processes is left out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "first_legal.py")
        path.write_text(BOT.format(profile=profile))
        rates = []
        for _ in range(options.repeats):
            few, start = play_games(config, str(path), 1)
            many, took = play_games(config, str(path), 1 + options.games)
            rates.append((many - few) / (took - start))
    return max(rates)


def make_guest_table(options: Options, command: str) -> str:
    """Measure every line of the table."""
    rows = []
    for name, config in MODES.items():
        rates = [measure_rate(config, profile, options) for profile in ("full", "compact")]
        rows.append((name, *(f"{rate:,.0f}" for rate in rates)))
        print(f"{name}: {rates[0]:,.0f} decisions a CPU second", file=sys.stderr)
    heads = ("decisions per CPU second, both processes counted", "`full`", "`compact`")
    table = TextTable("", heads, tuple(rows)).to_markdown()
    return (
        f"Measured on {datetime.date.today()} with iaww-env {iaww_env.__version__} by `{command}` "
        f"({name_processor()}), best of {options.repeats}:\n\n{table}"
    )


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    return publish("iaww_agents.arena.measure.guests", "guests", Options, make_guest_table, __doc__, args)


if __name__ == "__main__":
    sys.exit(main())
