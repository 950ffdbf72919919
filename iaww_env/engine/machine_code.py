"""Machine code on disk: a file for each kernel, checked before it is unpickled.

numba's own cache believes every byte that it reads. Here a file begins with a checksum of the rest, comes
whole into its place or not at all, and is loaded only if it is this user's own. Whatever is wrong with one,
it is set aside and the kernel compiled anew; nothing that fails in here ends a run.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps as pickle_code

from iaww_env.engine.cache_folder import (
    is_ours,
    is_private,
    make_private,
    note_use,
    remove_old_folders,
    tell_once,
)
from iaww_env.interrupts import hold_interrupts

NOT_KEPT = "kernels are not kept in %s, so the next process compiles them again: %s"
CHECKSUM = hashlib.sha256().digest_size


class DamagedFileError(Exception):
    """A file that holds no machine code of ours."""


class KernelCache(_Cache):
    """What numba asks for the machine code of one kernel: a file for each signature."""

    def __init__(self, function: Callable[..., Any], folder: Path | None) -> None:
        """Keep the machine code of a function in a folder; None keeps it nowhere."""
        self._function = function
        self._folder = folder
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        """The folder, as numba's statistics show it."""
        return None if self._folder is None else str(self._folder)

    def enable(self) -> None:
        """Load and save from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Neither load nor save from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Nothing is kept back: every file is written when its kernel is compiled."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel for a signature; None where it must be compiled."""
        target_context.refresh()
        if self._folder is None or not self._enabled or not os.path.lexists(self._folder):
            return None
        if not is_private(self._folder):
            tell_once("kept", NOT_KEPT, self._folder, "the folder is not this user's alone")
            return None
        key = self._describe(sig, target_context.codegen())
        path = self._find_file(key)
        try:
            packed = pickle.loads(read_checked(path, key))
            with hold_interrupts():  # Ctrl-C in the middle of it, and the next call would end the process
                loaded = CompileResult._rebuild(target_context, *packed)
        except FileNotFoundError:
            return None
        except Exception as error:  # a pickle of something else can fail in any way
            set_aside(path, error)
            return None
        note_use(self._folder)
        return loaded

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel, where its folder can be written."""
        if self._folder is None or not self._enabled or not can_be_kept(data):
            return
        key = self._describe(sig, data.codegen)
        try:
            open_folder(self._folder)
            write_checked(self._find_file(key), key, pickle_code(data._reduce()))
        except Exception as error:  # the kernel is compiled and runs, kept or not
            tell_once("kept", NOT_KEPT, self._folder, error)

    def _describe(self, sig: Any, codegen: Any) -> bytes:
        """Everything that tells this machine code from other in its folder."""
        function = self._function
        cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
        parts = (function.__module__, function.__qualname__, str(sig), codegen.magic_tuple())
        code = hashlib.sha256(function.__code__.co_code + pickle_code(cells)).hexdigest()
        return repr((parts, code)).encode()

    def _find_file(self, key: bytes) -> Path:
        """The file of what a key describes; the name begins with the kernel's, for people."""
        code = self._function.__code__
        name = f"{Path(code.co_filename).stem}.{self._function.__qualname__}-{code.co_firstlineno}"
        readable = name.replace("<", "").replace(">", "")
        return Path(self._folder or "") / f"{readable}.{hashlib.sha256(key).hexdigest()[:16]}.nbc"


def can_be_kept(compiled: Any) -> bool:
    """Whether another process can run a compiled kernel: no addresses of this one stand in it."""
    return not compiled.library.has_dynamic_globals and all(one.can_cache for one in compiled.lifted)


def open_folder(folder: Path) -> None:
    """Make a folder for machine code; a new one means a new version, so old ones are cleared away."""
    is_new = not os.path.lexists(folder)
    if not (make_private(folder.parent) and make_private(folder)):
        raise PermissionError("the folder is not this user's alone")
    if is_new:
        remove_old_folders(folder.parent)


# --- Files -----------------------------------------------------------------------------------------


def read_checked(path: Path, key: bytes) -> bytes:
    """What stands in a file, if it is whole, this user's own and written for this key.

    Raises:
        DamagedFileError: It is not.
        OSError: It cannot be read.
    """
    # A link, or a pipe that would never end, is not opened. Windows reads text unless told otherwise.
    flags = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC")
    descriptor = os.open(path, os.O_RDONLY | sum(getattr(os, flag, 0) for flag in flags))
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or not is_ours(found):
            raise DamagedFileError("not a file of this user's alone")
        content = file.read()
    if content[:CHECKSUM] != make_checksum(key, content[CHECKSUM:]):
        raise DamagedFileError("wrong checksum")
    return content[CHECKSUM:]


def write_checked(path: Path, key: bytes, payload: bytes) -> None:
    """Write a file that `read_checked` reads: readers see the old one, or none, until it is whole."""
    half = path.with_name(f"{path.name}.tmp.{uuid.uuid4().hex[:16]}")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with open(os.open(half, flags, 0o600), "wb") as file:
            file.write(make_checksum(key, payload))
            file.write(payload)
        os.replace(half, path)
    except BaseException:
        half.unlink(missing_ok=True)
        raise


def make_checksum(key: bytes, payload: bytes) -> bytes:
    """A digest of the content and of what it is for: another kernel's file is no good either."""
    return hashlib.sha256(hashlib.sha256(key).digest() + payload).digest()


def set_aside(path: Path, error: Exception) -> None:
    """Put a file that cannot be used out of the way, and say so once."""
    if isinstance(error, PermissionError) and os.name == "nt":
        return  # another process is just replacing it
    tell_once("damaged", "a kept kernel cannot be used and is compiled anew: %s (%s)", path, error)
    try:
        os.replace(path, path.with_name(f"{path.name}.damaged.{uuid.uuid4().hex[:16]}"))
    except OSError:
        pass  # then the new one replaces it, or is not kept
