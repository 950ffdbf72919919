"""How far a tournament has come, told in lines now and then where nobody looks at a bar of progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

EVERY = 30.0  # seconds between lines; what is done sooner prints none


class ProgressLines:
    """Lines on the error stream, as for a log: games done of all, and the time that is left."""

    def __init__(
        self, write: Callable[[str], object] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """The time begins now.

        Args:
            write: Takes a line; by default it goes to the error stream.
            clock: Seconds, from any beginning.
        """
        self.write, self.clock = write or write_line, clock
        self.began = self.told = clock()
        self.first: int | None = None

    def tell(self, done: int, total: int) -> None:
        """So many games are done; those that are told first stood in the file already."""
        now = self.clock()
        if self.first is None:
            self.first = done
        if now - self.told < EVERY or done >= total:
            return
        self.told = now
        self.write(f"{done:,} of {total:,} games{self._estimate(done, total, now - self.began)}")

    def _estimate(self, done: int, total: int, seconds: float) -> str:
        """The time that is left, at the pace so far."""
        played = done - (self.first or 0)
        if played <= 0:
            return ""
        return f", about {describe_time(seconds / played * (total - done))} left"


def write_line(line: str) -> None:
    """A line on the error stream, at once."""
    print(f"iaww: {line}", file=sys.stderr, flush=True)


def describe_time(seconds: float) -> str:
    """Seconds as one says them: `40 s`, `12 min`, `3 h 05 min`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60:,} h {minutes % 60:02} min"
