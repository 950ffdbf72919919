"""Solo games worked out by hand from rulings 13 and 14."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.reference import ReferenceGame
from tests.reference.card_table import read_card_table

TABLE = read_card_table()
SOLO: dict[str, Any] = {
    "players": 1,
    "expansions": [],
    "empire_side": "B",
    "empires": ["noram_states"],  # 2 materials, 1 energy, 1 science
    "scenario": None,
}
SOLO_EXPANSION = {**SOLO, "expansions": ["corruption_and_ascension"]}
FIRST_POOL = ["recycling_plant", "wind_turbines", "research_center", "zeppelin", "financial_center"]
SECOND_POOL = ["military_base", "tank_division", "nuclear_plant", "offshore_oil_rig", "zeppelin"]
SHOWN = ["atlantis", "museum", "submarine", "university", "icebreaker"]


def fill_pools(*first_pools: list[str], avoid: list[str] = SHOWN) -> list[list[str]]:
    """Eight base pools: the given ones, then cards of the table in order, without those to avoid."""
    left = TABLE.card_pool([]) - Counter(kind for pool in first_pools for kind in pool) - Counter(avoid)
    rest = sorted(left.elements(), key=lambda kind: TABLE.cards[kind].order)
    return [*first_pools, *([rest.pop(0) for _ in range(5)] for _ in range(8 - len(first_pools)))]


def fill_mixed_pools(count: int, avoid: list[str]) -> list[list[str]]:
    """Pools of three base and two ascension cards, without those to avoid."""
    left = TABLE.card_pool(["corruption_and_ascension"]) - Counter(avoid)
    base = [kind for kind in left.elements() if TABLE.deck_of(kind) == "base"]
    ascension = [kind for kind in left.elements() if TABLE.deck_of(kind) == "ascension"]
    return [[*(base.pop() for _ in range(3)), *(ascension.pop() for _ in range(2))] for _ in range(count)]


def start_solo(shown: list[str] = SHOWN) -> tuple[ReferenceGame, list[tuple[str, int]]]:
    """A game with the two pools above; every dig shows the same cards; and what it was asked for."""
    asked: list[tuple[str, int]] = []

    def source(deck: str, count: int) -> list[str]:
        asked.append((deck, count))
        return list(shown)

    return ReferenceGame(SOLO, pools=fill_pools(FIRST_POOL, SECOND_POOL), source=source), asked


def play(game: ReferenceGame, *texts: str) -> None:
    for text in texts:
        game.step(0, text)


def choices_from(verb: str, kinds: list[str]) -> set[str]:
    return {f"{verb}:{kind}" for kind in kinds}


def test_a_whole_round() -> None:
    game, _ = start_solo()
    assert (game.round, game.phase) == (1, "planning")
    assert game.position(0)["drafted"] == sorted(FIRST_POOL)
    play(game, "slate:recycling_plant", "slate:wind_turbines")
    play(game, "recycle:research_center", "recycle:zeppelin", "recycle:financial_center")  # no space for them
    assert game.position(0)["empire_cubes"] == 3
    assert game.position(0)["drafted"] == sorted(SECOND_POOL)
    play(game, "recycle:military_base", "place:recycling_plant")
    play(game, "recycle:tank_division", "place:recycling_plant")
    assert game.position(0)["built"] == {"recycling_plant": 1}
    play(game, "recycle:nuclear_plant", "recycle:offshore_oil_rig")  # the fourth and fifth cube
    assert (game.position(0)["empire_cubes"], game.position(0)["krystallium"]) == (0, 1)
    play(game, "slate:zeppelin")
    assert "end" in game.legal_actions(0)
    play(game, "end")
    # materials 2 + 2, two for the turbines; energy 1 + 1, both for the zeppelin; science 1; exploration 1
    assert (game.phase, game.position(0)["loose"], game.position(0)["empire_cubes"]) == ("materials", 2, 2)
    play(game, "place:wind_turbines", "place:wind_turbines", "end")
    assert (game.phase, game.position(0)["loose"]) == ("energy", 2)
    play(game, "place:zeppelin", "place:zeppelin", "end", "end", "end")
    assert game.phase == "exploration"
    play(game, "end")
    assert (game.round, game.phase) == (2, "planning")
    position = game.position(0)
    assert position["built"] == {"recycling_plant": 1, "wind_turbines": 1, "zeppelin": 1}
    assert position["net_production"] == [4, 2, 1, 0, 1]
    assert (position["krystallium"], position["empire_cubes"], position["points"]) == (1, 4, 0)
    assert sum(position["discarded"].values()) == 7
    assert len(position["drafted"]) == 5


def test_a_dig_costs_two_cards_and_keeps_one() -> None:
    game, asked = start_solo()
    assert "dig:base" in game.legal_actions(0)
    assert "dig:ascension" not in game.legal_actions(0)
    play(game, "dig:base")
    assert game.legal_actions(0) == choices_from("toss", FIRST_POOL)
    play(game, "toss:zeppelin")
    assert asked == []
    assert game.legal_actions(0) == choices_from("toss", [kind for kind in FIRST_POOL if kind != "zeppelin"])
    play(game, "toss:financial_center")
    assert asked == [("base", 5)]
    assert game.legal_actions(0) == choices_from("pick", SHOWN)
    position = game.position(0)
    assert position["hand"] == sorted(SHOWN)
    assert position["drafted"] == ["recycling_plant", "research_center", "wind_turbines"]
    play(game, "pick:museum")
    position = game.position(0)
    assert position["hand"] == []
    assert position["drafted"] == ["museum", "recycling_plant", "research_center", "wind_turbines"]
    tossed_or_not_kept = ["zeppelin", "financial_center", "atlantis", "submarine", "university", "icebreaker"]
    assert position["discarded"] == dict.fromkeys(tossed_or_not_kept, 1)


def test_the_second_pool_waits_for_the_last_cube() -> None:
    game, _ = start_solo()
    play(game, "slate:wind_turbines", "slate:zeppelin", "slate:financial_center", "slate:research_center")
    assert not any(text.startswith("dig:") for text in game.legal_actions(0))  # one card in hand is too few
    play(game, "recycle:recycling_plant")
    give_up = choices_from("discard", ["wind_turbines", "zeppelin", "financial_center", "research_center"])
    places = choices_from("place", ["wind_turbines", "financial_center", "research_center"])
    assert game.position(0)["drafted"] == []
    assert game.legal_actions(0) == give_up | places | {"to_empire"}
    play(game, "to_empire")
    assert game.position(0)["drafted"] == sorted(SECOND_POOL)


def test_the_second_pool_waits_for_the_token_in_hand() -> None:
    game, _ = start_solo()
    game.seats[0].tokens["krystallium"] = 1
    game.seats[0].drafted = ["recycling_plant"]
    play(game, "slate:recycling_plant")
    assert game.position(0)["drafted"] == sorted(SECOND_POOL)
    game, _ = start_solo()
    game.seats[0].tokens["krystallium"] = 1
    game.seats[0].start_construction(TABLE.cards["wind_turbines"])
    game.seats[0].drafted = ["recycling_plant"]
    play(game, "recycle:recycling_plant", "use:krystallium_as_materials")
    assert game.legal_actions(0) == {"place:wind_turbines"}
    play(game, "place:wind_turbines", "place:wind_turbines")
    assert game.position(0)["built"] == {"wind_turbines": 1}
    assert game.position(0)["drafted"] == sorted(SECOND_POOL)


def test_tossing_the_whole_hand_does_not_bring_the_next_pool() -> None:
    game, _ = start_solo()
    play(game, "slate:wind_turbines", "slate:zeppelin", "slate:financial_center", "dig:base")
    play(game, "toss:recycling_plant", "toss:research_center")
    assert game.position(0)["drafted"] == []
    play(game, "pick:atlantis")
    assert game.position(0)["drafted"] == ["atlantis"]
    play(game, "slate:atlantis")
    assert game.position(0)["drafted"] == sorted(SECOND_POOL)


def test_no_dig_with_a_loose_cube_or_during_a_dig() -> None:
    game, _ = start_solo()
    play(game, "slate:wind_turbines", "recycle:recycling_plant")
    assert "dig:base" not in game.legal_actions(0)
    play(game, "place:wind_turbines", "dig:base")
    assert "dig:base" not in game.legal_actions(0)
    assert "end" not in game.legal_actions(0)


def test_cards_can_be_given_up_and_tokens_used_in_the_middle_of_a_dig() -> None:
    game, _ = start_solo()
    game.seats[0].tokens["krystallium"] = 2
    play(game, "slate:wind_turbines", "slate:zeppelin", "dig:base")
    allowed = {"discard:wind_turbines", "discard:zeppelin"}
    allowed |= {"use:krystallium_as_materials", "use:krystallium_as_energy"}
    in_hand = ["recycling_plant", "research_center", "financial_center"]
    assert game.legal_actions(0) == allowed | choices_from("toss", in_hand)
    play(game, "discard:wind_turbines", "toss:recycling_plant", "toss:research_center")
    assert game.position(0)["empire_cubes"] == 1
    allowed = {"discard:zeppelin", "use:krystallium_as_energy"}
    assert game.legal_actions(0) == allowed | choices_from("pick", SHOWN)
    play(game, "use:krystallium_as_energy", "place:zeppelin", "use:krystallium_as_energy", "place:zeppelin")
    assert game.position(0)["built"] == {"zeppelin": 1}
    assert game.legal_actions(0) == choices_from("pick", SHOWN)


def dig_with_deck(left: list[str], discards: list[str], shown: list[str]) -> ReferenceGame:
    """Dig the base deck when this is all that is left of it; zeppelin and recycling_plant are tossed."""
    game, asked = start_solo(shown)
    game.decks.left["base"] = Counter(left)
    game.seats[0].discarded = Counter(discards)
    play(game, "dig:base", "toss:zeppelin", "toss:recycling_plant")
    assert asked == [("base", len(shown))]
    return game


def test_discards_go_under_a_deck_that_is_too_small() -> None:
    shown = ["atlantis", "museum", "zeppelin", "harbor_zone", "recycling_plant"]
    game = dig_with_deck(["museum", "atlantis"], ["harbor_zone", "harbor_zone", "university"], shown)
    assert game.decks.left["base"] == Counter(["harbor_zone", "university"])
    assert game.position(0)["discarded"] == {}
    play(game, "pick:museum")
    not_kept = ["atlantis", "zeppelin", "harbor_zone", "recycling_plant"]
    assert game.position(0)["discarded"] == dict.fromkeys(not_kept, 1)


def test_exactly_five_cards_left_are_enough() -> None:
    game = dig_with_deck(SHOWN, ["harbor_zone"], SHOWN)
    assert game.decks.left["base"].total() == 0
    assert game.position(0)["discarded"] == dict.fromkeys(["harbor_zone", "zeppelin", "recycling_plant"], 1)


def test_a_dig_shows_what_there_is() -> None:
    game = dig_with_deck(["museum"], [], ["museum", "recycling_plant", "zeppelin"])
    assert game.legal_actions(0) == choices_from("pick", ["museum", "recycling_plant", "zeppelin"])


@pytest.mark.parametrize(
    "shown",
    [
        ["harbor_zone", "museum", "atlantis", "zeppelin", "recycling_plant"],  # the old ones are not on top
        ["museum", "zeppelin", "atlantis", "harbor_zone", "recycling_plant"],
        ["museum", "atlantis", "zeppelin", "harbor_zone", "harbor_zone"],  # only one was discarded
        ["museum", "atlantis", "zeppelin", "harbor_zone", "submarine"],  # not there at all
        ["museum", "atlantis", "zeppelin", "harbor_zone"],  # one short
    ],
)
def test_a_source_that_shows_what_cannot_be_is_refused(shown: list[str]) -> None:
    game, _ = start_solo(shown)
    game.decks.left["base"] = Counter(["museum", "atlantis"])
    game.seats[0].discarded = Counter(["harbor_zone", "university"])
    play(game, "dig:base", "toss:zeppelin")
    before = game.position(0)
    with pytest.raises(ValueError, match=r"not on top|not among|are to be shown"):
        game.step(0, "toss:recycling_plant")
    assert game.position(0) == before
    assert "toss:recycling_plant" in game.legal_actions(0)


def test_an_empty_deck_can_be_dug_only_when_it_has_discards() -> None:
    game, _ = start_solo()
    game.decks.left["base"] = Counter()
    assert "dig:base" not in game.legal_actions(0)
    play(game, "recycle:zeppelin")
    assert "dig:base" in game.legal_actions(0)


def test_the_two_decks_are_dug_apart() -> None:
    pool = ["zeppelin", "wind_turbines", "museum", "raiders", "inquisitors"]
    shown = ["raiders", "utopia", "valhalla"]
    pools = [pool, *fill_mixed_pools(7, avoid=[*pool, *shown])]
    game = ReferenceGame(SOLO_EXPANSION, pools=pools, source=lambda deck, count: shown[:count])
    assert game.decks.left["base"].total() == 150 - 24
    assert game.decks.left["ascension"].total() == 56 - 16
    game.decks.left["ascension"] = Counter(["utopia"])
    game.seats[0].discarded = Counter(["valhalla", "museum"])
    assert {"dig:base", "dig:ascension"} <= game.legal_actions(0)
    with pytest.raises(ValueError, match="not on top"):
        play(game, "dig:ascension", "toss:raiders", "toss:museum")
    game.decks.left["ascension"] = Counter(["raiders", "utopia"])
    play(game, "toss:museum")  # raiders and valhalla go under the ascension deck, the museums stay
    assert game.decks.left["ascension"] == Counter(["raiders"])
    assert game.position(0)["discarded"] == {"museum": 2}
    assert game.position(0)["hand"] == ["raiders", "utopia", "valhalla"]


def test_five_cubes_give_supremacy() -> None:
    game, _ = start_solo()
    seat = game.seats[0]
    seat.built = [TABLE.cards["recycling_plant"]]  # 4 materials
    game.begin_production("materials")
    assert seat.characters() == 0
    seat.built.append(TABLE.cards["mega_drill"])  # 5 materials
    game.begin_production("materials")
    assert seat.tokens["financier"] == 1
    seat.built += [TABLE.cards["research_center"]] * 2
    game.begin_production("science")
    assert game.legal_actions(0) == {"choose:general", "choose:financier"}


@pytest.mark.parametrize(
    ("points", "title"),
    [
        (0, "apprentice"), (59, "apprentice"), (60, "dictator"), (79, "dictator"),
        (80, "emperor"), (99, "emperor"), (100, "living god"), (180, "living god"),
    ],
)  # fmt: skip
def test_titles(points: int, title: str) -> None:
    game, _ = start_solo()
    game.seats[0].tokens["general"] = points
    assert (game.title(), game.medal()) == (title, None)


def test_scenario_cards_start_under_construction_and_are_in_no_deck() -> None:
    config = {**SOLO, "scenario": "base_sc06"}
    cards = ["financial_center", "national_monument", "propaganda_center"]  # in the order of the table
    with pytest.raises(ValueError, match="more cards than there are"):
        ReferenceGame(config, pools=fill_pools(["national_monument", *["zeppelin"] * 4]))
    game = ReferenceGame(config, pools=fill_pools(avoid=[*SHOWN, *cards]))
    assert [site["card"] for site in game.position(0)["sites"]] == cards
    assert game.position(0)["sites"][0]["missing"] == {"materials": 4, "energy": 1}
    assert game.decks.left["base"].total() == 150 - 3 - 40
    assert "national_monument" not in game.decks.left["base"]


@pytest.mark.parametrize(
    ("icebreakers", "points", "medal"),
    [
        (2, 200, None), (3, 94, None), (3, 95, "bronze"), (3, 104, "bronze"),
        (3, 105, "silver"), (3, 119, "silver"), (3, 120, "gold"),
    ],
)  # fmt: skip
def test_a_medal_needs_all_copies(icebreakers: int, points: int, medal: str | None) -> None:
    config = {**SOLO_EXPANSION, "scenario": "ascension_sc05"}
    pools = fill_mixed_pools(8, avoid=list(TABLE.scenarios["ascension_sc05"].cards))
    game = ReferenceGame(config, pools=pools)
    assert [site["card"] for site in game.position(0)["sites"]].count("icebreaker") == 3
    names = ["quantum_generator", "underwater_city", "hyperborea", *["icebreaker"] * icebreakers]
    seat = game.seats[0]
    seat.built = [TABLE.cards[name] for name in names]
    seat.tokens["financier"] = points - seat.points()  # no card here counts financiers
    assert game.scores() == [points]
    assert (game.medal(), game.title()) == (medal, None)
