"""Work that is shared among processes: none of them is left behind when it is broken off."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from typing import TypeVar

from iaww_env.interrupts import hold_interrupts

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def share_work(
    work: Callable[[Item], Answer], items: Sequence[Item], workers: int | None = None
) -> Iterator[Answer]:
    """What `work` answers for each item, as the answers come; it and the items can be pickled.

    Where this is broken off, by Ctrl-C, by an error of a work or because nobody asks for more, the processes
    end at once.

    Args:
        work: A function of a module.
        items: What it is called with.
        workers: Processes; one for each core by default, and no more than items.
    """
    if not items:
        return
    count = min(len(items), workers or os.cpu_count() or 1)
    others = set(active_children())
    with ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_listen) as pool:
        with hold_interrupts():
            waiting = [pool.submit(work, item) for item in items]
            ours = set(active_children()) - others
        try:
            for done in as_completed(waiting):
                yield done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for one in ours:
                one.terminate()
            raise


def _listen() -> None:
    """Ctrl-C ends this process without a word: the parent has heard it too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
