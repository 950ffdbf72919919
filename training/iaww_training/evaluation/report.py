"""What an evaluation has found, as tables and sentences for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from iaww_agents.arena.publish.report import (
    NONE,
    TextTable,
    TournamentReport,
    describe_faults,
    show_interval,
)
from iaww_env.breakdown import PARTS
from iaww_env.cards import empire
from iaww_env.config import GameConfig
from iaww_training.evaluation.curve import Curve
from iaww_training.evaluation.exploitability import Exploitability
from iaww_training.evaluation.games import Played
from iaww_training.evaluation.measures import EmpireFigures, Figures, Mirror, Sources


@dataclass(slots=True)
class Evaluation:
    """All that is known of an agent.

    Attributes:
        agent: Its spec.
        key: What all deals follow from.
        configs: What was played.
        games: The games.
        figures: What follows from them.
        curve: How it learnt, where that was asked for.
        exploitability: What a best response to it gains, likewise.
    """

    agent: str
    key: str
    configs: tuple[GameConfig, ...]
    games: list[Played] = field(repr=False)
    figures: Figures
    curve: Curve | None = None
    exploitability: Exploitability | None = None


def make_report(found: Evaluation) -> TournamentReport:
    """All tables and sentences."""
    figures, tables = found.figures, []
    if figures.ladder:
        tables.append(make_ladder_table(found))
    if figures.mirror:
        tables.append(make_mirror_table(figures.mirror))
    for bot in dict.fromkeys(one.bot for one in figures.sources):
        tables.append(make_source_table([one for one in figures.sources if one.bot == bot], found.agent))
    if figures.empires:
        tables.append(make_empire_table(figures.empires, found.agent))
    if figures.solo:
        tables.append(make_alone_table(found))
    if found.curve is not None:
        tables.append(found.curve.to_table())
    notes = [*describe_evaluation(found), *describe_mirrors(figures.mirror)]
    if found.exploitability is not None:
        tables.append(found.exploitability.to_table())
        notes += found.exploitability.describe()
    notes += describe_faults([result for played in found.games for result in played.results])
    return TournamentReport(tuple(tables), tuple(notes))


# --- Tables ----------------------------------------------------------------------------------------


def make_ladder_table(found: Evaluation) -> TextTable:
    """One line for each number of players and each bot."""
    rows = [
        (
            f"{one.config.players} players, {one.config.players - 1} x {one.bot}",
            show_interval(one.standing.wins, 1, percent=True),
            f"{one.fair:.1%}",
            show_interval(one.standing.points, 1),
            show_interval(one.standing.margin, 1),
            f"{one.standing.n:,}",
            str(one.standing.n_faults or NONE),
        )
        for one in found.figures.ladder
    ]
    heads = ("against", "wins", "fair share", "points", "margin", "games", "faults")
    return TextTable(f"One seat of {found.agent} against the ladder", heads, tuple(rows))


def make_mirror_table(mirrors: Sequence[Mirror]) -> TextTable:
    """One line for each number of players."""
    rows = [
        (
            f"{one.config.players} players",
            show_interval(one.wins, 1, percent=True),
            f"{one.fair:.1%}",
            "yes" if one.is_covered else "NO",
            show_interval(one.points, 1),
            f"{one.n:,}",
        )
        for one in mirrors
    ]
    heads = ("against itself", "wins of the learner", "fair share", "covered", "points of all seats", "games")
    return TextTable("Mirror control: all seats are the same, one of them is the learner", heads, tuple(rows))


def make_source_table(sources: Sequence[Sources], agent: str) -> TextTable:
    """One line for each part of the score, a column for each number of players."""
    named = "self-play" if sources[0].bot == agent else f"one seat against {sources[0].bot}"
    rows = [
        (name, *(show_interval(one.parts[name], 1) for one in sources))
        for name in PARTS
        if any(one.parts[name].value for one in sources)
    ]
    rows.append(("all points", *(show_interval(one.points, 1) for one in sources)))
    heads = ("points", *(f"{one.config.players} players" for one in sources))
    return TextTable(f"Points by source, {named}", heads, tuple(rows))


def make_empire_table(figures: Sequence[EmpireFigures], agent: str) -> TextTable:
    """One line for each empire: in self-play, and against the first bot of the ladder."""
    bots = list(dict.fromkeys(one.bot for one in figures))
    heads = ["empire"]
    for bot in bots:
        named = "self-play" if bot == agent else f"against {bot}"
        heads += [f"wins, {named}", "fair share", "points", "seats"]
    rows = []
    for name in dict.fromkeys(one.empire for one in figures):
        cells = [empire(name).name_en]
        for bot in bots:
            own = [one for one in figures if (one.empire, one.bot) == (name, bot)]
            cells += (
                [
                    show_interval(own[0].wins, 1, percent=True),
                    f"{own[0].fair:.1%}",
                    show_interval(own[0].points, 1),
                    f"{own[0].n:,}",
                ]
                if own
                else [NONE] * 4
            )
        rows.append(tuple(cells))
    return TextTable("By empire, over all numbers of players", tuple(heads), tuple(rows))


def make_alone_table(found: Evaluation) -> TextTable:
    """One line for each bot: points, and shares of titles or medals."""
    solo = found.figures.solo
    names = [name for name in solo[0].awards if any(one.awards[name] for one in solo)]
    heads = ["solo", "points", *([] if solo[0].won is None else ["won"]), *names, "games"]
    rows = []
    for one in solo:
        cells = [one.bot, show_interval(one.points, 1)]
        cells += [] if one.won is None else [f"{one.won:.1%}"]
        rows.append((*cells, *(f"{one.awards[name]:.1%}" for name in names), f"{one.n:,}"))
    return TextTable("Alone, the same deals for each", tuple(heads), tuple(rows))


# --- Sentences -------------------------------------------------------------------------------------


def describe_evaluation(found: Evaluation) -> list[str]:
    """What was played, and what the intervals are."""
    config, count = found.configs[0], sum(len(played.results) for played in found.games)
    cards = "Corruption & Ascension" if config.ascension else "base"
    counts = ", ".join("solo" if one.solo else str(one.players) for one in found.configs)
    return [
        f"{count:,} games: {cards}, side {config.empire_side}, players {counts}; intervals are 95 %, with "
        "deals as units. Margin: points more than the best other seat.",
        f"The key of all deals is {found.key}: --key gives the same games again.",
    ]


def describe_mirrors(mirrors: Sequence[Mirror]) -> list[str]:
    """Whether the control holds."""
    if not mirrors:
        return []
    failed = [one for one in mirrors if not one.is_covered]
    if not failed:
        return ["Mirror control: the learner's share of wins agrees with a fair share, as it must."]
    where = ", ".join(f"{one.config.players} players" for one in failed)
    return [
        f"Mirror control: with {where} the share of wins of one of equal seats does NOT cover the fair "
        "share. By chance that happens in one evaluation of twenty: repeat it with another --key; where it "
        "stays, seats are not treated alike, and no other number here can be trusted."
    ]
