"""What a network reaches: `python -m iaww_agents.arena.measure.network --write` puts it on the card of `ppo`.

With `--bot ppo_search --into agents/iaww_agents/ppo_search/CARD.md` it is that bot's.

One seat against bots in all others; the same bot in all seats; alone, and in every scenario; and how fast it
answers.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import iaww_env
from iaww_agents.arena.measure.answers import GAMES, PASSES, ROWS, time_answers, time_batches
from iaww_agents.arena.measure.games import Measuring
from iaww_agents.arena.measure.standings import Standing, summarize_agents
from iaww_agents.arena.measure.strength import play_deals
from iaww_agents.arena.play.results import Result, list_awards
from iaww_agents.arena.publish.report import NONE, TextTable, show_interval
from iaww_agents.arena.publish.scripts import publish
from iaww_agents.base import BatchAgent
from iaww_env.bots.specs import make_agent
from iaww_env.cards import EXPANSIONS, scenarios
from iaww_env.config import GameConfig
from iaww_env.publish import describe_machine

CARD = Path(__file__).resolve().parents[2] / "ppo" / "CARD.md"
BASE_SEATS, ALL_SEATS = (4, 2, 3, 5), (4, 7, 2, 3, 5, 6)


@dataclass(frozen=True)
class Options(Measuring):
    """How much is played."""

    bot: str = "ppo"
    """The bot that is measured."""
    deals: int = 3000
    """Deals of each match."""
    first_deals: int | None = None
    """Deals of the first match, the base game with four players; by default as many as of the others."""
    slow_deals: int = 50
    """Deals against search; 0 leaves it out."""
    own_deals: int = 3000
    """Deals of the bot in all seats, and alone."""
    solo_games: int | None = None
    """Games alone; by default as many as deals of the bot in all seats."""
    rotations: bool = True
    """Play each deal in every rotation of the seats; without, each game is a deal of its own."""
    scenario_games: int = 300
    """Games of each scenario."""
    players: tuple[int, ...] = ALL_SEATS
    """Which numbers of players are played against heuristics."""
    base: bool = True
    """Play the base game."""
    ascension: bool = True
    """Play Corruption & Ascension."""
    slow_ascension: bool = True
    """Meet search there too, with four players and seven."""
    mark: str = "network"
    """Of the place on the card: one for each pool where they are played by different commands."""
    key: str = "network"
    out: Path = Path("runs/network.jsonl")
    into: Path = CARD


def list_matches(options: Options) -> list[tuple[str, GameConfig, int]]:
    """The bot in all other seats, what is played, and how many deals."""
    quick = [GameConfig(players) for players in BASE_SEATS]
    quick.append(GameConfig(4, empire_side="B"))
    quick += [GameConfig(players, EXPANSIONS) for players in ALL_SEATS]
    first = {GameConfig(4): options.deals if options.first_deals is None else options.first_deals}
    matches = [
        ("heuristic", one, first.get(one, options.deals)) for one in quick if one.players in options.players
    ]
    slow = [GameConfig(4)]
    if options.slow_ascension:
        slow += [GameConfig(4, EXPANSIONS), GameConfig(7, EXPANSIONS)]
    matches += [("search", one, options.slow_deals) for one in slow if options.slow_deals]
    return [one for one in matches if is_played(options, one[1])]


def is_played(options: Options, config: GameConfig) -> bool:
    """Whether games of a card pool are asked for."""
    return options.ascension if config.ascension else options.base


def play(options: Options, agents: Sequence[str], config: GameConfig, deals: int) -> Standing:
    """Play what is missing of a match; how the first bot did."""
    return play_deals(options, agents, config, deals, duplicates=options.rotations)


def play_alone(options: Options, config: GameConfig, games: int) -> list[Result]:
    """Play what is missing of so many solo games."""
    return list(options.play([options.bot], config, games).results)


def share_award(results: Sequence[Result], award: str) -> str:
    """How often games end with a title or medal."""
    return f"{[result.award for result in results].count(award) / len(results):.1%}"


def name_game(config: GameConfig) -> str:
    """What is played, in words."""
    pool = "C&A" if config.ascension else "base"
    seats = "alone" if config.solo else f"{config.players} players"
    return f"{pool}, {seats}" + ("" if config.empire_side == "A" else f", side {config.empire_side}")


def make_match_table(options: Options) -> str:
    """One seat against bots in all others."""
    rows = []
    for rival, config, deals in list_matches(options):
        agents = [options.bot, *[rival] * (config.players - 1)]
        standing = play(options, agents, config, deals)
        wins, points = show_interval(standing.wins, 1, percent=True), show_interval(standing.points, 1)
        margin, fair = show_interval(standing.margin, 1), f"{1 / config.players:.1%}"
        rows.append(
            (name_game(config), f"{config.players - 1} x {rival}", wins, fair, points, margin, f"{deals:,}")
        )
    return TextTable(
        "", ("game", "against", "wins", "fair", "points", "margin", "deals"), tuple(rows)
    ).to_markdown()


def make_own_table(options: Options) -> str:
    """Points where the bot has all seats, and alone, with how often it wins the best title there."""
    rows, best = [], list_awards(False)[0]
    shared = [GameConfig(4), GameConfig(2), GameConfig(4, EXPANSIONS)]
    for config in (one for one in shared if is_played(options, one)):
        points = play(options, [options.bot], config, options.own_deals).points
        rows.append((name_game(config), show_interval(points, 1), NONE, f"{options.own_deals:,}"))
    games = options.own_deals if options.solo_games is None else options.solo_games
    for config in (one for one in (GameConfig(1), GameConfig(1, EXPANSIONS)) if is_played(options, one)):
        results = play_alone(options, config, games)
        points = summarize_agents(results)[options.bot].points
        rows.append((name_game(config), show_interval(points, 1), share_award(results, best), f"{games:,}"))
    return TextTable("", ("game", "points of a seat", best, "deals"), tuple(rows)).to_markdown()


def make_scenario_table(options: Options) -> str:
    """How the scenarios end."""
    rows = []
    medals = list_awards(True)
    for one in scenarios():
        config = GameConfig(1, EXPANSIONS if one.needs_expansion else (), scenario=one.id)
        if not is_played(options, config):
            continue
        results = play_alone(options, config, options.scenario_games)
        shares = [share_award(results, medal) for medal in medals]
        won = sum(bool(result.scenario_won) for result in results) / len(results)
        points = summarize_agents(results)[options.bot].points
        rows.append((f"{one.title_en} ({one.id})", show_interval(points, 1), *shares, f"{won:.1%}"))
    return TextTable("", ("scenario", "points", *medals, "goal reached"), tuple(rows)).to_markdown()


def make_speed_table(options: Options) -> str:
    """How fast the bot answers: decisions of a batch at once, or else one after another."""
    bot = make_agent(options.bot)
    timed = GameConfig(4), GameConfig(1), GameConfig(4, EXPANSIONS), GameConfig(7, EXPANSIONS)
    played = [config for config in timed if is_played(options, config)]
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]
    if isinstance(bot, BatchAgent):
        about = f"How fast it answers, best of {PASSES} passes:"
        heads = "decisions a CPU second", "decisions at once"
        rows = [(f"{max(time_batches(bot, config)):,.0f}", str(ROWS)) for config in played]
    else:
        where = f"in {GAMES} games, where there is a choice; all other seats are heuristics:"
        about = f"CPU milliseconds of its decisions {where}"
        heads = "mean", "99 % are below", "slowest", "decisions"
        rows = [show_milliseconds(time_answers(bot, config)) for config in played]
    lines = tuple((name_game(config), *row) for config, row in zip(played, rows, strict=True))
    return f"{about}\n\n" + TextTable("", ("game", *heads), lines).to_markdown()


def show_milliseconds(spent: npt.NDArray[np.float64]) -> tuple[str, ...]:
    """What decisions took: mean, what 99 % stay below, the most; and how many they are."""
    told = spent.mean(), np.quantile(spent, 0.99), spent.max()
    return *(f"{one:.1f}" for one in told), f"{len(spent):,}"


def make_card_tables(options: Options, command: str) -> str:
    """All tables, and how they were made."""
    options.out.parent.mkdir(parents=True, exist_ok=True)
    each = "every deal of a match is played in each rotation of the seats"
    return (
        f"Side A and random empires unless said; made on {datetime.date.today()} with iaww-env "
        f"{iaww_env.__version__} by `{command}` ({describe_machine()}). In brackets 95 % intervals, with "
        f"deals as units; {each if options.rotations else 'each game of a match is a deal of its own'}.\n\n"
        f"{make_match_table(options)}\n\n"
        f"The same bot in all seats, and alone:\n\n{make_own_table(options)}\n\n"
        f"{make_speed_table(options)}\n\n"
        f"Scenarios, {options.scenario_games} games each:\n\n{make_scenario_table(options)}"
    )


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    module = "iaww_agents.arena.measure.network"
    return publish(module, lambda said: said.mark, Options, make_card_tables, __doc__, args)


if __name__ == "__main__":
    sys.exit(main())
