"""One writer at a time: who writes a file of results, and since when.

The lock is that of the system on `<file>.lock`, so it ends with its process, however that ends. Who holds it
stands in `<file>.writer`: the locked file itself may be emptied by whoever tries to lock it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from iaww_env.errors import ConfigError, explain_os_error, name_path
from iaww_env.outputs import write_whole

LONGEST_NOTE = 4096  # bytes
PATIENCE = 1.0  # seconds: a writer that was killed may take a moment to be gone


class WriterLock:
    """The right to write a file."""

    def __init__(self, path: Path) -> None:
        """Take it.

        Raises:
            ConfigError: Another process has it; the message says which.
        """
        place = Path(os.path.realpath(path))  # two names of one file are one file
        self.note = place.with_name(f"{place.name}.writer")
        self.lock = FileLock(place.with_name(f"{place.name}.lock"), thread_local=False)
        try:
            self.lock.acquire(timeout=PATIENCE)
        except Timeout:
            raise ConfigError(
                f"{name_path(path)} is being written by {describe_writer(self.note)}: wait until that has "
                "ended, or name another file"
            ) from None
        except OSError as error:
            raise ConfigError(f"cannot lock {name_path(path)}: {explain_os_error(error)}") from error
        try:
            self._sign()
        except BaseException:
            self.lock.release()
            raise

    def _sign(self) -> None:
        if os.path.lexists(self.note) and (self.note.is_symlink() or read_note(self.note) is None):
            raise ConfigError(
                f"{name_path(self.note)} holds something else than who writes a file of results: it is left "
                "as it is; name another file"
            )
        now = datetime.now().astimezone().isoformat(" ", "seconds")
        about = {"pid": os.getpid(), "machine": socket.gethostname(), "since": now}
        write_whole(self.note, json.dumps(about))

    def release(self) -> None:
        """Give it back."""
        found = read_note(self.note)
        if found is not None and found["pid"] == os.getpid() and not self.note.is_symlink():
            with contextlib.suppress(OSError):
                self.note.unlink()
        self.lock.release()


def read_note(note: Path) -> dict[str, Any] | None:
    """What a note says; None where it is none of ours."""
    try:
        found = json.loads(note.read_bytes()[:LONGEST_NOTE])
    except (OSError, ValueError, RecursionError):
        return None
    kinds = {"pid": int, "machine": str, "since": str}
    if not isinstance(found, dict) or {name: type(one) for name, one in found.items()} != kinds:
        return None
    return found


def describe_writer(note: Path) -> str:
    """Who writes a file, as its note says."""
    found = read_note(note)
    if found is None:
        return "another process"
    told = f"process {found['pid']} on {found['machine']}, since {found['since']}"
    return told if told.isprintable() else "another process"
