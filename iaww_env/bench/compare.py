"""The same kind of work in this and in other libraries, in one run on one machine, each in its own process.

A library that is missing or fails only leaves its rows empty, with the reason; the others are measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from iaww_env.bench.measuring import RATE, run_python
from iaww_env.bench.report import SpeedReport, check_places, print_table, write_report
from iaww_env.bench.rivals import RIVALS, SECONDS, Rival
from iaww_env.config import GameConfig
from iaww_env.errors import tell_install
from iaww_env.observation import observation_table
from iaww_env.publish import write_between_marks, write_markdown

MARK = "speed"
LONGEST = 600.0  # seconds for one row, compiling included
BATCH, ONE_GAME = "batch of 256, full", "parallel API, full"


@dataclass(frozen=True, slots=True)
class Compared:
    """One row: a figure, or why there is none."""

    library: str
    name: str
    is_batch: bool
    includes: str
    value: float | None = None
    version: str = ""
    reason: str = ""


@dataclass(slots=True)
class Comparison:
    """The rows of one run; `report` says when and where it was made."""

    report: SpeedReport
    rows: list[Compared] = field(default_factory=list)

    def find_own(self, name: str) -> float | None:
        """A figure of this project."""
        return next((row.value for row in self.rows if (row.library, row.name) == ("iaww-env", name)), None)

    def ratio(self, row: Compared, own: str) -> float | None:
        """How many times as many decisions our row takes; one game is not set against a batch."""
        figure = self.find_own(own)
        if row.value is None or figure is None or row.library == "iaww-env":
            return None
        return None if row.is_batch and own == ONE_GAME else figure / row.value

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        about = self.report.to_json()
        about["rows"] = [
            {
                **asdict(row),
                "unit": RATE,
                "ratio_batch": self.ratio(row, BATCH),
                "ratio_one_game": self.ratio(row, ONE_GAME),
            }
            for row in self.rows
        ]
        return about

    def save(self, path: Path) -> None:
        """Write the comparison as JSON."""
        write_report(path, self.to_json())

    def list_cells(self) -> list[tuple[str, ...]]:
        """The cells of all rows, as people read them."""
        return [
            (
                f"{row.library} {row.version}".strip(),
                row.name,
                "–" if row.value is None else f"{row.value:,.0f}",
                show_ratio(self.ratio(row, BATCH)),
                show_ratio(self.ratio(row, ONE_GAME)),
                f"not measured: {row.reason}" if row.reason else row.includes,
            )
            for row in self.rows
        ]

    def to_markdown(self) -> str:
        """The table in Markdown, with what it means, its date, command and machine."""
        table = write_markdown(COLUMNS, self.list_cells(), NUMBERS)
        return f"{explain_work()}\n\n{table}\n\n{self.report.describe_origin()}"


COLUMNS = ("library", "game", RATE, "our batch ÷ it", "our parallel API ÷ it", "includes")
NUMBERS = (2, 3, 4)  # the columns that hold numbers


def show_ratio(ratio: float | None) -> str:
    """How many times as many, as people write it."""
    if ratio is None:
        return "–"
    return f"{ratio:,.0f}×" if ratio >= 10 else f"{ratio:.2g}×"


def explain_work() -> str:
    """What was measured, and what the figures do not say."""
    config = GameConfig(players=4)
    full, compact = (observation_table(config, profile).size for profile in ("full", "compact"))
    return (
        "Random legal play, on one core. A decision is an action of one player, drawn at random among the "
        "legal ones, with the player's observation and its legal actions; drawing and new games are included "
        f"everywhere. Here an observation has {full:,} numbers (full) or {compact:,} (compact), no card "
        "under construction is given up, and only decisions with a choice count; in the other libraries "
        "every decision counts. The games differ, so the ratios say how long a learner waits for its "
        "environment, not whose code is better. Toy environments, in C or compiled for batches, are faster "
        "than this one: there is less to do."
    )


# --- Measuring --------------------------------------------------------------------------------------


def compare_libraries(
    repeats: int = 5,
    seconds: float = SECONDS,
    rivals: Sequence[Rival] = RIVALS,
    tell: Callable[[str], None] = lambda text: None,
) -> Comparison:
    """Measure all rows, one after the other."""
    report = SpeedReport("Compared with other libraries", f"iaww bench compare --repeats {repeats}")
    comparison = Comparison(report)
    for rival in rivals:
        tell(f"{rival.library}: {rival.name}")
        comparison.rows.append(measure_rival(rival, repeats, seconds))
    return comparison


def measure_rival(rival: Rival, repeats: int, seconds: float = SECONDS) -> Compared:
    """Measure one row in a process of its own."""
    found: dict[str, Any] = {}
    try:
        if not rival.ours:
            version(rival.package)
        found = _run_alone(rival, repeats, seconds)
    except PackageNotFoundError:
        found["reason"] = f"{rival.package} is not installed ({tell_install('bench')})"
    except subprocess.TimeoutExpired:
        found["reason"] = f"it took more than {LONGEST:.0f} seconds"
    return Compared(rival.library, rival.name, rival.is_batch, rival.includes, **found)


def _run_alone(rival: Rival, repeats: int, seconds: float) -> dict[str, Any]:
    """What the process of a row prints, or why it failed."""
    threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    name = f"{rival.library}: {rival.name}"
    command = ["-m", "iaww_env.bench.rivals", name, str(repeats), str(seconds)]
    run = run_python(command, {**threads, "JAX_PLATFORMS": "cpu"}, timeout=LONGEST)
    try:
        found = json.loads(run.stdout.strip().splitlines()[-1])
        return {"value": float(found["value"]), "version": str(found["version"])}
    except (IndexError, KeyError, TypeError, ValueError):
        said = run.stderr.strip().splitlines() or [f"it ended with code {run.returncode}"]
        return {"reason": " ".join(said[-1].split())[:200]}


# --- Showing ----------------------------------------------------------------------------------------


def show_comparison(comparison: Comparison) -> None:
    """Print the table."""
    print_table(comparison.report, COLUMNS, comparison.list_cells(), NUMBERS, explain_work())


def run_compare(repeats: int = 5, json_path: Path | None = None, into: Path | None = None) -> None:
    """Measure, print, and write JSON and the table between its marks where asked."""
    check_places(MARK, json_path, into)
    comparison = compare_libraries(repeats, tell=lambda text: print(text, file=sys.stderr, flush=True))
    show_comparison(comparison)
    if json_path is not None:
        comparison.save(json_path)
    if into is not None:
        write_between_marks(into, MARK, comparison.to_markdown())
