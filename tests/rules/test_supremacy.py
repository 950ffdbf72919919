"""Who has the supremacy of a production step, and what it gives (rulings 8, 9 and 13)."""

from __future__ import annotations

import pytest

from iaww_env import Game
from iaww_env.cards import RESOURCES
from iaww_env.game import lend_state
from tests.rules.worked_positions import (
    build,
    find_missing,
    finish_phase,
    go_to,
    hold,
    legal,
    play,
    start_construction,
    start_planning,
    tokens,
)

WITHOUT_A_CHOICE = [
    ("materials", "financiers"),
    ("energy", "generals"),
    ("gold", "financiers"),
    ("exploration", "generals"),
]


def start_step(resource: str, made: list[int]) -> Game:
    """The beginning of a production step in which seat s makes `made[s]`; nobody holds a character."""
    game = start_planning(len(made), ascension=len(made) > 5)
    lend_state(game).production[...] = 0
    lend_state(game).production[:, RESOURCES.index(resource)] = made
    go_to(game, resource)
    return game


def find_supreme(made: list[int], resource: str = "materials", character: str = "financiers") -> list[int]:
    """The seats that get a character in a step in which they make these numbers of cubes."""
    game = start_step(resource, made)
    awarded = getattr(game.state, character).tolist()
    other = "generals" if character == "financiers" else "financiers"
    assert getattr(game.state, other).tolist() == [0] * len(made)
    assert set(awarded) <= {0, 1}
    return [seat for seat, count in enumerate(awarded) if count]


# --- What it gives ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("resource", "character"), WITHOUT_A_CHOICE)
def test_ruling_8_the_character_of_each_step(resource: str, character: str) -> None:
    assert find_supreme([1, 2], resource, character) == [1]
    assert find_supreme([4, 0, 0, 1, 0, 0], resource, character) == [0, 3]


@pytest.mark.parametrize(("choice", "held"), [("general", [1, 0]), ("financier", [0, 1])])
def test_ruling_8_science_gives_the_choice_of_either(choice: str, held: list[int]) -> None:
    game = start_step("science", [0, 1])
    assert legal(game, 1) == {"choose:general", "choose:financier"}
    assert (game.state.generals.tolist(), game.state.financiers.tolist()) == ([0, 0], [0, 0])
    play(game, 1, f"choose:{choice}")
    assert [game.state.generals[1], game.state.financiers[1]] == held
    assert legal(game, 1) == {"end"}


def test_ruling_8_the_choice_is_made_before_anything_else() -> None:
    game = start_planning(2)
    # 5 science; 5 exploration and 2 generals
    start_construction(game, 0, "bionic_grafts", "center_of_the_earth")
    hold(game, 0, krystallium=1, generals=1)
    lend_state(game).production[0, RESOURCES.index("science")] = 3
    go_to(game, "science")
    hold(game, 0, krystallium=1, generals=1)
    assert game.state.loose[0] == 3
    assert legal(game, 0) == {"choose:general", "choose:financier"}
    play(game, 0, "choose:general")
    others = {"use:krystallium_as_science", "use:krystallium_as_exploration", "use:general"}
    discards = {"discard:bionic_grafts", "discard:center_of_the_earth"}
    assert legal(game, 0) == {"place:bionic_grafts", "to_empire"} | others | discards


@pytest.mark.parametrize(
    ("resource", "character", "card"),
    [
        ("materials", "financier", "giant_tower"),
        ("energy", "general", "center_of_the_earth"),
        ("science", "general", "center_of_the_earth"),
        ("science", "financier", "giant_tower"),
        ("gold", "financier", "giant_tower"),
        ("exploration", "general", "center_of_the_earth"),
    ],
)
def test_ruling_8_a_character_may_be_used_in_the_step_that_gives_it(
    resource: str, character: str, card: str
) -> None:
    game = start_planning(2)
    start_construction(game, 0, card)
    lend_state(game).production[...] = 0
    lend_state(game).production[0, RESOURCES.index(resource)] = 1
    go_to(game, resource)
    if resource == "science":
        play(game, 0, f"choose:{character}")
    missing = dict(find_missing(game, 0))[card][character]
    play(game, 0, f"use:{character}", f"place:{card}")
    assert game.phase == resource
    assert dict(find_missing(game, 0))[card].get(character, 0) == missing - 1
    assert tokens(game, 0)[1:] == (0, 0)


