"""Cards under construction: spaces, copies, surplus, completion (rulings 3, 5 and 7)."""

from __future__ import annotations

import pytest

from iaww_env.cards import RESOURCES
from iaww_env.game import lend_state
from tests.rules.worked_positions import (
    empire,
    fill,
    find_missing,
    finish_phase,
    go_to,
    hold,
    legal,
    loose,
    play,
    set_drafted,
    start_construction,
    start_planning,
    start_step,
    tokens,
)

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


@pytest.mark.parametrize("resource", RESOURCES)
def test_the_last_cube_of_a_step_fills_a_space_of_its_resource_too(resource: str) -> None:
    game = start_step(resource, 2, "utopia")  # asks for two of each
    for left in (1, 0):
        play(game, 0, "place:utopia")
        missing = dict(find_missing(game, 0))["utopia"]
        expected = dict.fromkeys((*RESOURCES, "financier"), 2) | {resource: left}
        assert missing == {space: count for space, count in expected.items() if count}
        assert loose(game, 0) == (left, resource if left else None)


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


def test_ruling_3_a_krystallium_that_completes_a_card_can_make_surplus() -> None:
    """It takes the last open space, and the card is built: the loose cube has nowhere to go."""
    game = start_step("materials", 1, "occult_district", "zeppelin")
    hold(game, 0, krystallium=1)
    assert loose(game, 0) == (1, "materials")
    play(game, 0, "use:krystallium_as_materials", "place:occult_district")
    assert game.built(0) == {"occult_district": 1}
    assert (loose(game, 0), empire(game, 0)[1]) == ((0, None), 1)
    assert "end" in legal(game, 0)


def test_ruling_3_a_krystallium_elsewhere_makes_no_surplus() -> None:
    game = start_step("materials", 2, "wind_turbines", "zeppelin")
    hold(game, 0, krystallium=1)
    play(game, 0, "use:krystallium_as_energy", "place:zeppelin")
    assert (loose(game, 0), empire(game, 0)) == ((2, "materials"), (0, 0))


def test_ruling_3_surplus_is_settled_before_a_choice_that_is_owed() -> None:
    game = start_planning()
    start_construction(game, 0, "neuroscience")  # 3 science
    lend_state(game).production[...] = 0
    lend_state(game).production[0, RESOURCES.index("science")] = 9
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


def test_ruling_7_a_character_completes_a_card_while_cubes_are_loose() -> None:
    game = start_step("gold", 2, "giant_tower", "museum")
    fill(game, 0, "giant_tower", materials=2, gold=3)
    assert (loose(game, 0), find_missing(game, 0)[0]) == ((2, "gold"), ("giant_tower", {"financier": 1}))
    hold(game, 0, financiers=1)
    play(game, 0, "use:financier", "place:giant_tower")
    assert (game.built(0), loose(game, 0)) == ({"giant_tower": 1}, (2, "gold"))
    assert legal(game, 0) == {"place:museum", "discard:museum", "to_empire"}


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
