"""Empires and scenarios, spelled out."""

import pickle
from collections import Counter

import pytest

from iaww_env.cards import (
    EMPIRE_IDS,
    EXPANSIONS,
    SIDES,
    empire,
    empires,
    kind,
    scenario,
    scenarios,
)
from iaww_env.errors import ConfigError
from tests.game.card_tables import read_table

SIDE_A = {
    "noram_states": ((3, 0, 0, 1, 0), (1, "financier", None)),
    "republic_of_europe": ((2, 1, 1, 0, 0), (1, "general", None)),
    "panafrican_union": ((2, 0, 2, 0, 0), (2, "research", None)),
    "federation_of_asia": ((1, 0, 0, 2, 0), (2, "project", None)),
    "aztec_empire": ((0, 2, 0, 0, 1), (3, "discovery", None)),
    "nations_of_oceania": ((3, 1, 0, 0, 0), (1, "structure", None)),
    "north_hegemony": ((0, 3, 0, 0, 0), (2, "vehicle", None)),
}
# Side D and side F, spelled out; sides B, C and E are the same for every empire.
SIDE_D = [
    (3, 0, 0, 1, 0),
    (3, 0, 0, 0, 1),
    (1, 0, 0, 2, 0),
    (2, 0, 2, 0, 0),
    (2, 2, 0, 0, 0),
    (0, 0, 1, 1, 1),
    (0, 3, 1, 0, 0),
]
SIDE_F = [
    (3, 2, 0, -1, 0),
    (-1, 2, 2, 0, 0),
    (3, -1, 2, 0, 0),
    (4, 0, 1, 0, -1),
    (2, 0, -1, 1, 1),
    (-2, 0, 0, 2, 2),
    (3, 2, -2, 0, 0),
]


def test_side_a_of_every_empire() -> None:
    found = {one.id: (one.production, one.points_per) for one in empires("A", EXPANSIONS)}
    assert found == SIDE_A
    assert list(found) == list(SIDE_A) == list(EMPIRE_IDS)


@pytest.mark.parametrize(
    ("side", "production", "krystallium"),
    [
        ("B", [(2, 1, 1, 0, 0)] * 7, 0),
        ("C", [(0, 0, 0, 0, 0)] * 7, 5),
        ("D", SIDE_D, 0),
        ("E", [(4, 2, -1, -1, -1)] * 7, 0),
        ("F", SIDE_F, 0),
    ],
)
def test_other_sides(side: str, production: list[tuple[int, ...]], krystallium: int) -> None:
    every = empires(side, EXPANSIONS)
    assert [one.production for one in every] == production
    assert {one.start_krystallium for one in every} == {krystallium}
    assert {one.points_per for one in every} == {None}


def test_five_empires_come_with_the_base_game() -> None:
    for side in SIDES:
        assert [one.id for one in empires(side)] == list(SIDE_A)[:5]
        assert [one.index for one in empires(side, EXPANSIONS)] == list(range(7))
    assert {one.start_krystallium for one in empires("A", EXPANSIONS)} == {0}
    for bad in ("G", "a", "", "AB", None):
        with pytest.raises(ConfigError, match="choose from A, B, C, D, E, F"):
            empires(bad)  # type: ignore[arg-type]


def test_empire_in_words_and_languages() -> None:
    assert str(empire("north_hegemony")) == "North Hegemony (side A): 3 energy, 2 points per vehicle"
    assert str(empire("aztec_empire", "C")) == "Aztec Empire (side C): 5 krystallium at the start"
    assert empire("aztec_empire").name("fr") == "Empire d'Azteca"


def test_scenarios_resolve_and_fit_the_card_pool() -> None:
    assert [one.id for one in scenarios()] == [
        f"{set}_sc0{number}" for set in ("base", "ascension") for number in range(1, 7)
    ]
    for one, row in zip(scenarios(), read_table("scenarios"), strict=True):
        assert scenario(one.id) is one
        assert len(one.cards) == int(row["n_cards"])
        for id, count in Counter(one.cards).items():
            assert count <= kind(id).copies
            assert one.needs_expansion or kind(id).deck == "base"
        assert one.needs_expansion == (one.set == "ascension")
        assert 0 < one.bronze < one.silver < one.gold
        assert one.empire_side == "B"


SCENARIOS = {
    "base_sc01": ("polar_base mega_drill super_sonar center_of_the_earth", 70, 95, 115),
    "base_sc02": ("recycling_plant wind_turbines universal_vaccine aquaculture", 70, 95, 115),
    "base_sc03": ("unknown_technology saucer_squadron lunar_base secret_laboratory", 70, 90, 105),
    "base_sc04": ("research_center neuroscience time_travel", 65, 85, 105),
    "base_sc05": ("industrial_complex underground_city underwater_city secret_society", 75, 95, 120),
    "base_sc06": ("financial_center propaganda_center national_monument", 60, 85, 105),
    "ascension_sc01": (
        "giant_robot telekinesis robot_factory security_automatons robot_assistants robotic_animals",
        *(95, 115, 135),
    ),
    "ascension_sc02": (
        "tax_haven occult_district raiders pandemonium lawless_zone high_security_prison",
        *(85, 95, 105),
    ),
    "ascension_sc03": (
        "orbital_station mining_asteroid alpha_centauri space_elevator cryopreservation lunar_base",
        *(95, 115, 135),
    ),
    "ascension_sc04": ("valhalla raiders solar_cannon tank_division", 90, 100, 115),
    "ascension_sc05": (
        "hyperborea icebreaker icebreaker icebreaker quantum_generator underwater_city",
        *(95, 105, 120),
    ),
    "ascension_sc06": ("artificial_sun the_wall alpha_centauri", 95, 105, 120),
}


def test_scenarios_spelled_out() -> None:
    found = {one.id: (" ".join(one.cards), one.bronze, one.silver, one.gold) for one in scenarios()}
    assert found == SCENARIOS
    assert scenario("base_sc06").title("fr") == "L'argent n'a pas d'odeur"
    assert scenario("ascension_sc05").title("fr") == "The Ice Of The North", "no French title is known"


def test_kinds_cannot_be_changed_and_survive_a_pickle() -> None:
    one = kind("zeppelin")
    with pytest.raises(AttributeError):
        one.copies = 7  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(one)) == one
    assert hash(one) == hash(kind("zeppelin"))
