"""The card facts: the tables counted again, and printed cards spelled out."""

import copy
import pickle
from collections import Counter

import pytest

from iaww_env.cards import (
    CHARACTERS,
    EXPANSIONS,
    RESOURCES,
    SPACES,
    TOKENS,
    TYPES,
    Kind,
    all_kinds,
    describe,
    empire,
    find,
    kind,
    kinds,
)
from tests.game.card_tables import read_deck

ASCENSION = kinds(EXPANSIONS)[78:]


# --- The tables, counted again -----------------------------------------------------------------------


def test_base_deck_has_78_kinds_and_150_cards() -> None:
    rows = read_deck("base")
    assert (len(rows), sum(int(row["copies"]) for row in rows)) == (78, 150)
    assert (len(kinds()), sum(one.copies for one in kinds())) == (78, 150)


def test_ascension_deck_has_38_kinds_and_56_cards() -> None:
    rows = read_deck("ascension")
    assert (len(rows), sum(int(row["copies"]) for row in rows)) == (38, 56)
    assert (len(ASCENSION), sum(one.copies for one in ASCENSION)) == (38, 56)


@pytest.mark.parametrize(
    ("deck", "expected"),
    [(kinds(), [50, 31, 23, 29, 17]), (ASCENSION, [19, 12, 8, 10, 7])],
    ids=["base", "ascension"],
)
def test_cards_by_type(deck: tuple[Kind, ...], expected: list[int]) -> None:
    counts = Counter[str]()
    for one in deck:
        counts[one.type] += one.copies
    assert [counts[type] for type in TYPES] == expected
    assert sum(counts.values()) == sum(expected)


# Totals over the kinds of a deck, and over its cards (kinds times copies). Taken from the table once with
# awk, not with this code; they make an edit of any single number show.
TOTALS = {
    "cost_materials": ((52, 189), (48, 76)),
    "cost_energy": ((53, 132), (39, 52)),
    "cost_science": ((114, 124), (60, 65)),
    "cost_gold": ((67, 95), (47, 53)),
    "cost_exploration": ((87, 91), (48, 49)),
    "cost_krystallium": ((10, 11), (7, 7)),
    "cost_general": ((4, 4), (7, 7)),
    "cost_financier": ((5, 5), (6, 6)),
    "prod_materials": ((12, 41), (7, 8)),
    "prod_energy": ((16, 40), (5, 5)),
    "prod_science": ((11, 33), (8, 12)),
    "prod_gold": ((20, 41), (12, 19)),
    "prod_exploration": ((25, 58), (9, 18)),
    "prod_krystallium": ((0, 0), (0, 0)),
    "prod_general": ((0, 0), (0, 0)),
    "prod_financier": ((0, 0), (0, 0)),
    "bonus_general": ((21, 35), (5, 9)),
    "bonus_financier": ((15, 31), (4, 6)),
    "bonus_krystallium": ((19, 21), (4, 6)),
    "vp_flat": ((143, 153), (89, 92)),
}


@pytest.mark.parametrize("column", TOTALS)
def test_totals_of_each_column(column: str) -> None:
    for deck, expected in zip(("base", "ascension"), TOTALS[column], strict=True):
        amounts = [(int(row[column] or 0), int(row["copies"])) for row in read_deck(deck)]
        assert (sum(a for a, _ in amounts), sum(a * n for a, n in amounts)) == expected, deck


def test_kinds_by_recycling_resource() -> None:
    for deck, expected in ((kinds(), [10, 12, 15, 24, 17]), (ASCENSION, [9, 5, 8, 9, 7])):
        counts = Counter(one.recycling for one in deck)
        assert [counts[resource] for resource in RESOURCES] == expected
        assert sum(counts.values()) == len(deck)


def test_production_per_type_of_every_kind_that_has_it() -> None:
    per = {one.id: one.production_per for one in kinds(EXPANSIONS) if one.production_per is not None}
    assert per == {
        "aircraft_carrier": ("exploration", "vehicle"),
        "neuroscience": ("science", "research"),
        "robot_assistants": ("materials", "structure"),
        "super_sonar": ("exploration", "vehicle"),
        "virtual_reality": ("gold", "research"),
        "magnetic_train": ("gold", "structure"),
        "propaganda_center": ("gold", "project"),
        "university": ("science", "project"),
        "ancient_astronauts": ("science", "discovery"),
        "king_solomons_mines": ("gold", "structure"),
        "artificial_intelligence": ("science", "vehicle"),
        "shambhala": ("exploration", "project"),
    }