def test_ruling_9_both_leaders_choose_in_science() -> None:
    game = start_step("science", [2, 0, 0, 3, 1, 0])
    choosing = [seat for seat in range(6) if "choose:general" in legal(game, seat)]
    assert choosing == [0, 3]
    play(game, 0, "choose:financier")
    play(game, 3, "choose:general")
    assert game.state.financiers.tolist() == [1, 0, 0, 0, 0, 0]
    assert game.state.generals.tolist() == [0, 0, 0, 1, 0, 0]


# --- Two to five players ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "supreme"),
    [
        ([3, 2], [0]),
        ([2, 3], [1]),
        ([2, 2], []),  # a tie: nobody
        ([0, 0], []),
        ([1, 0], [0]),  # one cube is enough where nobody else makes any
        ([4, 4, 3], []),  # a tie for first: nobody, not even the third
        ([4, 3, 3], [0]),
        ([1, 5, 5, 2], []),
        ([1, 2, 5, 4], [2]),  # the leader alone, not the second
        ([0, 0, 0, 0, 1], [4]),
        ([2, 2, 2, 2, 2], []),
        ([2, 6, 2, 5, 6], []),
    ],
)
def test_ruling_8_supremacy_needs_strictly_most_and_more_than_none(
    made: list[int], supreme: list[int]
) -> None:
    assert find_supreme(made) == supreme


def test_ruling_8_supremacy_goes_by_production_less_corruption() -> None:
    assert find_supreme([-1, 0]) == []
    assert find_supreme([-1, 1, -2]) == [1]
    assert find_supreme([-1, -2]) == []  # less than none is none: both make none
    game = start_planning(2, side="F", empires=("panafrican_union", "republic_of_europe"))
    # Energy: -1 against 2. Science: 2 against 2. Materials: 3 against -1.
    finish_phase(game)
    assert game.state.financiers.tolist() == [1, 0]
    finish_phase(game)
    assert game.state.generals.tolist() == [0, 1]
    finish_phase(game)
    assert game.state.must_choose.tolist() == [0, 0]


def test_ruling_8_a_tie_after_corruption_gives_nothing() -> None:
    game = start_planning(2, side="E")
    finish_phase(game)  # 4 each
    finish_phase(game)  # 2 each
    finish_phase(game)  # -1 each, which is none
    finish_phase(game)
    assert game.state.generals.tolist() == [0, 0]
    assert game.state.financiers.tolist() == [0, 0]


def build_all(*built: list[str]) -> Game:
    """Planning with these cards built by each seat, nothing held; every empire makes 2 materials."""
    game = start_planning(len(built), ascension=True)
    for seat, cards in enumerate(built):
        build(game, seat, *cards)
    finish_phase(game)
    return game


# Factories take a material each; a plant makes 2, a base 1, a drill 1.
CORRUPTED = [
    ([["recycling_plant", "robot_factory", "robot_factory"], ["military_base"]], [0, 1]),  # 4 - 2, 3
    ([["recycling_plant", "robot_factory"], ["military_base"]], [0, 0]),  # 4 - 1, 3
    ([["robot_factory"], []], [0, 1]),  # 2 - 1, 2
    ([["robot_factory", "military_base"], []], [0, 0]),  # 3 - 1, 2
    ([["recycling_plant", "robot_factory"], []], [1, 0]),  # 4 - 1, 2
    # Six: 4 - 2, 3, 3 and three times 2: the two at 3, though the first makes most before corruption.
    (
        [
            ["recycling_plant", "robot_factory", "robot_factory"],
            ["military_base"],
            ["mega_drill"],
            [],
            [],
            [],
        ],
        [0, 1, 1, 0, 0, 0],
    ),
]


@pytest.mark.parametrize(("built", "financiers"), CORRUPTED)
def test_ruling_8_supremacy_is_counted_after_corruption(
    built: list[list[str]], financiers: list[int]
) -> None:
    """By the cubes that come, not by what would have been made without corruption."""
    game = build_all(*built)
    assert game.phase == "materials"
    assert game.state.financiers.tolist() == financiers


@pytest.mark.parametrize(
    ("built", "financiers"),
    [
        (["recycling_plant", "mega_drill"], 1),  # 2 + 2 + 1
        (["recycling_plant", "mega_drill", "robot_factory"], 0),  # 5 - 1
        (["recycling_plant", "mega_drill", "mega_drill", "robot_factory"], 1),  # 6 - 1
    ],
)
def test_ruling_9_solo_supremacy_is_counted_after_corruption(built: list[str], financiers: int) -> None:
    assert build_all(built).state.financiers.tolist() == [financiers]


