"""Files of results: a header with the key of all deals, then one JSON object on a line for each game.

A file that does not begin with our header is never written. It grows by whole lines: what cannot be written
to its end is cut off again, and so is a last line that was cut short when its writer was killed.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Self

import iaww_env
from iaww_agents.arena.play.results import Key, Result
from iaww_agents.arena.play.schedule import check_key
from iaww_agents.arena.play.writer_lock import WriterLock
from iaww_env.errors import ConfigError, IawwError, explain_os_error, name_path, quote
from iaww_env.interrupts import hold_interrupts
from iaww_env.outputs import check_output, is_stream, write_whole

FORMAT = "iaww-matches"
FORMAT_VERSION = 2
LONGEST_HEADER = 4096  # bytes
LINE_BEGINS = b'{"format":"iaww-match"'
NAME_ANOTHER = "it is left as it is; name another file, or one that does not exist"


class ResultFile:
    """A file of results that grows game by game; use it as a context.

    Attributes:
        path: The file.
        key: What all its deals follow from.
        results: The games that stand in it.
    """

    def __init__(self, path: Path, key: str | None = None) -> None:
        """Begin a file, or read what stands in it and go on.

        Args:
            path: The file. What is missing or empty is begun.
            key: By default that of the file, or one that nobody can guess.

        Raises:
            ConfigError: It cannot be written, is no file of results, has another key, or another process
                writes it. The file is then as it was.
        """
        self.path = path
        self.results: dict[Key, Result] = {}
        check_results(path)
        self.lock = WriterLock(path)
        try:
            self.is_new = not path.exists()
            self.key = self._begin(key) if is_missing_or_empty(path) else self._go_on(key)
            self._file = self._open()
        except BaseException:
            self.lock.release()
            raise

    def _begin(self, key: str | None) -> str:
        key = check_key(key)
        about = {"format": FORMAT, "format_version": FORMAT_VERSION, "key": key}
        write_whole(self.path, write_line(about | {"version": iaww_env.__version__}))
        return key

    def _go_on(self, key: str | None) -> str:
        found = read_key(self.path)
        if key is not None and key != found:
            raise ConfigError(
                f"{name_path(self.path)} holds games of the key {quote(found)}, not of {quote(key)}: leave "
                "--key out to go on with it, or name another file"
            )
        self.results = {result.key: result for result in read_results(self.path, is_growing=True)}
        return found

    def _open(self) -> BinaryIO:
        """The file, without a last line that was cut short; all before it has been read as ours."""
        try:
            file = self.path.open("r+b", buffering=0)
            self.end = find_whole_end(file)
            file.seek(self.end)
            torn = file.read(len(LINE_BEGINS))
            if torn and not LINE_BEGINS.startswith(torn):
                file.close()
                raise ConfigError(
                    f"{name_path(self.path)} ends with something else than a game cut short: {NAME_ANOTHER}"
                )
            if torn:
                file.truncate(self.end)
        except OSError as error:
            raise ConfigError(f"cannot write {name_path(self.path)}: {explain_os_error(error)}") from error
        return file

    def append(self, results: Iterable[Result]) -> None:
        """Write results, one to a line, all of them or none.

        Raises:
            ConfigError: They cannot be written, as on a full disk; the file holds what it held before.
        """
        results = list(results)
        said = b"".join(write_line(result.to_dict()) for result in results)
        with hold_interrupts():
            try:
                self._file.seek(self.end)
                write_all(self._file, said)
            except OSError as error:
                with contextlib.suppress(OSError):  # whoever goes on drops a line cut short
                    self._file.truncate(self.end)
                raise ConfigError(
                    f"cannot write {name_path(self.path)}: {explain_os_error(error)}; the "
                    f"{len(self.results):,} games that stand in it can be gone on with"
                ) from error
            self.end += len(said)
            self.results |= {result.key: result for result in results}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        with hold_interrupts():
            self._file.close()
            if kind is not None and self.is_new and not self.results:
                # Nothing was played: leave nothing behind. A link of the user's stays where it is.
                Path(os.path.realpath(self.path)).unlink(missing_ok=True)
            self.lock.release()


def write_line(fields: dict[str, Any]) -> bytes:
    """One line of a file."""
    return json.dumps(fields, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def write_all(file: BinaryIO, said: bytes) -> None:
    """Write all of it: a disk that fills takes a part, and refuses the rest."""
    rest = memoryview(said)
    while rest:
        rest = rest[file.write(rest) :]


def find_whole_end(file: BinaryIO) -> int:
    """Where the last whole line ends."""
    end = file.seek(0, os.SEEK_END)
    while end > 0:
        begin = max(0, end - LONGEST_HEADER)
        file.seek(begin)
        line_break = file.read(end - begin).rfind(b"\n")
        if line_break >= 0:
            return begin + line_break + 1
        end = begin
    return 0


# --- Reading ---------------------------------------------------------------------------------------


def check_results(path: Path) -> None:
    """Refuse a file that results cannot be written to; nothing is touched.

    Raises:
        ConfigError: It cannot be written, or is no file of results.
    """
    check_output(path)
    if is_stream(path):
        raise ConfigError(
            f"{name_path(path)} is no ordinary file: results go into one that can be read and gone on with"
        )
    if not is_missing_or_empty(path):
        read_key(path)


def is_missing_or_empty(path: Path) -> bool:
    """Whether a file of results may begin here."""
    return not path.exists() or path.stat().st_size == 0


def read_key(path: Path) -> str:
    """The key that the header of a file of results holds.

    Raises:
        ConfigError: The file does not begin with a header of ours.
    """
    try:
        with path.open("rb") as file:
            line = file.readline(LONGEST_HEADER)
    except OSError as error:
        raise ConfigError(f"cannot read {name_path(path)}: {explain_os_error(error)}") from error
    fields = parse_header(line)
    kind, number = fields.get("format"), fields.get("format_version")
    if kind == "iaww-match" or (kind == FORMAT and number != FORMAT_VERSION):
        raise ConfigError(
            f"{name_path(path)} holds results as another version of iaww-env writes them (format_version "
            f"{quote(number)}, and {FORMAT_VERSION} is read here): {NAME_ANOTHER}"
        )
    if kind != FORMAT:
        raise ConfigError(
            f"{name_path(path)} is no file of results: its first line is no header {FORMAT}; {NAME_ANOTHER}"
        )
    try:
        if fields["key"] is None:
            raise ConfigError("there is none")
        return check_key(fields["key"])
    except (KeyError, ConfigError):
        raise ConfigError(f"{name_path(path)} has no key in its header: {NAME_ANOTHER}") from None


def parse_header(line: bytes) -> dict[str, Any]:
    """The first line as an object; empty where it is none."""
    if not line.endswith(b"\n"):
        return {}
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def read_results(path: Path, *, is_growing: bool = False) -> Iterator[Result]:
    """The results in a file.

    Args:
        path: The file.
        is_growing: Pass over a last line that was cut short.

    Raises:
        ConfigError: It is no file of results, or a line is no result; the message names it.
    """
    read_key(path)
    with path.open("rb") as file:
        next(file)
        for number, line in enumerate(file, 2):
            if is_growing and not line.endswith(b"\n"):
                return
            try:
                yield Result.from_dict(json.loads(line))
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError, IawwError) as error:
                raise ConfigError(
                    f"{name_path(path)}, line {number} is no result of a game ({error}): {NAME_ANOTHER}"
                ) from error
