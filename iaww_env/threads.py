"""Threads that share the rows of many games: kernels hold no lock, and each thread works on rows of its own.

The chance of a game lies in its own row or stream, so the same comes out for any number of threads.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

import numpy as np

from iaww_env.errors import ConfigError, quote

T = TypeVar("T")

PAUSE = 0.001  # seconds between looks at who is still at work
LEAST_PART = 256  # rows of a thread: they take ten times as long as waking it, 0.1 ms and more


class Threads:
    """The thread that calls, and those that wait beside it for a share of the work.

    They begin with the first call that is shared and end when this object does. A forked process finds none
    of them and begins its own, and so does a copy. Where no thread can be had, because there are too many or
    the interpreter is about to end, the caller does all the work.

    Attributes:
        parts: The rows of each share; none where one thread will do.
    """

    def __init__(self, count: int, rows: int) -> None:
        """Cut the rows into parts, one for each thread; nothing is begun yet."""
        self._count, self._rows = check_threads(count), rows
        self.parts = cut_rows(rows, min(self._count, rows // LEAST_PART))
        self._others: ThreadPoolExecutor | None = None
        self._owner = 0  # the process that began them

    def __reduce__(self) -> tuple[Any, ...]:
        return Threads, (self._count, self._rows)

    @property
    def count(self) -> int:
        """How many were asked for."""
        return self._count

    def run(self, work: Callable[..., T], shares: Sequence[tuple[Any, ...]]) -> list[T]:
        """Call `work` with each share; returns the answers in the order of the shares.

        Nobody works on any share when this returns or raises. Ctrl-C comes when all shares are done.
        """
        call = SharedCall(work, shares)
        try:
            self._call_others(call.help_out, len(shares) - 1)
            call.take_shares()
            call.await_others()
        except BaseException:  # Ctrl-C, elsewhere than in a share
            call.take_shares()
            while call.helping:
                time.sleep(PAUSE)
            raise
        return call.list_answers()

    def _call_others(self, work: Callable[[], None], count: int) -> None:
        """Have so many other threads do this; fewer where there are not so many."""
        if self._others is None or self._owner != os.getpid():
            self._others = ThreadPoolExecutor(max(1, len(self.parts) - 1), thread_name_prefix="iaww_env")
            self._owner = os.getpid()
        try:
            for _ in range(count):
                self._others.submit(work)
        except RuntimeError:  # no thread can be begun
            self.close()

    def close(self) -> None:
        """End the threads; a later call begins new ones."""
        if self._others is not None and self._owner == os.getpid():
            self._others.shutdown(wait=False)
        self._others = None


class SharedCall(Generic[T]):
    """A call that several threads share: whoever is free takes the next share.

    Attributes:
        helping: An entry for each other thread that is at work.
    """

    def __init__(self, work: Callable[..., T], shares: Sequence[tuple[Any, ...]]) -> None:
        """Lay the shares out."""
        self._work, self._count, self._left = work, len(shares), deque(enumerate(shares))
        self._answers, self._errors = dict[int, T](), dict[int, BaseException]()
        self.helping: list[None] = []
        self._ended: SimpleQueue[None] = SimpleQueue()

    def take_shares(self) -> None:
        """Work until nothing is left to take."""
        while self._left:
            try:
                number, share = self._left.popleft()
            except IndexError:  # another thread was quicker
                return
            try:
                self._answers[number] = self._work(*share)
            except BaseException as error:  # Ctrl-C too, which comes when a kernel has ended
                self._errors[number] = error

    def help_out(self) -> None:
        """The same in another thread; one that comes late finds nothing left."""
        self.helping.append(None)
        self.take_shares()
        self.helping.pop()
        self._ended.put(None)

    def await_others(self) -> None:
        """Wait until every share is done."""
        while len(self._answers) + len(self._errors) < self._count:
            self._ended.get()

    def list_answers(self) -> list[T]:
        """The answers in the order of the shares; the first error, where there was one."""
        if self._errors:
            raise self._errors[min(self._errors)]
        return [self._answers[number] for number in range(self._count)]


def cut_rows(rows: int, count: int) -> list[slice]:
    """So many parts of about the same size; none where it would be one."""
    if count < 2:
        return []
    return [slice(a, b) for a, b in pairwise(rows * part // count for part in range(count + 1))]


def check_threads(threads: int) -> int:
    """A number of threads."""
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise ConfigError(f"threads is a whole number from 1, not {quote(threads)}")
    return int(threads)
