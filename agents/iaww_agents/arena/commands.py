"""What the commands `iaww tournament`, `iaww play` and `iaww watch` do; called by `iaww_env.cli.matches`."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from iaww_agents.arena.play.faults import GuestFault
from iaww_agents.arena.play.guests import BotShelf, HouseRules
from iaww_agents.arena.play.match import Make, play_match
from iaww_agents.arena.play.pool import LocalPool
from iaww_agents.arena.play.results import OK, Result
from iaww_agents.arena.play.runner import Runner
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.play.shielding import shield_process
from iaww_agents.arena.play.tournament import Tournament, run_tournament
from iaww_agents.arena.progress import ProgressLines, write_line
from iaww_agents.arena.publish.plots import check_plot, plot_ratings
from iaww_agents.arena.publish.records import RecordKeeper
from iaww_agents.arena.publish.report import make_report
from iaww_agents.arena.publish.rows import check_rows, write_rows
from iaww_agents.human import GameLeft, HumanAgent
from iaww_env.announcing import announce_to, show_in_bar
from iaww_env.bots.specs import list_agents
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import check_seed
from iaww_env.envs.rendering import has_colour
from iaww_env.errors import ConfigError, name_path, quote
from iaww_env.game import Game
from iaww_env.interrupts import hold_interrupts
from iaww_env.outputs import is_stream
from iaww_env.render.text import render_table

HUMAN, PLAYING = "you", "playing"
LONGEST_DELAY = 3600
WATCHED = HouseRules(is_loud=True)  # what a bot prints is for its author, who watches it


def hold_tournament(
    agents: Sequence[str],
    config: GameConfig,
    *,
    markdown: bool = False,
    out: Path | None = None,
    plot: Path | None = None,
    csv: Path | None = None,
    record: Path | None = None,
    **options: Any,
) -> int:
    """Play a tournament with a bar of progress, or lines now and then, and print its report."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shield_process()  # the key of the deals is in its memory
    check_outputs(config, out, plot, csv, record)
    keeper = None if record is None else RecordKeeper(record)
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
) -> int:
    """Bots play games of seeds that count up, and the games are written."""
    lineup = tuple(seat_agents(agents, config.players))
    keeper = RecordKeeper(out)
    fixtures = [Fixture(number, check_seed(seed + number), lineup, config) for number in range(games)]
    lines = ProgressLines()
    try:
        with LocalPool(workers) as pool:
            runner = Runner(pool, None, lines.tell, keeper.keep)
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
    from rich.console import Console

    report = make_report(tournament)
    if markdown:
        print(report.to_markdown(), end="")
    else:
        wide = Console().width if sys.stdout.isatty() else 200
        report.print(Console(width=wide))


def seat_agents(agents: Sequence[str], seats: int) -> list[str]:
    """One bot for each seat; a single one stands for all.

    Raises:
        ConfigError: There are neither one nor as many bots as seats.
    """
    if len(agents) not in (1, seats):
        named = "seat" if seats == 1 else "seats"
        raise ConfigError(
            f"{len(agents)} bots for {seats} {named}: name one for each seat, or one for all of them"
        )
    return list(agents) * seats if len(agents) == 1 else list(agents)


def play_in_terminal(agents: Sequence[str], config: GameConfig, *, seat: int, seed: int | None) -> int:
    """A person plays against bots."""
    if not 0 <= seat < config.players:
        raise ConfigError(f"--seat is {seat}: the seats are 0 to {config.players - 1}")
    known = list_agents()
    usual = "heuristic" if "heuristic" in known else "greedy"
    others = seat_agents(agents or [usual], config.players - 1) if config.players > 1 else []
    lineup = (*others[:seat], HUMAN, *others[seat:])
    seed = check_seed(seed)
    width = shutil.get_terminal_size((100, 24)).columns - 1
    human = HumanAgent(colour=has_colour(), width=width)
    fixture = Fixture(0, seed, lineup, config)
    last = LastPosition()
    with BotShelf(WATCHED) as shelf:

        def make(at: int) -> Any:
            return human if at == seat else shelf.take(lineup, at)

        seat_all(lineup, make)
        print(f"You are seat {seat}. Other seats: {', '.join(others) or 'none'}. The seed is {seed}.")
        try:
            result = play_match(fixture, make, show=last.keep)
        except GameLeft:
            print("You have left the game.")
            return 0
    last.show(result)
    return 0


