"""The leaderboard: `python -m iaww_agents.arena.measure.leaderboard --write` publishes it.

For 2 to 7 players, base (up to 5) and Corruption & Ascension, sides A and B: ratings and standings of every
bot; and a solo table with the standard games and all twelve scenarios. Games are kept in a file of results,
so that it can be stopped and goes on; the tables are made from that file alone.
"""

from __future__ import annotations

import datetime
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import iaww_env
from iaww_agents.arena.measure.games import Measuring
from iaww_agents.arena.measure.ratings import Ratings, rate
from iaww_agents.arena.measure.standings import summarize_agents
from iaww_agents.arena.play.pool import LocalPool
from iaww_agents.arena.play.results import OK, Result, list_awards
from iaww_agents.arena.play.runner import Pool
from iaww_agents.arena.play.tournament import Tournament, run_tournament
from iaww_agents.arena.publish.report import (
    NONE,
    TextTable,
    make_solo_table,
    make_standings_table,
    show_interval,
)
from iaww_agents.arena.publish.scripts import publish
from iaww_env.bots.specs import is_ours, list_agents, make_agent
from iaww_env.cards import EXPANSIONS, scenarios
from iaww_env.config import GameConfig
from iaww_env.publish import describe_machine
from iaww_env.rulebook import HANDS_BASE

PLAYERS = (2, 3, 4, 5, 6, 7)
SIDES = ("A", "B")
TOO_FEW = "too few games"
ANCHOR = "heuristic"  # what ratings are told from


@dataclass(frozen=True)
class Options(Measuring):
    """Who plays, and how much."""

    agents: tuple[str, ...] = ()
    """Bots that are played as batches or quickly; by default all registered ones but slow ones of ours."""
    slow: tuple[str, ...] = ()
    """Bots that take long over a decision: they play fewer deals, against each other and all others, and each
    game is a deal of its own."""
    deals: int = 300
    """Deals of each mode among the quick bots."""
    slow_deals: int = 8
    """Deals of each mode in which a slow bot plays."""
    solo_games: int = 300
    """Solo games of each quick bot: standard, and each scenario."""
    slow_solo_games: int = 10
    """Solo games of each slow bot, likewise."""
    players: tuple[int, ...] = PLAYERS
    """Which numbers of players."""
    scenarios: bool = True
    """Also play the twelve scenarios."""
    key: str = "leaderboard"
    out: Path = Path("leaderboard.jsonl")
    time_limit: float = 10.0


def list_modes(options: Options) -> Iterator[GameConfig]:
    """What is played by two and more, in the order of the tables."""
    for players in options.players:
        for expansions in ((), EXPANSIONS):
            for side in SIDES if expansions or players in HANDS_BASE else ():
                yield GameConfig(players=players, expansions=expansions, empire_side=side)


def list_solo_modes(options: Options) -> Iterator[GameConfig]:
    """What is played alone."""
    for expansions in ((), EXPANSIONS):
        for side in SIDES:
            yield GameConfig(players=1, expansions=expansions, empire_side=side)
    if options.scenarios:
        for one in scenarios():
            expansions = EXPANSIONS if one.needs_expansion else ()
            yield GameConfig(players=1, expansions=expansions, scenario=one.id)


def name_mode(config: GameConfig) -> str:
    """A mode in words."""
    if config.scenario is not None:
        return (
            next(one.title_en for one in scenarios() if one.id == config.scenario) + f" ({config.scenario})"
        )
    cards = "Corruption & Ascension" if config.ascension else "base"
    seats = "solo" if config.solo else f"{config.players} players"
    return f"{seats}, {cards}, side {config.empire_side}"


# --- Games -----------------------------------------------------------------------------------------


def play_mode(config: GameConfig, options: Options, quick: Sequence[str], pool: Pool) -> list[Result]:
    """All games of a mode: the quick bots among themselves, and the slow ones with all."""
    slow = options.slow if config.solo else (*options.slow, *quick)
    results: dict[object, Result] = {}
    for agents, deals, duplicates in (
        (quick, options.solo_games if config.solo else options.deals, True),
        (slow, options.slow_solo_games if config.solo else options.slow_deals, False),
    ):
        if agents and deals > 0 and (options.slow or duplicates):
            found = play_part(agents, config, deals, options, pool, duplicates=duplicates)
            results |= {result.key: result for result in found.results}
    return list(results.values())


def play_part(
    agents: Sequence[str], config: GameConfig, deals: int, options: Options, pool: Pool, *, duplicates: bool
) -> Tournament:
    """So many deals, in every rotation where `duplicates` is said; fewer where two rotations are the same.

    Alone each bot plays each of them.
    """
    each = len(agents) if config.solo else config.players if duplicates else 1
    return run_tournament(
        agents,
        config,
        games=deals * each,
        key=options.key,
        out=options.out,
        duplicates=duplicates,
        pool=pool,
    )


# --- Tables ----------------------------------------------------------------------------------------


