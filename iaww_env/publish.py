"""Tables in documents: as Markdown, between their marks, and the machine that their numbers are from."""

from __future__ import annotations

import os
import platform
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from iaww_env.errors import ConfigError


def write_markdown(heads: Sequence[str], rows: Iterable[Sequence[object]], right: Container[int] = ()) -> str:
    """A table in Markdown, the columns in `right` aligned to the right."""
    rule = ["---:" if number in right else "---" for number in range(len(heads))]
    lines = [heads, rule, *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def find_place(path: Path, mark: str) -> tuple[str, str]:
    """What stands before and behind the place for a text in a file, its marks included.

    Raises:
        ConfigError: The marks are missing, or stand there twice.
    """
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    whole = path.read_text(encoding="utf-8")
    head, _, rest = whole.partition(begin)
    _, closed, tail = rest.partition(end)
    if not closed or whole.count(begin) != 1 or whole.count(end) != 1:
        raise ConfigError(f"{path} has no place for the text: it goes between one {begin} and one {end}")
    return head + begin, end + tail


def write_between_marks(path: Path, mark: str, text: str) -> None:
    """Replace what stands between the marks of a file."""
    head, tail = find_place(path, mark)
    path.write_text(f"{head}\n\n{text.strip()}\n\n{tail}", encoding="utf-8")


def describe_machine() -> str:
    """Processor, cores, system and Python of this machine."""
    cores, system = os.cpu_count(), platform.system()
    return f"{name_processor()}, {cores} cores, {system}, Python {platform.python_version()}"


def name_processor() -> str:
    """The processor's name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
