"""Cards under construction: spaces, surplus, tokens, completion, giving up (rulings 3, 5, 6 and 7)."""

from __future__ import annotations

import pytest

from iaww_env import Game
from iaww_env.cards import RESOURCES
from tests.rules.worked_positions import (
    count_discarded,
    empire,
    fill,
    find_missing,
    finish_phase,
    go_to,
    go_to_decision,
    hold,
    legal,
    loose,
    play,
    set_drafted,
    start_construction,
    start_planning,
    tokens,
)


def start_step(resource: str, made: int, *sites: str, ascension: bool = True) -> Game:
    """A step in which seat 0 makes so many cubes, these cards under construction; it has no character."""
    game = start_planning(ascension=ascension)
    start_construction(game, 0, *sites)
    game.state.production[...] = 0
    game.state.production[0, RESOURCES.index(resource)] = made
    go_to(game, resource)
    while game.state.must_choose[0]:
        game.step(0, "choose:general")
    hold(game, 0, krystallium=int(game.state.krystallium[0]))
    return game


# --- Slating and filling ---------------------------------------------------------------------------


def test_a_slated_card_has_all_its_spaces_open() -> None:
    game = start_planning(ascension=True)
    start_construction(game, 0, "utopia", "wind_turbines", "lunar_base")
    assert find_missing(game, 0) == [
        ("wind_turbines", {"materials": 2}),
        ("lunar_base", {"energy": 2, "science": 2, "gold": 2, "krystallium": 1}),
        (
            "utopia",
            {"materials": 2, "energy": 2, "science": 2, "gold": 2, "exploration": 2, "financier": 2},
        ),
    ]
    assert find_missing(game, 1) == []


def test_a_cube_fills_one_space_of_its_resource() -> None:
    game = start_step("materials", 2, "industrial_complex", "zeppelin")
    assert legal(game, 0) == {
        "place:industrial_complex",
        "discard:industrial_complex",
        "discard:zeppelin",
        "to_empire",
    }
    play(game, 0, "place:industrial_complex")
    assert find_missing(game, 0)[0] == ("industrial_complex", {"materials": 2, "energy": 1})
    assert loose(game, 0) == (1, "materials")


def test_unfinished_cards_stay_under_construction_in_later_rounds() -> None:
    game = start_planning()
    start_construction(game, 0, "industrial_complex")
    fill(game, 0, "industrial_complex", materials=2)
    go_to(game, "planning", round=3)
    assert find_missing(game, 0) == [("industrial_complex", {"materials": 1, "energy": 1})]


# --- Copies ----------------------------------------------------------------------------------------


def test_equal_copies_are_named_once_and_others_by_age() -> None:
    game = start_step("materials", 6, "wind_turbines", "wind_turbines", "wind_turbines")
    both = {"place:wind_turbines", "discard:wind_turbines", "to_empire"}
    assert legal(game, 0) == both
    play(game, 0, "place:wind_turbines")
    second = {"place:wind_turbines#2", "discard:wind_turbines#2"}
    assert legal(game, 0) == both | second
    play(game, 0, "place:wind_turbines#2")
    # The first two are equal now; the third is not.
    third = {"place:wind_turbines#3", "discard:wind_turbines#3"}
    assert legal(game, 0) == both | third
    play(game, 0, "place:wind_turbines")
    assert game.built(0) == {"wind_turbines": 1}
    # The second has become the oldest, with one space open.
    assert legal(game, 0) == both | second
    assert find_missing(game, 0) == [("wind_turbines", {"materials": 1}), ("wind_turbines", {"materials": 2})]
    play(game, 0, "discard:wind_turbines")
    assert find_missing(game, 0) == [("wind_turbines", {"materials": 2})]


def test_a_copy_that_is_slated_later_is_the_younger_one() -> None:
    game = start_planning()
    start_construction(game, 0, "wind_turbines")
    fill(game, 0, "wind_turbines", materials=1)
    start_construction(game, 0, "wind_turbines")
    assert find_missing(game, 0) == [("wind_turbines", {"materials": 1}), ("wind_turbines", {"materials": 2})]
    fill(game, 0, "wind_turbines", materials=1)
    assert game.built(0) == {"wind_turbines": 1}
    assert find_missing(game, 0) == [("wind_turbines", {"materials": 2})]


