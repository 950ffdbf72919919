"""What Ctrl-C and SIGTERM do to a command: it is left in an orderly way, and gives back what it holds."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

from iaww_env.interrupts import SIGNALS

AGAIN = 0.02  # seconds after which an interrupt that got lost comes again


class Stopped(KeyboardInterrupt):
    """A signal asks the command to end.

    Attributes:
        code: What the program answers with: 128 and the number of the signal, as shells count.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


@contextlib.contextmanager
def listen_for_signals(*, is_program: bool) -> Iterator[None]:
    """While a command runs, signals raise `Stopped`; a program that ends by one is disturbed by no other."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _stop) for number in SIGNALS}
    hook, sys.unraisablehook = sys.unraisablehook, _repeat_lost
    try:
        yield
    except Stopped:
        if is_program:
            before = dict.fromkeys(SIGNALS, signal.SIG_IGN)
        raise
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def _stop(number: int, _: FrameType | None) -> None:
    raise Stopped(number)


def _repeat_lost(lost: Any) -> None:
    """Python swallows what is raised while it clears up objects; an interrupt must not get lost there."""
    if isinstance(lost.exc_value, Stopped):
        number = lost.exc_value.code - 128
        timer = threading.Timer(AGAIN, os.kill, (os.getpid(), number))
        timer.daemon = True
        timer.start()
    else:
        sys.__unraisablehook__(lost)
