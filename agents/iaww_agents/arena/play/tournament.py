"""A tournament: games of duplicate deals on all cores, or on a Ray cluster, written down as they end.

The same bots, configuration and key give the same games, in whatever order processes play them. A file of
results is gone on with: games that stand in it are not played again.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Unpack

from iaww_agents.arena.measure.ratings import Ratings, rate
from iaww_agents.arena.play.pool import Limits, LocalPool
from iaww_agents.arena.play.result_files import ResultFile
from iaww_agents.arena.play.results import Key, Result, find_key
from iaww_agents.arena.play.schedule import Fixture, check_key, schedule_games, take_deals
from iaww_agents.arena.play.worker import Task
from iaww_env.bots.specs import is_ours, make_agent
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, quote
from iaww_env.game import Game

FIRST_LOOK = 32  # deals before the first look whether the order is decided
LEVEL = 0.95
BACKENDS = ("local", "ray")
MOST_IN_BATCH = 64
MOST_GAMES = 10_000_000

Progress = Callable[[int, int], None]


class Pool(Protocol):
    """Where games are played."""

    def try_bots(self, agents: Sequence[str], config: GameConfig) -> dict[str, bool]:
        """Make every bot once; tells of each whether it may play in kernels."""

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Result]]:
        """Results of the games, as they come in."""


@dataclass(slots=True)
class Tournament:
    """What a tournament has brought.

    Attributes:
        agents: Specs of the bots, each once.
        config: What was played.
        key: What all deals follow from.
        results: The games, in the order of the schedule.
        decided: With `until_decided`: whether the order is decided; else None.
        level: The level at which that was judged, or 0.95.
        n_read: Games that stood in the file already.
    """

    agents: tuple[str, ...]
    config: GameConfig
    key: str
    results: list[Result] = field(default_factory=list)
    decided: bool | None = None
    level: float = LEVEL
    n_read: int = 0

    @property
    def ratings(self) -> Ratings:
        """Ratings of the bots, with intervals."""
        return rate(self.results, agents=self.agents)


class PoolOptions(Limits, total=False):
    """In which processes games are played, and how long bots may take."""

    backend: str
    """`local`, or `ray` for a Ray cluster."""
    workers: int | None
    """Processes; one for each core by default."""


def run_tournament(
    agents: Sequence[str],
    config: GameConfig | None = None,
    *,
    games: int = 1000,
    key: str | None = None,
    out: Path | str | None = None,
    until_decided: bool = False,
    duplicates: bool = True,
    report: Progress | None = None,
    pool: Pool | None = None,
    **options: Unpack[PoolOptions],
) -> Tournament:
    """Play a tournament. A script that calls it needs `if __name__ == "__main__":`, for its processes.

    Args:
        agents: Specs of the bots. One that is named twice takes twice the seats. More bots than seats take
            turns; fewer take several seats each.
        config: What is played.
        games: Play at least so many games, in whole deals; with `until_decided`, no more deals than that.
        key: All deals follow from it: the same key, the same games. By default that of the file of results,
            or one that nobody can guess. No bot is told.
        out: File of results, JSON Lines; games that stand there are not played again.
        until_decided: Stop as soon as each bot is told from the next in rank.
        duplicates: Play each deal in every rotation of the seats.
        report: Called with the games done and the games to be played.
        pool: Where to play instead of processes of its own; it stays open.
        options: See `PoolOptions`.

    Raises:
        ConfigError: A bot does not exist or cannot play this, or an option makes no sense.
    """
    config = GameConfig() if config is None else config
    check_options(agents, games, options.get("backend", "local"))
    if key is not None:
        check_key(key)
    with open_results(out, key) as file, open_pool(pool, **options) as opened:
        tournament = Tournament(tuple(dict.fromkeys(agents)), config, check_key(file.key if file else key))
        schedule = schedule_games(config, agents, tournament.key, duplicates=duplicates)
        stages = cut_stages(list(take_deals(schedule, games)), until_decided)
        play_stages(tournament, stages, until_decided, Runner(opened, file, report))
    return tournament


def open_results(out: Path | str | None, key: str | None) -> AbstractContextManager[ResultFile | None]:
    """The file of results, where there is one."""
    return nullcontext() if out is None else ResultFile(Path(out), key)


def play_stages(
    tournament: Tournament, stages: list[list[Fixture]], until_decided: bool, runner: Runner
) -> None:
    """Play stage by stage, with a look after each whether the order is decided where that ends it."""
    if until_decided:
        # Every look is a chance to be fooled, so the looks share the 5 % between them.
        tournament.level = 1 - (1 - LEVEL) / len(stages)
        tournament.decided = False
    runner.begin(tournament.agents, tournament.config, sum(map(len, stages)))
    for fixtures in stages:
        tournament.n_read += runner.count_known(fixtures)
        tournament.results += runner.play(fixtures)
        if until_decided and rate(tournament.results, level=tournament.level).is_decided():
            tournament.decided = True
            return


class Runner:
    """Plays the games that do not stand in a file of results yet, and writes them there."""

    def __init__(self, pool: Pool, file: ResultFile | None, report: Progress | None) -> None:
        """Take note of where to play, to write and to report."""
        self.pool, self.file, self.report = pool, file, report
        self.is_fast: dict[str, bool] = {}
        self.sitting = secrets.token_hex(8)
        self.done = self.total = 0

    def begin(self, agents: Sequence[str], config: GameConfig, total: int) -> None:
        """Make every bot once, and be ready for so many games."""
        self.is_fast, self.total = self.pool.try_bots(agents, config), total
        warm_up(agents, config)

    @property
    def known(self) -> dict[Key, Result]:
        """The games that stand in the file."""
        return self.file.results if self.file is not None else {}

    def count_known(self, fixtures: list[Fixture]) -> int:
        """How many of these games stand in the file."""
        return sum(find_key(one) in self.known for one in fixtures)

    def play(self, fixtures: list[Fixture]) -> list[Result]:
        """Play the games that are not known yet; returns the results of all, in order."""
        known = self.known
        found = {find_key(one): known[find_key(one)] for one in fixtures if find_key(one) in known}
        missing = [one for one in fixtures if find_key(one) not in found]
        self.tell(len(found))
        for results in self.pool.play(list_tasks(missing, self.is_fast, self.sitting)):
            if self.file is not None:
                self.file.append(results)
            found |= {result.key: result for result in results}
            self.tell(len(found))
        self.done += len(fixtures)
        return [found[find_key(one)] for one in fixtures]

    def tell(self, done: int) -> None:
        """Report so many games of the stage under way."""
        if self.report is not None:
            self.report(self.done + done, self.total)


def warm_up(agents: Sequence[str], config: GameConfig) -> None:
    """Let our own bots decide once in this process: what they compile then lies ready for all processes.

    Without it every process would compile the same at the same time, and against its bots' clock.
    """
    for bot in map(make_agent, filter(is_ours, agents)):
        if bot.lane_code is None:  # random bots have no kernels of their own
            game = Game(config, seed=0)
            seat = game.seats_to_act()[0]
            bot.reset(seat, config, 0)
            bot.act(make_view(game, seat))


def check_options(agents: Sequence[str], games: int, backend: str) -> None:
    """Refuse what cannot be played before any process starts."""
    if isinstance(agents, str) or not agents:
        raise ConfigError("name at least one bot, as in: iaww tournament greedy random:nodiscard")
    for spec in agents:
        if not isinstance(spec, str):
            raise ConfigError(f"a bot in a tournament is named by its spec, a text, not {quote(spec)}")
    if games < 1:
        raise ConfigError(f"--games is {games}: play at least one game")
    if games > MOST_GAMES:
        raise ConfigError(f"--games is {games}: play at most {MOST_GAMES:,} at once")
    if backend not in BACKENDS:
        raise ConfigError(f"there is no backend {quote(backend)}: choose from {', '.join(BACKENDS)}")


def open_pool(
    pool: Pool | None, backend: str = "local", workers: int | None = None, **limits: Unpack[Limits]
) -> Any:
    """Where the games are played, as a context; a pool that is given stays open."""
    if pool is not None:
        return nullcontext(pool)
    if backend == "ray":
        from iaww_agents.arena.play.ray_pool import RayPool

        return RayPool(workers, **limits)
    return LocalPool(workers, **limits)


def cut_stages(deals: list[list[Fixture]], until_decided: bool) -> list[list[Fixture]]:
    """All games at once; or stages with a look after each, their ends doubling from FIRST_LOOK deals on."""
    ends = [len(deals)]
    if until_decided and len(deals) > FIRST_LOOK:
        looks = math.ceil(math.log2(len(deals) / FIRST_LOOK))
        ends = [*(FIRST_LOOK << i for i in range(looks)), len(deals)]
    begins = [0, *ends[:-1]]
    return [
        [fixture for deal in deals[begin:end] for fixture in deal]
        for begin, end in zip(begins, ends, strict=True)
    ]


def list_tasks(fixtures: Sequence[Fixture], is_fast: dict[str, bool], sitting: str = "") -> Iterator[Task]:
    """Games of kernel bots in batches, by who sits where; all others one by one.

    Games of bots of others go rotation by rotation, a sitting each: so the process of such a bot never meets
    the cards of a deal twice.
    """
    batches: dict[tuple[str, ...], list[Fixture]] = {}
    with_guests = []
    for fixture in fixtures:
        if not all(map(is_ours, fixture.agents)):
            with_guests.append(fixture)
            continue
        if not all(is_fast[spec] for spec in fixture.agents):
            yield Task((fixture,))
            continue
        batch = batches.setdefault(fixture.agents, [])
        batch.append(fixture)
        if len(batch) == MOST_IN_BATCH:
            yield Task(tuple(batches.pop(fixture.agents)), is_batch=True)
    for batch in batches.values():
        yield Task(tuple(batch), is_batch=True)
    for fixture in sorted(with_guests, key=lambda one: one.turn):
        yield Task((fixture,), sitting=f"{sitting}, turn {fixture.turn}")
