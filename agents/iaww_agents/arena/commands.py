"""What the command `iaww tournament` does; all that `iaww_env.cli.matches` calls can be found here."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from iaww_agents.arena.browser.play import play_in_browser
from iaww_agents.arena.play.pool import LocalPool
from iaww_agents.arena.play.runner import Runner
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.play.shielding import shield_process
from iaww_agents.arena.play.tournament import Tournament, run_tournament
from iaww_agents.arena.progress import ProgressLines, write_line
from iaww_agents.arena.publish.plots import check_plot, plot_ratings
from iaww_agents.arena.publish.records import RecordKeeper
from iaww_agents.arena.publish.report import make_console, make_report
from iaww_agents.arena.publish.rows import check_rows, write_rows
from iaww_agents.arena.table.seating import seat_agents
from iaww_agents.arena.terminal.play import play_in_terminal
from iaww_agents.arena.terminal.watch import watch_game
from iaww_env.announcing import announce_to, show_in_bar
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import check_seed
from iaww_env.errors import ConfigError, name_path
from iaww_env.interrupts import hold_interrupts
from iaww_env.outputs import is_stream

__all__ = ["hold_tournament", "play_in_browser", "play_in_terminal", "record_games", "watch_game"]

PLAYING = "playing"


def hold_tournament(
    agents: Sequence[str],
    config: GameConfig,
    *,
    markdown: bool = False,
    out: Path | None = None,
    plot: Path | None = None,
    csv: Path | None = None,
    record: Path | None = None,
    replace: bool = False,
    **options: Any,
) -> int:
    """Play a tournament with a bar of progress, or lines now and then, and print its report."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shield_process()  # the key of the deals is in its memory
    check_outputs(config, out, plot, csv, record)
    keeper = None if record is None else RecordKeeper(record, replace=replace)
    screen, lines = Console(stderr=True), ProgressLines()

    def report(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if not screen.is_terminal:
            lines.tell(done, total)

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
            task = bar.add_task(PLAYING, total=None)
            show = partial(show_in_bar, bar, task, PLAYING)
            with announce_to(show) if screen.is_terminal else nullcontext():
                keep = None if keeper is None else keeper.keep
                tournament = run_tournament(
                    agents, config, out=out, report=report, warn=write_line, keep=keep, **options
                )
    finally:  # also where a second Ctrl-C comes while the bar is taken away
        screen.show_cursor()
        tell_records(keeper)
    print_report(tournament, markdown=markdown)
    if plot is not None:
        print(f"{plot_ratings(tournament.results, plot)}: ratings plotted")
    if csv is not None:
        told = sys.stderr if is_stream(csv) else sys.stdout  # the stream may be that of the table
        print(f"{csv}: {write_rows(tournament.results, csv):,} rows written", file=told)
    return 0


def tell_records(keeper: RecordKeeper | None) -> None:
    """Write the records of games that were played, also where somebody has had enough, and say so."""
    if keeper is not None:
        with hold_interrupts():
            written = keeper.write()
        told = sys.stderr if is_stream(keeper.path) else sys.stdout
        print(f"{keeper.path}: {written:,} game{'' if written == 1 else 's'} recorded", file=told)


def record_games(
    agents: Sequence[str],
    config: GameConfig,
    *,
    out: Path,
    games: int,
    seed: int,
    workers: int | None,
    thoughts: bool = False,
    replace: bool = False,
) -> int:
    """Bots play games of seeds that count up, and the games are written."""
    lineup = tuple(seat_agents(agents, config.players))
    keeper = RecordKeeper(out, replace=replace)
    fixtures = [Fixture(number, check_seed(seed + number), lineup, config) for number in range(games)]
    lines = ProgressLines()
    try:
        with LocalPool(workers) as pool:
            runner = Runner(pool, None, lines.tell, keeper.keep, thinking=thoughts)
            runner.begin(list(dict.fromkeys(lineup)), config, games)
            runner.play(fixtures)
    finally:
        tell_records(keeper)
    return 0


def check_outputs(
    config: GameConfig, out: Path | None, plot: Path | None, csv: Path | None, record: Path | None = None
) -> None:
    """Refuse, before anybody has waited, files that cannot be written or that are one and the same.

    Raises:
        ConfigError: The message names the file.
    """
    named = {"--out": out, "--plot": plot, "--csv": csv, "--record": record}
    if out is not None:
        beside = ("lock", "writer", "crashes")
        named |= {f"what lies beside --out ({end})": Path(f"{out}.{end}") for end in beside}
    places: dict[str, str] = {}
    for name, path in named.items():
        place = "" if path is None else os.path.realpath(path)
        if place and places.setdefault(place, name) != name:
            raise ConfigError(f"{places[place]} and {name} are one file, {name_path(path)}: name two")
    if plot is not None:
        if config.solo:
            raise ConfigError("--plot draws ratings, and one seat alone has none: leave it out")
        check_plot(plot)
    if csv is not None:
        check_rows(csv)


def print_report(tournament: Tournament, *, markdown: bool) -> None:
    """The report on the standard output."""
    report = make_report(tournament)
    if markdown:
        print(report.to_markdown(), end="")
    else:
        report.print(make_console())
