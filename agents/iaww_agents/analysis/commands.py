"""What `iaww analyze` does; called by `iaww_env.cli.studies`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import iaww_env
from iaww_agents.analysis.games import analyze_bots, analyze_records
from iaww_agents.analysis.page import is_page, write_page
from iaww_agents.analysis.summary import summarize_wins
from iaww_agents.analysis.tables import Form, Tables, check_tables, load_pandas
from iaww_agents.arena.play.results import list_options
from iaww_agents.arena.play.schedule import check_key
from iaww_agents.arena.progress import ProgressLines
from iaww_agents.arena.publish.report import NONE, TextTable, make_console
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, name_path
from iaww_env.outputs import check_output

if TYPE_CHECKING:
    import pandas as pd


def analyze(
    agents: Sequence[str],
    config: GameConfig,
    *,
    records: Sequence[Path],
    games: int,
    key: str | None,
    out: Path | None,
    form: Form,
    html: Path | None,
    workers: int | None,
) -> int:
    """Make tables of games, write them, and say who wins."""
    load_pandas()
    check_analysis(agents, records, html)
    if out is not None:
        check_tables(out, form)
    lines = ProgressLines()
    if records:
        tables = analyze_records(records)
        about = f"{len(tables.games):,} recorded games: {', '.join(path.name for path in records)}."
        command = " ".join(["iaww analyze --records", *(quote(name_path(path)) for path in records)])
    else:
        key = check_key(key)
        tables = analyze_bots(agents, config, games=games, key=key, workers=workers, report=lines.tell)
        about = f"{len(tables.games):,} games of {', '.join(dict.fromkeys(agents))}; {describe(config)}."
        command = repeat_analysis(agents, config, games, key)
    print_wins(tables)
    print(f"The same games again: {command}" if agents else f"The same tables again: {command}")
    if out is not None:
        for path in tables.write(out, form):
            print(f"written: {path}")
    if html is not None:
        day = datetime.now(UTC).strftime("%Y-%m-%d")
        write_page(tables, html, f"{about} Made on {day} with iaww-env {iaww_env.__version__} by: {command}")
        print(f"written: {html}")
    return 0


def check_analysis(agents: Sequence[str], records: Sequence[Path], html: Path | None) -> None:
    """Refuse what cannot be before anybody waits.

    Raises:
        ConfigError: The message says what would do.
    """
    if bool(agents) == bool(records):
        raise ConfigError(
            "name bots, as in: iaww analyze heuristic; or files, as in: iaww analyze --records games.jsonl"
        )
    for path in records:
        if not path.exists():
            raise ConfigError(f"there is no file {path}")
    if html is not None:
        check_output(html, is_page)


def repeat_analysis(agents: Sequence[str], config: GameConfig, games: int, key: str) -> str:
    """The command that has the same games played again."""
    said = ["iaww analyze", *map(quote, agents), *list_options(config), f"--games {games}"]
    return " ".join([*said, f"--key {quote(key)}"])


def describe(config: GameConfig) -> str:
    """What is played, in words."""
    pool = "base and Corruption & Ascension" if config.ascension else "base"
    seats = "alone" if config.solo else f"{config.players} players"
    return f"{seats}, {pool}, side {config.empire_side}"


def print_wins(tables: Tables) -> None:
    """Who wins, with which empires; the points alone where nobody had rivals."""
    console = make_console()
    for by in ("bot", "empire"):
        found = summarize_wins(tables, by)
        has_rivals = bool(found["win"].notna().any())
        rows = tuple(
            (
                str(row[by]),
                *((describe_wins(row), describe_share(row["fair"])) if has_rivals else ()),
                f"{row['points']:.1f}",
                f"{row['seats']:,}",
            )
            for _, row in found.iterrows()
            if str(row[by])
        )
        if rows:
            heads = (by, *(("wins", "fair") if has_rivals else ()), "points", "seats")
            TextTable("", heads, rows).print(console)


def describe_wins(row: pd.Series[float]) -> str:
    """A share of wins with its interval."""
    if row["win"] != row["win"]:
        return NONE
    return f"{row['win']:.1%} ({row['win_low']:.1%} to {row['win_high']:.1%})"


def describe_share(share: float) -> str:
    """A share in percent."""
    return NONE if share != share else f"{share:.1%}"
