"""The page that shows what tables say: one HTML file, no scripts, nothing from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from iaww_agents.analysis.summary import (
    LEAST_SEATS,
    summarize_cards,
    summarize_production,
    summarize_sources,
    summarize_wins,
)
from iaww_agents.analysis.tables import Tables
from iaww_env.cards import EXPANSIONS, RESOURCES, empires, kind
from iaww_env.outputs import write_whole

if TYPE_CHECKING:
    import pandas as pd

TEMPLATES = Path(__file__).resolve().parent / "templates"
TITLE = "What happened in these games"
MARK = b"<!DOCTYPE html>"
CHART = (380, 190, 34)  # width, height and margin
NOTHING = "–"
SHARE, POINTS_OF_SHARE = "%", " pp"  # of a share, and of the difference of two shares


def write_page(tables: Tables, path: Path, about: str) -> None:
    """Write the page.

    Args:
        tables: What it shows.
        path: The file; one that holds something else than such a page is left alone.
        about: What was played, in words.
    """
    write_whole(path, make_page(tables, about), is_page)


def is_page(begin: bytes) -> bool:
    """Whether a file with these first bytes is a page of ours."""
    return begin.startswith(MARK) and TITLE.encode() in begin


def make_page(tables: Tables, about: str) -> str:
    """The page as text."""
    bots = tables.seats["bot"].nunique()
    played = summarize_wins(tables, "bot")
    return Template((TEMPLATES / "analysis.html").read_text(encoding="utf-8")).substitute(
        title=TITLE,
        style=(TEMPLATES / "analysis.css").read_text(encoding="utf-8"),
        about=escape(about),
        bots=f"<h2>Who wins</h2>\n{show_wins(played, 'bot', str)}\n" if bots > 1 else "",
        empires=show_wins(summarize_wins(tables, "empire"), "empire", name_empire),
        sources=show_sources(summarize_sources(tables)),
        curve=draw_production(summarize_production(tables)),
        production=show_production(summarize_production(tables)),
        cards=show_cards(summarize_cards(tables)),
        least=LEAST_SEATS,
        nothing=NOTHING,
    )


# --- Cells -------------------------------------------------------------------------------------------


def show_number(digits: int = 1, *, signed: bool = False) -> Callable[[float], str]:
    """What writes a number; nothing where there is none."""
    return lambda value: NOTHING if value != value else f"{value:{'+' if signed else ''}.{digits}f}"


def show_share(value: float) -> str:
    """A share in percent."""
    return NOTHING if value != value else f"{value:.1%}"


def show_interval(value: float, low: float, high: float, *, unit: str = SHARE, signed: bool = False) -> str:
    """A value with its interval in brackets; shares and their differences in percent."""
    if value != value:
        return NOTHING
    sign, times = "+" if signed else "", 100 if unit else 1
    ends = f" ({low * times:{sign}.1f} to {high * times:{sign}.1f})" if low == low else ""
    return f"{value * times:{sign}.1f}{unit}{ends}"


def name_empire(name: str) -> str:
    """The name of an empire as it is read."""
    return next((one.name_en for one in empires("A", EXPANSIONS) if one.id == name), name)


def draw_span(value: float, low: float, high: float, fair: float, least: float, most: float) -> str:
    """An interval as a line with a dot, and what is fair as a broken line."""
    if low != low or most <= least:
        return ""
    low_x, x, high_x, fair_x = (
        round(4 + 184 * (one - least) / (most - least), 1) for one in (low, value, high, fair)
    )
    return (
        '<svg viewBox="0 0 192 18" aria-hidden="true">'
        f'<line class="fair" x1="{fair_x}" x2="{fair_x}" y1="0" y2="18"/>'
        f'<line class="range" x1="{low_x}" x2="{high_x}" y1="9" y2="9"/>'
        f'<circle class="dot" cx="{x}" cy="9" r="4"/></svg>'
    )


def write_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; its cells are HTML already."""
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    body = "\n".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    return f'<div class="wide" tabindex="0">{table}</div>'


# --- Parts of the page -------------------------------------------------------------------------------


def show_wins(found: pd.DataFrame, by: str, name: Callable[[str], str]) -> str:
    """Shares of wins, each beside what is fair."""
    least, most = (
        min(found["win_low"].min(), found["fair"].min()),
        max(found["win_high"].max(), found["fair"].max()),
    )
    rows = [
        (
            escape(name(str(row[by]))),
            show_interval(row["win"], row["win_low"], row["win_high"]),
            draw_span(row["win"], row["win_low"], row["win_high"], row["fair"], least, most),
            show_share(row["fair"]),
            show_number()(row["points"]),
            f"{row['seats']:,}",
        )
        for _, row in found.iterrows()
    ]
    return write_table((by, "wins", "", "fair", "points", "seats"), rows)


