"""A process that plays games, and its handle: the process can be ended when a bot hangs or takes it down.

It is the referee of its games: bots of ours play in it, those of others in processes of their own (`guests`).
It swallows what bots print, and writes into shared memory which seat is busy since when; the handle reads
that, ends a process whose bot is overdue, and lays the blame where it belongs.
"""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from iaww_agents.arena.play.batches import can_play_lanes, play_together
from iaww_agents.arena.play.faults import GuestFault
from iaww_agents.arena.play.guests import ONE_THREAD, STARTING, BotShelf, HouseRules, end_guests
from iaww_agents.arena.play.match import Clock, play_match
from iaww_agents.arena.play.results import CRASH, TIMEOUT, Result, make_fault
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.play.shielding import adopt_orphans, shield_process
from iaww_agents.arena.play.thoughts import ThoughtKeeper
from iaww_env.announcing import announcer
from iaww_env.bots.specs import is_ours
from iaww_env.config import GameConfig
from iaww_env.errors import IawwError
from iaww_env.interrupts import start_without_interrupts

# Shared memory: when a seat was asked (0: none is busy), which seat, and the seconds it is allowed.
ASKED_AT, SEAT, ALLOWED = range(3)
GRACE = 0.2  # seconds beyond the limit before a process is ended: a bot that still answers says so itself
LEAVING = 1.0  # seconds in which a process that is told to end sends its guests home
LOOK = 0.5  # seconds between looks whether the parent is still there

Context = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is asked to do: play these games, as a batch inside kernels or one by one.

    Attributes:
        fixtures: The games.
        is_batch: Play them inside kernels.
        sitting: Bots of others are made anew where it changes (see `BotShelf`).
        noting: Give the moves with the results.
        thinking: Give what bots thought with them as well; not for batches.
    """

    fixtures: tuple[Fixture, ...]
    is_batch: bool = False
    sitting: str = ""
    noting: bool = False
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class Tryout:
    """What a worker is asked to do: make a bot, and say what it is."""

    spec: str
    config: GameConfig


@dataclass(frozen=True, slots=True)
class TriedBot:
    """What came of a tryout: what is wrong with the bot, and whether it may play in kernels."""

    spec: str
    problem: str = ""
    is_batch: bool = False


Job = Task | Tryout
JobAnswer = list[Result] | TriedBot | None


class SharedClock(Clock):
    """A clock that the parent process reads."""

    is_interactive = False

    def __init__(self, limit: float, first: float, shared: Any) -> None:
        """A clock over shared memory."""
        super().__init__(limit, first)
        self.shared = shared

    def start(self, seat: int, allowed: float) -> None:
        """A seat is asked something."""
        self.shared[SEAT], self.shared[ALLOWED] = seat, allowed
        self.shared[ASKED_AT] = time.monotonic()

    def stop(self) -> None:
        """It has answered."""
        self.shared[ASKED_AT] = 0.0


# --- In the process --------------------------------------------------------------------------------


def begin_process(connection: Connection, shared: Any, rules: HouseRules, parent: int) -> None:
    """Answer jobs; end when told to, or with the parent."""
    signal.signal(signal.SIGTERM, lambda *signal: leave_process())
    threading.Thread(target=follow_parent, args=(parent,), daemon=True).start()
    serve_jobs(connection, shared, rules)


def serve_jobs(connection: Connection, shared: Any, rules: HouseRules) -> None:
    """Answer jobs until there are no more, or until the parent is gone."""
    silence_process()
    announcer.is_silent = True  # the parent speaks
    shield_process()
    adopt_orphans()
    clock = SharedClock(rules.time_limit, rules.first_limit, shared)
    with BotShelf(rules) as shelf:
        while True:
            try:
                job = connection.recv()
                if job is None:
                    return
                made = try_bot if isinstance(job, Tryout) else play_task
                connection.send(made(job, shelf, clock))
            except (EOFError, ConnectionError):  # the parent is gone
                return


def leave_process() -> None:
    """End at once, whatever is under way; guests are ended, with all that they have started."""
    try:
        end_guests()
    finally:
        os._exit(0)


def follow_parent(parent: int) -> None:
    """End with the parent, however that has ended, also in the midst of a long game."""
    while os.getppid() == parent:
        time.sleep(LOOK)
    leave_process()


def silence_process() -> None:
    """What bots print goes nowhere, what they read is empty, and Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):  # it was started without interrupts
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for name, number in ONE_THREAD.items():
        os.environ.setdefault(name, number)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    sys.stdin = open(os.devnull, encoding="utf-8")  # open as long as the process
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")


