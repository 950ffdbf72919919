"""The card facts: the tables counted again, printed cards spelled out, and the catalogue that reads them."""

import csv
import pickle
import unicodedata
from collections import Counter
from itertools import accumulate
from pathlib import Path

import pytest

import iaww_env.cards
from iaww_env.cards import (
    CHARACTERS,
    EMPIRE_IDS,
    EXPANSIONS,
    RESOURCES,
    SIDES,
    SPACES,
    TYPES,
    Kind,
    all_kinds,
    describe,
    empire,
    empires,
    find,
    kind,
    kinds,
    scenario,
    scenarios,
)
from iaww_env.errors import ConfigError

DATA = Path(iaww_env.cards.__file__).parent / "data"
ASCENSION = kinds(EXPANSIONS)[78:]


def read_table(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_deck(deck: str) -> list[dict[str, str]]:
    return [row for row in read_table("developments") if row["deck"] == deck]


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
    duos = {one.id: one.vp_per for one in kinds(EXPANSIONS) if one.vp_per is not None and one.vp_per[2]}
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
    counts = Counter(one.vp_per[:2] for one in kinds(EXPANSIONS) if one.vp_per and not one.vp_per[2])
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
    assert not (one.vp_flat and one.vp_per), "both flat points and points per something"
    assert not (any(one.production) and one.production_per), "both fixed and per-type production"
    assert one.type in TYPES or (one.type, one.deck) == ("memorial", "war_or_peace")
    assert one.deck == "war_or_peace" or not any(one.production_tokens)
    assert one.deck != "base" or min(one.production) >= 0, "corruption is not in the base game"
    if one.production_per is not None:
        assert one.production_per[0] in RESOURCES
        assert one.production_per[1] in TYPES
    if one.vp_per is not None:
        points, first, second = one.vp_per
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
    assert kind("polar_base").vp_per == (2, "discovery", None)
    assert kind("atlantis").vp_flat == 0
    assert kind("wind_turbines").name("fr") == "Éoliennes"
    assert kind("wind_turbines").name("es") == "Turbinas Eólicas"


# --- The catalogue -----------------------------------------------------------------------------------


def test_catalogue_repeats_every_column_of_the_table() -> None:
    rows = {row["id"]: row for row in read_table("developments")}
    assert len(all_kinds()) == len(rows) == 129
    for one in all_kinds():
        row = rows[one.id]
        for column in ("name_en", "name_fr", "name_es", "deck", "type", "recycling"):
            assert getattr(one, column) == row[column]
        assert str(one.copies) == row["copies"]
        assert [str(n) for n in one.cost] == [row[f"cost_{space}"] for space in SPACES]
        assert [str(n) for n in one.production] == [row[f"prod_{resource}"] for resource in RESOURCES]
        assert [str(n) for n in one.production_tokens] == [row[f"prod_{token}"] for token in SPACES[5:]]
        assert ":".join(one.production_per or ()) == row["production_per"]
        for column in ("bonus_general", "bonus_financier", "bonus_krystallium"):
            assert str(getattr(one, column)) == row[column]
        assert one.vp_flat == int(row["vp_flat"] or 0)
        if one.vp_per is None:
            assert row["vp_per"] == ""
        else:
            points, first, second = one.vp_per
            assert row["vp_per"] == (f"{points}:{first}+{second}" if second else f"{points}:{first}")


def test_order_is_the_tables_and_does_not_depend_on_the_pool() -> None:
    order = [row["id"] for row in read_deck("base") + read_deck("ascension")]
    assert [one.id for one in kinds(EXPANSIONS)] == order
    assert kinds(EXPANSIONS)[:78] == kinds()
    assert [one.index for one in all_kinds()] == list(range(129))
    assert (order[0], order[77], order[78], order[115]) == (
        "financial_center",
        "treasure_of_the_templars",
        "border_patrol",
        "shambhala",
    )


def test_first_card_counts_the_copies_before() -> None:
    firsts = [one.first_card for one in kinds(EXPANSIONS)]
    assert firsts == list(accumulate((one.copies for one in kinds(EXPANSIONS)), initial=0))[:-1]
    assert kind("industrial_complex").first_card == 5
    assert kind("border_patrol").first_card == 150
    assert kind("shambhala").first_card == 205


def test_war_or_peace_is_in_the_table_but_not_in_play() -> None:
    later = [one for one in all_kinds() if one.deck == "war_or_peace"]
    assert (len(later), sum(one.copies for one in later)) == (13, 20)
    assert not set(later) & set(kinds(EXPANSIONS))
    with pytest.raises(ConfigError, match="War or Peace cannot be played yet"):
        kinds(["war_or_peace"])
    for text in ("headquarters", "Quartier Général", "QUARTIER GÉNÉRAL"):
        with pytest.raises(ConfigError, match="War or Peace"):
            find(text)
    with pytest.raises(ConfigError, match="War or Peace"):
        kind("headquarters")
    assert describe(next(one for one in later if one.id == "headquarters")).endswith(
        "3 gold, 1 exploration -> 2 general, 1 point; recycles to exploration"
    )


def test_expansions_as_name_list_and_tuple() -> None:
    for form in ("corruption_and_ascension", ["corruption_and_ascension"], ("corruption_and_ascension",)):
        assert len(kinds(form)) == 116
    assert kinds([]) is kinds()
    for bad in ("ca", ["Corruption_and_Ascension"], [None], None, 1, {"corruption_and_ascension": 1}, [[]]):
        with pytest.raises(ConfigError, match="expansion"):
            kinds(bad)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="twice"):
        kinds(EXPANSIONS * 2)


@pytest.mark.parametrize("one", kinds(EXPANSIONS), ids=lambda one: one.id)
def test_find_by_id_and_by_every_printed_name(one: Kind) -> None:
    for text in (one.id, one.name_en, one.name_fr, one.name_es):
        assert find(text) is find(text.upper()) is find(text.lower()) is one
    for language in ("en", "fr", "es"):
        assert find(one.name(language), language) is find(one.id, language) is one
    assert kind(one.id) is one


def test_find_takes_accents_however_they_are_typed() -> None:
    assert find(unicodedata.normalize("NFD", "Éoliennes")).id == "wind_turbines"


def test_find_in_one_language_only() -> None:
    with pytest.raises(ConfigError, match="no card"):
        find("Éoliennes", "es")
    for language in ("de", "EN", "", 0):
        with pytest.raises(ConfigError, match="choose from en, fr, es"):
            find("zeppelin", language)  # type: ignore[arg-type]
        with pytest.raises(ConfigError, match="choose from en, fr, es"):
            kind("zeppelin").name(language)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "zepelin", "x" * 1_000_000, "\ud800", None, 7, ["zeppelin"]])
def test_unknown_names_are_refused_with_a_short_message(text: object) -> None:
    for look in (find, kind, scenario, empire):
        with pytest.raises(ConfigError) as caught:
            look(text)  # type: ignore[operator]
        assert len(str(caught.value)) < 400


def test_unknown_names_come_with_the_closest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'zeppelin'"):
        kind("zepelin")
    with pytest.raises(ConfigError, match="did you mean 'wind turbines'"):
        find("Wind Turbine")
    with pytest.raises(ConfigError, match="did you mean 'aztec_empire'"):
        empire("aztec_empires")
    with pytest.raises(ConfigError, match=r"base_sc01, .*ascension_sc06"):
        scenario("base_sc07")


# --- Empires and scenarios ---------------------------------------------------------------------------

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
    found = {one.id: (one.production, one.vp_per) for one in empires("A", EXPANSIONS)}
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
    assert {one.vp_per for one in every} == {None}


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
