"""The curves of a run as a picture."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from iaww_env.outputs import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMOOTHED = 20  # updates over which points are averaged


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """The lines of the metrics of a run, but for what was torn when it was killed or the disk was full."""
    lines = []
    for line in (folder / "metrics.jsonl").read_text(encoding="utf-8", errors="replace").splitlines():
        with contextlib.suppress(ValueError):
            lines.append(json.loads(line))
    return lines


def average(values: list[float]) -> list[float]:
    """Means of so many values up to each."""
    parts = [values[max(0, n + 1 - SMOOTHED) : n + 1] for n in range(len(values))]
    return [sum(part) / len(part) for part in parts]


def show_points(axes: Axes, updates: list[dict[str, Any]]) -> None:
    """Points in self-play, a line for each mode."""
    for name in dict.fromkeys(name for line in updates for name in line if name.startswith("points_")):
        shown = [line for line in updates if name in line]
        points = average([line[name] for line in shown])
        axes.plot([line["decisions"] for line in shown], points, label=name.removeprefix("points_"))
    axes.set_title(f"points in self-play, exploring (means of {SMOOTHED} updates)")


def show_measures(axes: Axes, measures: list[dict[str, Any]]) -> None:
    """Wins against the ladder, or points of a run that plays alone."""
    alone = any("solo_points" in line for line in measures)
    at, scale = [line["decisions"] for line in measures], 1 if alone else 100
    ends = ("solo_points",) if alone else ("_wins",)
    for name in dict.fromkeys(name for line in measures for name in line if name.endswith(ends)):
        values, errors = ([scale * line.get(key, 0) for line in measures] for key in (name, f"{name}_error"))
        axes.errorbar(at, values, errors, label=name.removesuffix("_wins"), capsize=2)
    axes.set_title("points alone" if alone else "% of wins in one seat against")
    if not alone:
        axes.set_ylim(0, 100)


def draw_curves(folder: Path) -> Path:
    """Draw points in self-play, wins against the ladder, and what the update did; returns the file."""
    from matplotlib.figure import Figure

    lines = read_metrics(folder)
    updates = [line for line in lines if line["kind"] == "update"]
    figure = Figure(figsize=(11, 7), layout="constrained")
    points, wins, spread, change = figure.subplots(2, 2).ravel()
    show_points(points, updates)
    show_measures(wins, [line for line in lines if line["kind"] == "measure"])
    at = [line["decisions"] for line in updates]
    spread.plot(at, average([-line["entropy_loss"] for line in updates]), label="entropy")
    spread.plot(at, average([line["explained_variance"] for line in updates]), label="explained variance")
    spread.set_title("the policy's entropy, what the value explains")
    change.plot(at, average([line["approx_kl"] for line in updates]), label="approximate KL")
    change.plot(at, average([line["clip_fraction"] for line in updates]), label="clipped")
    change.set_title("how far an update moves the policy")
    for axes in (points, wins, spread, change):
        axes.set_xlabel("decisions")
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    path = folder / "curves.png"
    write_whole(path, buffer.getvalue())
    return path
