"""What a tournament has brought, as tables for the terminal and for Markdown, and as a plot."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from iaww_agents.arena.measure.intervals import Interval
from iaww_agents.arena.measure.ratings import Ratings, rate
from iaww_agents.arena.measure.standings import Duel, Standing, compare_agents, summarize_agents
from iaww_agents.arena.play.results import OK, Result, list_awards
from iaww_env.errors import ConfigError
from iaww_env.publish import write_markdown

if TYPE_CHECKING:
    from rich.table import Table

    from iaww_agents.arena.play.tournament import Tournament

MOST_FAULTS = 5  # faults of one bot that are told in full
NONE = "–"


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

    def to_rich(self) -> Table:
        """The table for the terminal."""
        from rich.markup import escape
        from rich.table import Table

        table = Table(title=self.title or None, title_justify="left")
        for number, head in enumerate(self.heads):
            table.add_column(escape(head), justify="right" if number else "left")
        for row in self.rows:
            table.add_row(*map(escape, row))
        return table


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
            console.print(table.to_rich())
        for note in self.notes:
            console.print(note, markup=False, highlight=False)


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
            duel = duels.get((one, other))
            share = show_interval(duel.ahead, 1, percent=True) if duel else NONE
            cells.append(f"{share}, {duel.margin.value:+.1f}" if duel else share)
        rows.append((one, *cells))
    return TextTable(title, ("placed before (share, points)", *ranked), tuple(rows))


def make_solo_table(standings: dict[str, Standing], results: Sequence[Result], title: str = "") -> TextTable:
    """Solo: points and the share of each title or medal."""
    awards = Counter((result.agents[0], result.award) for result in results if result.status == OK)
    known = (*list_awards(is_scenario=False), *list_awards(is_scenario=True))
    names = [name for name in known if any(award == name for _, award in awards)]
    rows = []
    for spec, standing in sorted(standings.items(), key=lambda item: -item[1].points.value):
        shares = [f"{awards[spec, name] / standing.n:.1%}" for name in names]
        faults = str(standing.n_faults or NONE)
        rows.append((spec, show_interval(standing.points, 1), *shares, f"{standing.n:,}", faults))
    return TextTable(title, ("bot", "points", *names, "games", "faults"), tuple(rows))


def show_interval(interval: Interval, digits: int, *, percent: bool = False) -> str:
    """An estimate and its interval, as in `52.3 (50.1–54.6)`."""
    value, low, high = interval.value, interval.low, interval.high
    if value != value:  # there is nothing to estimate
        return NONE
    if percent:
        value, low, high = 100 * value, 100 * low, 100 * high
    mark = "%" if percent else ""
    if low != low:
        return f"{value:.{digits}f}{mark}"
    between = " to " if low < 0 else "–"
    return f"{value:.{digits}f}{mark} ({low:.{digits}f}{between}{high:.{digits}f})"


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
    if results:
        lines.append(f"One game again, move by move: {repeat_game(results[0])}")
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


def repeat_game(result: Result) -> str:
    """The command that plays a game again."""
    config = result.fixture.config
    parts = [
        "iaww watch",
        *map(shlex.quote, result.agents),
        f"--players {config.players}",
        f"--seed {result.fixture.seed}",
    ]
    if config.expansions:
        parts.append(f"--expansions {' '.join(config.expansions)}")
    if config.empires:
        parts.append(f"--empires {' '.join(map(str, config.empires))}")
    if config.scenario:
        parts.append(f"--scenario {config.scenario}")
    return " ".join([*parts, f"--empire-side {config.empire_side}"])


# --- A plot ----------------------------------------------------------------------------------------


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
    """How far each interval reaches below and above its value."""
    return [[one.value - one.low for one in found], [one.high - one.value for one in found]]


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
    axes.set_yticks(range(len(ranked)), ranked)
    axes.set_xlabel("rating (mean 1500; 400 points are odds of ten to one), 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    path = Path(path)
    figure.savefig(path)
    return path


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
    path = Path(path)
    # The same numbers give the same file.
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    return path
