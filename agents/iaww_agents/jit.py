"""Where the machine code of our bots' kernels is kept: with that of the engine they are compiled against."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from iaww_env.engine.jit import SOURCES, F, compile_into, digest_sources, find_cache_folder

_HERE = Path(__file__).resolve().parent
# Matches and tables compile nothing of their own, networks apart: edits there leave this machine code alone.
_APART = {"arena", "networks", "ppo"}
BOTS = [path for path in _HERE.rglob("*.py") if not _APART.intersection(path.relative_to(_HERE).parts)]


def compile_apart(*files: Path | str) -> Callable[[F], F]:
    """A decorator for a bot's kernels that need no other bot's rules, but those of these files.

    Edits of other bots then leave its machine code as it is.
    """
    return compile_into(find_cache_folder(digest_sources(*SOURCES, *map(Path, files))))


kernel = compile_apart(*BOTS)
"""Marks a kernel of a bot: called from Python, one signature, machine code kept on disk."""