def test_copies_with_as_many_but_other_open_spaces_are_different() -> None:
    game = start_planning()
    start_construction(game, 0, "tank_division", "tank_division")  # 1 material, 2 energy
    fill(game, 0, "tank_division", materials=1)
    fill(game, 0, "tank_division#2", energy=1)
    other = {"materials": 1, "energy": 1}
    assert find_missing(game, 0) == [("tank_division", {"energy": 2}), ("tank_division", other)]
    assert legal(game, 0) == {"discard:tank_division", "discard:tank_division#2", "end"}


# --- Surplus ---------------------------------------------------------------------------------------


def test_ruling_3_more_cubes_than_open_spaces_go_to_the_empire_card_at_once() -> None:
    game = start_step("materials", 5, "wind_turbines")
    assert loose(game, 0) == (2, "materials")
    assert empire(game, 0) == (0, 3)


def test_ruling_3_a_seat_with_no_open_space_never_places_by_hand() -> None:
    game = start_step("materials", 4, "zeppelin")
    assert loose(game, 0) == (0, None)
    assert empire(game, 0) == (0, 4)
    assert legal(game, 0) == {"discard:zeppelin", "end"}


def test_ruling_3_a_recycled_cube_without_an_open_space_is_surplus() -> None:
    game = start_planning()
    start_construction(game, 0, "wind_turbines")
    set_drafted(game, 0, "zeppelin", "recycling_plant")
    play(game, 0, "recycle:zeppelin")  # exploration
    assert (loose(game, 0), empire(game, 0)) == ((0, None), (0, 1))
    play(game, 0, "recycle:recycling_plant")  # a material
    assert (loose(game, 0), empire(game, 0)) == ((1, "materials"), (0, 1))


def test_ruling_3_cubes_may_go_to_the_empire_card_although_a_space_is_open() -> None:
    game = start_step("materials", 2, "wind_turbines")
    play(game, 0, "to_empire")
    assert (loose(game, 0), empire(game, 0)) == ((1, "materials"), (0, 1))
    play(game, 0, "place:wind_turbines")
    assert find_missing(game, 0) == [("wind_turbines", {"materials": 1})]


def test_ruling_3_a_discard_can_make_surplus() -> None:
    game = start_step("materials", 3, "wind_turbines", "military_base")  # 2 and 3 open spaces
    assert (loose(game, 0), empire(game, 0)) == ((3, "materials"), (0, 0))
    play(game, 0, "discard:military_base")
    # One for the card itself, one that has no space any more.
    assert (loose(game, 0), empire(game, 0)) == ((2, "materials"), (0, 2))


def test_ruling_3_a_discarded_last_card_leaves_nothing_loose() -> None:
    game = start_step("materials", 2, "wind_turbines")
    play(game, 0, "discard:wind_turbines")
    assert (loose(game, 0), empire(game, 0)) == ((0, None), (0, 3))
    assert legal(game, 0) == {"end"}


def test_ruling_3_a_krystallium_on_a_space_can_make_surplus() -> None:
    game = start_step("materials", 2, "wind_turbines")
    hold(game, 0, krystallium=1)
    play(game, 0, "use:krystallium_as_materials")
    assert loose(game, 0) == (2, "materials")
    play(game, 0, "place:wind_turbines")
    assert (loose(game, 0), empire(game, 0)) == ((1, "materials"), (0, 1))


def test_ruling_3_a_krystallium_elsewhere_makes_no_surplus() -> None:
    game = start_step("materials", 2, "wind_turbines", "zeppelin")
    hold(game, 0, krystallium=1)
    play(game, 0, "use:krystallium_as_energy", "place:zeppelin")
    assert (loose(game, 0), empire(game, 0)) == ((2, "materials"), (0, 0))


def test_ruling_3_surplus_is_settled_before_a_choice_that_is_owed() -> None:
    game = start_planning()
    start_construction(game, 0, "neuroscience")  # 3 science
    game.state.production[...] = 0
    game.state.production[0, RESOURCES.index("science")] = 9
    go_to(game, "science")
    assert legal(game, 0) == {"choose:general", "choose:financier"}
    # Six of the nine cubes could go nowhere else: the krystallium that they make is there already.
    assert (loose(game, 0), empire(game, 0)) == ((3, "science"), (1, 1))
    play(game, 0, "choose:general")
    assert (loose(game, 0), empire(game, 0)) == ((3, "science"), (1, 1))
    assert "use:krystallium_as_science" in legal(game, 0)


def test_ruling_3_and_4_surplus_becomes_krystallium() -> None:
    game = start_step("materials", 9, "wind_turbines")
    assert (loose(game, 0), empire(game, 0)) == ((2, "materials"), (1, 2))
    assert "use:krystallium_as_materials" in legal(game, 0)