def test_ruling_8_the_last_step_of_the_game_gives_its_character_too() -> None:
    game = start_planning(2, side="A", empires=("aztec_empire", "noram_states"))
    go_to(game, "gold", round=4)
    before = game.state.generals.tolist()
    finish_phase(game)
    assert (game.round, game.phase) == (4, "exploration")
    assert game.state.generals.tolist() == [before[0] + 1, before[1]]
    # It counts: the general is worth a point at the end.
    scores = game.scores()
    finish_phase(game)
    assert (game.over, game.scores()) == (True, scores)


def test_ruling_18_the_supply_of_characters_is_unlimited() -> None:
    """From supremacy, from a choice and from a bonus, whoever holds however many already."""
    game = start_planning(2)
    lend_state(game).production[0] = 3
    for seat in range(2):
        hold(game, seat, generals=150, financiers=150)
    financial_center = 1  # its bonus is a financier
    build(game, 0, "financial_center")
    go_to(game, "science")
    play(game, 0, "choose:financier")
    assert tokens(game, 0)[1:] == (150 + 1, 150 + financial_center + 1 + 1)
    go_to(game, "planning", round=2)
    assert tokens(game, 0)[1:] == (150 + 2, 150 + financial_center + 2 + 1)
    assert tokens(game, 1)[1:] == (150, 150)


# --- Six and seven players -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "supreme"),
    [
        ([5, 3, 1, 0, 0, 0], [0, 1]),  # the two highest
        ([0, 3, 1, 0, 5, 4], [4, 5]),
        ([5, 3, 3, 0, 0, 0], [0]),  # one leader and a tie for second: the leader only
        ([3, 3, 5, 3, 3, 3], [2]),
        ([5, 0, 5, 4, 0, 0], [0, 2]),  # two tied for first: both, and nobody else
        ([5, 5, 4, 4, 0, 0], [0, 1]),
        ([5, 5, 5, 4, 0, 0], []),  # three tied for first: nobody, not even the next
        ([2, 2, 2, 2, 2, 2], []),
        ([5, 0, 0, 0, 0, 0], [0]),  # a second with none: no
        ([1, 1, 0, 0, 0, 0], [0, 1]),
        ([0, 0, 0, 0, 0, 0], []),
        ([4, -1, -2, -3, -3, -3], [0]),
        ([4, -1, 1, -2, -3, -3], [0, 2]),
    ],
)
@pytest.mark.parametrize("seats", [6, 7])
def test_ruling_9_supremacy_with_six_and_seven_players(
    made: list[int], supreme: list[int], seats: int
) -> None:
    assert find_supreme([*made, *[0] * (seats - 6)]) == supreme


def test_ruling_9_four_tied_for_second_of_seven_are_none() -> None:
    assert find_supreme([2, 7, 2, 2, 2, 1, 0]) == [1]
    assert find_supreme([7, 7, 7, 7, 7, 7, 8]) == [6]


@pytest.mark.parametrize(("resource", "character"), WITHOUT_A_CHOICE)
def test_ruling_9_holds_in_every_step(resource: str, character: str) -> None:
    assert find_supreme([5, 3, 3, 0, 0, 0, 0], resource, character) == [0]
    assert find_supreme([5, 5, 3, 0, 0, 0, 0], resource, character) == [0, 1]


# --- Solo ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("resource", "character"), WITHOUT_A_CHOICE)
@pytest.mark.parametrize(("made", "supreme"), [(0, []), (4, []), (5, [0]), (6, [0]), (11, [0])])
def test_ruling_9_solo_supremacy_at_five(
    made: int, supreme: list[int], resource: str, character: str
) -> None:
    assert find_supreme([made], resource, character) == supreme


@pytest.mark.parametrize(("made", "texts"), [(4, {"end"}), (5, {"choose:general", "choose:financier"})])
def test_ruling_9_solo_supremacy_in_science(made: int, texts: set[str]) -> None:
    assert legal(start_step("science", [made]), 0) == texts


def test_ruling_9_solo_supremacy_in_every_step_that_makes_five() -> None:
    game = start_planning(1)
    lend_state(game).production[0] = 5
    go_to(game, "planning", round=2)
    # Materials and gold, energy and exploration, and a general chosen in science.
    assert (game.state.financiers[0], game.state.generals[0]) == (2, 3)
