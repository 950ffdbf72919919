"""Figures of an agent from its games, each mean with its interval, deals as units."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from iaww_agents.arena.measure.intervals import LEVEL, Interval, estimate_mean, estimate_share
from iaww_agents.arena.measure.standings import Standing, share_win, summarize_agents
from iaww_agents.arena.play.results import OK, Result, list_awards
from iaww_env.breakdown import PARTS
from iaww_env.config import GameConfig
from iaww_training.evaluation.games import Played

Seat = tuple[Result, int]  # a game, and a seat in it


@dataclass(frozen=True, slots=True)
class Rung:
    """One seat of the agent against one bot of the ladder in all others.

    Attributes:
        config: What was played.
        bot: The bot.
        standing: Wins, points and margin of the agent.
        fair: What an equal would win.
    """

    config: GameConfig
    bot: str
    standing: Standing
    fair: float


@dataclass(frozen=True, slots=True)
class Mirror:
    """The agent in all seats, one of them counted as the learner: who measures fairly finds a fair share.

    Attributes:
        config: What was played.
        wins: The learner's share of wins.
        fair: What it must cover.
        is_covered: Whether it does, at a level that all mirrors of the evaluation share.
        points: Of all seats.
        n: Games.
    """

    config: GameConfig
    wins: Interval
    fair: float
    is_covered: bool
    points: Interval
    n: int


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the agent's points come from: they sum exactly to its score, game by game.

    Attributes:
        config: What was played.
        bot: In the other seats; the agent itself in self-play.
        points: The whole score.
        parts: By name, in the order of `PARTS`.
        n: Seats.
    """

    config: GameConfig
    bot: str
    points: Interval
    parts: dict[str, Interval]
    n: int


@dataclass(frozen=True, slots=True)
class EmpireFigures:
    """How the agent does with an empire, over all numbers of players.

    Attributes:
        empire: The empire.
        bot: In the other seats; the agent itself in self-play.
        wins: Share of wins.
        fair: What an equal would win in the same games.
        points: Points.
        n: Seats.
    """

    empire: str
    bot: str
    wins: Interval
    fair: float
    points: Interval
    n: int


@dataclass(frozen=True, slots=True)
class Alone:
    """A bot alone: points, and shares of titles or medals."""

    config: GameConfig
    bot: str
    points: Interval
    awards: dict[str, float]
    won: float | None
    n: int


def list_seats(results: Iterable[Result], agent: str) -> Iterator[Seat]:
    """Every seat of the agent in games that were played to their ends."""
    for result in results:
        if result.status == OK:
            yield from ((result, seat) for seat, spec in enumerate(result.agents) if spec == agent)


def number_deals(seats: Sequence[Seat]) -> list[int]:
    """The deal of each: the same seed with other numbers of players deals other cards."""
    numbers: dict[tuple[GameConfig, int], int] = {}
    keys = [(result.fixture.config, result.fixture.seed) for result, _ in seats]
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def estimate(
    seats: Sequence[Seat],
    tell: Callable[[Result, int], float],
    make: Callable[..., Interval] = estimate_mean,
    level: float = LEVEL,
) -> Interval:
    """The mean of what is told of each seat, with its interval."""
    return make([tell(*one) for one in seats], number_deals(seats), level)


def tell_win(result: Result, seat: int) -> float:
    """What the seat has of the win."""
    return share_win(result.places, seat)


def tell_points(result: Result, seat: int) -> float:
    """Its points."""
    return float(result.points[seat])


def tell_lead(result: Result, seat: int) -> float:
    """Its points more than the mean of the others."""
    others = sum(result.points) - result.points[seat]
    return result.points[seat] - others / (len(result.points) - 1)


# --- Figures ---------------------------------------------------------------------------------------


def measure_rung(played: Played) -> Rung:
    """One seat against a bot in all others; games that the agent breaks off are lost, with no points."""
    match = played.match
    assert match.bot is not None
    standing = summarize_agents(played.results)[match.agent]
    return Rung(match.config, match.bot, standing, 1 / match.config.players)