# --- Tokens ----------------------------------------------------------------------------------------


def test_ruling_5_krystallium_fills_any_resource_and_its_own_spaces_but_no_character() -> None:
    game = start_planning(ascension=True)
    start_construction(game, 0, "utopia", "juggernaut", "center_of_the_earth")
    hold(game, 0, krystallium=9)
    uses = {text for text in legal(game, 0) if text.startswith("use:")}
    assert uses == {f"use:krystallium_as_{resource}" for resource in RESOURCES} | {"use:krystallium"}
    play(game, 0, "use:krystallium")
    assert legal(game, 0) == {"place:juggernaut"}
    play(game, 0, "place:juggernaut", "use:krystallium_as_exploration")
    assert legal(game, 0) == {"place:utopia", "place:center_of_the_earth"}
    play(game, 0, "place:center_of_the_earth")
    assert tokens(game, 0) == (7, 0, 0)
    assert find_missing(game, 0)[:2] == [
        ("juggernaut", {"materials": 3, "energy": 3}),
        ("center_of_the_earth", {"exploration": 4, "general": 2}),
    ]


def test_ruling_5_cubes_fill_no_krystallium_and_no_character_space() -> None:
    game = start_step("energy", 5, "juggernaut", "hyperborea")  # 3 energy are open
    assert (loose(game, 0), empire(game, 0)) == ((3, "energy"), (0, 2))
    play(game, 0, "place:juggernaut", "place:juggernaut", "place:juggernaut")
    assert find_missing(game, 0)[0] == ("juggernaut", {"materials": 3, "krystallium": 1})


def test_ruling_5_a_character_without_its_own_open_space_cannot_be_used() -> None:
    game = start_planning()
    start_construction(game, 0, "roswell")
    hold(game, 0, generals=2, financiers=2)
    assert legal(game, 0) == {"discard:roswell", "end"}


def test_ruling_5_characters_fill_their_own_spaces() -> None:
    game = start_planning(ascension=True)
    start_construction(game, 0, "center_of_the_earth", "giant_tower", "immortality")
    hold(game, 0, generals=1, financiers=1)
    play(game, 0, "use:general")
    assert legal(game, 0) == {"place:center_of_the_earth", "place:immortality"}
    play(game, 0, "place:immortality", "use:financier")
    assert legal(game, 0) == {"place:giant_tower", "place:immortality"}
    play(game, 0, "place:giant_tower")
    assert tokens(game, 0) == (0, 0, 0)
    assert find_missing(game, 0) == [
        ("giant_tower", {"materials": 2, "gold": 3}),
        ("center_of_the_earth", {"exploration": 5, "general": 2}),
        ("immortality", {"energy": 3, "science": 8, "financier": 1}),
    ]
    assert not {text for text in legal(game, 0) if text.startswith("use:")}


def test_ruling_5_a_token_in_hand_must_be_placed_next() -> None:
    game = start_planning()
    start_construction(game, 0, "wind_turbines", "zeppelin")
    hold(game, 0, krystallium=2)
    set_drafted(game, 0, "museum")
    play(game, 0, "use:krystallium_as_energy")
    assert legal(game, 0) == {"place:zeppelin"}


@pytest.mark.parametrize(
    ("use", "card", "held", "points"),
    [
        ("krystallium_as_science", "immortality", (2, 2, 3), 2 * 2 + 3),
        ("general", "immortality", (3, 1, 3), 2 + 3),
        ("financier", "immortality", (3, 2, 2), 2 * 2 + 2),
    ],
)
def test_ruling_5_a_token_in_hand_counts_until_it_is_placed(
    use: str, card: str, held: tuple[int, int, int], points: int
) -> None:
    # The Republic of Europe gives 1 more point for each general.
    game = start_planning(ascension=True, side="A", empires=("republic_of_europe", "aztec_empire"))
    start_construction(game, 0, card)
    hold(game, 0, krystallium=3, generals=2, financiers=3)
    play(game, 0, f"use:{use}")
    assert (tokens(game, 0), game.scores()[0]) == ((3, 2, 3), 2 * 2 + 3)
    play(game, 0, f"place:{card}")
    assert (tokens(game, 0), game.scores()[0]) == (held, points)


