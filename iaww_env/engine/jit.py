"""How kernels are compiled and where their machine code is kept.

numba notices an edit of the file a kernel stands in, but not of what that kernel calls or of
the card facts that are frozen into it. So the machine code lives in a folder whose name is a digest of
everything it was made from: an edit or an upgrade starts an empty folder, never an old rule.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite  # type: ignore[import-untyped]  # it ships no types
import numba
import numpy as np

from iaww_env.announcing import announcer
from iaww_env.engine.cache_folder import find_root
from iaww_env.engine.linking import KernelCompiler, RuleCompiler, mark_rule
from iaww_env.engine.machine_code import KernelCache

F = TypeVar("F", bound=Callable[..., Any])

numba_config: Any = numba.config

# Kernels allocate nothing, so arrays need no counting of references: that alone doubles the speed of the
# short ones. numpy's division has no branch for zero; the GIL is not needed while a kernel runs.
_compile: Any = partial(numba.njit, nogil=True, error_model="numpy", _nrt=False)

PACKAGE = Path(__file__).resolve().parent.parent
# Folders and files that the rules and the facts frozen into them come from.
SOURCES = tuple(PACKAGE / name for name in ("engine", "data", "cards.py", "card_files.py", "rulebook.py"))


def list_sources(*places: Path) -> list[Path]:
    """Every file that machine code can depend on: Python sources and card facts, in files and folders."""
    folders = [place for place in places if place.is_dir()]
    found = {path for folder in folders for kind in ("*.py", "*.csv") for path in folder.rglob(kind)}
    return sorted(found.union(place for place in places if place.is_file()))


def digest_sources(*places: Path) -> str:
    """A name for the machine code made from these sources by this Python, numba and settings."""
    state = hashlib.sha256()
    tools = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    settings = (numba_config.BOUNDSCHECK, numba_config.OPT, numba_config.CPU_NAME, numba_config.CPU_FEATURES)
    state.update(repr((tools, settings)).encode())
    for path in list_sources(*places):
        state.update(path.name.encode())
        state.update(path.read_bytes())
    return state.hexdigest()[:16]


def find_cache_root() -> Path | None:
    """NUMBA_CACHE_DIR or the user's cache folder, else a temporary one; None where none can be trusted."""
    if numba_config.DISABLE_JIT:
        return None
    return find_root(numba_config.CACHE_DIR)


def find_cache_folder(digest: str) -> Path | None:
    """Where the machine code that was made from what this digest stands for is kept; None: nowhere."""
    root = find_cache_root()
    return None if root is None else root / digest


def compile_into(folder: Path | None) -> Callable[[F], F]:
    """A decorator that compiles a kernel when it is first called and keeps its machine code in `folder`."""

    def decorate(function: F) -> F:
        made = _compile(pipeline_class=KernelCompiler)(function)
        if made is not function:  # without NUMBA_DISABLE_JIT
            made._cache = KernelCache(function, folder)
        return cast(F, made)

    return decorate


CACHE_FOLDER = find_cache_folder(digest_sources(*SOURCES))
announcer.root = None if CACHE_FOLDER is None else CACHE_FOLDER.parent

kernel = compile_into(CACHE_FOLDER)
"""Marks a public kernel: called from Python, one signature, machine code kept on disk."""


def make_rule(function: F, **options: Any) -> F:
    """A function that kernels call: part of their machine code."""
    made = _compile(pipeline_class=RuleCompiler, **options)(function)
    if made is not function:
        mark_rule(made, cache(lambda: _compile(pipeline_class=KernelCompiler)(function)))
    return cast(F, made)


def inlined(function: F) -> F:
    """Marks a rule: called from kernels only and compiled into them, without the cost of a call."""
    return make_rule(function, forceinline=True)


def called(function: F) -> F:
    """Marks a long rule called from several places: compiled once and called, to keep compiling short."""
    return make_rule(function)


def pasted(function: F) -> F:
    """Marks a long rule that is written out in its few callers before they are compiled.

    What is `inlined` or `called` is compiled for itself as well, with all it calls, in every layer of calls
    above: for rules that stand on top of many others that takes longer than all the rest.
    """
    return cast(F, _compile(inline="always")(function))