def test_duos() -> None:
    duos = {
        one.id: one.points_per
        for one in kinds(EXPANSIONS)
        if one.points_per is not None and one.points_per[2]
    }
    assert duos == {
        "giant_robot": (6, "structure", "vehicle"),
        "telekinesis": (6, "vehicle", "financier"),
        "dark_matter": (6, "structure", "research"),
        "immortality": (9, "research", "project"),
        "utopia": (12, "project", "discovery"),
        "celestial_cathedral": (8, "vehicle", "project"),
        "intercontinental_network": (6, "discovery", "financier"),
        "high_security_prison": (5, "structure", "general"),
        "orbital_station": (6, "general", "financier"),
        "world_bank": (7, "structure", "project"),
        "hyperborea": (10, "research", "discovery"),
        "valhalla": (6, "project", "general"),
        "mysterious_vessel": (6, "vehicle", "research"),
    }


def test_points_per_type_and_character_by_frequency() -> None:
    counts = Counter(
        one.points_per[:2] for one in kinds(EXPANSIONS) if one.points_per and not one.points_per[2]
    )
    assert counts == {
        (1, "financier"): 5,
        (1, "general"): 6,
        (1, "vehicle"): 4,
        (1, "project"): 1,
        (1, "research"): 1,
        (2, "discovery"): 3,
        (2, "general"): 1,
        (2, "project"): 3,
        (2, "structure"): 1,
        (2, "vehicle"): 1,
        (3, "discovery"): 1,
        (3, "project"): 1,
        (3, "research"): 3,
    }


# --- What no card may break --------------------------------------------------------------------------


@pytest.mark.parametrize("one", all_kinds(), ids=lambda one: one.id)
def test_every_kind_makes_sense(one: Kind) -> None:
    assert one.copies >= 1
    assert sum(one.cost) >= 1
    assert min(one.cost) >= 0
    assert one.recycling in RESOURCES
    assert not (one.points and one.points_per), "both flat points and points per something"
    assert not (any(one.production) and one.production_per), "both fixed and per-type production"
    assert one.type in TYPES or (one.type, one.deck) == ("memorial", "war_or_peace")
    assert one.deck == "war_or_peace" or not any(one.production_tokens)
    assert one.deck != "base" or min(one.production) >= 0, "corruption is not in the base game"
    if one.production_per is not None:
        assert one.production_per[0] in RESOURCES
        assert one.production_per[1] in TYPES
    if one.points_per is not None:
        points, first, second = one.points_per
        assert points > 0
        assert first in TYPES + CHARACTERS
        assert second is None or (second in TYPES + CHARACTERS and second != first)
        assert one.deck == "ascension" or second is None, "duos come with Corruption & Ascension"


def test_ids_and_names_are_unique_in_each_language() -> None:
    for column in ("id", "name_en", "name_fr", "name_es"):
        names = [getattr(one, column).casefold() for one in all_kinds()]
        assert "" not in names
        assert len(set(names)) == 129


def test_no_name_leads_to_two_kinds_in_different_languages() -> None:
    owners: dict[str, str] = {}
    for one in all_kinds():
        for name in (one.id, one.name_en, one.name_fr, one.name_es):
            assert owners.setdefault(name.casefold(), one.id) == one.id


# --- Printed cards, spelled out ----------------------------------------------------------------------


