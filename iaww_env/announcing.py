"""What is said while kernels are compiled: it takes long, it happens once, and nobody should wait in silence.

On a terminal a line with a bar counts the seconds and goes away again; elsewhere one line is printed. Both
stand on the error stream, and come only when compiling has taken longer than a second. Of several processes
of one command one speaks, and what follows within a minute is not announced again. A command with a bar of
its own shows there what it is told (`announce_to`).
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, time
from typing import Any

PATIENCE = 1.0  # seconds of compiling before anything is said
QUIET = 60.0  # seconds without compiling after which it is said again
BEAT = 0.2  # seconds between two pictures of the bar
SAID = "compiling what this needs, once for each version"
USUAL = "10 to 60 seconds, or `iaww warmup` beforehand"
WIDTH = 24  # of the bar

Show = Callable[[str], None]


class Announcer:
    """Who speaks in this process, and what has been said.

    Attributes:
        show: Takes what is said in place of the error stream; it is told "" when compiling has ended.
        is_silent: Nothing is said: another process speaks for this one.
        root: The folder of all machine code, in which processes find out that another one speaks.
    """

    def __init__(self) -> None:
        """Nothing has been compiled yet."""
        self.show: Show | None = None
        self.is_silent = False
        self.root: Path | None = None
        self._spent, self._ended = 0.0, -QUIET
        self._speaks: bool | None = None
        self._has_printed = self._is_busy = False

    @contextlib.contextmanager
    def announce(self) -> Iterator[None]:
        """While a kernel is compiled: say so if that takes long."""
        if self.is_silent or self._is_busy:
            yield
            return
        begun = monotonic()
        if begun - self._ended > QUIET:
            self._spent, self._speaks, self._has_printed = 0.0, None, False
        stop = threading.Event()
        wait = max(0.0, PATIENCE - self._spent)
        speaker = threading.Thread(
            target=self._speak, args=(wait, stop), name="iaww_env announcer", daemon=True
        )
        self._is_busy = True
        try:
            with contextlib.suppress(RuntimeError):  # no thread can be begun: it is compiled in silence
                speaker.start()
            yield
        finally:
            self._is_busy = False
            stop.set()
            if speaker.ident is not None:
                speaker.join()
            self._ended = monotonic()
            self._spent += self._ended - begun

    def _speak(self, wait: float, stop: threading.Event) -> None:
        if stop.wait(wait):
            return
        if self._speaks is None:
            self._speaks = self.show is not None or claim_word(self.root)
        if not self._speaks:
            return
        with contextlib.suppress(OSError, ValueError):  # a stream that is closed or full stops nothing
            if self.show is not None:
                self.show(SAID)
                stop.wait()
                self.show("")
            elif sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
                self._draw_bar(stop)
            elif sys.stderr is not None and not self._has_printed:
                self._has_printed = True
                print(f"iaww_env: {SAID} ({USUAL})", file=sys.stderr, flush=True)

    def _draw_bar(self, stop: threading.Event) -> None:
        """A bar that runs to and fro, as nobody knows the end, and the seconds spent so far."""
        begun, beat, width = monotonic() - self._spent, 0, find_width() - 1
        drawn = ""
        while not stop.is_set():
            at = abs((beat + WIDTH) % (2 * WIDTH - 6) - (WIDTH - 3))
            bar = ("-" * at + "===" + "-" * WIDTH)[:WIDTH]
            drawn = f"{SAID}: {monotonic() - begun:3.0f} s [{bar}]"[:width]
            sys.stderr.write(f"\r{drawn}")
            sys.stderr.flush()
            beat += 1
            stop.wait(BEAT)
        sys.stderr.write(f"\r{' ' * len(drawn)}\r")  # spaces: not every terminal knows how to clear a line
        sys.stderr.flush()


def find_width() -> int:
    """Columns of the terminal that the error stream is shown in."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def claim_word(root: Path | None) -> bool:
    """Whether this process speaks: no other of its command does, or has within the last minute.

    The processes of one command belong to one group. Where there are no groups or no folder, each speaks.
    """
    if root is None or not hasattr(os, "getpgrp"):
        return True
    mark = root / f"telling-{os.getpgrp()}"
    try:
        for old in root.glob("telling-*"):
            with contextlib.suppress(FileNotFoundError):  # another process has just removed it
                if time() - old.stat().st_mtime > QUIET:
                    old.unlink()
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


announcer = Announcer()


def show_in_bar(bar: Any, task: Any, usual: str, said: str) -> None:
    """What is said, as the text of a task in a bar of rich; its usual text when compiling has ended."""
    bar.update(task, description=said or usual)


@contextlib.contextmanager
def announce_to(show: Show) -> Iterator[None]:
    """While this holds, `show` is told what is said."""
    before, announcer.show = announcer.show, show
    try:
        yield
    finally:
        announcer.show = before
