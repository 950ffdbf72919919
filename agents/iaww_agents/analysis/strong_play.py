"""What strong play looks like: `python -m iaww_agents.analysis.strong_play --write` writes the page.

Each bot takes one seat of the same deals, the heuristic all others, so that what differs is the bot. Every
number is the mean over its seat; its interval counts the games of a deal as one observation.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import iaww_env
from iaww_agents.analysis.games import analyze_bots
from iaww_agents.analysis.summary import join_seats
from iaww_agents.arena.measure.intervals import Interval, estimate_difference, estimate_mean, estimate_share
from iaww_agents.arena.publish.report import TextTable, show_interval
from iaww_agents.arena.publish.scripts import BOTS_GUIDE, publish
from iaww_env import rulebook
from iaww_env.breakdown import PART_COLUMNS
from iaww_env.cards import EXPANSIONS, RESOURCES, TYPES, kinds
from iaww_env.config import GameConfig
from iaww_env.publish import name_processor

if TYPE_CHECKING:
    import pandas as pd

PAGE = BOTS_GUIDE.with_name("STRONG_PLAY.md")
OTHERS = "heuristic"
LEAST_OFFERS = 40  # of a kind to each bot, before its picks are compared
ROUND_COLUMNS = ("produced", "built", "recycled", "cubes_to_empire", "krystallium_used", "characters_used")


@dataclass(frozen=True)
class Options:
    """How much is played."""

    bots: tuple[str, ...] = ("heuristic", "search", "ppo", "ppo_search")
    """Who is looked at; the first is what the others are compared with."""
    players: int = 4
    """Seats of a game."""
    deals: int = 200
    """Deals, each in every rotation."""
    cards: int = 8
    """Kinds told that the last bot picks more often than the first, and as many that it picks less often."""
    key: str = "strong play"
    """What all deals follow from."""
    workers: int | None = None
    """Processes; one for each core by default."""
    into: Path = PAGE
    """The file it is written into."""
    write: bool = False
    """Write the tables on the page; by default they are printed."""


@dataclass(frozen=True)
class Play:
    """What a bot did in its seat.

    Attributes:
        bot: Its spec.
        seats: A row for each game, with its deal.
        rounds: A row for each round of these, likewise.
        cards: A row for each kind that it was offered in a game, likewise.
    """

    bot: str
    seats: pd.DataFrame
    rounds: pd.DataFrame
    cards: pd.DataFrame


def look_at(bot: str, options: Options) -> Play:
    """Play a bot's games; where all seats are its own, the first of the rotated line-up is looked at."""
    config = GameConfig(options.players)
    line_up = [bot, *[OTHERS] * (options.players - 1)]
    games = options.deals * (options.players if bot != OTHERS else 1)
    tables = analyze_bots(line_up, config, games=games, key=options.key, workers=options.workers)
    print(f"{bot}: {len(tables.games):,} games", file=sys.stderr)
    seats = join_seats(tables)
    own = seats if bot == OTHERS else seats[seats["bot"] == bot]
    keys = own[["game", "seat", "deal"]]
    return Play(bot, own, merge(tables.rounds, keys), merge(tables.cards, keys))


