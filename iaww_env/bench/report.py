"""What a measurement says: rows with their goal, the machine, and the command that repeats it."""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from iaww_env.errors import ConfigError

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo")


@dataclass(frozen=True, slots=True)
class Row:
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
class Report:
    """The rows of one run and where it was made."""

    title: str
    command: str
    rows: list[Row] = field(default_factory=list)
    date: str = field(default_factory=lambda: datetime.now(UTC).strftime("%Y-%m-%d"))
    machine: str = field(default_factory=lambda: describe_machine())

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        tools = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
        rows = [{**asdict(row), "reached": row.reached} for row in self.rows]
        about = {"title": self.title, "command": self.command, "date": self.date}
        return {**about, "machine": self.machine, "tools": tools, "rows": rows}

    def save(self, path: Path) -> None:
        """Write the report as JSON."""
        path.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")

    def to_markdown(self) -> str:
        """The report as a table, with its date, command and machine."""
        lines = ["| what | measured | goal | unit | includes |", "|---|---:|---:|---|---|"]
        for row in self.rows:
            mark = "" if row.reached else " (missed)"
            measured = row.show(row.value) + mark
            cells = (row.name, measured, row.show(row.goal), row.unit, row.includes)
            lines.append("| " + " | ".join(cells) + " |")
        lines += ["", f"`{self.command}`, {self.date}, {self.machine}."]
        return "\n".join(lines)


def describe_machine() -> str:
    """Processor, cores and Python of this machine."""
    import os

    model = platform.processor() or platform.machine()
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        names = (line for line in text.splitlines() if line.startswith("model name"))
        model = next(names).split(":", 1)[1].strip()
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def measure_rate(work: Callable[[], int], repeats: int) -> float:
    """Best of several repeats: what `work` says it did, per second of CPU time."""
    best = 0.0
    for _ in range(repeats):
        start = time.process_time()
        done = work()
        spent = time.process_time() - start
        best = max(best, done / spent) if spent > 0 else best
    return best


def find_place(path: Path, mark: str) -> tuple[str, str]:
    """What stands before and behind the place for a table in a file.

    Raises:
        ConfigError: The marks are not there.
    """
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    head, found, rest = path.read_text(encoding="utf-8").partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ConfigError(f"{path} has no place for the table: it goes between {begin} and {end}")
    return head + begin, end + tail


def write_table(path: Path, mark: str, table: str) -> None:
    """Put a table between its marks in a file."""
    head, tail = find_place(path, mark)
    path.write_text(f"{head}\n{table}\n{tail}", encoding="utf-8")


def show_report(
    report: Report, json_path: Path | None = None, readme: Path | None = None, mark: str = ""
) -> None:
    """Print a report; write it as JSON and into a README where asked."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=report.title, caption=f"{report.date}, {report.machine}")
    for column in ("what", "measured", "goal", "unit", "includes"):
        table.add_column(column, justify="right" if column in ("measured", "goal") else "left")
    for row in report.rows:
        value = row.show(row.value) if row.reached else f"[red]{row.show(row.value)}[/red]"
        table.add_row(row.name, value, row.show(row.goal), row.unit, row.includes)
    Console(width=None if sys.stdout.isatty() else 140).print(table)
    if json_path is not None:
        report.save(json_path)
    if readme is not None:
        write_table(readme, mark, report.to_markdown())
