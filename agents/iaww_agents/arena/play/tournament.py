"""A tournament: games of duplicate deals on all cores, or on a Ray cluster, written down as they end.

The same bots, configuration and key give the same games, in whatever order processes play them. A file of
results is gone on with: games that stand in it are not played again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

from iaww_agents.arena.measure.ratings import Ratings, rate
from iaww_agents.arena.play.pool import Limits, LocalPool
from iaww_agents.arena.play.result_files import ResultFile
from iaww_agents.arena.play.results import Result
from iaww_agents.arena.play.runner import Keep, Pool, Progress, Runner
from iaww_agents.arena.play.schedule import Fixture, check_key, schedule_games, take_deals
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, quote

FIRST_LOOK = 32  # deals before the first look whether the order is decided
LEVEL = 0.95
BACKENDS = ("local", "ray")
MOST_GAMES = 10_000_000


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
        changed: Of each bot whose file has changed since games of it in the file were played, how many games.
        crashes: The file that tracebacks of crashes were written to; None where there were none, or no file.
    """

    agents: tuple[str, ...]
    config: GameConfig
    key: str
    results: list[Result] = field(default_factory=list)
    decided: bool | None = None
    level: float = LEVEL
    n_read: int = 0
    changed: dict[str, int] = field(default_factory=dict)
    crashes: Path | None = None

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
    warn: Callable[[str], object] | None = None,
    pool: Pool | None = None,
    keep: Keep | None = None,
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
        warn: Called before the first game with what should be known of the file of results.
        pool: Where to play instead of processes of its own; it stays open.
        keep: Called with results as games end, each with its moves; games that stood in the file have none.
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
        runner = Runner(opened, file, report, keep)
        schedule = schedule_games(config, agents, tournament.key, duplicates=duplicates)
        stages = cut_stages(list(take_deals(schedule, games)), until_decided)
        tournament.changed = runner.count_changed(tournament.agents)
        if warn is not None:
            for line in describe_changes(tournament.changed):
                warn(line)
        play_stages(tournament, stages, until_decided, runner)
        tournament.crashes = runner.find_crashes()
    return tournament


def open_results(out: Path | str | None, key: str | None) -> AbstractContextManager[ResultFile | None]:
    """The file of results, where there is one."""
    return nullcontext() if out is None else ResultFile(Path(out), key)


def describe_changes(changed: dict[str, int]) -> list[str]:
    """Lines that warn of bots that are no longer what they were when they played."""
    return [
        f"the file of {spec} has changed since {count:,} of its games in the file of results "
        f"{'was' if count == 1 else 'were'} played: they stay; to measure it as it is now, name a new file"
        for spec, count in changed.items()
    ]


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
