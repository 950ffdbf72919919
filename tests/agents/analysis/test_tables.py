"""Tables of games: every game, seat, card and round, from bots and records alike, with the right types."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from iaww_agents.analysis.games import analyze_bots, analyze_records
from iaww_agents.analysis.page import make_page
from iaww_agents.analysis.summary import (
    estimate_seats,
    join_seats,
    summarize_cards,
    summarize_production,
    summarize_sources,
    summarize_wins,
)
from iaww_agents.analysis.tables import TableMaker, Tables
from iaww_agents.arena.measure.intervals import estimate_difference
from iaww_env import GameConfig
from iaww_env.breakdown import PART_COLUMNS
from iaww_env.cli.app import main
from iaww_env.errors import ConfigError
from iaww_env.records import read_records, write_records


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of bots as records."""
    folder = tmp_path_factory.mktemp("games")
    words = ["greedy", "random:nodiscard", "--players", "3", "--games", "30", "--workers", "1", "--key", "k"]
    assert main(["tournament", *words, "--record", str(folder / "games.jsonl")]) == 0
    return folder


@pytest.fixture(scope="module")
def tables() -> Tables:
    return analyze_bots(["greedy", "random:nodiscard"], GameConfig(players=3), games=30, key="k", workers=1)


def test_tables_from_bots_and_from_their_records_are_the_same(tables: Tables, folder: Path) -> None:
    """But for the turn of a deal, which records do not note."""
    found = analyze_records([folder / "games.jsonl"])
    for name in ("seats", "cards", "rounds"):
        pd.testing.assert_frame_equal(getattr(found, name), getattr(tables, name))
    pd.testing.assert_frame_equal(found.games.drop(columns="turn"), tables.games.drop(columns="turn"))


def test_games_of_one_deal_are_known_by_their_seed_in_whatever_file_they_stand(
    folder: Path, tmp_path: Path
) -> None:
    """Two tournaments count their deals from 0 alike; people's games tell no seed."""
    other = tmp_path / "other.jsonl"
    words = ["greedy", "--players", "3", "--games", "4", "--workers", "1", "--key", "j"]
    assert main(["tournament", *words, "--record", str(other)]) == 0
    first, second = (list(read_records(path)) for path in (folder / "games.jsonl", other))
    for record in second[2:]:
        del record["seed"]
    write_records(other, second)
    found = analyze_records([folder / "games.jsonl", other, folder / "games.jsonl"]).games["deal"].tolist()
    deals = len({record["seed"] for record in first})
    assert deals < len(first)
    assert found[: len(first)] == found[len(first) + len(second) :]
    own = found[len(first) : len(first) + len(second)]
    assert len(set(own)) == len(own)
    assert not set(own) & set(found[: len(first)])
    assert len(set(found)) == deals + len(own)


def test_rows_and_sums_agree_with_the_records(tables: Tables, folder: Path) -> None:
    """Recounted from the moves by a few lines."""
    records = list(read_records(folder / "games.jsonl"))
    assert tables.games["moves"].tolist() == [len(record["moves"]) for record in records]
    assert tables.seats["points"].tolist() == [n for record in records for n in record["result"]["scores"]]
    assert tables.seats["empire"].tolist() == [
        one for record in records for one in record["config"]["empires"]
    ]
    assert len(tables.seats) == 3 * len(records)
    assert len(tables.rounds) == 4 * len(tables.seats)
    for verb, column in (("pick", "picked"), ("slate", "slated"), ("recycle", "recycled")):
        counted: dict[tuple[int, int, str], int] = {}
        for game, record in enumerate(records):
            for seat, text in record["moves"]:
                said, _, card = text.partition(":")
                if said == verb:
                    counted[game, seat, card] = counted.get((game, seat, card), 0) + 1
        some = tables.cards[tables.cards[column] > 0]
        keys = zip(some["game"], some["seat"], some["kind"], strict=True)
        assert dict(zip(keys, some[column], strict=True)) == counted
    parts = tables.seats[list(PART_COLUMNS)].sum(axis=1)
    assert parts.tolist() == tables.seats["points"].tolist()
    last = tables.rounds[tables.rounds["round"] == 4].set_index(["game", "seat"])["points"]
    assert last.tolist() == tables.seats.set_index(["game", "seat"])["points"].tolist()
    assert tables.seats.groupby("game")["win"].sum().round(9).eq(1).all()


