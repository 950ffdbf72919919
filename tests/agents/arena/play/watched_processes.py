"""Tournaments as programs of their own, that are killed and interrupted, and what they leave running."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.processes import ROOT

PR_SET_CHILD_SUBREAPER = 36  # of Linux's prctl: who has lost its parent becomes a child of this process
WAIT = 60.0  # seconds for what should come at once
WITH_CHILD = """
import subprocess
from iaww_agents import Agent

class WithChild(Agent):
    def __init__(self):
        subprocess.Popen(["sleep", "1000"])

    def act(self, view):
        return int(view.action_mask.argmax())
"""


class Program:
    """A tournament as it is typed, in a session of its own."""

    def __init__(self, out: Path, *words: str, folder: Path) -> None:
        """Start it."""
        self.out, self.said, self.errors = out, folder / "stdout", folder / "stderr"
        command = [sys.executable, "-m", "iaww_env.cli", "tournament", *words, "--out", str(out)]
        with self.said.open("wb") as said, self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=errors,
                cwd=ROOT,
                start_new_session=True,
            )

    def wait_until(self, is_so: object) -> bool:
        """Wait until something is so; False where the program has ended before."""
        until = time.monotonic() + WAIT
        while not is_so():  # type: ignore[operator]
            if self.process.poll() is not None or time.monotonic() > until:
                return False
            time.sleep(0.002)
        return True

    def hears(self) -> bool:
        """Whether the program has come so far that signals are its own: it catches SIGTERM."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"^SigCgt:\s*([0-9a-f]+)$", text, re.MULTILINE)
        return found is not None and bool(int(found[1], 16) >> (signal.SIGTERM - 1) & 1)

    def size(self) -> int:
        """How large the file of results is."""
        return self.out.stat().st_size if self.out.exists() else 0

    def end(self) -> int:
        """Wait for its end; returns the exit code."""
        return self.process.wait(WAIT)

    def read(self) -> tuple[str, str]:
        """What it has printed, and what it has said on the error stream."""
        return self.said.read_text(), self.errors.read_text()


def read_games(out: Path) -> list[dict[str, object]]:
    """The games of a file of results, without how long they took."""
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert lines[0]["format"] == "iaww-matches"
    return [{name: value for name, value in one.items() if name != "seconds"} for one in lines[1:]]


def strip_read(report: str) -> str:
    """A report without how many games were read from the file."""
    return re.sub(r", [\d,]+ of them read from the file", "", report)


@contextlib.contextmanager
def adopt_orphans() -> Iterator[None]:
    """Within, processes that have lost their parent become children of this one, so that they are found."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0)


def list_children() -> dict[int, tuple[str, str]]:
    """All processes below this one: what each is called, and its state."""
    found: dict[int, tuple[int, str, str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            head, _, tail = path.read_text().rpartition(")")
            state, parent = tail.split()[:2]
            found[int(path.parent.name)] = int(parent), head.partition("(")[2], state
    below = {os.getpid()}
    while True:
        more = {pid for pid, (parent, _, _) in found.items() if parent in below} - below
        if not more:
            return {pid: found[pid][1:] for pid in below - {os.getpid()}}
        below |= more


def find_strays(before: set[int]) -> list[str]:
    """What still runs after a while of what was started since; adopted ones that have ended are buried."""
    until = time.monotonic() + 10
    while True:
        left = {pid: one for pid, one in list_children().items() if pid not in before}
        for pid, (_, state) in left.items():
            if state == "Z":
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
        running = {pid: name for pid, (name, state) in left.items() if state != "Z"}
        if not running or time.monotonic() > until:
            for pid in running:
                os.kill(pid, signal.SIGKILL)
            return [f"{pid} {name}" for pid, name in running.items()]
        time.sleep(0.05)
