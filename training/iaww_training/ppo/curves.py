"""The curves of a run as a picture."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from iaww_env.outputs import write_whole

SMOOTHED = 20  # updates over which points are averaged


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """The lines of the metrics of a run."""
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def average(values: list[float]) -> list[float]:
    """Means of so many values up to each."""
    parts = [values[max(0, n + 1 - SMOOTHED) : n + 1] for n in range(len(values))]
    return [sum(part) / len(part) for part in parts]


def draw_curves(folder: Path) -> Path:
    """Draw points in self-play, wins against the ladder, and what the update did; returns the file."""
    from matplotlib.figure import Figure

    lines = read_metrics(folder)
    updates = [line for line in lines if line["kind"] == "update"]
    measures = [line for line in lines if line["kind"] == "measure"]
    figure = Figure(figsize=(11, 7), layout="constrained")
    points, wins, spread, change = figure.subplots(2, 2).ravel()
    for name in dict.fromkeys(name for line in updates for name in line if name.startswith("points_")):
        shown = [line for line in updates if name in line]
        points.plot(
            [line["decisions"] for line in shown],
            average([line[name] for line in shown]),
            label=name.removeprefix("points_"),
        )
    points.set_title("points in self-play, exploring")
    bots = dict.fromkeys(
        name for line in measures for name in line if name.endswith(("_wins", "solo_points"))
    )
    for name in bots:
        at = [line["decisions"] for line in measures]
        error = [line.get(f"{name}_error", 0) for line in measures]
        label = name.removesuffix("_wins")
        wins.errorbar(at, [line[name] for line in measures], error, label=label, capsize=2)
    wins.set_title("share of wins in one seat against")
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
