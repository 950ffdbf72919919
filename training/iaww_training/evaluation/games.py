"""The games that an evaluation plays: against a ladder of bots, against itself, and alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from iaww_agents.arena.play.results import Result
from iaww_agents.arena.play.runner import Pool
from iaww_agents.arena.play.tournament import run_tournament
from iaww_env import rulebook
from iaww_env.cli.options import GameOptions
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, quote

Report = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Match:
    """Games that are to be played: an agent in one seat against one bot in all others, itself, or alone.

    Attributes:
        config: What is played.
        agent: Spec of the agent.
        bot: Spec of the bot in the other seats; the agent itself in the mirror; nobody alone.
        others: Alone: bots that play the same deals, to compare with.
    """

    config: GameConfig
    agent: str
    bot: str | None
    others: tuple[str, ...] = ()

    @property
    def is_mirror(self) -> bool:
        """Whether the agent has all seats."""
        return self.bot == self.agent

    @property
    def agents(self) -> list[str]:
        """Who plays, as a tournament takes it: each in so many seats, or in turn."""
        if self.bot is None:
            return [self.agent, *self.others]
        return [self.agent, *[self.bot] * (self.config.players - 1)]

    def count_games(self, games: int) -> int:
        """How many games it takes: whole deals, each in all rotations; alone each bot plays every deal."""
        if self.bot is None:
            return games * len(self.agents)
        each = 1 if self.is_mirror else self.config.players
        return -(-games // each) * each


@dataclass(frozen=True, slots=True)
class Played:
    """A match, and the games that were played."""

    match: Match
    results: tuple[Result, ...]


def list_configs(game: GameOptions) -> tuple[GameConfig, ...]:
    """What is played: every number of players of the card pool, where none is said.

    Raises:
        ConfigError: Empires are named, and not how many seats there are.
    """
    if game.players is not None or game.scenario is not None:
        return (game.make_config(),)
    if game.empires:
        raise ConfigError("--empires names one for each seat: say --players with it")
    hands = rulebook.HANDS_ASCENSION if game.expansions else rulebook.HANDS_BASE
    return tuple(dataclasses.replace(game, players=players).make_config() for players in sorted(hands))


def list_matches(agent: str, ladder: Sequence[str], configs: Sequence[GameConfig]) -> Iterator[Match]:
    """All matches of an evaluation."""
    rungs = [bot for bot in dict.fromkeys(ladder) if bot != agent]
    for config in configs:
        if config.solo:
            yield Match(config, agent, None, tuple(rungs))
        else:
            yield from (Match(config, agent, bot) for bot in rungs)
            yield Match(config, agent, agent)


def check_evaluation(agent: str, ladder: Sequence[str], games: int) -> None:
    """Refuse what cannot be measured before anybody waits.

    Raises:
        ConfigError: The message says what would do.
    """
    if games < 2:
        raise ConfigError(f"--games is {games}: play at least 2, better hundreds, for an interval")
    if not agent.strip():
        raise ConfigError("name the agent, as in: iaww evaluate heuristic")
    if not ladder:
        raise ConfigError("the ladder is empty: name a bot to meet, as in --ladder greedy heuristic")
    for bot in ladder:
        if list(ladder).count(bot) > 1:
            raise ConfigError(f"the ladder names {quote(bot)} twice: name each bot once")


def play_matches(
    matches: Sequence[Match], games: int, key: str, pool: Pool, report: Report | None = None
) -> list[Played]:
    """Play all matches; those of one number of players share their deals.

    Raises:
        ConfigError: A bot does not exist, or cannot play this; it is said before any game.
    """
    for config in dict.fromkeys(match.config for match in matches):
        bots = [bot for match in matches if match.config == config for bot in match.agents]
        pool.try_bots(list(dict.fromkeys(bots)), config)
    total = sum(match.count_games(games) for match in matches)
    found, done = [], 0
    for match in matches:

        def tell(so_far: int, _: int, before: int = done) -> None:
            if report is not None:
                report(before + so_far, total)

        count = match.count_games(games)
        played = run_tournament(match.agents, match.config, games=count, key=key, report=tell, pool=pool)
        found.append(Played(match, tuple(played.results)))
        done += count
    return found
