"""Files that are written whole or not at all: laid beside their place, and renamed when they stand.

What is no ordinary file, such as a pipe or /dev/stdout, is written straight. What cannot be written is said
in one line that names the file, and `check_output` says it before anybody has waited.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from iaww_env.errors import ConfigError, explain_os_error, name_path

# Whether a file that begins with these bytes is one of those that may be replaced.
IsOurs = Callable[[bytes], bool]

_MOST_LINKS = 40
_LONGEST_NUMBER = 8  # digits of a descriptor
_LOOKED_AT = 4096  # bytes of a file that is to be replaced
_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write_whole(path: Path | str, content: str | bytes, is_ours: IsOurs | None = None) -> None:
    """Write a file; raises as `replace_file` does."""
    with replace_file(path, is_ours) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextlib.contextmanager
def replace_file(path: Path | str, is_ours: IsOurs | None = None) -> Iterator[BinaryIO]:
    """A file to write into, that takes its place when all of it is written; else what stood there stays.

    A link goes on to lead where it led, and the file there keeps its permissions.

    Args:
        path: The file.
        is_ours: Whether a file may be replaced, by its first bytes; by default all may.

    Raises:
        ConfigError: It cannot be written; the message names the file.
    """
    check_output(path, is_ours)
    try:
        straight = _open_straight(path)
        with straight or _lay_beside(path) as file:
            yield file
    except BrokenPipeError:  # whoever reads it has had enough, which is no error of the file
        raise
    except OSError as error:
        raise ConfigError(f"cannot write {name_path(path)}: {explain_os_error(error)}") from error


def check_output(path: Path | str, is_ours: IsOurs | None = None) -> None:
    """Refuse, before there is anything to write, a place that cannot be written.

    Raises:
        ConfigError: It is a folder, may not be written, its folder does not exist, or something else stands
            there than may be replaced; the message names it.
    """
    why = _find_obstacle(path)
    if why:
        raise ConfigError(f"cannot write {name_path(path)}: {why}")
    if is_ours is None or is_stream(path):
        return
    begin = _read_begin(path)
    if begin and not is_ours(begin):
        raise ConfigError(
            f"{name_path(path)} holds something else than is written here: it is left as it is; name another "
            "file"
        )


def is_stream(path: Path | str) -> bool:
    """Whether what is written there cannot be replaced: a pipe, a device, a stream such as /dev/stdout."""
    if _find_descriptor(path) is not None:
        return True
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def _find_obstacle(path: Path | str) -> str:
    """Why a place cannot be written, or nothing."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = 0
    except ValueError:  # a NUL
        return "this is no name of a file"
    except OSError as error:
        return explain_os_error(error)
    if stat.S_ISDIR(mode):
        return "it is a folder"
    # Who may do everything still sees that a file is marked against writing.
    if mode and (not os.access(path, os.W_OK) or not mode & _WRITE_BITS):
        return "it may not be written"
    if mode and is_stream(path):
        return ""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        return f"there is no folder {name_path(folder)}"
    return "" if os.access(folder, os.W_OK) else f"the folder {name_path(folder)} may not be written"


def _read_begin(path: Path | str) -> bytes:
    """The first bytes of a file; none where there is no file."""
    try:
        with open(path, "rb") as file:
            return file.read(_LOOKED_AT)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise ConfigError(f"cannot read {name_path(path)}: {explain_os_error(error)}") from error


# --- Straight ----------------------------------------------------------------------------------------


def _open_straight(path: Path | str) -> BinaryIO | None:
    """What is no ordinary file, open for writing; None where it is one, or nothing yet."""
    if not is_stream(path):
        return None
    number = _find_descriptor(path)
    if number is None:
        return open(path, "wb")
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # what was printed before comes first
    return os.fdopen(os.dup(number), "wb")  # it goes on where the stream stands


def _find_descriptor(path: Path | str) -> int | None:
    """The number of the open file of this process that a path such as /dev/stdout leads to."""
    ours = {"/dev/fd", f"/proc/{os.getpid()}/fd", f"/proc/{os.getpid()}/task/{os.getpid()}/fd"}
    place = os.path.abspath(path)
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(place)
        folder = os.path.realpath(folder)
        if folder in ours and name.isdecimal():
            return int(name) if len(name) < _LONGEST_NUMBER else None
        if not os.path.islink(place):
            return None
        place = os.path.join(folder, os.readlink(place))
    return None


# --- Beside ------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _lay_beside(path: Path | str) -> Iterator[BinaryIO]:
    """A new file beside a place, moved there at the end, and gone where anything fails before."""
    place = Path(os.path.realpath(path))
    beside = place.with_name(f".{place.name[:100]}.{secrets.token_hex(4)}.part")
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(number, "wb") as file:
            _take_over_rights(place, beside)
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _take_over_rights(place: Path, beside: Path) -> None:
    """The new file belongs to whom the old one belonged, and may be read and written by the same."""
    try:
        old = place.stat()
    except FileNotFoundError:
        return
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # only the system's keeper gives files away
            os.chown(beside, old.st_uid, old.st_gid)
    os.chmod(beside, stat.S_IMODE(old.st_mode))