def make_rating_table(players: int, found: dict[GameConfig, Ratings], agents: Sequence[str]) -> TextTable:
    """Ratings in the four modes of a number of players."""
    modes = [config for config in found if config.players == players]
    heads = [f"{'C&A' if config.ascension else 'base'}, side {config.empire_side}" for config in modes]
    first = found[modes[0]]
    ranked = sorted(agents, key=lambda spec: first.rank().index(spec) if spec in first.agents else 99)
    rows = [(spec, *(show_rating(found[config], spec) for config in modes)) for spec in ranked]
    return TextTable(f"**Ratings, {players} players**", ("bot", *heads), tuple(rows))


def show_rating(ratings: Ratings, spec: str) -> str:
    """How far a bot is from the anchor, where that plays: who loses every game takes no bounds away."""
    if spec not in ratings.agents:
        return NONE
    if ANCHOR not in ratings.agents:
        return show_interval(ratings.find_interval(spec), 0)
    if spec == ANCHOR:
        return "0"
    gap = ratings.find_gap(spec, ANCHOR)
    # Too few games to tell anything: the number would be the prior's.
    return TOO_FEW if gap.low == -math.inf and gap.high == math.inf else show_interval(gap, 0)


def make_scenario_table(found: dict[GameConfig, list[Result]], agents: Sequence[str]) -> TextTable:
    """How often each bot wins every scenario, its medals: gold / silver / bronze, and its points."""
    rows, medals = [], list_awards(is_scenario=True)
    for config, results in found.items():
        cells = []
        for spec in agents:
            games = [one for one in results if one.agents[0] == spec]
            if not games:
                cells.append(NONE)
                continue
            shares = [sum(one.award == medal for one in games) / len(games) for medal in medals]
            won = sum(bool(one.scenario_won) for one in games) / len(games)
            points = sum(one.points[0] for one in games if one.status == OK) / len(games)
            cells.append(f"{won:.0%}; {' / '.join(f'{share:.0%}' for share in shares)}; {points:.1f}")
        rows.append((name_mode(config), *cells))
    heads = (f"won; {' / '.join(medals)}; points", *agents)
    return TextTable("**Solo scenarios**", heads, tuple(rows))


def list_quick_agents() -> list[str]:
    """All registered bots, but those of ours that take long over a decision."""
    return [spec for spec in list_agents() if not (is_ours(spec) and make_agent(spec).is_slow)]


def make_leaderboard(options: Options, command: str) -> str:
    """Play what is missing, and put all tables into one text."""
    quick = list(options.agents or list_quick_agents())
    agents = [*options.slow, *quick]
    games: dict[GameConfig, list[Result]] = {}
    with LocalPool(options.workers, time_limit=options.time_limit) as pool:
        for config in (*list_modes(options), *list_solo_modes(options)):
            games[config] = play_mode(config, options, quick, pool)
            print(f"{name_mode(config)}: {len(games[config]):,} games", file=sys.stderr)
    parts = [describe_run(games, command)]
    found = {config: rate(results) for config, results in games.items() if not config.solo}
    parts += [make_rating_table(players, found, agents).to_markdown() for players in options.players]
    details = [
        make_standings_table(
            found[config], summarize_agents(games[config]), f"**{name_mode(config)}**"
        ).to_markdown()
        for config in found
    ]
    parts.append("<details><summary>Wins, points and margins in every mode</summary>\n")
    parts += [*details, "</details>\n"]
    for config, results in games.items():
        if config.solo and config.scenario is None:
            table = make_solo_table(summarize_agents(results), results, f"**{name_mode(config)}**")
            parts.append(table.to_markdown())
    alone = {config: results for config, results in games.items() if config.scenario is not None}
    if alone:
        parts.append(make_scenario_table(alone, agents).to_markdown())
    return "\n".join(parts)


def describe_run(games: dict[GameConfig, list[Result]], command: str) -> str:
    """When, how and on what machine the leaderboard was made, and how to read it."""
    total = sum(map(len, games.values()))
    faults = sum(result.status != OK for results in games.values() for result in results)
    return (
        f"Made on {datetime.date.today()} with iaww-env {iaww_env.__version__} by `{command}` "
        f"({describe_machine()}). {total:,} games, {faults:,} of them lost by a crash, an illegal action or "
        "a time-out.\n\n"
        "Ratings are on the Elo scale; 400 points are odds of ten to one. The first tables tell how far each "
        f"bot is from `{ANCHOR}`, where that plays; those further down, of each mode, have the mean 1500. "
        "In brackets: 95 % intervals, with deals as units. Where all games or nearly all went one way, "
        "through whatever other bots, there is no bound on that side. Wins are shares of wins; with four "
        "players 25 % are fair.\n"
    )


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    return publish(
        "iaww_agents.arena.measure.leaderboard", "leaderboard", Options, make_leaderboard, __doc__, args
    )


if __name__ == "__main__":
    sys.exit(main())
