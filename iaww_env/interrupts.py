"""Ctrl-C and SIGTERM, held back while something is done that must be done to its end."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def hold_interrupts() -> Iterator[None]:
    """Ctrl-C and SIGTERM come when this is over; elsewhere than in the main thread they never come."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {one: signal.signal(one, lambda number, _: came.append(number)) for one in SIGNALS}
    try:
        yield
    finally:
        for one, handler in before.items():
            # None: it was not set from Python, and cannot be set from here
            signal.signal(one, signal.SIG_DFL if handler is None else handler)
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


@contextlib.contextmanager
def start_without_interrupts() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C before they ask for it: it is the parent's business."""
    with hold_interrupts():
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            yield
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
