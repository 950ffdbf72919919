"""Tables of records that anybody may have written: what counts as a game, names, seeds, games alone."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from iaww_agents.analysis import trace
from iaww_agents.analysis.games import analyze_bots, analyze_records
from iaww_agents.analysis.page import make_page
from iaww_agents.analysis.summary import summarize_cards, summarize_wins
from iaww_agents.analysis.tables import TOKEN_COLUMNS, TableMaker, TracedGame
from iaww_env import GameConfig
from iaww_env.breakdown import PART_COLUMNS, PARTS
from iaww_env.cards import scenario
from iaww_env.cli.app import main
from iaww_env.errors import RecordError
from iaww_env.game import Game
from iaww_env.records import Recorder, write_records
from tests.random_play import choose_action

Record = dict[str, Any]
TWO, ALONE = GameConfig(players=2), GameConfig(players=1)
SCENARIO = GameConfig(players=1, scenario="base_sc01")


def play(config: GameConfig, seed: int) -> Record:
    """The record of a random game."""
    recorder, rng = Recorder(Game(config, seed), seed), random.Random(seed)
    while not recorder.game.over:
        seat = rng.choice(recorder.game.seats_to_act())
        recorder.step(seat, choose_action(recorder.game, seat, rng, discards=False))
    return recorder.record()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


# --- What is a game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("config", [TWO, SCENARIO], ids=["2", "scenario"])
def test_the_moves_say_whether_a_game_is_over(config: GameConfig, path: Path) -> None:
    """The result is optional: without it a whole game counts, and one that is cut short is left out."""
    whole, cut, other = (play(config, seed) for seed in (1, 2, 3))
    del whole["result"], cut["result"]
    cut["moves"] = cut["moves"][:-1]
    write_records(path, [whole, cut, other])
    found = analyze_records([path]).games
    assert found["seed"].tolist() == [1, 3]
    assert found["deal"].tolist() == [0, 1]
    assert found["moves"].tolist() == [len(whole["moves"]), len(other["moves"])]


def test_a_result_before_the_end_is_refused_as_verify_does(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, cut = play(TWO, 1), play(TWO, 2)
    cut["moves"] = cut["moves"][:-30]
    write_records(path, [whole, cut])
    with pytest.raises(RecordError, match=r"^record 2: there is a result, but the game is not over"):
        analyze_records([path])
    said = []
    for words in (["verify", str(path)], ["analyze", "--records", str(path)]):
        assert main(words) == 2
        said.append(capsys.readouterr().err.partition("record 2")[2])
    assert said[0] == said[1] != ""


# --- Names and seeds ---------------------------------------------------------------------------------


def test_names_in_records_steer_nothing(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters, line breaks and half characters: in the tables, in their files, at the terminal."""
    record = play(TWO, 1)
    record["meta"] = {"agents": ["\x1b[31mred\nline", "half\ud800"]}
    write_records(path, [record])
    tables = analyze_records([path])
    assert tables.seats["bot"].tolist() == ["?[31mred?line", "half?"]
    tables.write(path.parent / "tables")
    assert main(["analyze", "--records", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "?[31mred?line" in shown


def test_a_seed_that_no_column_holds_stands_there_as_unknown(path: Path) -> None:
    """Its games are of one deal all the same."""
    records = [play(TWO, seed) for seed in (1, 2, 3, 4)]
    for record, seed in zip(records, (2**63 - 1, 2**63, 2**70, 2**70), strict=True):
        record["seed"] = seed
    write_records(path, records)
    games = analyze_records([path]).games
    assert games["seed"].tolist() == [2**63 - 1, -1, -1, -1]
    assert games["seed"].dtype == np.int64
    assert games["deal"].tolist() == [0, 1, 2, 2]


# --- Alone -------------------------------------------------------------------------------------------


def test_who_plays_alone_wins_against_nobody(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone, both = [play(ALONE, seed) for seed in (1, 2, 3)], [play(TWO, seed) for seed in (1, 2)]
    for record in alone:
        record["meta"] = {"agents": ["greedy"]}
    for record in both:
        record["meta"] = {"agents": ["greedy", "random"]}
    write_records(path, alone)
    assert main(["analyze", "--records", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "points" in shown
    assert "greedy" in shown
    printed = shown.replace(str(path), "")  # the folder is named after this test
    for wrong in ("wins", "fair", "%", "nan"):
        assert wrong not in printed
    tables = analyze_records([path])
    assert summarize_cards(tables)["lift"].isna().all()
    assert " nan" not in make_page(tables, "") + shown
    write_records(path, alone + both)
    found = summarize_wins(analyze_records([path]), "bot").set_index("bot")
    wins = [float(record["result"]["winners"] == [0]) for record in both]
    assert found.loc["greedy", "win"] == pytest.approx(np.mean(wins))
    assert found.loc["greedy", "fair"] == 0.5
    assert found.loc["greedy", "seats"] == 5
    assert found.loc["greedy", "points"] == pytest.approx(
        np.mean([record["result"]["scores"][0] for record in alone + both])
    )


def test_cards_that_a_scenario_starts_with_are_counted() -> None:
    """They are built without an offer: their points count, and no share is above the whole."""
    tables = analyze_bots(["heuristic"], SCENARIO, games=4, key="k", workers=1)
    own = list(scenario("base_sc01").cards)
    cards, seats = tables.cards, tables.seats.set_index("game")
    began = cards[cards["started"] > 0]
    assert began.groupby("game")["started"].sum().tolist() == [len(own)] * 4
    assert set(began["kind"]) == set(own)
    assert (cards["built"] <= cards["slated"] + cards["started"]).all()
    of_cards = list(PART_COLUMNS[: PARTS.index("empire")])
    assert cards.groupby("game")["points"].sum().tolist() == seats[of_cards].sum(axis=1).tolist()
    unoffered = cards[(cards["offered"] == 0) & (cards["picked"] == 0)]
    assert len(unoffered), "else nothing is tested"
    found = summarize_cards(tables).set_index("kind")
    assert found["built"].between(0, 1).sum() == found["built"].notna().sum() > 0
    for id in own:
        part = cards[cards["kind"] == id]
        whole = part[["started", "slated", "recycled"]].to_numpy().sum()
        assert found.loc[id, "built"] == pytest.approx(part["built"].sum() / whole)
        assert found.loc[id, "seats"] == len(part) - len(unoffered[unoffered["kind"] == id])


# --- Shares of the win -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "wins"),
    [((2, 1, 3), [0, 1, 0]), ((1, 1, 3), [0.5, 0.5, 0]), ((1, 1, 1), [1 / 3, 1 / 3, 1 / 3])],
)
def test_a_first_place_is_shared(places: tuple[int, ...], wins: list[float]) -> None:
    config = GameConfig(players=3, empires=("aztec_empire", "noram_states", "panafrican_union"))
    begun = trace.make_trace(3, 150)
    parts, tokens = np.zeros((3, len(PARTS)), np.int16), np.zeros((3, len(TOKEN_COLUMNS)), np.int16)
    begun.cards[:, 0, trace.OFFERED] = 1
    about = {"deal": 0, "turn": 0, "seed": 0, "moves": 0}
    maker = TableMaker()
    maker.add(
        TracedGame(config, about, (), (9, 9, 9), places, parts, tokens, begun.cards, begun.rounds, True)
    )
    pd.testing.assert_series_equal(maker.make().seats["win"], pd.Series(wins, name="win", dtype=float))