PRINTED = [
    "Zeppelin (vehicle x6): 2 energy -> 1 exploration; recycles to exploration",
    "Wind Turbines (structure x7): 2 materials -> 1 energy; recycles to energy",
    "Financial Center (structure x5): 4 materials, 1 energy -> 2 gold, bonus 1 financier; recycles to gold",
    "Military Base (structure x6): 3 materials, 1 energy -> 1 materials, 1 science, bonus 1 general; "
    "recycles to materials",
    "Juggernaut (vehicle x1): 3 materials, 3 energy, 1 krystallium -> 2 exploration, bonus 2 general, "
    "1 point per vehicle; recycles to materials",
    "Aircraft Carrier (vehicle x1): 3 materials, 4 energy -> 1 exploration per vehicle, bonus 2 general; "
    "recycles to materials",
    "Teleportation (research x1): 8 science -> bonus 2 krystallium, 8 points; recycles to exploration",
    "Time Travel (research x1): 5 science, 3 krystallium -> 15 points; recycles to exploration",
    "Human Cloning (research x1): 2 science, 1 gold -> 1 gold, bonus 1 financier, 1 point; recycles to gold",
    "World Congress (project x1): 6 gold, 2 financier -> 3 points per project; recycles to gold",
    "Giant Dam (project x1): 3 materials, 2 gold -> 4 energy, 1 point; recycles to energy",
    "Center of the Earth (discovery x1): 5 exploration, 2 general -> 15 points; recycles to exploration",
    "Atlantis (discovery x1): 7 exploration, 1 krystallium -> 2 points per general; recycles to gold",
    "Robot Factory (structure x2): 2 materials, 2 science -> -1 materials, 2 energy, 2 science; "
    "recycles to materials",
    "Immortality (research x1): 3 energy, 8 science, 1 general, 1 financier -> "
    "9 points per pair of research and project; recycles to science",
    "The Wall (project x1): 9 materials, 4 gold, 2 general -> 25 points; recycles to materials",
]


@pytest.mark.parametrize("line", PRINTED, ids=lambda line: line.partition(" (")[0])
def test_printed_card(line: str) -> None:
    one = find(line.partition(" (")[0], "en")
    assert describe(one) == line
    assert str(one) == line


def test_fields_of_a_printed_card() -> None:
    assert kind("zeppelin").cost == (0, 2, 0, 0, 0, 0, 0, 0)
    assert kind("zeppelin").copies == 6
    assert kind("lunar_base").cost == (0, 2, 2, 2, 0, 1, 0, 0)
    assert kind("immortality").cost[6:] == (1, 1)
    assert kind("mobile_base").production == (-1, 0, 2, 0, 2)
    casino = kind("casino_city")
    assert (casino.bonus_general, casino.bonus_financier, casino.bonus_krystallium) == (0, 1, 0)
    assert kind("polar_base").points_per == (2, "discovery", None)
    assert kind("atlantis").points == 0
    assert kind("the_wall").points == 25
    assert kind("wind_turbines").name("fr") == "Éoliennes"
    assert kind("wind_turbines").name("es") == "Turbinas Eólicas"


def test_amounts_by_name() -> None:
    """Each number by the name of its resource or token; the whole is a tuple in the order of the names."""
    wall, robots = kind("the_wall"), kind("robot_factory")
    cost = {"materials": 9, "gold": 4, "general": 2}
    assert {space: getattr(wall.cost, space) for space in SPACES} == {space: 0 for space in SPACES} | cost
    assert (kind("time_travel").cost.krystallium, kind("world_congress").cost.financier) == (3, 2)
    assert (kind("juggernaut").cost.energy, kind("center_of_the_earth").cost.exploration) == (3, 5)
    assert (robots.production.materials, robots.production.energy, robots.production.science) == (-1, 2, 2)
    noram = empire("noram_states", "E")
    assert (noram.production.materials, noram.production.science, noram.production.gold) == (4, -1, -1)
    for one in all_kinds():
        assert isinstance(one.cost, tuple)
        assert tuple(one.cost._asdict()) == SPACES == RESOURCES + TOKENS
        assert tuple(one.production._asdict()) == RESOURCES
        assert tuple(one.production_tokens._asdict()) == TOKENS
        assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one


def test_points_per_by_name() -> None:
    congress, bank = kind("world_congress").points_per, kind("world_bank").points_per
    assert congress is not None
    assert (congress.points, congress.first, congress.second, congress.is_duo) == (3, "project", None, False)
    assert bank is not None
    assert (bank.points, bank.first, bank.second, bank.is_duo) == (7, "structure", "project", True)
    assert kind("zeppelin").points_per is None
    assert empire("noram_states").points_per == (1, "financier", None)