def measure_mirror(played: Played, mirrors: int = 1) -> Mirror:
    """The agent against itself: the learner sits in another seat from deal to deal.

    Args:
        played: The games.
        mirrors: How many are judged: the 5 % in which a fair one fails are shared between them.
    """
    match, players = played.match, played.match.config.players
    seats = list(list_seats(played.results, match.agent))
    learner = [(result, seat) for result, seat in seats if seat == result.fixture.deal % players]
    fair = 1 / players
    judged = estimate(learner, tell_win, estimate_share, 1 - (1 - LEVEL) / mirrors)
    return Mirror(
        match.config,
        estimate(learner, tell_win, estimate_share),
        fair,
        judged.low <= fair <= judged.high,
        estimate(seats, tell_points),
        len(learner),
    )


def measure_sources(played: Played) -> Sources:
    """Where the agent's points come from.

    Raises:
        AssertionError: The parts of a seat do not sum to its score.
    """
    match = played.match
    assert match.bot is not None
    seats = list(list_seats(played.results, match.agent))
    for result, seat in seats:
        assert sum(result.parts[seat]) == result.points[seat], "parts that do not sum to the score"
    deals = number_deals(seats)
    values = np.array([result.parts[seat] for result, seat in seats]).reshape(-1, len(PARTS))
    parts = {name: estimate_mean(values[:, n], deals) for n, name in enumerate(PARTS)}
    return Sources(match.config, match.bot, estimate(seats, tell_points), parts, len(seats))


def measure_empires(games: Sequence[Played]) -> list[EmpireFigures]:
    """How the agent does with each empire, over all matches with one bot."""
    agent, bot = games[0].match.agent, games[0].match.bot
    assert bot is not None
    seats = [one for played in games for one in list_seats(played.results, agent)]
    found = []
    for empire in sorted({result.empires[seat] for result, seat in seats}):
        own = [(result, seat) for result, seat in seats if result.empires[seat] == empire]
        fair = float(np.mean([1 / len(result.agents) for result, _ in own]))
        wins = estimate(own, tell_win, estimate_share)
        found.append(EmpireFigures(empire, bot, wins, fair, estimate(own, tell_points), len(own)))
    return found


def measure_alone(played: Played) -> list[Alone]:
    """The agent alone, and the bots of the ladder on the same deals."""
    config, found = played.match.config, []
    is_scenario = config.scenario is not None
    for bot, standing in summarize_agents(played.results, played.match.agents).items():
        own = [one for one in played.results if one.agents[0] == bot and not one.is_void]
        awards = {name: sum(one.award == name for one in own) / len(own) for name in list_awards(is_scenario)}
        won = sum(bool(one.scenario_won) for one in own) / len(own) if is_scenario else None
        found.append(Alone(config, bot, standing.points, awards, won, standing.n))
    return found


@dataclass(frozen=True, slots=True)
class Figures:
    """All that an evaluation has measured by games."""

    ladder: list[Rung]
    mirror: list[Mirror]
    sources: list[Sources]
    empires: list[EmpireFigures]
    solo: list[Alone]


def measure_games(games: Sequence[Played]) -> Figures:
    """All figures; points by source and by empire of self-play and against the first bot of the ladder."""
    mirrors = [played for played in games if played.match.is_mirror]
    rungs = [played for played in games if played.match.bot is not None and not played.match.is_mirror]
    first = [played for played in rungs if played.match.bot == rungs[0].match.bot]
    groups = [group for group in (mirrors, first) if group]
    return Figures(
        [measure_rung(played) for played in rungs],
        [measure_mirror(played, len(mirrors)) for played in mirrors],
        [measure_sources(played) for group in groups for played in group],
        [one for group in groups for one in measure_empires(group)],
        [one for played in games if played.match.bot is None for one in measure_alone(played)],
    )


# --- For files -------------------------------------------------------------------------------------


def to_plain(thing: object) -> object:
    """Figures as JSON holds them: intervals as value, low and high; what there is not is null."""
    if isinstance(thing, GameConfig):
        return thing.to_dict()
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return {one.name: to_plain(getattr(thing, one.name)) for one in dataclasses.fields(thing)}
    if isinstance(thing, dict):
        return {name: to_plain(value) for name, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [to_plain(value) for value in thing]
    if isinstance(thing, float):
        return float(thing) if np.isfinite(thing) else None
    return thing
