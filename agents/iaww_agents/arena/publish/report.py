"""What a tournament has brought, as tables for the terminal and for Markdown."""

from __future__ import annotations

import math
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from iaww_agents.arena.measure.intervals import Interval
from iaww_agents.arena.measure.ratings import Ratings
from iaww_agents.arena.measure.standings import Duel, Standing, compare_agents, summarize_agents
from iaww_agents.arena.play.results import CRASH, OK, Result, list_awards, repeat_game
from iaww_agents.arena.play.tournament import Tournament, describe_changes
from iaww_env.publish import write_markdown

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


ALIKE = 1e-9  # an interval less wide says that there was no spread to judge by, not that all is certain
MOST_FAULTS = 5  # faults of one bot that are told in full
FRAME = 3  # characters that a column at the terminal has around its text
PIPED = 200  # columns where nobody says how many there are
NONE = "–"
WON, LOST, NO_MEDAL = "won", "lost", "won without a medal"
# How a solo game may end, in the order of the columns.
ENDS = (*list_awards(is_scenario=False), WON, *list_awards(is_scenario=True), NO_MEDAL, LOST)


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of texts; the first column is to the left, the others to the right."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def to_markdown(self) -> str:
        """The table in Markdown."""
        head, rule, *rows = write_markdown(self.heads, self.rows, right=range(1, len(self.heads))).split("\n")
        # Spaces beside the dashes, as in all tables published so far.
        body = "\n".join([head, rule.replace("|", " | ").strip(), *rows])
        return f"{self.title}\n\n{body}\n" if self.title else f"{body}\n"

    @property
    def widths(self) -> list[int]:
        """Characters of each column at the terminal, its frame included."""
        return [max(map(len, column)) + FRAME for column in zip(self.heads, *self.rows, strict=True)]

    def split(self, width: int) -> Iterator[TextTable]:
        """The table, or where the terminal is too narrow several, each with some of the columns.

        A number or a name that is cut short says something else: columns go below one another instead.
        """
        first, *others = self.widths
        parts: list[list[int]] = [[]]
        for number, wide in enumerate(others, 1):
            taken = first + 1 + sum(self.widths[one] for one in parts[-1])
            if parts[-1] and taken + wide > width:
                parts.append([])
            parts[-1].append(number)
        for part in parts:
            rows = tuple(tuple(row[one] for one in (0, *part)) for row in self.rows)
            title = self.title if part is parts[0] else ""
            yield TextTable(title, tuple(self.heads[one] for one in (0, *part)), rows)

    def to_rich(self) -> Table:
        """The table for the terminal, as wide as it must be."""
        from rich.markup import escape
        from rich.table import Table

        table = Table(title=self.title or None, title_justify="left", width=sum(self.widths) + 1)
        for number, head in enumerate(self.heads):
            table.add_column(escape(head), justify="right" if number else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*map(escape, row))
        return table

    def print(self, console: Any) -> None:
        """Print it on a rich console, and shorten nothing."""
        for part in self.split(console.width):
            console.print(part.to_rich(), crop=False)


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """Tables, and the sentences that belong to them."""

    tables: tuple[TextTable, ...]
    notes: tuple[str, ...] = ()

    def to_markdown(self) -> str:
        """All of it in Markdown."""
        parts = [table.to_markdown() for table in self.tables]
        if self.notes:
            parts.append("\n".join(f"- {note}" for note in self.notes) + "\n")
        return "\n".join(parts)

    def print(self, console: Any) -> None:
        """Print it on a rich console."""
        for table in self.tables:
            table.print(console)
        for note in self.notes:
            # A command is there to be copied, so no line is broken within it.
            soft = not console.is_terminal or "iaww " in note
            console.print(note, markup=False, highlight=False, soft_wrap=soft)


def make_console() -> Console:
    """The standard output: as wide as the terminal or COLUMNS say, and wide where neither says anything."""
    from rich.console import Console

    is_told = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    return Console() if is_told else Console(width=PIPED)


def make_report(tournament: Tournament) -> TournamentReport:
    """The tables of a tournament: ratings, head to head, and every fault with the way to repeat it."""
    results, agents = tournament.results, tournament.agents
    standings = summarize_agents(results, agents)
    notes = describe_tournament(tournament)
    faults = describe_faults(results)
    if tournament.config.solo:
        return TournamentReport((make_solo_table(standings, results),), (*notes, *faults))
    ratings = tournament.ratings
    ranked = ratings.rank()
    tables = [make_standings_table(ratings, standings)]
    if len(agents) > 1:
        tables.append(make_duel_table(ranked, compare_agents(results, ranked)))
    if ratings.list_unbounded():
        notes.append(
            "A rating without a bound: between some of the bots all games or nearly all went one way, and "
            "any distance between them fits; all ratings together have the mean 1500, so it leaves other "
            "ratings without a bound too."
        )
    return TournamentReport(tuple(tables), (*notes, *faults))


# --- Tables ----------------------------------------------------------------------------------------


def make_standings_table(ratings: Ratings, standings: dict[str, Standing], title: str = "") -> TextTable:
    """One line for each bot, strongest first."""
    heads = ("bot", "rating", "wins", "points", "margin", "seats", "faults")
    rows = [
        (
            spec,
            show_interval(ratings.find_interval(spec), 0),
            show_interval(standings[spec].wins, 1, percent=True),
            show_interval(standings[spec].points, 1),
            show_interval(standings[spec].margin, 1),
            f"{standings[spec].n:,}",
            str(standings[spec].n_faults or NONE),
        )
        for spec in ratings.rank()
        if spec in standings
    ]
    return TextTable(title, heads, tuple(rows))