def test_tables_come_back_from_their_files(tables: Tables, tmp_path: Path) -> None:
    written = tables.write(tmp_path / "parquet")
    assert [path.name for path in written] == [
        "games.parquet",
        "seats.parquet",
        "cards.parquet",
        "rounds.parquet",
    ]
    again = Tables.read(tmp_path / "parquet")
    for name in ("games", "seats", "cards", "rounds"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(tables, name))
        assert all(kind.itemsize <= 8 for kind in getattr(tables, name).dtypes if isinstance(kind, np.dtype))
    tables.write(tmp_path / "csv", "csv")
    cards = pd.read_csv(tmp_path / "csv" / "cards.csv")
    assert cards["picked"].tolist() == tables.cards["picked"].tolist()
    assert cards["kind"].tolist() == tables.cards["kind"].tolist()
    with pytest.raises(ConfigError, match="holds no tables"):
        Tables.read(tmp_path / "csv")


def test_summaries_say_what_the_tables_hold(tables: Tables) -> None:
    wins = summarize_wins(tables, "bot").set_index("bot")
    seats = tables.seats
    for bot in ("greedy", "random:nodiscard"):
        own = seats[seats["bot"] == bot]
        assert wins.loc[bot, "win"] == pytest.approx(own["win"].mean())
        assert wins.loc[bot, "seats"] == len(own)
        assert wins.loc[bot, "win_low"] <= wins.loc[bot, "win"] <= wins.loc[bot, "win_high"]
        assert wins.loc[bot, "win_low"] < wins.loc[bot, "win_high"]
    assert wins.loc["greedy", "fair"] == pytest.approx(1 / 3)
    sources = summarize_sources(tables).set_index("part")
    won = seats["place"] == 1
    assert sources.loc["points", "difference"] == pytest.approx(
        seats[won]["points"].mean() - seats[~won]["points"].mean()
    )
    assert sources.loc[list(PART_COLUMNS), "winners"].sum() == pytest.approx(sources.loc["points", "winners"])
    rounds = summarize_production(tables)
    assert len(rounds) == 8
    last = rounds[(rounds["who"] == "winners") & (rounds["round"] == 4)]
    assert last["points"].item() == pytest.approx(seats[won]["points"].mean())
    mean = estimate_seats(tables, "points")
    assert mean.value == pytest.approx(seats["points"].mean())
    assert mean.low < mean.value < mean.high


def test_lifts_compare_those_who_picked_with_those_who_could_have(tables: Tables) -> None:
    cards = summarize_cards(tables).set_index("kind")
    seats = join_seats(tables).set_index(["game", "seat"])
    told = cards["lift"].dropna()
    assert 0 < len(told) < len(cards), "few seats say nothing"
    for kind in told.index[:5]:
        part = tables.cards[tables.cards["kind"] == kind].set_index(["game", "seat"])
        win, picked = seats.loc[part.index, "win"], (part["picked"] > 0).to_numpy()
        assert cards.loc[kind, "lift"] == pytest.approx(win[picked].mean() - win[~picked].mean())
        assert cards.loc[kind, "picked"] == pytest.approx(picked.mean())
        assert cards.loc[kind, "lift_low"] < cards.loc[kind, "lift"] < cards.loc[kind, "lift_high"]
    (first,) = summarize_cards(tables, [told.index[0]])["kind"]
    assert first == told.index[0]


def test_points_each_are_those_of_built_copies(tables: Tables) -> None:
    cards = summarize_cards(tables).set_index("kind")
    sums = tables.cards.groupby("kind", observed=True)[["points", "built", "picked"]].sum()
    built = sums[sums["built"] > 0]
    assert (built["built"] < built["picked"]).any()
    assert cards.loc[built.index, "points"].tolist() == pytest.approx(
        (built["points"] / built["built"]).tolist()
    )
    assert cards.loc[sums.index[sums["built"] == 0], "points"].isna().all()


