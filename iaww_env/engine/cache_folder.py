"""Which folder keeps machine code: one that is this user's, and that nobody else may write into.

What is kept there is unpickled and run as it is, so whoever may write into it could have this user run
anything.
"""

from __future__ import annotations

import logging
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

logger = logging.getLogger("iaww_env")

# Folders of versions that are not run any more: so many stay, and those that were used in the last day.
KEPT_FOLDERS = 12
KEPT_SECONDS = 24 * 3600.0
FOLDER_NAME = re.compile(r"[0-9a-f]{16}")
EMPTIED_NAME = re.compile(r"[0-9a-f]{16}\.old")  # to be removed: emptying a folder makes it look used
# What we write, and what numba wrote for us in the same folders before: `game.play_action-45.py311.1.nbc`.
FILE_NAME = re.compile(r"[\w.]+-\d+\.[\w.]+\.nb[ci](\.(tmp|damaged)\.[0-9a-f]+)?")
OLD_FOLDER_NAME = re.compile(r"\w+_[0-9a-f]{40}")

_told: set[str] = set()


def tell_once(about: str, line: str, *arguments: object) -> None:
    """Log a warning, and none about the same again in this process: there are dozens of kernels."""
    if about not in _told:
        _told.add(about)
        logger.warning(line, *arguments)


# --- Whose it is -----------------------------------------------------------------------------------


def is_ours(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user and nobody else may write into it."""
    if not hasattr(os, "getuid"):
        return True  # Windows: the rights of a user's own folders keep others out
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def is_private(folder: Path) -> bool:
    """Whether a folder is ours; a link to it must have been made by this user as well."""
    try:
        link, found = os.lstat(folder), os.stat(folder)
    except OSError:
        return False
    by_us = not hasattr(os, "getuid") or link.st_uid == os.getuid()
    return by_us and stat.S_ISDIR(found.st_mode) and is_ours(found)


def make_private(folder: Path) -> bool:
    """Make a folder for this user alone where it is missing; whether it is there and private."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return is_private(folder)


def can_write(folder: Path) -> bool:
    """Whether files can be made in a folder."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


# --- Where it is -----------------------------------------------------------------------------------


def find_root(named: str) -> Path | None:
    """The first folder that can be used: the named one or else the user's cache folder, then a temporary one.

    Where there is none, machine code is not kept, and a line says so.
    """
    for folder in list_roots(named):
        if make_private(folder) and can_write(folder):
            return folder
        if os.path.isdir(folder) and not is_private(folder):
            tell_once(
                f"root {folder}",
                "kernels are not kept in %s: it is another user's, or others may write into it (chmod go-w)",
                folder,
            )
    tell_once("no root", "no folder can keep the kernels: they are compiled anew in each process")
    return None


def list_roots(named: str) -> Iterator[Path]:
    """The folders to try."""
    if named:
        yield Path(named).absolute()
    else:
        try:
            home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
            yield Path(home).absolute() / "iaww_env"
        except RuntimeError:
            pass  # a user without a home
    try:
        user = os.getuid() if hasattr(os, "getuid") else "user"
        yield Path(tempfile.gettempdir()).absolute() / f"iaww_env-{user}"
    except OSError:
        pass  # nowhere can anything be written


# --- Old versions ----------------------------------------------------------------------------------


def note_use(folder: Path) -> None:
    """Mark a folder as used now, so that it is not taken for an old version's."""
    try:
        os.utime(folder)
    except OSError:
        pass  # it is read all the same


def remove_old_folders(root: Path) -> None:
    """Remove the machine code of versions that are not run any more.

    Another process may be doing the same, or run such a version: it then compiles anew what it still needs.
    """
    try:
        with os.scandir(root) as entries:
            found = list(entries)
        folders = [
            (entry.stat(follow_symlinks=False).st_mtime, entry.path)
            for entry in found
            if FOLDER_NAME.fullmatch(entry.name)
        ]
    except OSError:
        return
    for entry in found:
        if EMPTIED_NAME.fullmatch(entry.name):
            remove_folder(Path(entry.path))
    for used, path in sorted(folders, reverse=True)[KEPT_FOLDERS:]:
        if time.time() - used > KEPT_SECONDS:
            remove_folder(Path(path))


def remove_folder(folder: Path) -> None:
    """Remove a folder of machine code; one that holds anything else stays as it is."""
    files: list[Path] = []
    folders: list[Path] = []
    try:
        for place, inner, names in os.walk(folder):
            here = Path(place)
            known: list[object] = [OLD_FOLDER_NAME.fullmatch(name) for name in inner]
            known += [not (here / name).is_symlink() for name in inner]
            known += [FILE_NAME.fullmatch(name) for name in names]
            if not all(known) or here.is_symlink() or not is_private(here):
                return
            folders.append(here.relative_to(folder))
            files += [here.relative_to(folder) / name for name in names]
        emptied = folder.rename(folder.with_suffix(".old"))
        for path in files:
            (emptied / path).unlink(missing_ok=True)
        for path in reversed(folders):
            (emptied / path).rmdir()
    except OSError:
        pass  # what is in use, or was removed by another process meanwhile
