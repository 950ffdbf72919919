"""The catalogue that reads the card facts: order, names, and what is refused."""

import unicodedata
from itertools import accumulate

import pytest

from iaww_env.cards import (
    EXPANSIONS,
    RESOURCES,
    SPACES,
    Kind,
    all_kinds,
    describe,
    empire,
    find,
    kind,
    kinds,
    scenario,
)
from iaww_env.errors import ConfigError
from tests.game.card_tables import read_deck, read_table


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
        assert one.points == int(row["vp_flat"] or 0)
        if one.points_per is None:
            assert row["vp_per"] == ""
        else:
            points, first, second = one.points_per
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