def merge(table: pd.DataFrame, keys: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table that belong to these seats, with their deals."""
    return table.merge(keys, on=["game", "seat"])


# --- Tables ----------------------------------------------------------------------------------------


def show_mean(table: pd.DataFrame, values: Any, digits: int = 1) -> str:
    """A mean with its interval."""
    return show_interval(estimate_mean(values, table["deal"]), digits)


def show_share(table: pd.DataFrame, values: Any) -> str:
    """A share with its interval."""
    return show_interval(estimate_share(values, table["deal"]), 1, percent=True)


def list_sources(play: Play) -> Iterator[tuple[str, str]]:
    """How a bot fared, and where its points come from."""
    seats = play.seats
    yield "wins", show_share(seats, seats["win"])
    for column in ("points", *PART_COLUMNS):
        if seats[column].any():
            yield column.removeprefix("points_").replace("_", " "), show_mean(seats, seats[column])
    yield "cards built", show_mean(seats, seats["built"])
    yield "constructions left unfinished", show_mean(seats, seats["unfinished"])
    yield "characters kept", show_mean(seats, seats["generals"] + seats["financiers"])
    yield "krystallium left over", show_mean(seats, seats["krystallium_left"])


def list_handling(play: Play) -> Iterator[tuple[str, str]]:
    """What becomes of the cards that a bot picks, by type."""
    cards, of_type = play.cards, {kind.id: kind.type for kind in kinds(EXPANSIONS)}
    types = cards["kind"].astype(str).map(of_type)
    picked = cards.groupby(["game", "seat"])["picked"].transform("sum")
    for name in TYPES:
        part = (cards["picked"] * (types == name) / picked).groupby([cards["game"], cards["seat"]]).sum()
        deals = cards.groupby(["game", "seat"])["deal"].first()
        yield f"of its picks: {name}", show_interval(estimate_mean(part, deals), 3)
    for verb in ("slated", "recycled", "built"):
        each = cards.groupby(["game", "seat"]).agg(done=(verb, "sum"), deal=("deal", "first"))
        yield f"cards {verb}", show_mean(each, each["done"])


def list_rounds(play: Play) -> Iterator[tuple[str, str]]:
    """What a bot makes and does, round by round."""
    rounds = play.rounds.copy()
    rounds["produced"] = rounds[[f"produced_{resource}" for resource in RESOURCES]].sum(axis=1)
    for column in ROUND_COLUMNS:
        for number in range(1, rulebook.ROUNDS + 1):
            part = rounds[rounds["round"] == number]
            yield f"{column.replace('_', ' ')}, round {number}", show_mean(part, part[column])


def list_production(play: Play) -> Iterator[tuple[str, str]]:
    """Cubes of each resource in the last round."""
    last = play.rounds[play.rounds["round"] == rulebook.ROUNDS]
    for resource in RESOURCES:
        yield f"{resource}, round {rulebook.ROUNDS}", show_mean(last, last[f"produced_{resource}"])


def compare_picks(first: Play, last: Play) -> list[tuple[str, Interval, float, float]]:
    """By kind: how much more often the last bot picks it of the seats that could, the least first."""
    found = []
    for kind in sorted(set(first.cards["kind"].astype(str))):
        parts = [play.cards[play.cards["kind"] == kind] for play in (first, last)]
        if min(map(len, parts)) < LEAST_OFFERS:
            continue
        picked = np.concatenate([part["picked"] > 0 for part in parts])
        deals = np.concatenate([part["deal"] for part in parts])
        is_last = np.repeat([False, True], [len(part) for part in parts])
        difference = estimate_difference(picked.astype(float), is_last, deals)
        shares = [float((part["picked"] > 0).mean()) for part in parts]
        found.append((kind, difference, shares[0], shares[1]))
    return sorted(found, key=lambda one: one[1].value)


def show_picks(first: Play, last: Play, count: int) -> TextTable:
    """The kinds that tell the two bots apart."""
    found = compare_picks(first, last)
    told = found[: -count - 1 : -1] + found[:count][::-1]
    rows = tuple(
        (kind, f"{one:.0%}", f"{other:.0%}", show_interval(difference, 0, percent=True))
        for kind, difference, one, other in told
    )
    return TextTable("", ("kind", first.bot, last.bot, "difference"), rows)


def make_page(options: Options, command: str) -> str:
    """All tables."""
    plays = [look_at(bot, options) for bot in options.bots]
    parts = [
        f"Base, side A, {options.players} players, random empires; one seat against {options.players - 1} "
        f"{OTHERS}, {options.deals:,} deals in every rotation; made on {datetime.date.today()} with iaww-env "
        f"{iaww_env.__version__} by `{command}` ({name_processor()}). 95 % intervals with deals as units."
    ]
    for title, rows in (
        ("Where points come from", list_sources),
        ("What becomes of cards", list_handling),
        ("Round by round", list_rounds),
        ("What is made in the end", list_production),
    ):
        columns = [dict(rows(play)) for play in plays]
        names = list(dict.fromkeys(name for column in columns for name in column))
        lines = tuple((name, *(column.get(name, "0") for column in columns)) for name in names)
        heads = ("", *(play.bot for play in plays))
        parts.append(f"## {title}\n\n" + TextTable("", heads, lines).to_markdown())
    parts.append(
        f"## Picks\n\nOf the games in which a seat could pick a kind, the share in which it did; the "
        f"{options.cards} kinds that `{plays[-1].bot}` picks more often than `{plays[0].bot}`, and as many "
        "that it picks less often.\n\n" + show_picks(plays[0], plays[-1], options.cards).to_markdown()
    )
    return "\n\n".join(part.strip() for part in parts) + "\n"


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    return publish("iaww_agents.analysis.strong_play", "strong play", Options, make_page, __doc__, args)


if __name__ == "__main__":
    sys.exit(main())
