"""What the system does to keep processes apart: closed memory, and nobody who outlives the game.

Only Linux can do either; elsewhere these functions do nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Collection, Iterator

# Of Linux's prctl: whether others of this user may read the memory; and who takes in children of children.
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36

_takes_orphans = False


def shield_process() -> None:
    """Other processes of this user may not read the memory of this one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """What the children of this process have started becomes its own child when they end, of any session.

    For processes whose only children are guests: `end_orphans` ends all others.
    """
    global _takes_orphans
    if sys.platform == "linux":
        _takes_orphans = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1) == 0


def end_orphans(kept: Collection[int]) -> None:
    """End every child of this process but the kept ones, and what they leave behind in turn."""
    while _takes_orphans:
        found = [number for number in list_children() if number not in kept]
        if not found:
            return
        for number in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(number, 0)


def list_children() -> Iterator[int]:
    """The numbers of the children of this process."""
    own = os.getpid()
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                # The name of the program, in brackets, may hold anything; behind it: state, parent, ...
                if int(file.read().rpartition(b")")[2].split()[1]) == own:
                    yield int(name)
