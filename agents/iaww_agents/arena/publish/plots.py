"""Ratings, and what search gains by its budget, as pictures."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from iaww_agents.arena.measure.intervals import Interval
from iaww_agents.arena.measure.ratings import Ratings, rate
from iaww_agents.arena.play.results import Result
from iaww_agents.arena.publish.report import show_bounds
from iaww_env.errors import ConfigError, quote
from iaww_env.outputs import check_output, write_whole

# How files of each kind begin: one that begins otherwise is none of ours, and is not replaced.
BEGINNINGS = {
    "svg": (b"<?xml", b"<svg"),
    "png": (b"\x89PNG",),
    "pdf": (b"%PDF",),
    "eps": (b"%!PS",),
    "ps": (b"%!PS",),
    "jpg": (b"\xff\xd8",),
    "jpeg": (b"\xff\xd8",),
    "webp": (b"RIFF",),
    "tif": (b"II", b"MM"),
    "tiff": (b"II", b"MM"),
}


def check_plot(path: Path | str) -> None:
    """Refuse, before anybody has waited, a picture that cannot be drawn or written.

    Raises:
        ConfigError: matplotlib is not installed, the name ends as no picture's does, or the place cannot be
            written.
    """
    kind = find_kind(path)
    make_figure(1, 1)
    check_output(path, lambda begin: begin.startswith(BEGINNINGS[kind]))


def find_kind(path: Path | str) -> str:
    """The kind of picture that a name asks for; without an ending it is PNG."""
    kind = Path(path).suffix[1:].lower() or "png"
    if kind not in BEGINNINGS:
        raise ConfigError(f"a plot cannot be a file {quote('.' + kind)}: choose from {', '.join(BEGINNINGS)}")
    return kind


def make_figure(width: float, height: float) -> Any:
    """An empty picture.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ConfigError("a plot needs matplotlib: pip install matplotlib") from None
    return Figure(figsize=(width, height), layout="constrained")


def list_errors(found: Sequence[Interval]) -> list[list[float]]:
    """How far each interval reaches below and above its value; not at all where there is no end."""
    below, above = [one.value - one.low for one in found], [one.high - one.value for one in found]
    return [[reach if math.isfinite(reach) else 0.0 for reach in side] for side in (below, above)]


def save_figure(figure: Any, path: Path | str) -> Path:
    """Write a picture, whole; the same numbers give the same file."""
    kind, drawn = find_kind(path), io.BytesIO()
    figure.savefig(drawn, format=kind, metadata={"Date": None} if kind == "svg" else None)
    write_whole(path, drawn.getvalue(), lambda begin: begin.startswith(BEGINNINGS[kind]))
    return Path(path)


def plot_ratings(results: Sequence[Result] | Ratings, path: Path | str) -> Path:
    """Ratings with their intervals as a picture; the kind of file follows from its name."""
    ratings = results if isinstance(results, Ratings) else rate(results)
    ranked = ratings.rank()[::-1]
    figure = make_figure(7, 1 + 0.45 * len(ranked))
    axes = figure.subplots()
    found = [ratings.find_interval(spec) for spec in ranked]
    axes.errorbar(
        [one.value for one in found], range(len(ranked)), xerr=list_errors(found), fmt="o", capsize=4
    )
    bounds = [show_bounds(one.low, one.high, 0) for one in found]
    names = [spec + (said if "bound" in said else "") for spec, said in zip(ranked, bounds, strict=True)]
    axes.set_yticks(range(len(ranked)), names)
    axes.set_xlabel("rating (mean 1500; 400 points are odds of ten to one), 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    return save_figure(figure, path)


def plot_budget(worlds: Sequence[int], wins: Sequence[Interval], fair: float, path: Path | str) -> Path:
    """Shares of wins by worlds, on a scale on which each doubling is one step, with the fair share."""
    figure = make_figure(6, 3.5)
    axes = figure.subplots()
    errors = [[100 * reach for reach in side] for side in list_errors(wins)]
    axes.errorbar(worlds, [100 * one.value for one in wins], yerr=errors, fmt="o-", capsize=4)
    axes.axhline(100 * fair, linestyle=":", color="grey")
    axes.set_xscale("log", base=2)
    axes.set_xticks(worlds, [str(n) for n in worlds])
    axes.set_ylim(0, 100)
    axes.set_xlabel("worlds for each decision")
    axes.set_ylabel("wins in %, 95 % intervals")
    axes.grid(alpha=0.3)
    return save_figure(figure, path)
