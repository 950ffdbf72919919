"""What a measurement says: rows with their goal, the machine, and the command that repeats it."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from iaww_env.outputs import check_output, write_whole
from iaww_env.publish import describe_machine, find_place, write_between_marks, write_markdown

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo")
COLUMNS = ("what", "measured", "goal", "unit", "includes")
NUMBERS = (1, 2)  # the columns that hold numbers


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """One figure: what was measured, what it includes, and what it should reach, if that is set."""

    name: str
    value: float
    unit: str
    goal: float | None
    includes: str
    higher_is_better: bool = True

    @property
    def reached(self) -> bool:
        """Whether the goal is reached; always where none is set."""
        if self.goal is None:
            return True
        return self.value >= self.goal if self.higher_is_better else self.value <= self.goal

    def show(self, number: float | None) -> str:
        """A number of this row's unit, as people write it."""
        if number is None:
            return "–"
        if number >= 1000:
            return f"{number:,.0f}"
        return f"{number:.3g}"


@dataclass(slots=True)
class SpeedReport:
    """The rows of one run and where it was made."""

    title: str
    command: str
    rows: list[SpeedRow] = field(default_factory=list)
    date: str = field(default_factory=lambda: datetime.now(UTC).strftime("%Y-%m-%d"))
    machine: str = field(default_factory=describe_machine)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        tools = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
        rows = [{**asdict(row), "reached": row.reached} for row in self.rows]
        about = {"title": self.title, "command": self.command, "date": self.date}
        return {**about, "machine": self.machine, "tools": tools, "rows": rows}

    def save(self, path: Path) -> None:
        """Write the report as JSON."""
        write_report(path, self.to_json())

    def to_markdown(self) -> str:
        """The report as a table, with its date, command and machine."""
        rows = []
        for row in self.rows:
            measured = row.show(row.value) + ("" if row.reached else " (missed)")
            rows.append((row.name, measured, row.show(row.goal), row.unit, row.includes))
        return f"{write_markdown(COLUMNS, rows, NUMBERS)}\n\n{self.describe_origin()}"

    def describe_origin(self) -> str:
        """The line below a table: command, date and machine."""
        return f"`{self.command}`, {self.date}, {self.machine}."


def run_report(
    measure: Callable[[], SpeedReport], mark: str, json_path: Path | None = None, into: Path | None = None
) -> None:
    """Measure, print, and write JSON and the table between its marks where asked.

    Raises:
        ConfigError: A file cannot be written, or has no place for the table, which is seen before anybody has
            waited.
    """
    check_places(mark, json_path, into)
    report = measure()
    show_report(report)
    if json_path is not None:
        report.save(json_path)
    if into is not None:
        write_between_marks(into, mark, report.to_markdown())


def check_places(mark: str, json_path: Path | None, into: Path | None) -> None:
    """Refuse files that cannot be written, before anybody has waited."""
    if into is not None:
        find_place(into, mark)
    if json_path is not None:
        check_output(json_path, holds_report)


def holds_report(begin: bytes) -> bool:
    """Whether a file with these first bytes is a report as JSON."""
    return begin.startswith(b'{\n "title"')


def write_report(path: Path, report: dict[str, Any]) -> None:
    """Write a report as JSON."""
    write_whole(path, json.dumps(report, indent=1) + "\n", holds_report)


def show_report(report: SpeedReport) -> None:
    """Print a report; what misses its goal is red."""
    rows = []
    for row in report.rows:
        value = row.show(row.value) if row.reached else f"[red]{row.show(row.value)}[/red]"
        rows.append((row.name, value, row.show(row.goal), row.unit, row.includes))
    print_table(report, COLUMNS, rows, NUMBERS)


def print_table(
    report: SpeedReport,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    right: Sequence[int],
    note: str = "",
) -> None:
    """Print a table under the title of a report, these columns aligned to the right, and a note below."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=report.title, caption=f"{report.date}, {report.machine}")
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number in right else "left")
    for row in rows:
        table.add_row(*row)
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(table)
    if note:
        console.print(note)
