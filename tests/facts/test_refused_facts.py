"""A row of the card facts that cannot be is refused when it is read: with its line and what would do."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from iaww_env import card_files
from iaww_env.errors import FactsError

Rows = list[dict[str, str]]
READERS = {
    "developments": card_files.read_developments,
    "empires": card_files.read_empires,
    "scenarios": card_files.read_scenarios,
}


@pytest.fixture
def edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Reads the facts from a copy, after changes of some cells of a row."""
    for name in READERS:
        (tmp_path / f"{name}.csv").write_bytes((card_files.DATA / f"{name}.csv").read_bytes())
    monkeypatch.setattr(card_files, "DATA", tmp_path)

    def change(table: str, row: int, **cells: str) -> None:
        path = tmp_path / f"{table}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        rows[row] |= cells
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)

    return change


REFUSED = [
    (
        "developments",
        2,
        {"id": "financial_center"},
        ["line 4", "'financial_center' stands already in", "line 2"],
    ),
    ("developments", 0, {"id": "Financial Center"}, ["line 2", "small letters"]),
    ("developments", 4, {"type": "structur"}, ["line 6", "type", "did you mean 'structure'?"]),
    ("developments", 4, {"deck": "promo"}, ["line 6", "deck", "choose from base, ascension, war_or_peace"]),
    ("developments", 4, {"copies": "0"}, ["line 6", "copies", "from 1 to 1000"]),
    ("developments", 4, {"copies": "many"}, ["line 6", "copies", "whole number"]),
    ("developments", 4, {"recycling": "wood"}, ["line 6", "recycling", "'wood'", "materials, energy"]),
    ("developments", 4, {"cost_gold": "-1"}, ["line 6", "cost_gold", "from 0 to 1000"]),
    ("developments", 4, {"prod_gold": "40000"}, ["line 6", "prod_gold", "from -1000 to 1000"]),
    ("developments", 4, {"production_per": "gold"}, ["line 6", "production_per", "structure"]),
    ("developments", 4, {"vp_per": "2:vehicles"}, ["line 6", "vp_per", "did you mean 'vehicle'?"]),
    ("developments", 4, {"vp_per": "x:vehicle"}, ["line 6", "vp_per", "whole number"]),
    ("developments", 4, {"vp_per": "3:structure+"}, ["line 6", "vp_per", "there is no ''"]),
    ("developments", 4, {f"cost_{one}": "0" for one in card_files.SPACES}, ["line 6", "costs nothing"]),
    ("empires", 1, {"side": "A"}, ["line 3", "side A", "stands already in", "line 2"]),
    ("empires", 1, {"side": "G"}, ["no side", "add a row for each"]),
    ("empires", 0, {"origin": "promo"}, ["line 2", "origin", "choose from base, ascension"]),
    ("empires", 0, {"vp_per": "1:general+financier"}, ["line 2", "vp_per", "no duo"]),
    ("scenarios", 1, {"id": "base_sc01"}, ["line 3", "'base_sc01' stands already in", "line 2"]),
    ("scenarios", 0, {"cards": "polar_bas"}, ["line 2", "cards", "did you mean 'polar_base'?"]),
    ("scenarios", 0, {"cards": "polar_base*9"}, ["line 2", "cards", "copies of polar_base"]),
    ("scenarios", 0, {"cards": "polar_base*x"}, ["line 2", "cards", "how often it starts"]),
    ("scenarios", 0, {"cards": ""}, ["line 2", "cards", "must not be empty"]),
    ("scenarios", 0, {"cards": "giant_robot"}, ["line 2", "cards", "comes with Corruption & Ascension"]),
    ("scenarios", 0, {"empire_side": "G"}, ["line 2", "empire_side", "A, B, C, D, E, F"]),
    ("scenarios", 0, {"silver": "200"}, ["line 2", "medals must ascend"]),
    ("scenarios", 0, {"cards": "polar_base*0"}, ["line 2", "how often it starts"]),
    ("scenarios", 0, {"cards": ";".join(["polar_base"] * 8)}, ["line 2", "copies of polar_base"]),
    ("developments", 4, {"vp_per": "3:structure+structure"}, ["line 6", "two different things"]),
    ("developments", 4, {"prod_general": "2"}, ["line 6", "only cards of War or Peace"]),
    ("developments", 5, {"deck": "war_or_peace"}, ["the base deck has 143", "6 players are dealt 144"]),
]


@pytest.mark.parametrize(("table", "row", "cells", "words"), REFUSED)
def test_a_row_that_cannot_be_is_refused(
    table: str, row: int, cells: dict[str, str], words: list[str], edit: Callable[..., None]
) -> None:
    edit(table, row, **cells)
    with pytest.raises(FactsError) as caught:
        READERS[table]()
    for word in (f"{table}.csv", *words):
        assert word in str(caught.value)


def test_an_empty_number_is_nothing(edit: Callable[..., None]) -> None:
    edit("empires", 0, prod_gold="")
    assert READERS["empires"]()[0].number("prod_gold") == 0


def test_too_few_empires_are_refused(edit: Callable[..., None]) -> None:
    edit("empires", 0, origin="ascension")
    with pytest.raises(FactsError, match=r"4 empires \(side A\) for 5 players"):
        card_files.read_empires()


def test_a_scenario_that_empties_its_deck_is_refused(edit: Callable[..., None]) -> None:
    base = [row for row in card_files.read_developments() if row.cells["deck"] == "base"]
    edit("scenarios", 0, cards=";".join(f"{row.id()}*{row.number('copies')}" for row in base))
    with pytest.raises(FactsError, match=r"line 2.*0 cards left, too few for the pools"):
        card_files.read_scenarios()


def test_a_table_without_rows_is_refused(edit: Callable[..., None]) -> None:
    path = card_files.DATA / "scenarios.csv"
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    with pytest.raises(FactsError, match="there is no row"):
        card_files.read_scenarios()


def test_a_row_with_a_cell_too_many_is_refused(edit: Callable[..., None]) -> None:
    path = card_files.DATA / "scenarios.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:3], lines[3] + ",1", *lines[4:]]) + "\n", encoding="utf-8")
    with pytest.raises(FactsError, match=r"scenarios.csv, line 4: the row must have 11 cells"):
        card_files.read_scenarios()


def test_a_column_that_is_missing_is_named(edit: Callable[..., None]) -> None:
    path = card_files.DATA / "empires.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("prod_gold", "gold", 1), encoding="utf-8")
    with pytest.raises(FactsError, match="there is no column prod_gold"):
        card_files.read_empires()


def test_the_facts_in_use_are_read() -> None:
    assert {name: len(read()) for name, read in READERS.items()} == {
        "developments": 129,
        "empires": 42,
        "scenarios": 12,
    }