def test_games_that_come_again_in_their_deal_say_nothing_new(tables: Tables) -> None:
    """The games of one deal are one observation: no interval narrows by games, nor by seats."""
    n = len(tables.games)
    doubled = Tables(
        *(
            pd.concat([table, table.assign(game=table["game"] + n)], ignore_index=True)
            for table in (tables.games, tables.seats, tables.cards, tables.rounds)
        )
    )
    wins = (summarize_wins(one, "bot").drop(columns="seats") for one in (doubled, tables))
    pd.testing.assert_frame_equal(*wins)
    pd.testing.assert_frame_equal(summarize_sources(doubled), summarize_sources(tables))
    assert estimate_seats(doubled, "points") == pytest.approx(estimate_seats(tables, "points"))
    lifts = ["lift", "lift_low", "lift_high"]
    once, twice = (summarize_cards(one).set_index("kind")[lifts] for one in (tables, doubled))
    once = once.dropna()
    assert len(once) > 5
    pd.testing.assert_frame_equal(twice.loc[once.index], once)


def test_differences_have_honest_intervals() -> None:
    """Of 400 samples with a difference of 1, where values of a deal go together, some 95 % cover it."""
    rng, covered = np.random.default_rng(1), 0
    for _ in range(400):
        deals = np.repeat(np.arange(60), 4)
        shared = np.repeat(rng.normal(size=60) * 3, 4)
        first = rng.random(240) < 0.4
        values = shared + first + rng.normal(size=240)
        found = estimate_difference(values, first, deals)
        covered += found.low <= 1 <= found.high
    assert 0.91 <= covered / 400 <= 0.985
    alone = estimate_difference([1.0, 2.0], [True, True], [0, 1])
    assert math.isnan(alone.value)
    assert math.isnan(estimate_difference([1.0, 2.0], [True, False], [0, 0]).low)


def test_the_page_shows_it_all_and_asks_nobody(tables: Tables) -> None:
    page = make_page(tables, "games <of> bots")
    assert "games &lt;of&gt; bots" in page
    assert "<script" not in page
    for outside in ("http:", "https:", "src=", "href=", "url("):
        assert outside not in page
    for said in (
        "Who wins",
        "Which empires win",
        "Where points come from",
        "Production",
        "Cards",
        "greedy",
        "Zeppelin",
    ):
        assert said in page
    assert ">nan" not in page
    assert " nan" not in page
    assert len(page) < 300_000


def test_the_command_writes_tables_and_page(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "--records",
        str(folder / "games.jsonl"),
        "--out",
        str(tmp_path / "tables"),
        "--html",
        str(tmp_path / "page.html"),
    ]
    assert main(["analyze", *words]) == 0
    told = capsys.readouterr().out
    assert "greedy" in told
    assert str(tmp_path / "tables" / "cards.parquet") in told
    assert Tables.read(tmp_path / "tables").games["players"].tolist() == [3] * 30
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    assert main(["analyze", *words]) == 0, "a page of ours is written anew"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name bots"),
        (["greedy", "--records", "games.jsonl"], "name bots"),
        (["--records", "nothing.jsonl"], "there is no file nothing.jsonl"),
        (["--records", "notes.txt"], "record 1"),
        (["greedy", "--html", "notes.txt"], "notes.txt"),
        (["greedy", "--out", "notes.txt"], "notes.txt"),
        (["greedy", "--out", ".", "--form", "csv"], "games.csv"),
    ],
)
def test_what_cannot_be_is_refused_before_anybody_waits(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = [Path("notes.txt"), Path("games.csv")]
    for path in mine:
        path.write_text("mine")
    assert main(["analyze", *words]) == 2
    assert said in capsys.readouterr().err
    assert [path.read_text() for path in mine] == ["mine", "mine"]


def test_no_games_make_no_tables() -> None:
    with pytest.raises(ConfigError, match="nothing to make tables of"):
        TableMaker().make()


def test_without_pandas_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match="tables need pandas"):
        TableMaker()