@pytest.mark.parametrize("phase", ["planning", *RESOURCES])
def test_ruling_5_tokens_may_be_placed_at_any_decision(phase: str) -> None:
    game = start_planning()
    start_construction(game, 0, "center_of_the_earth", "giant_tower")
    go_to_decision(game, phase)
    hold(game, 0, krystallium=1, generals=1, financiers=1)
    uses = {"use:krystallium_as_materials", "use:krystallium_as_gold", "use:krystallium_as_exploration"}
    assert uses | {"use:general", "use:financier"} <= legal(game, 0)


def test_ruling_5_tokens_may_be_placed_before_and_between_decisions_of_planning() -> None:
    game = start_planning()
    start_construction(game, 0, "wind_turbines")
    hold(game, 0, krystallium=2)
    set_drafted(game, 0, "museum", "recycling_plant")
    assert "use:krystallium_as_materials" in legal(game, 0)
    play(game, 0, "recycle:recycling_plant")
    assert loose(game, 0) == (1, "materials")
    assert "use:krystallium_as_materials" in legal(game, 0)  # also while a cube is loose


def test_ruling_5_no_token_can_be_placed_in_the_draft() -> None:
    game = start_planning()
    start_construction(game, 0, "wind_turbines")
    hold(game, 0, krystallium=5)
    go_to(game, "draft")
    assert {text.partition(":")[0] for text in legal(game, 0)} == {"pick"}


def test_ruling_5_what_lies_on_a_card_stays_there() -> None:
    game = start_planning()
    start_construction(game, 0, "center_of_the_earth")
    hold(game, 0, krystallium=1, generals=1)
    play(game, 0, "use:krystallium_as_exploration", "place:center_of_the_earth")
    play(game, 0, "use:general", "place:center_of_the_earth")
    assert legal(game, 0) == {"discard:center_of_the_earth", "end"}
    go_to(game, "planning", round=2)
    assert find_missing(game, 0) == [("center_of_the_earth", {"exploration": 4, "general": 1})]


# --- Completion ------------------------------------------------------------------------------------


def test_ruling_7_a_card_is_built_the_moment_its_last_space_is_filled() -> None:
    game = start_step("materials", 2, "wind_turbines")
    play(game, 0, "place:wind_turbines")
    assert game.built(0) == {}
    play(game, 0, "place:wind_turbines")
    assert game.built(0) == {"wind_turbines": 1}
    assert find_missing(game, 0) == []
    assert legal(game, 0) == {"end"}


@pytest.mark.parametrize(
    ("card", "bonus"),
    [
        ("wind_turbines", (0, 0, 0)),
        ("tank_division", (0, 1, 0)),
        ("aircraft_carrier", (0, 2, 0)),
        ("industrial_complex", (0, 0, 1)),
        ("genetic_upgrades", (0, 0, 2)),
        ("occult_district", (1, 0, 0)),
        ("parallel_dimension", (3, 0, 0)),
    ],
)
def test_ruling_7_a_built_card_pays_its_bonus_once(card: str, bonus: tuple[int, int, int]) -> None:
    game = start_planning(ascension=True)
    start_construction(game, 0, card)
    hold(game, 0)
    missing = dict(find_missing(game, 0))[card]
    fill(game, 0, card, **missing)
    assert tokens(game, 0) == bonus
    finish_phase(game)
    assert game.state.generals[0] == bonus[1]


def test_ruling_7_a_krystallium_bonus_may_be_used_in_the_same_step() -> None:
    game = start_step("materials", 1, "occult_district", "zeppelin")
    assert "use:krystallium_as_energy" not in legal(game, 0)
    play(game, 0, "place:occult_district", "use:krystallium_as_energy", "place:zeppelin")
    assert find_missing(game, 0) == [("zeppelin", {"energy": 1})]
    assert game.phase == "materials"


def test_ruling_7_a_character_bonus_may_be_used_in_the_same_step() -> None:
    game = start_step("materials", 2, "border_patrol", "center_of_the_earth")
    play(game, 0, "place:border_patrol", "place:border_patrol", "use:general", "place:center_of_the_earth")
    assert dict(find_missing(game, 0)) == {"center_of_the_earth": {"exploration": 5, "general": 1}}


def test_ruling_7_one_completion_may_pay_for_the_next() -> None:
    game = start_step("materials", 1, "occult_district", "occult_district", "occult_district")
    chain = ["use:krystallium_as_materials", "place:occult_district"]
    play(game, 0, "place:occult_district", *chain, *chain)
    assert game.built(0) == {"occult_district": 3}
    assert tokens(game, 0) == (1, 0, 0)


