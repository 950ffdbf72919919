"""How a run is told while it goes: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from iaww_training.ppo.run import Run

EVERY = 10.0  # seconds between lines where nobody looks at a bar
RECENT = 20  # updates whose rate and points are told


class Teller:
    """Tells how a run goes, on the error stream."""

    def __init__(self, run: Run) -> None:
        """The time begins now."""
        self._run = run
        self._updates: list[dict[str, Any]] = []
        self._measured = ""
        self._told = time.monotonic()
        console = Console(file=sys.stderr)
        self._bar: Progress | None = None
        if console.is_terminal:
            columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
            self._bar = Progress(*columns, console=console, transient=True)
            self._task = self._bar.add_task("playing", total=run.settings.decisions)

    def __enter__(self) -> Self:
        """Show the bar."""
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def tell(self, line: dict[str, Any]) -> None:
        """Take a line of the metrics."""
        if line["kind"] == "measure":
            self._measured = describe_measure(line)
            self._write(f"{line['decisions']:,} decisions: {self._measured}")
            return
        if line["kind"] == "imitate":
            told = f"{line['imitated']:,} decisions imitated, loss {line['policy']:.3f}"
            if self._bar is not None:
                self._bar.update(self._task, description=told)
            elif time.monotonic() - self._told > EVERY:
                self._told = time.monotonic()
                self._write(told)
            return
        if line["kind"] == "warning":
            self._write(line["text"])
            return
        self._updates = [*self._updates[-RECENT:], line]
        if self._bar is not None:
            told = ", ".join(part for part in (self._describe(), self._measured) if part)
            self._bar.update(self._task, completed=line["decisions"], description=told)
        elif time.monotonic() - self._told > EVERY:
            self._told = time.monotonic()
            self._write(self._describe())

    def _write(self, line: str) -> None:
        if self._bar is not None:
            self._bar.console.print(line, highlight=False)
        else:
            print(f"iaww: {line}", file=sys.stderr, flush=True)

    def _describe(self) -> str:
        """Decisions, games, decisions a second, and points of the first mode."""
        first, last = self._updates[0], self._updates[-1]
        parts = [f"{last['decisions']:,} decisions, {last['games']:,} games"]
        if last is not first:
            seconds = last["seconds"] - first["seconds"]
            parts.append(f"{(last['decisions'] - first['decisions']) / seconds:,.0f} decisions/s")
        mode = next(iter(self._run.settings.modes))
        points = [line[name] for line in self._updates if (name := f"points_{mode}") in line]
        if points:
            parts.append(f"{sum(points) / len(points):.1f} points ({mode}, self-play, exploring)")
        return ", ".join(parts)


def describe_measure(line: dict[str, Any]) -> str:
    """What was measured, in words."""
    if "solo_points" in line:
        return f"{line['solo_points']:.1f} points alone"
    bots = [name.removesuffix("_wins") for name in line if name.endswith("_wins")]
    parts = [f"{line[f'{bot}_wins']:.0%} of wins and {line[f'{bot}_points']:.1f} points" for bot in bots]
    return ", ".join(f"{part} against {bot}" for part, bot in zip(parts, bots, strict=True))
