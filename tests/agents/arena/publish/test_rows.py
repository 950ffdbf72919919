"""The table for spreadsheets: a row for each game and seat, and nobody else's file is replaced."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

import pytest

from iaww_agents.arena.play.results import CRASH, OK, Result, make_fault
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.publish.rows import COLUMNS, check_rows, write_rows
from iaww_env import GameConfig
from iaww_env.breakdown import PART_COLUMNS
from iaww_env.errors import ConfigError

VERSUS = GameConfig(players=2, expansions=("corruption_and_ascension",), empire_side="C")
ALONE = GameConfig(players=1, scenario="base_sc01")


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_there_is_a_row_for_each_game_and_seat(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    played = Result(
        Fixture(3, 11, ("greedy", 'my "bot",.py'), VERSUS, turn=1), (41, 29), (1, 2), decisions=77
    )
    lost = make_fault(Fixture(4, 12, ("a", "b"), VERSUS), 1, CRASH, "b in seat 1 crashed, badly", 1.2345)
    won = Result(Fixture(0, 5, ("greedy",), ALONE), (120,), (1,), award="gold", scenario_won=True)
    assert write_rows([played, lost, won], path) == 5
    first, second, third, fourth, alone = read_rows(path)
    assert tuple(first) == COLUMNS
    assert (first["deal"], first["turn"], first["seed"], first["seat"]) == ("3", "1", "11", "0")
    assert (first["bot"], first["points"], first["place"]) == ("greedy", "41", "1")
    assert (first["expansions"], first["empire_side"], first["players"]) == (
        "corruption_and_ascension",
        "C",
        "2",
    )
    assert (first["status"], first["is_offender"], first["decisions"]) == (OK, "0", "77")
    assert (second["bot"], second["seat"], second["place"]) == ('my "bot",.py', "1", "2")
    assert (third["status"], third["is_offender"], third["place"]) == (CRASH, "0", "1")
    assert (fourth["is_offender"], fourth["place"], fourth["seconds"]) == ("1", "2", "1.234")
    assert fourth["reason"] == "b in seat 1 crashed, badly"
    assert (alone["scenario"], alone["award"], alone["scenario_won"]) == ("base_sc01", "gold", "1")
    assert (first["scenario"], first["award"], first["scenario_won"]) == ("", "", "")


def test_rows_name_empires_and_where_points_come_from(tmp_path: Path) -> None:
    parts = tuple(range(len(PART_COLUMNS)))
    told = {"parts": (parts, parts[::-1]), "empires": ("noram_states", "aztec_empire")}
    played = Result(Fixture(3, 11, ("greedy", "random"), VERSUS), (sum(parts),) * 2, (1, 1), **told)
    write_rows([played, dataclasses.replace(played, parts=(), empires=())], tmp_path / "games.csv")
    first, second, third, _ = read_rows(tmp_path / "games.csv")
    assert (first["empire"], second["empire"], third["empire"]) == ("noram_states", "aztec_empire", "")
    assert [first[name] for name in PART_COLUMNS] == list(map(str, parts))
    assert second[PART_COLUMNS[0]] == str(len(parts) - 1)
    assert {third[name] for name in PART_COLUMNS} == {""}


def test_a_scenario_that_is_lost_is_told_from_none(tmp_path: Path) -> None:
    lost = Result(Fixture(0, 5, ("greedy",), ALONE), (20,), (1,), scenario_won=False)
    write_rows([lost, dataclasses.replace(lost, scenario_won=None)], tmp_path / "games.csv")
    assert [row["scenario_won"] for row in read_rows(tmp_path / "games.csv")] == ["0", ""]


def test_only_such_a_table_is_replaced(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    theirs.write_text("deal,turn,seed,players,expansions,mine\n1,2\n")
    ours.write_text(",".join(COLUMNS[: COLUMNS.index("empire")]) + "\n")  # a table of before
    check_rows(ours)
    write_rows([], ours)
    check_rows(ours)
    write_rows([Result(Fixture(0, 5, ("greedy",), ALONE), (20,), (1,), scenario_won=False)], ours)
    assert len(read_rows(ours)) == 1
    with pytest.raises(ConfigError, match="holds something else"):
        check_rows(theirs)
    with pytest.raises(ConfigError, match="holds something else"):
        write_rows([], theirs)
    assert theirs.read_text().endswith("mine\n1,2\n")
