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
        now = datetime.now().astimezone().isoformat(" ", "seconds")
        write_whole(
            self.note, json.dumps({"pid": os.getpid(), "machine": socket.gethostname(), "since": now})
        )

    def release(self) -> None:
        """Give it back."""
        with contextlib.suppress(OSError):
            self.note.unlink()
        self.lock.release()


def describe_writer(note: Path) -> str:
    """Who writes a file, as its note says."""
    try:
        found: Any = json.loads(note.read_text(encoding="utf-8"))
        pid, machine, since = int(found["pid"]), str(found["machine"]), str(found["since"])
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
    told = f"process {pid} on {machine}, since {since}"
    return told if told.isprintable() else "another process"
