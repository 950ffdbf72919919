"""The file in which a bot of others is written, and a digest of it: whether it is still the same bot.

Nothing of the bot is loaded to find out: its code runs in processes of its own alone.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path

from iaww_env.bots.specs import find_home, is_ours

_DIGITS = 16  # of a digest


def digest_source(spec: str) -> str | None:
    """A digest of the bot's file, and of files that its options name, such as weights.

    None for ours, whose version tells, and where there is no such file. What else the bot imports or reads
    does not count.
    """
    path = None if is_ours(spec) else find_source(spec)
    if path is None:
        return None
    try:
        state = hashlib.sha256(path.read_bytes())
        for named in list_named_files(spec):
            state.update(named.read_bytes())
    except (OSError, ValueError):
        return None
    return state.hexdigest()[:_DIGITS]


def list_named_files(spec: str) -> list[Path]:
    """Files that options of a spec name: `my_module:MyBot:path=weights.pt`."""
    values = [part.partition("=")[2].strip() for part in spec.rpartition(":")[2].split(",")]
    return [Path(value) for value in values if value and "\0" not in value and Path(value).is_file()]


def find_source(spec: str) -> Path | None:
    """The file that a spec names, or that of the module it names."""
    home = find_home(spec)
    if isinstance(home, Path):
        return home
    found = _find_module(home)
    return Path(found.origin) if found is not None and found.has_location and found.origin else None


def _find_module(name: str) -> ModuleSpec | None:
    """Where a module lies; unlike `importlib.util.find_spec` this loads no package above it."""
    places: Sequence[str] | None = None
    found: ModuleSpec | None = None
    parts = name.split(".")
    for number in range(1, len(parts) + 1):
        whole = ".".join(parts[:number])
        asked = (finder.find_spec(whole, places) for finder in sys.meta_path if hasattr(finder, "find_spec"))
        try:
            found = next((one for one in asked if one is not None), None)
        except (ImportError, ValueError):
            return None
        if found is None:
            return None
        places = found.submodule_search_locations or []
    return found
