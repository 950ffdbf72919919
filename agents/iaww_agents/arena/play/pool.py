"""Games on all cores of this machine: worker processes, each watched, ended and replaced where need be."""

from __future__ import annotations

import dataclasses
import math
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing.connection import wait
from types import TracebackType
from typing import Self, TypedDict

from iaww_agents.arena.play.guests import HouseRules
from iaww_agents.arena.play.results import TIMEOUT, Result
from iaww_agents.arena.play.worker import ALLOWED, Job, JobAnswer, Task, TriedBot, Tryout, Worker, blame_seat
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, quote
from iaww_env.interrupts import hold_interrupts

LOOK = 0.05  # seconds between looks at the clocks
MOST_SECONDS, MOST_GIGABYTES, MOST_WORKERS = 1e6, 1e6, 1024
RETRIES = 2  # games that a process took down with it while nobody was asked are played again


class Limits(TypedDict, total=False):
    """How long bots may take."""

    time_limit: float
    """Seconds for each decision; 10 by default."""
    first_limit: float
    """Seconds for making a bot, for `reset` and for its first decision in a process; 60 by default."""
    memory_limit: float
    """Gigabytes that each bot of others may take; 4 by default, 0 for no limit."""


class LocalPool:
    """Worker processes; use it as a context.

    Attributes:
        slots: How many there are.
    """

    def __init__(
        self,
        slots: int | None = None,
        *,
        time_limit: float = 10.0,
        first_limit: float = 60.0,
        memory_limit: float = 4.0,
    ) -> None:
        """Take note; processes start when there is work.

        Args:
            slots: Processes; one for each core by default.
            time_limit: Seconds for each decision of a bot.
            first_limit: Seconds for making it, for `reset` and for its first decision in a process. Once
                a bot has used them up, all are allowed only `time_limit` in processes started later.
            memory_limit: Gigabytes that each bot of others may take; 0 for no limit.

        Raises:
            ConfigError: A number makes no sense.
        """
        self.slots = len_cores() if slots is None else slots
        if self.slots < 1:
            raise ConfigError(f"{self.slots} worker processes cannot play: give at least 1, or leave it out")
        if self.slots > MOST_WORKERS:
            raise ConfigError(
                f"{self.slots} worker processes: give at most {MOST_WORKERS:,}, or leave it out"
            )
        self.rules = check_rules(time_limit, first_limit, memory_limit)
        self.workers: list[Worker] = []
        self.todo: deque[Job] = deque()
        self.tries: dict[Task, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all processes."""
        with hold_interrupts():
            workers, self.workers = self.workers, []
            for worker in workers:
                worker.send_end()
            for worker in workers:
                worker.end()

    # --- Work ------------------------------------------------------------------------------------

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Result]]:
        """Results of the games, as they come in."""
        for answer in self.run(tasks):
            assert isinstance(answer, list)
            yield answer

    def try_bots(self, agents: Sequence[str], config: GameConfig) -> dict[str, bool]:
        """Make every bot once; tells of each whether it may play in kernels.

        Raises:
            ConfigError: A bot does not exist, cannot be made, or cannot play this.
        """
        found: dict[str, bool] = {}
        for answer in self.run(Tryout(spec, config) for spec in dict.fromkeys(agents)):
            assert isinstance(answer, TriedBot)
            if answer.problem:
                name = "" if quote(answer.spec) in answer.problem else f"the bot {quote(answer.spec)}: "
                raise ConfigError(name + answer.problem)
            found[answer.spec] = answer.is_batch
        return found

    def run(self, jobs: Iterable[Job]) -> Iterator[list[Result] | TriedBot]:
        """Answers to jobs, as they come in."""
        source = iter(jobs)
        while self.give_work(source):
            for worker in self.wait_for_workers():
                answer = self.take_answer(worker)
                if answer is not None:
                    yield answer

    def give_work(self, source: Iterator[Job]) -> bool:
        """Keep all processes busy; False when all work is done."""
        idle = [worker for worker in self.workers if worker.job is None]
        while len(self.workers) - len(idle) < self.slots:
            job = self.todo.popleft() if self.todo else next(source, None)
            if job is None:
                break
            if not idle:
                with hold_interrupts():  # one that is not on the list is not ended
                    self.workers.append(Worker(self.rules))
                idle.append(self.workers[-1])
            idle.pop().send(job)
        return any(worker.job is not None for worker in self.workers)

    def wait_for_workers(self) -> list[Worker]:
        """The processes that have answered, have ended, or must be ended."""
        busy = {worker.connection: worker for worker in self.workers if worker.job is not None}
        ready = [busy[one] for one in wait(list(busy), LOOK)]  # type: ignore[index]  # they are connections
        return ready or [worker for worker in busy.values() if worker.is_overdue()]

    def take_answer(self, worker: Worker) -> list[Result] | TriedBot | None:
        """The answer of a process, or what to say in its place; None where the job is done again."""
        job = worker.job
        assert job is not None
        answer: JobAnswer
        if worker.connection.poll():
            try:
                answer = worker.receive()
            except EOFError:
                return self.replace_answer(worker, job, None)
            if answer is None:
                assert isinstance(job, Task)
                self.todo.extend(Task((one,), noting=job.noting) for one in job.fixtures)
            elif isinstance(answer, list):
                self.note_time_outs(answer)
            return answer
        return self.replace_answer(worker, job, float(worker.shared[ALLOWED]))

    def replace_answer(
        self, worker: Worker, job: Job, allowed: float | None
    ) -> list[Result] | TriedBot | None:
        """A process has ended, or is ended because a bot is overdue: lay the blame."""
        seat = worker.find_busy_seat()
        self.workers.remove(worker)
        worker.process.join(1.0 if allowed is None else 0.0)
        code = worker.end()
        if isinstance(job, Tryout):
            why = f"it took more than {allowed:g} s" if allowed else f"its process ended (exit code {code})"
            return TriedBot(job.spec, f"{why} when it was made")
        if seat is None and self.tries.setdefault(job, 0) < RETRIES:
            # Nobody was asked: the machine may have ended it. A batch is taken apart to find out.
            self.tries[job] += 1
            alone = [Task((one,), noting=job.noting) for one in job.fixtures]
            self.todo.extend(alone if job.is_batch else [job])
            return None
        result = blame_seat(job.fixtures[0], seat, allowed, code)
        self.note_time_outs([result])
        return [result]

    def note_time_outs(self, results: list[Result]) -> None:
        """Where a bot has used up the first limit, processes that start later are allowed the other alone."""
        if any(result.status == TIMEOUT for result in results):
            self.rules = dataclasses.replace(self.rules, first_limit=self.rules.time_limit)


def check_rules(time_limit: float, first_limit: float, memory_limit: float) -> HouseRules:
    """What bots are allowed, refused where it cannot be; seconds may be inf, for no limit."""
    for name, seconds in (("time limit", time_limit), ("first limit", first_limit)):
        if not seconds > 0:  # nan is neither
            raise ConfigError(f"the {name} is {seconds:g} s: give bots more than nothing")
        if MOST_SECONDS < seconds < math.inf:
            raise ConfigError(
                f"the {name} is {seconds:g} s: give at most {MOST_SECONDS:,.0f}, or inf for none"
            )
    if not 0 <= memory_limit <= MOST_GIGABYTES:
        raise ConfigError(
            f"the memory limit is {memory_limit:g} GB: give at most {MOST_GIGABYTES:,.0f}, or 0 for no limit"
        )
    return HouseRules(time_limit, max(time_limit, first_limit), memory_limit)


def len_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