def make_duel_table(ranked: Sequence[str], duels: dict[tuple[str, str], Duel], title: str = "") -> TextTable:
    """Head to head: how often the bot of the line is placed before that of the column, and by how much."""
    rows = []
    for one in ranked:
        cells = []
        for other in ranked:
            cells.append(show_duel(duels.get((one, other))))
        rows.append((one, *cells))
    return TextTable(title, ("placed before (share, points)", *ranked), tuple(rows))


def show_duel(duel: Duel | None) -> str:
    """How often one bot is placed before another, and by how many points in games played to their end."""
    if duel is None:
        return NONE
    share, margin = show_interval(duel.ahead, 1, percent=True), duel.margin.value
    return share if math.isnan(margin) else f"{share}, {margin:+.1f}"


def make_solo_table(standings: dict[str, Standing], results: Sequence[Result], title: str = "") -> TextTable:
    """Solo: points and shares of each title; of a scenario won, with which medal or without, and lost."""
    ends = Counter((result.agents[0], name) for result in results for name in name_ends(result))
    names = [name for name in ENDS if any(end == name for _, end in ends)]
    rows = []
    for spec, standing in sorted(standings.items(), key=lambda item: -item[1].points.value):
        shares = [f"{ends[spec, name] / standing.n:.1%}" for name in names]
        faults = str(standing.n_faults or NONE)
        rows.append((spec, show_interval(standing.points, 1), *shares, f"{standing.n:,}", faults))
    return TextTable(title, ("bot", "points", *names, "games", "faults"), tuple(rows))


def name_ends(result: Result) -> Iterator[str]:
    """The columns of the solo table that a game counts in: who breaks a scenario off has lost it."""
    if result.is_void:
        return
    if result.scenario_won is not None:
        yield WON if result.scenario_won else LOST
    if result.award is not None:
        yield result.award
    elif result.scenario_won:
        yield NO_MEDAL


def show_interval(interval: Interval, digits: int, *, percent: bool = False) -> str:
    """An estimate and its interval, as in `52.3 (50.1–54.6)`; in words where a side has no bound."""
    scale, mark = (100, "%") if percent else (1, "")
    value, low, high = (scale * one for one in (interval.value, interval.low, interval.high))
    if math.isnan(value):  # there is nothing to estimate
        return NONE
    return f"{value:z.{digits}f}{mark}{show_bounds(low, high, digits)}"


def show_bounds(low: float, high: float, digits: int) -> str:
    """The ends of an interval in brackets, or which of them there is not."""
    if math.isnan(low) or math.isnan(high):
        return ""
    if math.isinf(low) and math.isinf(high):
        return " (no bounds)" if low < high else f" (no {'upper' if low > 0 else 'lower'} bound)"
    if math.isinf(high):
        return f" ({low:z.{digits}f} or more)"
    if math.isinf(low):
        return f" ({high:z.{digits}f} or less)"
    if high - low < ALIKE:
        return " (all deals alike)"
    between = " to " if low < 0 else "–"
    return f" ({low:z.{digits}f}{between}{high:z.{digits}f})"


# --- Sentences -------------------------------------------------------------------------------------


def describe_tournament(tournament: Tournament) -> list[str]:
    """How many games were played, and what their intervals are."""
    config, results = tournament.config, tournament.results
    deals = len({result.fixture.deal for result in results})
    cards = "Corruption & Ascension" if config.ascension else "base"
    seats = "solo" if config.solo else f"{config.players} players"
    read = f", {tournament.n_read:,} of them read from the file" if tournament.n_read else ""
    lines = [
        f"{len(results):,} games of {deals:,} deals{read}: {seats}, {cards}, side {config.empire_side}; "
        "intervals are 95 %, with deals as units.",
        f"The key of all deals is {tournament.key}: --key gives the same games again.",
    ]
    if deals == 1:
        lines.append("One deal alone does not say how sure these numbers are: play more games.")
    if results:
        lines.append(f"One game again, move by move: {repeat_game(results[0])}")
    lines += describe_changes(tournament.changed)
    if tournament.crashes is not None:
        lines.append(f"Tracebacks of crashes stand in {tournament.crashes}.")
    elif any(result.status == CRASH for result in results):
        lines.append("iaww watch shows the traceback of a crash; with --out they are kept beside its file.")
    if tournament.decided is not None:
        said = "is decided" if tournament.decided else "is not decided: play more games"
        lines.append(
            f"The order {said} (differences of neighbours in rank, {tournament.level:.1%} at each look)."
        )
    return lines


def describe_faults(results: Sequence[Result]) -> list[str]:
    """Every kind of fault of each bot, and commands that repeat the first ones."""
    faults = [result for result in results if result.status != OK]
    told: Counter[str] = Counter()
    lines = []
    for result in faults:
        spec = "nobody" if result.offender is None else result.agents[result.offender]
        told[spec] += 1
        if told[spec] <= MOST_FAULTS:
            lines.append(f"{result.status}: {result.reason}. Repeat it: {repeat_game(result)}")
    for spec, count in told.items():
        if count > MOST_FAULTS:
            lines.append(
                f"{spec}: {count - MOST_FAULTS:,} more games lost like this; see the file of results."
            )
    return lines
