"""SPEC.md as it lies in the package, part by part; nothing of the game is loaded for it."""

from __future__ import annotations

from pathlib import Path

from iaww_env.errors import ConfigError, quote, suggest

PATH = Path(__file__).resolve().parents[1] / "SPEC.md"


def read_parts() -> dict[str, str]:
    """The text of each part, by the word that its heading is."""
    _, *parts = PATH.read_text(encoding="utf-8").split("\n## ")
    return {part.partition("\n")[0].lower(): f"## {part.rstrip()}\n" for part in parts}


def list_parts() -> list[str]:
    """The names of the parts, in their order."""
    return list(read_parts())


def read_part(name: str | None = None) -> str:
    """A part of the reference, named in full or by how it begins; all of it where none is named.

    Raises:
        ConfigError: There is no such part; the message names those that there are.
    """
    if name is None:
        return PATH.read_text(encoding="utf-8")
    parts = read_parts()
    found = [part for part in parts if part.startswith(name.lower())]
    if len(found) != 1 or not name:
        raise ConfigError(
            f"the reference has no part {quote(name)}{suggest(name, parts)}; choose from {', '.join(parts)}"
        )
    return parts[found[0]]
