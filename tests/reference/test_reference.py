"""The reference against the recorded games, and against examples worked out by hand."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.reference import ReferenceGame
from tests.reference.card_table import read_card_table
from tests.reference.random_play import deal_cards, start_game
from tests.reference.result import find_supreme_seats
from tests.reference.seat import Seat

RECORDED_GAMES = Path(__file__).resolve().parents[1] / "oracle" / "recorded_games.jsonl.gz"
TABLE = read_card_table()
TWO_SEATS: dict[str, Any] = {
    "players": 2,
    "expansions": [],
    "empire_side": "A",
    "empires": ["noram_states", "aztec_empire"],
    "scenario": None,
}


def read_records() -> list[dict[str, Any]]:
    with gzip.open(RECORDED_GAMES, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def sort_sites(sites: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(site, sort_keys=True) for site in sites)


def compare_check(game: ReferenceGame, check: dict[str, Any]) -> None:
    position = game.position(check["seat"])
    assert (game.round, game.phase) == (check["round"], check["phase"])
    assert sort_sites(position["sites"]) == sort_sites(check["under_construction"])
    tokens = ("generals", "financiers", "krystallium", "empire_cubes")
    for name in (*tokens, "built", "net_production", "points"):
        assert position[name] == check[name], name


def test_recorded_games_replay() -> None:
    records = read_records()
    assert len(records) == 153
    checks_compared = 0
    for record in records:
        game = ReferenceGame(record["config"], deals=record["deals"])
        checks = {check["before"]: check for check in record["checks"]}
        assert len(checks) == len(record["checks"])
        for number, (seat, text) in enumerate(record["moves"]):
            if number in checks:
                compare_check(game, checks[number])
                checks_compared += 1
            game.step(seat, text)
        assert game.over
        result = {"scores": game.scores(), "places": game.places(), "winners": game.winners()}
        assert result == record["result"]
    assert checks_compared == 14784


def start_production_of(game: ReferenceGame, resource: str) -> None:
    """Skip the draft and planning."""
    for seat in game.seats:
        seat.hand, seat.drafted = [], []
    game.begin_production(resource)


def test_packs_pass_left_then_right() -> None:
    config = {**TWO_SEATS, "players": 3, "empires": [*TWO_SEATS["empires"], "republic_of_europe"]}
    game = start_game(config, random.Random(1))
    packs = [list(game.seats[seat].hand) for seat in range(3)]
    picked = [min(pack) for pack in packs]
    for seat in range(3):
        game.step(seat, f"pick:{picked[seat]}")
        packs[seat].remove(picked[seat])
    assert [game.position(seat)["hand"] for seat in range(3)] == [sorted(packs[seat]) for seat in (2, 0, 1)]
    game.round = 2  # round 2 passes right: back to where they came from
    for seat in range(3):
        text = f"pick:{game.seats[seat].hand[0]}"
        packs[(seat + 2) % 3].remove(game.seats[seat].hand[0])
        game.step(seat, text)
    assert [game.position(seat)["hand"] for seat in range(3)] == [sorted(pack) for pack in packs]


def test_a_pick_stays_secret_until_all_have_picked() -> None:
    game = start_game(TWO_SEATS, random.Random(2))
    before = game.position(1)
    game.step(0, f"pick:{min(game.seats[0].hand)}")
    assert game.position(1) == before
    assert game.seats_to_act() == [1]
    assert game.legal_actions(0) == {"wait"}
    assert game.pick == 0


def test_three_cards_are_left_over_with_two_seats() -> None:
    game = start_game(TWO_SEATS, random.Random(3))
    while game.phase == "draft":
        seat = game.seats_to_act()[0]
        game.step(seat, min(game.legal_actions(seat)))
    for seat in range(2):
        position = game.position(seat)
        assert len(position["drafted"]) == 7
        assert sum(position["discarded"].values()) == 3
        assert position["hand"] == []
        assert position["empire_cubes"] == 0


def test_surplus_goes_to_the_empire_card_at_once() -> None:
    seat = Seat(TABLE.empires["noram_states", "B"])
    seat.start_construction(TABLE.cards["wind_turbines"])  # two materials spaces
    seat.receive_cubes("materials", 4)
    assert (seat.loose, seat.empire_cubes) == (2, 2)
    seat.tokens["krystallium"] = 1
    seat.use_token("krystallium_as_materials")
    seat.place_on_site("wind_turbines")
    assert (seat.loose, seat.empire_cubes) == (1, 3)
    seat.discard_site("wind_turbines")  # its own cube, and the loose one that has no space now
    assert (seat.loose, seat.empire_cubes, seat.tokens["krystallium"]) == (0, 0, 1)
    assert seat.loose_resource is None


def test_a_loose_recycled_cube_comes_first() -> None:
    game = start_game(TWO_SEATS, random.Random(4))
    game.phase = "planning"
    seat = game.seats[0]
    slated = ["wind_turbines", "zeppelin", "juggernaut", "center_of_the_earth"]
    seat.hand, seat.drafted, seat.ended = [], ["military_base", *slated], False
    for text in [*(f"slate:{kind}" for kind in slated), "recycle:military_base"]:
        game.step(0, text)
    give_up = {f"discard:{kind}" for kind in slated}
    places = {"place:wind_turbines", "place:juggernaut"}
    assert game.legal_actions(0) == places | give_up | {"to_empire"}
    seat.tokens = {"krystallium": 1, "general": 1, "financier": 1}
    uses = {f"use:krystallium_as_{resource}" for resource in ("materials", "energy", "exploration")}
    uses |= {"use:krystallium", "use:general"}  # nothing asks for a financier, science or gold
    assert game.legal_actions(0) == places | give_up | uses | {"to_empire"}
    game.step(0, "use:general")
    assert game.legal_actions(0) == {"place:center_of_the_earth"}
    assert (game.position(0)["held"], game.position(0)["generals"]) == ("general", 0)
    game.step(0, "place:center_of_the_earth")
    game.step(0, "use:krystallium")
    assert game.legal_actions(0) == {"place:juggernaut"}
    game.step(0, "place:juggernaut")
    game.step(0, "to_empire")
    assert "end" in game.legal_actions(0)
    assert game.position(0)["empire_cubes"] == 1


def test_only_the_oldest_of_equal_copies_is_named() -> None:
    seat = Seat(TABLE.empires["noram_states", "B"])
    for _ in range(3):
        seat.start_construction(TABLE.cards["wind_turbines"])
    assert seat.legal_places("materials") == {"place:wind_turbines"}
    seat.receive_cubes("materials", 3)
    seat.place_on_site("wind_turbines")
    assert seat.legal_places("materials") == {"place:wind_turbines", "place:wind_turbines#2"}
    seat.place_on_site("wind_turbines#2")
    assert seat.legal_discards() == {"discard:wind_turbines", "discard:wind_turbines#3"}
    seat.discard_site("wind_turbines")
    assert [site.missing["materials"] for site in seat.sites] == [1, 2]


def test_a_card_built_in_a_step_pays_at_once_and_produces_from_the_next() -> None:
    game = start_game(TWO_SEATS, random.Random(5))
    seat = game.seats[0]
    seat.start_construction(TABLE.cards["military_base"])  # pays a general; makes 1 materials and 1 science
    seat.sites[0].missing = {"materials": 1}
    start_production_of(game, "materials")
    game.step(0, "place:military_base")
    assert game.position(0)["generals"] == 1
    assert game.position(0)["net_production"] == [4, 0, 1, 1, 0]
    assert (game.position(0)["loose"], game.position(0)["empire_cubes"]) == (0, 2)  # 3 made, not 4


def test_science_supremacy_is_chosen_before_anything_else() -> None:
    game = start_game(TWO_SEATS, random.Random(6))
    game.seats[0].built = [TABLE.cards["research_center"]]
    game.seats[0].start_construction(TABLE.cards["bionic_grafts"])
    start_production_of(game, "science")
    assert game.legal_actions(0) == {"choose:general", "choose:financier"}
    assert game.legal_actions(1) == {"end"}
    game.step(0, "choose:financier")
    assert game.position(0)["financiers"] == 1
    assert game.legal_actions(0) == {"place:bionic_grafts", "discard:bionic_grafts", "to_empire"}


@pytest.mark.parametrize(
    ("produced", "supreme"),
    [
        ([3, 2], [0]),
        ([2, 2], []),
        ([0, 0], []),
        ([1, 4, 4, 0, 2], []),
        ([1, 4, 3, 0, 2], [1]),
        ([5, 3, 3, 0, 0, 0], [0]),  # a tie for second: the leader only
        ([5, 0, 3, 0, 0, 0, 0], [0, 2]),
        ([5, 0, 5, 4, 0, 0], [0, 2]),  # two tied for first: both, and nobody else
        ([5, 5, 5, 4, 0, 0, 0], []),
        ([5, 0, 0, 0, 0, 0], [0]),
        ([4], []),
        ([5], [0]),
    ],
)
def test_supremacy(produced: list[int], supreme: list[int]) -> None:
    assert find_supreme_seats(produced) == supreme


@pytest.mark.parametrize(
    ("resource", "token"),
    [("materials", "financier"), ("energy", "general"), ("gold", "financier"), ("exploration", "general")],
)
def test_which_character_supremacy_gives(resource: str, token: str) -> None:
    game = start_game({**TWO_SEATS, "empire_side": "C"}, random.Random(7))
    game.seats[1].built = [TABLE.cards["nuclear_plant"], TABLE.cards["consortium"], TABLE.cards["mega_drill"]]
    start_production_of(game, resource)
    assert game.seats[0].tokens == {"krystallium": 5, "general": 0, "financier": 0}
    assert game.seats[1].tokens[token] == 1
    assert game.seats[1].characters() == 1


def test_corruption_never_takes_more_than_there_is() -> None:
    seat = Seat(TABLE.empires["noram_states", "F"])  # 3 materials, 2 energy, -1 gold
    assert seat.net_production() == [3, 2, 0, -1, 0]
    assert seat.count_production("gold") == 0
    seat.built.append(TABLE.cards["cities_of_gold"])
    assert seat.count_production("gold") == 2


def test_points() -> None:
    seat = Seat(TABLE.empires["aztec_empire", "A"])  # 3 for each discovery
    names = ["giant_robot", "telekinesis", "tank_division", "wind_turbines", "military_base", "atlantis"]
    seat.built = [TABLE.cards[name] for name in names]
    seat.tokens = {"krystallium": 9, "general": 2, "financier": 1}
    # empire 3x1; robot 6 x min(2 structures, 2 vehicles); telekinesis 6 x min(2 vehicles, 1 financier);
    # atlantis 2 for each of 2 generals; 3 characters; krystallium nothing
    assert seat.points() == 3 + 12 + 6 + 4 + 3


def test_ties_go_to_more_built_cards_then_to_more_characters() -> None:
    game = start_game({**TWO_SEATS, "empire_side": "B"}, random.Random(8))
    first, second = game.seats
    assert (game.places(), game.winners()) == ([1, 1], [0, 1])
    first.built = [TABLE.cards["museum"]]  # no points without discoveries
    assert (game.places(), game.winners()) == ([1, 2], [0])
    second.built = [TABLE.cards["neuroscience"]]  # 1 point
    assert (game.places(), game.winners()) == ([2, 1], [1])
    first.tokens["general"] = 1
    assert (game.places(), game.winners()) == ([1, 2], [0])


def test_what_is_not_legal_changes_nothing() -> None:
    game = start_game(TWO_SEATS, random.Random(9))
    before = [game.position(seat) for seat in range(2)]
    not_legal = [(0, "end"), (0, "wait"), (0, "pick:nothing"), (0, "pick"), (0, ""), (2, "end"), (-1, "wait")]
    for seat, text in not_legal:
        with pytest.raises(ValueError, match=r"not legal|no seat"):
            game.step(seat, text)
    assert [game.position(seat) for seat in range(2)] == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 8},
        {"players": 6, "empires": ["noram_states"] * 6},
        {"empires": ["noram_states"]},
        {"empires": ["noram_states", "noram_states"]},
        {"empires": ["noram_states", "north_hegemony"]},
        {"empire_side": "G"},
        {"expansions": ["war_or_peace"]},
        {"scenario": "base_sc01"},
    ],
)
def test_a_wrong_configuration_is_refused(wrong: dict[str, Any]) -> None:
    deals, _ = deal_cards(TWO_SEATS, random.Random(10))
    with pytest.raises(ValueError):  # noqa: PT011 (each case has its own words)
        ReferenceGame({**TWO_SEATS, **wrong}, deals=deals)


def test_wrong_deals_are_refused() -> None:
    deals, _ = deal_cards(TWO_SEATS, random.Random(11))
    assert deals is not None
    with pytest.raises(ValueError, match="one pack"):
        ReferenceGame(TWO_SEATS, deals=deals[:3])
    deals[0][0][0] = "giant_robot"
    with pytest.raises(ValueError, match="wrong size"):
        ReferenceGame(TWO_SEATS, deals=deals)
    deals[0][0] = ["atlantis"] * 10
    with pytest.raises(ValueError, match="more cards than there are"):
        ReferenceGame(TWO_SEATS, deals=deals)
