"""Points, ties and winners (ruling 11), by examples worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_env import Game
from iaww_env.engine import fields
from iaww_env.engine.rules import scoring
from iaww_env.game import lend_state
from tests.rules.worked_positions import (
    build,
    fill,
    finish_phase,
    go_to_the_end,
    hold,
    legal,
    start_construction,
    start_planning,
    tokens,
)


def score_cards(*built: str, generals: int = 0, financiers: int = 0) -> int:
    """Points of a seat whose empire gives none."""
    game = start_planning(ascension=True, side="B")
    build(game, 0, *built)
    hold(game, 0, generals=generals, financiers=financiers)
    assert game.scores()[1] == 0
    return game.scores()[0]


def test_ruling_11_the_rulebooks_example_makes_62_points() -> None:
    game = start_planning(side="A", empires=("noram_states", "aztec_empire"))  # 1 more for each financier
    projects = ["giant_tower", "harbor_zone", "world_congress", "national_monument", "secret_society"]
    build(game, 0, "universal_vaccine", *projects)
    hold(game, 0, generals=2, financiers=6)
    flat = 2 + 10  # harbor zone, giant tower
    for_projects = (1 + 3 + 2) * 5  # universal vaccine, world congress, national monument
    for_characters = 2 + 6 * 3  # a financier: 1, and 1 more by the empire and by the secret society
    assert flat + for_projects + for_characters == 62
    assert game.scores()[0] == 62


def test_ruling_11_flat_points_count_for_each_copy() -> None:
    assert score_cards("espionage_agency", "espionage_agency", "alexanders_tomb") == 1 + 1 + 10


def test_ruling_11_a_general_and_a_financier_are_a_point_each() -> None:
    assert score_cards(generals=3) == 3
    assert score_cards(generals=1, financiers=4) == 5


def test_ruling_11_krystallium_and_cubes_score_nothing() -> None:
    game = start_planning()
    hold(game, 0, krystallium=9)
    lend_state(game).empire_cubes[0] = 4
    assert game.scores() == [0, 0]


@pytest.mark.parametrize(
    ("built", "points"),
    [
        (["transportation_network", "zeppelin", "zeppelin", "icebreaker"], 3),  # 1 for each vehicle
        (["transportation_network", "wind_turbines", "museum"], 0),  # none is a vehicle
        (["unknown_technology", "neuroscience"], 3 * 2 + 1),  # 3 for each research, itself included
        (["museum", "roswell", "cities_of_gold"], 2 * 2 + 3),  # 2 for each discovery
        (["museum", "museum", "bermuda_triangle"], 2 + 2 + 4),  # each copy counts
        (["national_monument", "museum"], 2 * 2),  # 2 for each project
        (["pandemonium", "wind_turbines", "recycling_plant"], 2 * 2),  # 2 for each structure
        (["floating_palace", "juggernaut"], 2 * 2 + 1 * 2),  # 2 and 1 for each vehicle
    ],
)
def test_ruling_11_points_for_each_built_card_of_a_type(built: list[str], points: int) -> None:
    assert score_cards(*built) == points
    # A card counts those built before it and those built after it.
    assert score_cards(*reversed(built)) == points


def test_ruling_11_points_for_each_character_come_on_top_of_its_own() -> None:
    assert score_cards("atlantis", generals=3, financiers=1) == 3 * (1 + 2) + 1
    assert score_cards("aquaculture", generals=1, financiers=2) == 1 + 2 * (1 + 1)
    all_three = score_cards("atlantis", "security_automatons", "roswell", generals=2)
    assert all_three == 2 * (1 + 2 + 1 + 1)


@pytest.mark.parametrize(
    ("empire", "built", "generals", "financiers", "points"),
    [
        ("noram_states", [], 1, 3, 1 + 3 * 2),  # 1 more for each financier
        ("republic_of_europe", [], 3, 1, 3 * 2 + 1),  # 1 more for each general
        ("panafrican_union", ["neuroscience", "bionic_grafts"], 0, 0, 1 + 4 + 2 * 2),  # 2 for each research
        ("federation_of_asia", ["museum", "giant_dam"], 0, 0, 1 + 2 * 2),  # 2 for each project
        ("aztec_empire", ["bermuda_triangle", "roswell"], 0, 0, 4 + 3 * 2),  # 3 for each discovery
        ("nations_of_oceania", ["wind_turbines", "wind_turbines"], 0, 0, 2),  # 1 for each structure
        ("north_hegemony", ["zeppelin", "raiders"], 0, 0, 2 * 2),  # 2 for each vehicle
    ],
)
def test_ruling_11_the_empires_own_points_count(
    empire: str, built: list[str], generals: int, financiers: int, points: int
) -> None:
    other = "noram_states" if empire != "noram_states" else "aztec_empire"
    game = start_planning(ascension=True, side="A", empires=(empire, other))
    build(game, 0, *built)
    hold(game, 0, generals=generals, financiers=financiers)
    assert game.scores() == [points, 0]


# --- Duos ------------------------------------------------------------------------------------------


def test_ruling_11_a_duo_of_one_research_and_one_project_at_nine_each() -> None:
    assert score_cards("immortality", "museum") == 9  # immortality is the research, the museum the project


def test_ruling_11_a_duo_counts_the_smaller_number() -> None:
    assert score_cards("immortality") == 0
    assert score_cards("immortality", "museum", "museum", "secret_society") == 9
    assert score_cards("immortality", "security_automatons", "super_soldiers", "museum", "museum") == 9 * 2


@pytest.mark.parametrize(
    ("duo", "others", "generals", "financiers", "points"),
    [
        ("giant_robot", ["wind_turbines", "nuclear_plant", "zeppelin"], 0, 0, 6 * 2),
        ("telekinesis", ["zeppelin", "icebreaker"], 0, 3, 6 * 2 + 3),
        ("dark_matter", ["wind_turbines", "nuclear_plant"], 0, 0, 6),  # two structures, one research
        ("utopia", ["museum", "roswell"], 0, 0, 12 + 2),  # the museum counts 2 for roswell
        ("celestial_cathedral", ["zeppelin", "icebreaker"], 0, 0, 8),  # two vehicles, one project
        ("intercontinental_network", ["roswell", "island_of_avalon"], 0, 5, 6 * 2 + 7 + 5),
        ("high_security_prison", ["wind_turbines"], 4, 0, 5 + 4),
        ("orbital_station", [], 2, 3, 6 * 2 + 5),
        ("world_bank", ["wind_turbines", "nuclear_plant"], 0, 0, 7),  # two structures, one project
        ("hyperborea", ["security_automatons", "super_soldiers"], 0, 0, 10),  # itself the one discovery
        ("valhalla", ["museum"], 3, 0, 6 + 2 + 3),  # one project; the museum counts 2 for valhalla
        ("mysterious_vessel", ["zeppelin", "zeppelin", "supercomputer"], 0, 0, 6 + 2),
    ],
)
def test_ruling_11_every_duo(
    duo: str, others: list[str], generals: int, financiers: int, points: int
) -> None:
    assert score_cards(duo, *others, generals=generals, financiers=financiers) == points


def test_ruling_11_a_card_counts_for_every_duo_that_names_its_type() -> None:
    # One structure, one vehicle (the robot), one research (dark matter): three pairs of 6 points.
    assert score_cards("giant_robot", "mysterious_vessel", "dark_matter", "wind_turbines") == 6 + 6 + 6


# --- What is gone ----------------------------------------------------------------------------------


def test_ruling_11_characters_on_unfinished_cards_are_gone() -> None:
    game = start_planning()
    hold(game, 0, generals=2)
    start_construction(game, 0, "center_of_the_earth")
    assert game.scores()[0] == 2
    game.step(0, "use:general")
    game.step(0, "place:center_of_the_earth")
    assert tokens(game, 0) == (0, 1, 0)
    assert game.scores()[0] == 1


def test_ruling_11_an_unfinished_card_scores_nothing() -> None:
    game = start_planning()
    start_construction(game, 0, "alexanders_tomb")
    fill(game, 0, "alexanders_tomb", exploration=6)
    go_to_the_end(game)
    hold(game, 0)
    hold(game, 1)
    finish_phase(game)
    assert game.over
    assert game.scores() == [0, 0]


# --- Ties and winners ------------------------------------------------------------------------------


def finish_game(built: list[list[str]], generals: list[int]) -> Game:
    """A finished game in which seat s has built `built[s]` and holds `generals[s]`."""
    game = start_planning(len(built), ascension=True)
    for seat, cards in enumerate(built):
        build(game, seat, *cards)
    go_to_the_end(game)
    for seat, count in enumerate(generals):
        hold(game, seat, generals=count)
    assert game.winners() == []
    finish_phase(game)
    assert game.over
    return game


def test_ruling_11_most_points_win_over_more_built_cards() -> None:
    game = finish_game([["wind_turbines", "wind_turbines"], []], [1, 2])
    assert (game.scores(), game.places(), game.winners()) == ([1, 2], [2, 1], [1])


def test_ruling_11_a_tie_goes_to_more_built_cards() -> None:
    game = finish_game([[], ["neuroscience"]], [1, 0])
    assert (game.scores(), game.places(), game.winners()) == ([1, 1], [2, 1], [1])


def test_ruling_11_then_to_more_characters_held() -> None:
    game = finish_game([["neuroscience"], ["wind_turbines"]], [0, 1])
    assert (game.scores(), game.places(), game.winners()) == ([1, 1], [2, 1], [1])


def test_ruling_11_generals_and_financiers_decide_a_tie_alike() -> None:
    game = finish_game([["neuroscience"], ["wind_turbines"]], [0, 0])
    hold(game, 1, financiers=1)
    assert (game.scores(), game.places(), game.winners()) == ([1, 1], [2, 1], [1])


def test_ruling_11_built_cards_come_before_characters() -> None:
    game = finish_game([["neuroscience", "wind_turbines"], ["wind_turbines"]], [0, 1])
    assert (game.scores(), game.places(), game.winners()) == ([1, 1], [1, 2], [0])


def even_out(game: Game, points: int) -> None:
    """Every seat has so many points: what is missing stands printed on its cards."""
    for seat, scored in enumerate(game.scores()):
        lend_state(game).flat_points[seat] += points - scored
    assert game.scores() == [points] * game.config.players


NINE = ["wind_turbines"] * 4 + ["recycling_plant"] * 5


def test_ruling_11_no_number_of_characters_makes_up_for_a_built_card() -> None:
    game = finish_game([NINE, NINE[1:]], [0, 20])
    even_out(game, 40)
    assert (game.places(), game.winners()) == ([1, 2], [0])
    hold(game, 1, generals=700, financiers=800)
    even_out(game, 2000)
    assert (game.places(), game.winners()) == ([1, 2], [0])


def test_ruling_11_no_number_of_built_cards_makes_up_for_a_point() -> None:
    game = finish_game([NINE, []], [0, 0])
    even_out(game, 40)
    lend_state(game).flat_points[1] += 1
    assert (game.scores(), game.places()) == ([40, 41], [2, 1])
    lend_state(game).n_built[0] = 28
    assert game.places() == [2, 1]


def test_the_key_of_ties_fits_its_cell() -> None:
    """Whatever the cells of points, built cards and characters can hold."""
    most = np.iinfo(np.int16).max
    assert scoring.BUILT_SPAN > fields.SITES_SOLO
    assert 2 * most < scoring.CHARACTERS_SPAN
    assert (most + 1) * scoring.BUILT_SPAN * scoring.CHARACTERS_SPAN < 2**63


def test_ruling_11_cards_under_construction_decide_no_tie() -> None:
    game = start_planning()
    start_construction(game, 0, "zeppelin", "museum", "university")
    build(game, 1, "wind_turbines")
    assert game.state.n_sites.tolist() == [3, 0]
    assert (game.scores(), game.places()) == ([0, 0], [2, 1])


def test_ruling_11_a_tie_goes_by_cards_and_not_by_kinds() -> None:
    game = finish_game([["wind_turbines", "wind_turbines", "wind_turbines"], ["zeppelin", "museum"]], [0, 0])
    even_out(game, 5)
    assert (game.places(), game.winners()) == ([1, 2], [0])


def test_ruling_11_krystallium_decides_no_tie() -> None:
    game = finish_game([["neuroscience"], ["wind_turbines"]], [0, 1])
    hold(game, 0, krystallium=9)
    assert (game.scores(), game.places()) == ([1, 1], [2, 1])
    # With equal characters it is shared, whatever krystallium there is.
    game = finish_game([["wind_turbines"], ["wind_turbines"]], [1, 1])
    hold(game, 0, krystallium=9, generals=1)
    assert (game.scores(), game.places()) == ([1, 1], [1, 1])


def test_ruling_11_then_the_victory_is_shared() -> None:
    game = finish_game([["wind_turbines"], [], ["recycling_plant"]], [2, 1, 2])
    assert (game.scores(), game.places(), game.winners()) == ([2, 1, 2], [1, 3, 1], [0, 2])


def test_the_game_is_over_after_round_four() -> None:
    game = finish_game([[], []], [0, 1])
    assert game.round == 4
    assert game.seats_to_act() == []
    assert [legal(game, seat) for seat in range(2)] == [{"wait"}, {"wait"}]
