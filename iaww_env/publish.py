"""What the published tables share: Markdown, their places between marks in a file, and the machine's name."""

from __future__ import annotations

import os
import platform
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from iaww_env.errors import ConfigError, explain_os_error, name_path
from iaww_env.outputs import check_output, write_whole


def write_markdown(heads: Sequence[str], rows: Iterable[Sequence[object]], right: Container[int] = ()) -> str:
    """A table in Markdown, without a line break at its end.

    Args:
        heads: What stands above the columns.
        rows: A cell for each column; a bar in a cell is escaped.
        right: Numbers of the columns that are aligned to the right.
    """
    rule = "|".join("---:" if number in right else "---" for number in range(len(heads)))
    lines = [_write_row(heads), f"|{rule}|", *map(_write_row, rows)]
    return "\n".join(lines)


def _write_row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


# --- Places in a file --------------------------------------------------------------------------------


def find_place(path: Path, mark: str) -> tuple[str, str]:
    """What stands in a file before and behind `<!-- mark --> ... <!-- end of mark -->`.

    Raises:
        ConfigError: The marks are missing or stand twice, or the file cannot be read or written.
    """
    check_output(path)
    before, _, behind = _cut_file(path, mark)
    return before, behind


def read_between_marks(path: Path, mark: str) -> str:
    """What stands between its marks in a file.

    Raises:
        ConfigError: The marks are missing or stand twice, or the file cannot be read.
    """
    return _cut_file(path, mark)[1].strip()


def write_between_marks(path: Path, mark: str, text: str) -> None:
    """Put a text between its marks in a file; raises as `find_place` does."""
    before, behind = find_place(path, mark)
    begin, end = _name_marks(mark)
    write_whole(path, f"{before}{begin}\n{text}\n{end}{behind}")


def _cut_file(path: Path, mark: str) -> tuple[str, str, str]:
    """What stands before, between and behind the marks."""
    begin, end = _name_marks(mark)
    try:
        with path.open(encoding="utf-8", newline="") as file:  # line ends stay as they are
            text = file.read()
    except OSError as error:
        raise ConfigError(f"cannot read {name_path(path)}: {explain_os_error(error)}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"cannot read {name_path(path)}: it is no text") from None
    before, _, rest = text.partition(begin)
    between, closed, behind = rest.partition(end)
    if not closed or text.count(begin) != 1 or text.count(end) != 1:
        raise ConfigError(f"{path} must hold one line {begin} and, below it, one line {end}")
    return before, between, behind


def _name_marks(mark: str) -> tuple[str, str]:
    return f"<!-- {mark} -->", f"<!-- end of {mark} -->"


# --- The machine -------------------------------------------------------------------------------------


def describe_machine() -> str:
    """Processor, cores, system and Python of this machine."""
    python = platform.python_version()
    return f"{name_processor()}, {os.cpu_count()} cores, {platform.system()}, Python {python}"


def name_processor() -> str:
    """The processor's name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
