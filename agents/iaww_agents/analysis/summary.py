"""What tables say: means and shares with intervals, the games of one deal counted as one observation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from iaww_agents.analysis.tables import Tables, load_pandas
from iaww_agents.arena.measure.intervals import (
    Interval,
    estimate_difference,
    estimate_mean,
    estimate_share,
)
from iaww_env.breakdown import PART_COLUMNS
from iaww_env.cards import RESOURCES

if TYPE_CHECKING:
    import pandas as pd

LEAST_SEATS = 30  # of both sorts, before a lift is told


def join_seats(tables: Tables) -> pd.DataFrame:
    """The seats, each with its deal and what is fair there."""
    games = tables.games.set_index("game")
    seats = tables.seats.copy()
    seats["deal"] = seats["game"].map(games["deal"])
    seats["fair"] = 1 / seats["game"].map(games["players"])
    return seats


def summarize_wins(tables: Tables, by: str) -> pd.DataFrame:
    """Share of wins with its interval, and mean points, by a column of the seats: `empire`, `bot`.

    Who plays alone has nobody to win against: those games count for the points alone.
    """
    rows = []
    for name, part in join_seats(tables).groupby(by, observed=True):
        rivals = part[part["fair"] < 1]
        wins = estimate_share(rivals["win"], rivals["deal"])
        rows.append(
            {
                by: name,
                "seats": len(part),
                **_name_interval("win", wins),
                "fair": rivals["fair"].mean(),
                "points": part["points"].mean(),
            }
        )
    found: pd.DataFrame = load_pandas().DataFrame(rows)
    if len(found):
        found = found.sort_values(["win", "points"], ascending=False, ignore_index=True)
    return found


def summarize_sources(tables: Tables) -> pd.DataFrame:
    """Mean points of winners and of the others, part by part, and the difference with its interval."""
    seats = join_seats(tables)
    won = seats["place"] == 1
    rows = []
    for column in ("points", *PART_COLUMNS):
        difference = estimate_difference(seats[column], won, seats["deal"])
        means = {"winners": seats.loc[won, column].mean(), "others": seats.loc[~won, column].mean()}
        rows.append({"part": column, **means, **_name_interval("difference", difference)})
    found: pd.DataFrame = load_pandas().DataFrame(rows)
    return found


def summarize_production(tables: Tables) -> pd.DataFrame:
    """Mean production of winners and others, by round and resource; and what else rounds are counted by."""
    rounds = tables.rounds.merge(tables.seats[["game", "seat", "place"]], on=["game", "seat"])
    rounds["who"] = np.where(rounds["place"] == 1, "winners", "others")
    columns = [f"produced_{resource}" for resource in RESOURCES]
    rounds["produced"] = rounds[columns].sum(axis=1)
    more = ["cubes_to_empire", "recycled", "built", "generals_won", "financiers_won", "points"]
    means: pd.DataFrame = rounds.groupby(["who", "round"])[["produced", *columns, *more]].mean()
    return means.reset_index()


def summarize_cards(tables: Tables, kinds: Iterable[str] | None = None) -> pd.DataFrame:
    """Of every kind: how often it was taken and what became of it, and how seats with it fared.

    `lift` is by how much more those seats won that picked the card than those that could have and did not. It
    is no effect of the card: who picks it, when, and with which empire goes into it. `built` and `recycled`
    are shares of the cards that were slated or recycled, or that a scenario let start under construction.
    """
    seats = join_seats(tables)
    cards = tables.cards.merge(seats[["game", "seat", "win", "deal", "fair"]], on=["game", "seat"])
    wanted = None if kinds is None else set(kinds)
    rows = []
    for kind, part in cards.groupby("kind", observed=True):
        if wanted is None or kind in wanted:
            rows.append({"kind": kind, **_describe_kind(part)})
    found: pd.DataFrame = load_pandas().DataFrame(rows)
    return found.sort_values("lift", ascending=False, ignore_index=True) if len(found) else found


def _describe_kind(part: pd.DataFrame) -> dict[str, Any]:
    offered = part[(part["offered"] > 0) | (part["picked"] > 0)]
    copies, n_built = int(part["picked"].sum()), int(part["built"].sum())
    taken = int(part[["slated", "recycled", "started"]].to_numpy().sum())
    first = part.loc[(part["picked"] > 0) & (part["pick"] > 0), "pick"]
    return {
        "seats": len(offered),
        "picked": float((offered["picked"] > 0).mean()),
        "pick": float(first.mean()) if len(first) else np.nan,
        "built": n_built / taken if taken else np.nan,
        "recycled": int(part["recycled"].sum()) / taken if taken else np.nan,
        "points": int(part["points"].sum()) / n_built if n_built else np.nan,
        "copies": copies,
        **_name_interval("lift", _estimate_lift(offered[offered["fair"] < 1])),
    }


def _estimate_lift(seats: pd.DataFrame) -> Interval:
    picked = seats["picked"] > 0
    if min(picked.sum(), (~picked).sum()) < LEAST_SEATS:
        return Interval(np.nan, np.nan, np.nan)
    return estimate_difference(seats["win"], picked, seats["deal"])


def estimate_seats(tables: Tables, column: str) -> Interval:
    """The mean of a column of the seats, deals as units."""
    seats = join_seats(tables)
    return estimate_mean(seats[column], seats["deal"])


def _name_interval(name: str, interval: Interval) -> dict[str, float]:
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
