"""Production steps (rulings 4, 7 and 8), by examples worked out by hand."""

from __future__ import annotations

import pytest

from iaww_env import Game
from iaww_env.cards import RESOURCES
from iaww_env.game import lend_state
from tests.rules.worked_positions import (
    build,
    count_cubes,
    empire,
    fill,
    finish_phase,
    go_to,
    hold,
    legal,
    loose,
    play,
    start_construction,
    start_planning,
)


def produce(*built: str, side: str = "B", empires: tuple[str, ...] | None = None) -> list[int]:
    """Cubes that a seat makes in the five steps of a round; it has no card under construction."""
    game = start_planning(ascension=True, side=side, empires=empires)
    build(game, 0, *built)
    return count_round(game, 0)


def count_round(game: Game, seat: int) -> list[int]:
    """Cubes that come to a seat in the five steps that follow planning."""
    made = []
    for resource in RESOURCES:
        before = count_cubes(game, seat)
        finish_phase(game)
        assert game.phase == resource
        made.append(count_cubes(game, seat) - before)
    return made


# --- What is counted -------------------------------------------------------------------------------


def test_ruling_8_an_empire_makes_its_fixed_production() -> None:
    assert produce() == [2, 1, 1, 0, 0]
    assert produce(side="A", empires=("aztec_empire", "noram_states")) == [0, 2, 0, 0, 1]


def test_ruling_8_built_cards_add_their_production() -> None:
    assert produce("military_base", "wind_turbines", "wind_turbines") == [2 + 1, 1 + 2, 1 + 1, 0, 0]
    assert produce("blackbeards_treasure", "harbor_zone") == [2 + 2, 1, 1, 1 + 2, 1]


def test_ruling_8_the_rulebooks_example_of_corruption() -> None:
    # Empire 2, 1, 1, 0, 0; recycling plant 2 materials; robot factory 2 energy, 2 science, 1 corrupted
    # material; raiders 2 exploration, 1 corrupted gold. It would make 4, 3, 3, 0, 2.
    assert produce("recycling_plant", "robot_factory", "raiders") == [3, 3, 3, 0, 2]


def test_ruling_8_corruption_below_zero_makes_nothing() -> None:
    game = start_planning(ascension=True, side="E", empires=("noram_states", "aztec_empire"))
    hold(game, 0, krystallium=1)  # 4, 2, -1, -1, -1 on side E
    assert count_round(game, 0) == [4, 2, 0, 0, 0]
    assert empire(game, 0) == (2, 1)


def test_ruling_8_corruption_is_taken_off_later_production_too() -> None:
    side_e = ("noram_states", "aztec_empire")
    assert produce("human_cloning", side="E", empires=side_e) == [4, 2, 0, 0, 0]  # -1 and 1 gold
    assert produce("raiders", "cities_of_gold", side="E", empires=side_e) == [4, 2, 0, 1, 1]  # -1 -1 +3 gold


@pytest.mark.parametrize(
    ("built", "made"),
    [
        (["neuroscience"], [2, 1, 1 + 1, 0, 0]),  # 1 science for each research, itself included
        (["neuroscience", "supercomputer"], [2, 1, 1 + 2 + 1, 0, 0]),
        (["supercomputer", "neuroscience"], [2, 1, 1 + 1 + 2, 0, 0]),
        (["robot_assistants"], [2, 1, 1, 0, 0]),  # 1 material for each structure, and it is none
        (["robot_assistants", "recycling_plant", "transportation_network"], [2 + 2 + 2, 1, 1, 0, 0]),
        (["aircraft_carrier", "zeppelin", "super_sonar"], [2, 1, 1, 0, 2 + 1 + 2]),  # both: each vehicle
        (["virtual_reality", "propaganda_center", "museum"], [2, 1, 1, 1 + 2, 0]),  # research; project
        (["shambhala", "university"], [2, 1, 1 + 1, 0, 1]),  # each project, twice
        (["ancient_astronauts", "shambhala"], [2, 1, 1 + 2, 0, 0]),  # each discovery
        (["artificial_intelligence", "zeppelin"], [2, 1, 1 + 1, 0, 1]),  # each vehicle
        (["magnetic_train", "king_solomons_mines", "wind_turbines"], [2, 1 + 1, 1, 2, 0]),  # each structure
    ],
)
def test_ruling_8_production_for_each_built_card_of_a_type(built: list[str], made: list[int]) -> None:
    assert produce(*built) == made


def test_ruling_8_two_copies_each_count_every_card() -> None:
    assert produce("propaganda_center", "propaganda_center", "museum") == [2, 1, 1, 3 + 3, 0]


def test_ruling_8_per_type_production_is_corrupted_like_any_other() -> None:
    # Inquisitors: -1 science, 1 gold, 1 exploration. Neuroscience makes 1.
    assert produce("neuroscience", "inquisitors") == [2, 1, 1 + 1 - 1, 1, 1]


# --- When it is counted ----------------------------------------------------------------------------


