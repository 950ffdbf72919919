"""A tournament: games of duplicate deals on all cores, or on a Ray cluster, written down as they end.

The same bots, configuration and seed give the same games, in whatever order processes play them. A file of
results is gone on with: games that stand in it are not played again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from iaww_agents.arena.measure.ratings import Ratings, rate
from iaww_agents.arena.play.pool import LocalPool
from iaww_agents.arena.play.results import Key, Result, ResultFile, find_key
from iaww_agents.arena.play.schedule import Fixture, schedule_games, take_deals
from iaww_agents.arena.play.worker import Task
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import check_seed
from iaww_env.errors import ConfigError, quote
from iaww_env.game import Game

FIRST_LOOK = 32  # deals before the first look whether the order is decided
LEVEL = 0.95
BACKENDS = ("local", "ray")
MOST_IN_BATCH = 64
COMPILED = ("greedy", "heuristic", "search")  # bots of ours whose kernels take long to compile

Report = Callable[[int, int], None]


class Pool(Protocol):
    """Where games are played."""

    def check(self, agents: Sequence[str], config: GameConfig) -> dict[str, bool]:
        """Make every bot once; tells of each whether it may play in kernels."""

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Result]]:
        """Results of the games, as they come in."""


@dataclass(slots=True)
class Tournament:
    """What a tournament has brought.

    Attributes:
        agents: Specs of the bots, each once.
        config: What was played.
        results: The games, in the order of the schedule.
        decided: With `until_decided`: whether the order is decided; else None.
        level: The level at which that was judged, or 0.95.
        n_read: Games that stood in the file already.
    """

    agents: tuple[str, ...]
    config: GameConfig
    results: list[Result] = field(default_factory=list)
    decided: bool | None = None
    level: float = LEVEL
    n_read: int = 0

    @property
    def ratings(self) -> Ratings:
        """Ratings of the bots, with intervals."""
        return rate(self.results, agents=self.agents)


def run_tournament(
    agents: Sequence[str],
    config: GameConfig | None = None,
    *,
    games: int = 1000,
    seed: int = 0,
    out: Path | str | None = None,
    until_decided: bool = False,
    duplicates: bool = True,
    backend: str = "local",
    workers: int | None = None,
    time_limit: float = 10.0,
    first_limit: float = 60.0,
    report: Report | None = None,
    pool: Pool | None = None,
) -> Tournament:
    """Play a tournament. A script that calls it needs `if __name__ == "__main__":`, for its processes.

    Args:
        agents: Specs of the bots. One that is named twice takes twice the seats. More bots than seats take
            turns; fewer take several seats each.
        config: What is played.
        games: Play at least so many games, in whole deals; with `until_decided`, no more deals than that.
        seed: Seed of the first deal.
        out: File of results, JSON Lines; games that stand there are not played again.
        until_decided: Stop as soon as each bot is told from the next in rank.
        duplicates: Play each deal in every rotation of the seats.
        backend: "local", or "ray" for a Ray cluster.
        workers: Processes; one for each core by default.
        time_limit: Seconds for each decision of a bot.
        first_limit: Seconds for making a bot and for its first decision in a process.
        report: Called with the games done and the games to be played.
        pool: Where to play instead; it stays open, and what is said above of processes does not count.

    Raises:
        ConfigError: A bot does not exist or cannot play this, or an option makes no sense.
    """
    config = GameConfig() if config is None else config
    check_options(agents, games, backend)
    names = tuple(dict.fromkeys(agents))
    schedule = schedule_games(config, agents, check_seed(seed), duplicates=duplicates)
    stages = cut_stages(list(take_deals(schedule, games)), until_decided)
    tournament = Tournament(names, config)
    if until_decided:
        # Every look is a chance to be fooled, so the looks share the 5 % between them.
        tournament.level = 1 - (1 - LEVEL) / len(stages)
        tournament.decided = False
    file = ResultFile(Path(out)) if out is not None else None
    opened: Any = nullcontext(pool) if pool else open_pool(backend, workers, time_limit, first_limit)
    with opened as open_one, file or nullcontext():
        is_fast = open_one.check(names, config)
        warm_up(names, config)
        known = file.results if file is not None else {}
        total = sum(map(len, stages))
        for fixtures in stages:
            before = len(tournament.results)
            tell = (lambda done, base=before: report(base + done, total)) if report else None
            tournament.n_read += sum(find_key(one) in known for one in fixtures)
            tournament.results += play_stage(fixtures, is_fast, open_one, known, file, tell)
            if until_decided and rate(tournament.results, level=tournament.level).is_decided():
                tournament.decided = True
                break
    return tournament


def warm_up(agents: Sequence[str], config: GameConfig) -> None:
    """Let our own bots decide once in this process: what they compile then lies ready for all processes.

    Without it every process would compile the same at the same time, and against its bots' clock.
    """
    for spec in agents:
        if spec.partition(":")[0] in COMPILED:
            bot, game = make_agent(spec), Game(config, seed=0)
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
    if backend not in BACKENDS:
        raise ConfigError(f"there is no backend {quote(backend)}: choose from {', '.join(BACKENDS)}")


def open_pool(backend: str, workers: int | None, time_limit: float, first_limit: float) -> Any:
    """Where the games are played, as a context."""
    if backend == "ray":
        from iaww_agents.arena.play.ray_pool import RayPool

        return RayPool(workers, time_limit=time_limit, first_limit=first_limit)
    return LocalPool(workers, time_limit=time_limit, first_limit=first_limit)


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


def play_stage(
    fixtures: list[Fixture],
    is_fast: dict[str, bool],
    pool: Pool,
    known: dict[Key, Result],
    file: ResultFile | None,
    tell: Callable[[int], None] | None,
) -> list[Result]:
    """Play the games that are not known yet; returns the results of all, in order."""
    found = {find_key(one): known[find_key(one)] for one in fixtures if find_key(one) in known}
    missing = [one for one in fixtures if find_key(one) not in found]
    if tell:
        tell(len(found))
    for results in pool.play(list_tasks(missing, is_fast)):
        if file is not None:
            file.append(results)
        found |= {result.key: result for result in results}
        if tell:
            tell(len(found))
    return [found[find_key(one)] for one in fixtures]


def list_tasks(fixtures: Iterable[Fixture], is_fast: dict[str, bool]) -> Iterator[Task]:
    """Games of kernel bots in batches, by who sits where; all others one by one."""
    batches: dict[tuple[str, ...], list[Fixture]] = {}
    for fixture in fixtures:
        if not all(is_fast[spec] for spec in fixture.agents):
            yield Task((fixture,))
            continue
        batch = batches.setdefault(fixture.agents, [])
        batch.append(fixture)
        if len(batch) == MOST_IN_BATCH:
            yield Task(tuple(batches.pop(fixture.agents)), is_batch=True)
    for batch in batches.values():
        yield Task(tuple(batch), is_batch=True)