def try_bot(tryout: Tryout, shelf: BotShelf, clock: SharedClock) -> TriedBot:
    """Make a bot and seat it, before a tournament begins."""
    spec, ours = tryout.spec, is_ours(tryout.spec)
    clock.start(0, clock.first if ours else STARTING + clock.first)
    try:
        bot = shelf.take((spec,), 0)
        if callable(getattr(bot, "reset", None)):
            bot.reset(0, tryout.config, 0)
    except IawwError as error:
        return TriedBot(spec, str(error))
    except GuestFault as fault:
        hint = "; iaww watch shows the traceback" if fault.trace else ""
        return TriedBot(spec, f"{fault.reason} when it was made{hint}")
    except BaseException as error:
        return TriedBot(spec, f"{type(error).__name__} when it was made: {error}"[:500])
    finally:
        clock.stop()
    return TriedBot(spec, is_batch=ours and can_play_lanes(bot))


def play_task(task: Task, shelf: BotShelf, clock: SharedClock) -> JobAnswer:
    """Play games; None where a batch failed and must be played one by one."""
    agents = task.fixtures[0].agents
    shelf.begin_sitting(task.sitting)
    if task.is_batch:
        try:
            bots = [shelf.take((spec,), 0) for spec in agents]
            for bot in bots:
                if callable(getattr(bot, "reset_batch", None)):
                    bot.reset_batch(task.fixtures[0].config)
            return play_together(task.fixtures, bots, noting=task.noting)
        except Exception:
            return None
    results = []
    for fixture in task.fixtures:
        keeper = ThoughtKeeper(partial(shelf.take, fixture.agents))
        show = keeper.note if task.thinking else None
        result = play_match(fixture, keeper.make, clock, show=show, noting=task.noting)
        if task.thinking:
            result = dataclasses.replace(result, thoughts=tuple(keeper.thoughts))
        if result.offender is not None:
            shelf.drop(fixture.agents[result.offender])
        if result.status == TIMEOUT:
            clock.first = clock.limit
        results.append(result)
    return results


# --- In the parent ---------------------------------------------------------------------------------


class Worker:
    """A process that plays games, seen from its parent."""

    def __init__(self, rules: HouseRules) -> None:
        """Start the process; it loads while others work."""
        self.shared = Context.RawArray("d", 3)
        self.connection, theirs = Context.Pipe()
        args = (theirs, self.shared, rules, os.getpid())
        self.process = Context.Process(target=begin_process, args=args, daemon=True)
        resource_tracker.ensure_running()  # its start would let Ctrl-C through again
        with start_without_interrupts():
            self.process.start()
        theirs.close()
        self.job: Job | None = None

    def send(self, job: Job) -> None:
        """Give the process something to do."""
        self.job = job
        try:
            self.connection.send(job)
        except OSError:  # it is dead already; `receive` will find out
            return

    def receive(self) -> JobAnswer:
        """The answer that has come; raises EOFError where the process has ended instead."""
        try:
            answer: JobAnswer = self.connection.recv()
        except OSError:
            raise EOFError from None
        self.job = None
        return answer

    def find_busy_seat(self) -> int | None:
        """The seat that was asked and has not answered."""
        return int(self.shared[SEAT]) if self.shared[ASKED_AT] > 0 else None

    def is_overdue(self) -> bool:
        """Whether a bot has been busy for longer than it is allowed."""
        asked = float(self.shared[ASKED_AT])
        return asked > 0 and time.monotonic() > asked + self.shared[ALLOWED] + GRACE

    def end(self) -> int | None:
        """End the process, whatever it is doing; returns its exit code if it ended by itself."""
        self.process.join(0.2 if not self.connection.closed and self.job is None else 0.0)
        code = self.process.exitcode
        self.process.terminate()
        self.process.join(LEAVING)
        self.process.kill()
        self.process.join()
        self.process.close()
        self.connection.close()
        return code

    def send_end(self) -> None:
        """Tell the process that there is nothing more to do, or no time for what it does."""
        try:
            if self.job is None:
                self.connection.send(None)
            else:
                self.process.terminate()
        except OSError:
            return


def blame_seat(fixture: Fixture, seat: int | None, allowed: float | None, code: int | None) -> Result:
    """The result of a game whose process had to be ended, or ended itself."""
    if seat is None:
        return make_fault(fixture, None, CRASH, f"the process ended between decisions (exit code {code})")
    name = f"{fixture.agents[seat]} in seat {seat}"
    if allowed is not None:
        return make_fault(fixture, seat, TIMEOUT, f"{name} did not answer within {allowed:g} s", allowed)
    return make_fault(fixture, seat, CRASH, f"{name} ended the process it played in (exit code {code})")
