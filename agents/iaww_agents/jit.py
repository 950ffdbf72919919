"""Where the machine code of our bots' kernels is kept: with that of the engine they are compiled against."""

from __future__ import annotations

from pathlib import Path

from iaww_env.engine.jit import SOURCES, compile_into, digest_sources, find_cache_root

_OWN = Path(__file__).resolve().parent.rglob("*.py")
kernel = compile_into(find_cache_root() / digest_sources(*SOURCES, *_OWN))
"""Marks a kernel of a bot: called from Python, one signature, machine code kept on disk."""