def test_ruling_7_a_card_built_in_a_step_produces_from_the_next() -> None:
    game = start_planning()
    start_construction(game, 0, "military_base")  # 3 materials, 1 energy; makes 1 material, 1 science
    fill(game, 0, "military_base", materials=2, energy=1)
    finish_phase(game)
    assert loose(game, 0) == (1, "materials")
    play(game, 0, "place:military_base")
    assert loose(game, 0) == (0, None)
    assert empire(game, 0) == (0, 1)  # two materials were made, not three
    go_to(game, "science")
    assert empire(game, 0) == (0, 1 + 1 + 2)  # 1 energy, then 1 + 1 science in the same round
    before = count_cubes(game, 0)
    go_to(game, "materials", round=2)
    recycled = 7
    assert count_cubes(game, 0) == before + recycled + 2 + 1  # the material in the next round


def test_ruling_7_a_card_built_in_planning_produces_in_every_step() -> None:
    assert produce("mega_drill") == [2 + 1, 1, 1, 0, 1]


def test_ruling_8_a_step_is_counted_for_all_seats_at_its_start() -> None:
    game = start_planning(ascension=True)
    start_construction(game, 0, "wind_turbines")
    for seat in range(2):
        start_construction(game, seat, "zeppelin")
    go_to(game, "energy")
    # The first seat builds in the energy step: neither its own count nor the other's changes.
    fill(game, 0, "wind_turbines", materials=2)
    assert game.built(0) == {"wind_turbines": 1}
    assert [loose(game, seat) for seat in range(2)] == [(1, "energy"), (1, "energy")]


def test_ruling_8_supremacy_goes_by_the_count_at_the_start_of_the_step() -> None:
    game = start_planning()
    for seat in range(2):
        start_construction(game, seat, "nuclear_plant", "wind_turbines")
    go_to(game, "energy")
    fill(game, 0, "nuclear_plant", materials=4, science=1)  # now 4 energy against 1
    go_to(game, "science")
    assert game.state.generals.tolist() == [0, 0]
    go_to(game, "energy", round=2)
    assert game.state.generals.tolist() == [1, 0]


def test_the_five_steps_come_in_their_order_in_each_of_four_rounds() -> None:
    game = start_planning(1)
    phases = []
    while not game.over:
        phases.append((game.round, game.phase))
        finish_phase(game)
    steps = ["planning", "materials", "energy", "science", "gold", "exploration"]
    assert phases == [(number, step) for number in (1, 2, 3, 4) for step in steps]


def test_the_draft_comes_before_planning_in_each_round() -> None:
    game = start_planning(2)
    phases = []
    while not game.over:
        phases.append(game.phase)
        finish_phase(game)
    steps = ["planning", "materials", "energy", "science", "gold", "exploration"]
    assert phases == [*steps, *["draft", *steps] * 3]


# --- Cubes -----------------------------------------------------------------------------------------


def test_cubes_of_a_step_may_be_placed_or_sent_to_the_empire_card() -> None:
    game = start_planning()
    start_construction(game, 0, "industrial_complex")  # 3 materials, 1 energy
    finish_phase(game)
    assert loose(game, 0) == (2, "materials")
    assert legal(game, 0) == {"place:industrial_complex", "discard:industrial_complex", "to_empire"}
    play(game, 0, "place:industrial_complex", "to_empire")
    assert empire(game, 0) == (0, 1)
    assert legal(game, 0) == {"discard:industrial_complex", "end"}


def test_ruling_4_a_fifth_cube_on_the_empire_card_becomes_a_krystallium() -> None:
    game = start_planning()
    lend_state(game).empire_cubes[0] = 4
    lend_state(game).empire_cubes[1] = 3
    start_construction(game, 0, "wind_turbines")
    finish_phase(game)  # two materials each
    assert empire(game, 0) == (0, 4)
    assert empire(game, 1) == (1, 0)
    play(game, 0, "to_empire")
    assert empire(game, 0) == (1, 0)
    play(game, 0, "to_empire")
    assert empire(game, 0) == (1, 1)


def test_ruling_4_cubes_of_any_colours_count_together() -> None:
    game = start_planning(side="D", empires=("republic_of_europe", "panafrican_union"))
    # 3 materials and 1 exploration; 1 material and 2 gold: nothing else is made.
    assert count_round(game, 0) == [3, 0, 0, 0, 1]
    assert empire(game, 0) == (0, 4)
    assert empire(game, 1) == (0, 3)
    go_to(game, "planning", round=2)
    play(game, 0, next(text for text in game.legal_texts(0) if text.startswith("recycle:")))
    assert empire(game, 0) == (1, 0)


def test_ruling_4_the_rest_stays_for_later_rounds() -> None:
    game = start_planning()
    go_to(game, "exploration")
    assert empire(game, 0) == (0, 4)  # 2, 1, 1
    go_to(game, "planning", round=2)
    assert empire(game, 0) == (0, 4)


def test_ruling_4_cubes_on_the_empire_card_never_come_back() -> None:
    game = start_planning()
    lend_state(game).empire_cubes[0] = 4
    start_construction(game, 0, "wind_turbines")
    assert legal(game, 0) == {"discard:wind_turbines", "end"}
    go_to(game, "energy")
    assert legal(game, 0) == {"discard:wind_turbines", "use:krystallium_as_materials", "end"}


def test_ruling_4_the_supply_of_krystallium_is_unlimited() -> None:
    game = start_planning()
    lend_state(game).production[0, 0] = 503
    finish_phase(game)
    assert empire(game, 0) == (100, 3)
