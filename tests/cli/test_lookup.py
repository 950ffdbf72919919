"""`iaww cards` and `iaww spec`: what they find, how they show it, and what is said of what is nowhere."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from iaww_env.cards import EMPIRE_IDS, EXPANSIONS, RESOURCES, SIDES, SPACES, TYPES, empire, kinds, scenarios
from iaww_env.cli.app import main
from iaww_env.cli.known_words import GIFTS
from iaww_env.spec.parts import PATH


def find(capsys: pytest.CaptureFixture[str], *typed: str) -> list[dict[str, Any]]:
    """What `iaww cards ... --json` prints."""
    assert main(["cards", *typed, "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def list_ids(found: list[dict[str, Any]]) -> list[str]:
    return [one["id"] for one in found]


def refuse(capsys: pytest.CaptureFixture[str], *typed: str) -> str:
    assert main(list(typed)) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("iaww: ")
    return err


# --- iaww cards --------------------------------------------------------------------------------------


def test_everything_is_listed_where_nothing_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    found = find(capsys)
    assert list_ids(found) == [
        *(one.id for one in kinds(EXPANSIONS)),
        *(id for id in EMPIRE_IDS for _ in SIDES),
        *(one.id for one in scenarios()),
    ]
    assert list(dict.fromkeys(one["what"] for one in found)) == ["card", "empire", "scenario"]


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        (["wind"], ["wind_turbines"]),
        (["WIND", "Turb"], ["wind_turbines"]),
        (["eoliennes"], ["wind_turbines"]),
        (["Éoliennes"], ["wind_turbines"]),
        (["wind", "ship"], None),
        (["--scenarios", "robots"], ["ascension_sc01"]),
        (["aztec"], ["aztec_empire"] * len(SIDES)),
        (["base_sc0", "--scenarios"], [f"base_sc0{n}" for n in range(1, 7)]),
    ],
)
def test_cards_are_found_by_name(
    typed: list[str], ids: list[str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if ids is None:
        refuse(capsys, "cards", *typed)
    else:
        assert list_ids(find(capsys, *typed)) == ids


@pytest.mark.parametrize("type", TYPES)
def test_cards_are_found_by_type(type: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert list_ids(find(capsys, "--type", type)) == [one.id for one in kinds(EXPANSIONS) if one.type == type]


@pytest.mark.parametrize("space", SPACES)
def test_cards_are_found_by_what_they_cost(space: str, capsys: pytest.CaptureFixture[str]) -> None:
    needing = [one for one in kinds(EXPANSIONS) if one.cost[SPACES.index(space)]]
    found = find(capsys, "--cost", space)
    assert list_ids(found) == [one.id for one in needing]
    assert [one["cost"][space] for one in found] == [one.cost[SPACES.index(space)] for one in needing]


def test_cards_and_empires_are_found_by_what_they_give(capsys: pytest.CaptureFixture[str]) -> None:
    everything = kinds(EXPANSIONS)
    for gift in GIFTS:
        found = find(capsys, "--gives", gift)
        assert "scenario" not in {one["what"] for one in found}
        cards = [one["id"] for one in found if one["what"] == "card"]
        sides = [(one["id"], one["side"]) for one in found if one["what"] == "empire"]
        if gift in RESOURCES:
            number = RESOURCES.index(gift)
            made = [
                one.id
                for one in everything
                if one.production[number] > 0 or (one.production_per or ("",))[0] == gift
            ]
            assert cards == made
            assert sides == [
                (id, side) for id in EMPIRE_IDS for side in SIDES if empire(id, side).production[number] > 0
            ]
        elif gift.startswith("points_per_"):
            counted = gift.removeprefix("points_per_")
            paid = [one for one in everything if one.points_per and counted in one.points_per[1:]]
            assert cards == [one.id for one in paid]
            for kind, card in zip(paid, found, strict=False):
                points, first, second = kind.points_per or (0, "", None)
                assert card["points_per"] == {"points": points, "first": first, "second": second}
        elif gift == "points":
            assert cards == [one.id for one in everything if one.points > 0 or one.points_per]
        else:
            assert cards == [one.id for one in everything if getattr(one, f"bonus_{gift}")]


def test_all_that_is_asked_holds_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    typed = ("--type", "vehicle", "--cost", "gold", "--gives", "exploration")
    assert list_ids(find(capsys, *typed)) == ["raiders"]
    (raiders,) = find(capsys, "raid", *typed)
    assert raiders["cost"] == {"energy": 1, "gold": 1}
    assert raiders["production"] == {"gold": -1, "exploration": 2}
    assert raiders["gives"] == ["exploration"]


def test_tables_show_the_ids_of_empires_and_scenarios(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "--empires", "--scenarios"]) == 0
    shown = capsys.readouterr().out
    for id in (*EMPIRE_IDS, *(one.id for one in scenarios())):
        assert re.search(rf"│ {id} +│", shown)
    assert "wind_turbines" not in re.findall(r"^│ (\w+) +│", shown, re.MULTILINE)
    assert main(["cards", "icebreaker"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("1 card ")
    assert re.search(r"│ icebreaker +│ Icebreaker +│ vehicle +│ base +│ 4 +│", shown)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["windd"], "did you mean 'wind'"),
        (["zzzz"], "list all with: iaww cards"),
        (["--type", "vehicles"], "did you mean 'vehicle'?; choose from structure, vehicle"),
        (["--cost", "points"], "choose from materials, energy"),
        (["--gives", "victory"], "choose from materials, energy"),
        (["--empires", "--cost", "gold"], "--cost gold"),
        (["a\x1b[2Jb"], r"\x1b"),
    ],
)
def test_what_is_nowhere_is_said_with_what_would_do(
    typed: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refuse(capsys, "cards", *typed)


# --- iaww spec ---------------------------------------------------------------------------------------


def test_the_reference_is_printed_whole_or_in_part(capsys: pytest.CaptureFixture[str]) -> None:
    whole = PATH.read_text(encoding="utf-8")
    assert main(["spec"]) == 0
    assert capsys.readouterr().out == whole
    for heading in re.findall(r"^## (\w+)$", whole, re.MULTILINE):
        for typed in (heading.lower(), heading, heading[:4]):
            assert main(["spec", typed]) == 0
            shown = capsys.readouterr().out
            assert shown.startswith(f"## {heading}\n")
            assert shown in whole
            assert len(re.findall("^## ", shown, re.MULTILINE)) == 1
    assert main(["spec", "bytes"]) == 0
    assert whole.endswith(capsys.readouterr().out)


@pytest.mark.parametrize("part", ["action_s", "s", ""])
def test_a_part_that_is_not_there_or_not_the_only_one_is_refused(
    part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "choose from environments, batches, sizes, actions" in refuse(capsys, "spec", part)
