"""Cards under construction that are given up (ruling 6)."""

from __future__ import annotations

import pytest

from iaww_env.cards import RESOURCES
from iaww_env.game import lend_state
from tests.rules.worked_positions import (
    count_discarded,
    empire,
    fill,
    find_missing,
    go_to,
    go_to_decision,
    hold,
    legal,
    loose,
    play,
    start_construction,
    start_planning,
    start_step,
    tokens,
)


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
    lend_state(game).empire_cubes[0] = 4
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
