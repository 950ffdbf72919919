"""Numbers come from the data: a card, a side, an empire or a scenario more is a row of a table."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.processes import ROOT, run_python

PACKAGES = (ROOT / "iaww_env", ROOT / "agents" / "iaww_agents", ROOT / "tests")
CARD, SIDE, EMPIRE, SCENARIO = "lighthouse_of_tests", "G", "empire_of_tests", "base_sc07"
Rows = list[dict[str, str]]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with copies of the packages, whose facts a test may edit."""
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__", "*.jsonl.gz")
        shutil.copytree(package, tmp_path / package.name, ignore=ignored)
    return tmp_path


def edit_table(folder: Path, table: str, edit: Callable[[Rows], None]) -> None:
    """Change the rows of a table."""
    path = folder / "iaww_env" / "data" / f"{table}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    edit(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def add_card(rows: Rows) -> None:
    """A base card of six copies: cheap, with production and points that depend on other cards."""
    plain = {name: "0" for name in rows[0] if name.startswith(("cost_", "prod_", "bonus_"))}
    names = dict.fromkeys(("id", "name_en", "name_fr", "name_es"), CARD)
    about = {"deck": "base", "type": "research", "copies": "6", "recycling": "gold", "cost_materials": "1"}
    gains = {"production_per": "gold:research", "bonus_general": "1", "vp_flat": "1", "vp_per": "2:project"}
    rows.append({**rows[0], **plain, "production_per": "", **names, **about, **gains})


def add_ascension_card(rows: Rows) -> None:
    """A card of the other deck: dear, with corruption, and points for pairs."""
    plain = {name: "0" for name in rows[0] if name.startswith(("cost_", "prod_", "bonus_"))}
    names = dict.fromkeys(("id", "name_en", "name_fr", "name_es"), "tower_of_tests")
    about = {
        "deck": "ascension",
        "type": "project",
        "copies": "3",
        "recycling": "energy",
        "cost_general": "1",
    }
    gains = {"prod_gold": "-3", "cost_energy": "7", "vp_flat": "", "vp_per": "4:structure+general"}
    rows.append({**rows[0], **plain, "production_per": "", **names, **about, **gains})


def add_side(rows: Rows) -> None:
    """A seventh side of every empire."""
    rows += [
        {**row, "side": SIDE, "origin": "promo", "prod_science": "2"} for row in rows if row["side"] == "A"
    ]


def add_empire(rows: Rows) -> None:
    """An eighth empire with all its sides."""
    first = rows[0]["id"]
    names = dict.fromkeys(("id", "name_en", "name_fr", "name_es"), EMPIRE)
    for row in [row for row in rows if row["id"] == first]:
        rows.append({**row, **names, "origin": "ascension" if row["side"] == "A" else "promo"})


def add_scenario(rows: Rows) -> None:
    """A thirteenth scenario, on the new side and with two copies of the new card."""
    cards = f"{CARD}*2;polar_base"
    asked = {"bronze": "5", "silver": "10", "gold": "20"}
    rows.append({**rows[0], "id": SCENARIO, "number": "7", "empire_side": SIDE, "cards": cards, **asked})


@pytest.mark.slow  # all is compiled anew: about 100 CPU seconds
def test_a_card_a_side_an_empire_and_a_scenario_are_rows_of_tables(copied: Path) -> None:
    edit_table(copied, "developments", add_card)
    edit_table(copied, "developments", add_ascension_card)
    edit_table(copied, "empires", lambda rows: (add_side(rows), add_empire(rows))[0])
    edit_table(copied, "scenarios", add_scenario)
    arguments = (CARD, SIDE, EMPIRE, SCENARIO, str(copied))
    found = json.loads(
        run_python("-m", "tests.facts.whole_games", *arguments, cwd=copied, PYTHONPATH=str(copied))
    )
    assert all(place.startswith(str(copied)) for place in found["packages"])
    assert all(found["seen"].values()), "the new card came up in every game"
    assert len(found["scores"]) >= 5 * 4
    # What a network has learnt to see has no place for a new card; it says so before any game.
    assert {name.rpartition(", ")[2] for name in found["refused"]} == {"ppo", "ppo_search"}
    assert len(found["refused"]) == len(found["seen"])
    assert all("sees something else" in text for text in found["refused"].values())
    assert all(max(scores) > 0 for name, scores in found["scores"].items() if "random" not in name)


# Facts that are asked of a copy without compiling it.
PLAIN = {"NUMBA_DISABLE_JIT": "1"}

GAIN = """
from iaww_env import Game, GameConfig
from iaww_env.cards import kind
from iaww_env.game import lend_state
game = Game(GameConfig(players=2), 1)
lend_state(game).types_built[0, 0], lend_state(game).financiers[0] = 2, 1
before = game.scores()[0]
lend_state(game).built[0, kind("financial_center").index] = 1
print(game.scores()[0] - before)
"""

REFUSAL = """
from iaww_env.errors import FactsError
try:
    import iaww_env.engine.observe.pieces
except FactsError as error:
    print(error)
"""


def test_a_duo_on_a_base_card_scores_without_the_expansion(copied: Path) -> None:
    edit_table(copied, "developments", lambda rows: rows[0].update(vp_per="3:structure+financier"))
    assert run_python("-c", GAIN, cwd=copied, PYTHONPATH=str(copied), **PLAIN) == "3\n"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"vp_flat": "1000"}, "the state holds 32,767: the cards give too much"),
        ({"copies": "200"}, "actions, and 32,767 can be numbered: take fewer copies"),
    ],
)
def test_facts_that_outgrow_the_state_are_refused(changes: dict[str, str], words: str, copied: Path) -> None:

    def change_all(rows: Rows) -> None:
        for row in rows:
            row.update(changes)

    edit_table(copied, "developments", change_all)
    assert words in run_python("-c", REFUSAL, cwd=copied, PYTHONPATH=str(copied), **PLAIN)
