"""Krystallium and characters on cards under construction (ruling 5)."""

from __future__ import annotations

import pytest

from iaww_env.cards import RESOURCES
from tests.rules.worked_positions import (
    empire,
    find_missing,
    go_to,
    go_to_decision,
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