def watch_game(agents: Sequence[str], config: GameConfig, *, seed: int | None, delay: float) -> int:
    """Show bots playing, move by move, with the table at the beginning of each phase."""
    if not 0 <= delay <= LONGEST_DELAY:  # nan lies nowhere
        raise ConfigError(f"--delay is {delay:g}: give seconds from 0 to {LONGEST_DELAY:,}")
    lineup = tuple(seat_agents(agents, config.players))
    seed = check_seed(seed)
    watcher = Watcher(delay)
    with BotShelf(WATCHED) as shelf:
        make = partial(shelf.take, lineup)
        seat_all(lineup, make)
        print(f"{', '.join(f'seat {at}: {spec}' for at, spec in enumerate(lineup))}. The seed is {seed}.")
        result = play_match(Fixture(0, seed, lineup, config), make, show=watcher.show_move)
    watcher.last.show(result)
    return 0


def seat_all(lineup: Sequence[str], make: Make) -> None:
    """Make every bot: what is wrong with one is told before the game, not as its loss."""
    for at, spec in enumerate(lineup):
        try:
            make(at)
        except GuestFault as fault:
            print_trace(fault.trace)
            raise ConfigError(f"the bot {quote(spec)}: {fault.reason} when it was made") from None


def print_trace(trace: str) -> None:
    """The traceback of a crash on the error stream, for the bot's author."""
    if trace:
        print(trace, file=sys.stderr, flush=True)


class LastPosition:
    """The position before the last move, so that the end of the game can be shown."""

    def __init__(self) -> None:
        """Nothing has been played yet."""
        self.move: tuple[Game, int, int] | None = None

    def keep(self, game: Game, seat: int, action: int) -> None:
        """Remember the game; it is the one that goes on."""
        self.move = game, seat, action

    def show(self, result: Result) -> None:
        """The table at the end, and who has won."""
        if self.move is not None:
            print(f"\n{render_table(self.move[0], None, colour=has_colour())}")
        if result.status != OK:
            print(f"\nThe game broke off ({result.status}): {result.reason}", flush=True)
            print_trace(result.trace)
            return
        print()
        ranked = sorted(range(len(result.places)), key=lambda seat: result.places[seat])
        for seat in ranked:
            print(f"{result.places[seat]}. seat {seat} ({result.agents[seat]}): {result.points[seat]} points")
        if result.fixture.config.solo:
            if result.scenario_won is not None:
                print("The scenario is won." if result.scenario_won else "The scenario is lost.")
            print(result.award or "no medal")


class Watcher:
    """Prints moves as they are played."""

    def __init__(self, delay: float) -> None:
        """Wait `delay` seconds before each move."""
        self.delay, self.last = delay, LastPosition()
        self.phase: tuple[int, str] | None = None

    def show_move(self, game: Game, seat: int, action: int) -> None:
        """Print a move, and the table where a round begins or a phase of it."""
        if (game.round, game.phase) != self.phase:
            if self.phase is None or self.phase[0] != game.round or game.phase == "planning":
                print(f"\n{render_table(game, None, colour=has_colour())}")
            self.phase = game.round, game.phase
            print(f"\nround {game.round}, {game.phase}")
        print(f"  seat {seat}: {game.actions.to_text(action)}", flush=True)
        self.last.keep(game, seat, action)
        if self.delay > 0:
            time.sleep(self.delay)