def is_scored(*means: float) -> bool:
    """Whether anybody has points of a sort; in the base game nobody has any for pairs."""
    return any(mean for mean in means if mean == mean)


def show_sources(found: pd.DataFrame) -> str:
    """Parts of the score, as far as anybody has any."""
    number = show_number()
    rows = [
        (
            escape(row["part"].removeprefix("points_").replace("_", " ")),
            number(row["winners"]),
            number(row["others"]),
            show_interval(
                row["difference"], row["difference_low"], row["difference_high"], unit="", signed=True
            ),
        )
        for _, row in found.iterrows()
        if is_scored(row["winners"], row["others"])
    ]
    return write_table(("part", "winners", "others", "difference"), rows)


def show_production(found: pd.DataFrame) -> str:
    """What rounds bring."""
    names = {f"produced_{resource}": resource for resource in RESOURCES}
    names |= {"cubes_to_empire": "cubes to the empire", "recycled": "cards recycled", "built": "cards built"}
    names |= {
        "generals_won": "generals won",
        "financiers_won": "financiers won",
        "points": "points at the end",
    }
    rows = [
        (f"{row['who']}, round {row['round']}", *(show_number()(row[name]) for name in names))
        for _, row in found.sort_values(["who", "round"], ascending=[False, True]).iterrows()
    ]  # winners before others
    return write_table(("", *names.values()), rows)


def draw_production(found: pd.DataFrame) -> str:
    """Cubes produced by round, a line for winners and one for others."""
    width, height, margin = CHART
    most = max(1.0, float(found["produced"].max()))
    lines = []
    for who, part in reversed([*found.groupby("who")]):
        ordered = part.sort_values("round")
        xs = [margin + (width - 2 * margin) * (turn - 1) / 3 for turn in ordered["round"]]
        ys = [height - margin - (height - 2 * margin) * made / most for made in ordered["produced"]]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
        lines.append(f'<polyline class="{who}" points="{points}"><title>{who}</title></polyline>')
        beside = -8 if who == "winners" else 26  # above the line that lies higher, below the other
        lines.append(
            f'<text x="{xs[-1] + 16:.0f}" y="{ys[-1] + beside:.0f}" text-anchor="end">'
            f"{who} {ordered['produced'].iloc[-1]:.1f}</text>"
        )
    base = height - margin
    axis = "".join(
        draw_mark(cubes, base - (height - 2 * margin) * cubes / most) for cubes in choose_marks(most)
    )
    turns = "".join(
        f'<text x="{margin + (width - 2 * margin) * turn / 3:.0f}" y="{base + 18}" text-anchor="middle">'
        f"round {turn + 1}</text>"
        for turn in range(4)
    )
    label = "Cubes produced in each round: the table below has the numbers"
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        f"{axis}{turns}{''.join(lines)}</svg>"
    )


def choose_marks(most: float) -> range:
    """Round numbers from 0 to the most there is, at most five steps."""
    step = next(one for one in (1, 2, 5, 10, 20, 50, 100, 1000) if most / one <= 5)
    return range(0, int(most) + 1, step)


def draw_mark(cubes: int, y: float) -> str:
    """A line across the chart, with the number that it stands for."""
    width, _, margin = CHART
    return (
        f'<line class="axis" x1="{margin}" x2="{width - margin}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="mark" x="{margin - 6}" y="{y + 4:.1f}" text-anchor="end">{cubes}</text>'
    )


def show_cards(found: pd.DataFrame) -> str:
    """The card table, by lift."""
    ends = found[["lift_low", "lift_high"]].abs().max(axis=None)
    reach = float(ends) if ends == ends else 1.0
    rows = []
    for _, row in found.iterrows():
        lift = (row["lift"], row["lift_low"], row["lift_high"])
        rows.append(
            (
                escape(kind(str(row["kind"])).name_en),
                show_interval(*lift, unit=POINTS_OF_SHARE, signed=True),
                draw_span(*lift, 0.0, -reach, reach),
                f"{row['seats']:,}",
                show_share(row["picked"]),
                show_number()(row["pick"]),
                show_share(row["built"]),
                show_share(row["recycled"]),
                show_number()(row["points"]),
            )
        )
    heads = (
        "card",
        "lift in wins",
        "",
        "offered to seats",
        "picked",
        "at pick",
        "built",
        "recycled",
        "points each",
    )
    return write_table(heads, rows)
