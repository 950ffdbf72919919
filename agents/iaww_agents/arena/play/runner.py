"""Plays the games of a tournament that do not stand in its file yet, and writes them there."""

from __future__ import annotations

import dataclasses
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Protocol

from iaww_agents.arena.play.crash_files import CrashFile
from iaww_agents.arena.play.result_files import ResultFile
from iaww_agents.arena.play.results import Key, Result, find_key
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.play.worker import Task
from iaww_env.bots.games import BotGames
from iaww_env.bots.sources import digest_source
from iaww_env.bots.specs import is_ours, make_agent
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import make_rows, seed_stream
from iaww_env.game import Game

MOST_IN_BATCH = 64

Progress = Callable[[int, int], None]
Keep = Callable[[Sequence[Result]], object]


class Pool(Protocol):
    """Where games are played."""

    def try_bots(self, agents: Sequence[str], config: GameConfig) -> dict[str, bool]:
        """Make every bot once; tells of each whether it may play in kernels."""

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Result]]:
        """Results of the games, as they come in."""


class Runner:
    """Plays the games that do not stand in a file of results yet, and writes them there."""

    def __init__(
        self,
        pool: Pool,
        file: ResultFile | None,
        report: Progress | None,
        keep: Keep | None = None,
        *,
        thinking: bool = False,
    ) -> None:
        """Take note of where to play, write and report, who keeps moves, and whether thoughts too."""
        self.pool, self.file, self.report, self.keep, self.thinking = pool, file, report, keep, thinking
        self.is_fast: dict[str, bool] = {}
        self.sitting = secrets.token_hex(8)
        self.done = self.total = 0
        self.crashes = CrashFile(file.path) if file is not None else None
        self.sources: dict[str, str | None] = {}

    def begin(self, agents: Sequence[str], config: GameConfig, total: int) -> None:
        """Make every bot once, and be ready for so many games."""
        self.is_fast, self.total = self.pool.try_bots(agents, config), total
        if self.thinking:  # what is played in kernels tells nothing
            self.is_fast = dict.fromkeys(self.is_fast, False)
        warm_up(agents, config, in_kernels=all(self.is_fast[spec] for spec in agents))

    def count_changed(self, agents: Sequence[str]) -> dict[str, int]:
        """Take note of the bots' files; of each that has changed, its games in the file from before."""
        self.sources = {spec: digest_source(spec) for spec in agents}
        changed: Counter[str] = Counter()
        for result in self.known.values():
            played = set(zip(result.agents, result.sources, strict=False))
            changed.update({spec for spec, was in played if was and self.sources.get(spec, was) != was})
        return dict(changed)

    def find_crashes(self) -> Path | None:
        """The file of tracebacks, where one was written."""
        return self.crashes.path if self.crashes is not None and self.crashes.text is not None else None

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
        tasks: Iterable[Task] = list_tasks(missing, self.is_fast, self.sitting, noting=self.keep is not None)
        if self.thinking:
            tasks = (dataclasses.replace(one, thinking=True) for one in tasks)
        for results in map(self.finish, self.pool.play(tasks)):
            if self.file is not None:
                self.file.append(results)
            found |= {result.key: result for result in results}
            self.tell(len(found))
        self.done += len(fixtures)
        # A file does not say which rotation of a deal a game was.
        return [dataclasses.replace(found[find_key(one)], fixture=one) for one in fixtures]

    def finish(self, results: list[Result]) -> list[Result]:
        """Games that were played, with digests of their bots; tracebacks and moves go to their keepers."""
        if self.crashes is not None:
            self.crashes.keep(results)
        if self.keep is not None:
            self.keep(results)
        return [
            dataclasses.replace(
                one, sources=sources if any(sources) else (), trace="", moves=None, thoughts=()
            )
            for one in results
            for sources in [tuple(map(self.sources.get, one.agents))]
        ]

    def tell(self, done: int) -> None:
        """Report so many games of the stage under way."""
        if self.report is not None:
            self.report(self.done + done, self.total)


def warm_up(agents: Sequence[str], config: GameConfig, *, in_kernels: bool) -> None:
    """Let our own bots play a little in this process: what they compile then lies ready for all processes.

    Without it every process would compile the same at the same time, and against its bots' clock. A bot
    that only plays whole games inside a kernel needs no other, and the other way round.
    """
    bots = [make_agent(spec) for spec in agents if is_ours(spec)]
    if in_kernels:
        for start in range(0, len(bots), config.players):
            seated = list(islice(cycle(bots), start, start + config.players))
            for bot in seated:
                if callable(getattr(bot, "reset_batch", None)):
                    bot.reset_batch(config)
            BotGames(seated, config).play(make_rows(config, [0]), [seed_stream(0)])
        return
    for bot in bots:
        if bot.lane_code is None:  # random bots have no kernels of their own
            game = Game(config, seed=0)
            seat = game.seats_to_act()[0]
            bot.reset(seat, config, 0)
            bot.act(make_view(game, seat))


def list_tasks(
    fixtures: Sequence[Fixture], is_fast: dict[str, bool], sitting: str = "", *, noting: bool = False
) -> Iterator[Task]:
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
            yield Task((fixture,), noting=noting)
            continue
        batch = batches.setdefault(fixture.agents, [])
        batch.append(fixture)
        if len(batch) == MOST_IN_BATCH:
            yield Task(tuple(batches.pop(fixture.agents)), is_batch=True, noting=noting)
    for batch in batches.values():
        yield Task(tuple(batch), is_batch=True, noting=noting)
    for fixture in sorted(with_guests, key=lambda one: one.turn):
        yield Task((fixture,), sitting=f"{sitting}, turn {fixture.turn}", noting=noting)