def test_ruling_7_a_card_can_be_built_in_planning_by_a_recycled_cube() -> None:
    game = start_planning()
    start_construction(game, 0, "wind_turbines")
    set_drafted(game, 0, "recycling_plant", "recycling_plant")
    play(game, 0, "recycle:recycling_plant", "place:wind_turbines")
    play(game, 0, "recycle:recycling_plant", "place:wind_turbines")
    assert game.built(0) == {"wind_turbines": 1}


# --- Giving up -------------------------------------------------------------------------------------


def test_ruling_6_a_discarded_construction_gives_its_cube_to_the_empire_card() -> None:
    game = start_planning()
    start_construction(game, 0, "wind_turbines", "nuclear_plant")  # both recycle to energy
    start_construction(game, 0, "zeppelin")  # 2 energy spaces are open
    before = count_discarded(game, 0)
    play(game, 0, "discard:wind_turbines")
    assert (loose(game, 0), empire(game, 0)) == ((0, None), (0, 1))
    assert count_discarded(game, 0) - before == {"wind_turbines": 1}
    assert [card for card, _ in find_missing(game, 0)] == ["nuclear_plant", "zeppelin"]
    assert dict(find_missing(game, 0))["zeppelin"] == {"energy": 2}


def test_ruling_6_what_lay_on_a_discarded_card_is_lost() -> None:
    game = start_planning(ascension=True)
    start_construction(game, 0, "immortality")  # 3 energy, 8 science, a general, a financier
    hold(game, 0, krystallium=2, generals=2, financiers=2)
    play(game, 0, "use:krystallium_as_science", "place:immortality")
    play(game, 0, "use:general", "place:immortality", "use:financier", "place:immortality")
    play(game, 0, "discard:immortality")
    assert tokens(game, 0) == (1, 1, 1)
    assert empire(game, 0) == (1, 1)  # only the cube of the card, none of those that lay on it
    assert game.built(0) == {}
    assert game.scores()[0] == 2


def test_ruling_6_krystallium_on_its_own_space_is_lost_too() -> None:
    game = start_planning()
    start_construction(game, 0, "juggernaut")
    hold(game, 0, krystallium=2)
    play(game, 0, "use:krystallium", "place:juggernaut", "discard:juggernaut")
    assert (tokens(game, 0), empire(game, 0)) == ((1, 0, 0), (1, 1))


def test_ruling_6_cubes_on_a_discarded_card_are_lost() -> None:
    game = start_step("materials", 3, "military_base")
    play(game, 0, "place:military_base", "place:military_base", "discard:military_base")
    # One cube for the card, one that was still loose; the two on the card are gone.
    assert (loose(game, 0), empire(game, 0)) == ((0, None), (0, 2))


def test_ruling_6_the_fifth_cube_of_a_discard_becomes_krystallium() -> None:
    game = start_planning()
    start_construction(game, 0, "wind_turbines", "zeppelin")
    hold(game, 0)
    game.state.empire_cubes[0] = 4
    play(game, 0, "discard:wind_turbines")
    assert empire(game, 0) == (1, 0)
    assert "use:krystallium_as_energy" in legal(game, 0)


@pytest.mark.parametrize("phase", ["planning", *RESOURCES])
def test_ruling_6_a_card_may_be_discarded_at_any_decision(phase: str) -> None:
    game = start_planning()
    start_construction(game, 0, "juggernaut", "lunar_base")
    go_to_decision(game, phase)
    assert {"discard:juggernaut", "discard:lunar_base"} <= legal(game, 0)
    play(game, 0, "discard:lunar_base")
    assert [card for card, _ in find_missing(game, 0)] == ["juggernaut"]


def test_ruling_6_no_card_can_be_discarded_in_the_draft_or_with_a_token_in_hand() -> None:
    game = start_planning()
    start_construction(game, 0, "zeppelin")
    hold(game, 0, krystallium=1)
    play(game, 0, "use:krystallium_as_energy")
    assert legal(game, 0) == {"place:zeppelin"}
    play(game, 0, "place:zeppelin")
    go_to(game, "draft")
    assert not {text for text in legal(game, 0) if text.startswith("discard:")}


def test_ruling_6_the_younger_of_two_copies_can_be_given_up() -> None:
    game = start_planning()
    start_construction(game, 0, "tank_division", "tank_division")
    fill(game, 0, "tank_division", energy=2)
    play(game, 0, "discard:tank_division#2")
    assert find_missing(game, 0) == [("tank_division", {"materials": 1})]
