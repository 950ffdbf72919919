"""Planning: slating, recycling, and when a phase may be ended (rulings 2 and 10)."""

from __future__ import annotations

import pytest

from iaww_env import Game, IllegalActionError
from iaww_env.cards import kinds
from tests.rules.worked_positions import (
    count_discarded,
    empire,
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
    tokens,
)

EXPECTED_RECYCLING = {
    "materials": ["military_base", "tank_division", "the_wall"],
    "energy": ["wind_turbines", "giant_dam", "pandemonium"],
    "science": ["research_center", "roswell", "immortality"],
    "gold": ["financial_center", "harbor_zone", "raiders"],
    "exploration": ["zeppelin", "museum", "shambhala"],
}


def start_with(*drafted: str, sites: tuple[str, ...] = ()) -> Game:
    game = start_planning()
    start_construction(game, 0, *sites)
    set_drafted(game, 0, *drafted)
    return game


# --- Slating and recycling -------------------------------------------------------------------------


def test_a_drafted_card_is_slated_or_recycled_in_any_order() -> None:
    game = start_with("zeppelin", "museum", "wind_turbines")
    cards = ("zeppelin", "museum", "wind_turbines")
    assert legal(game, 0) == {f"{verb}:{card}" for verb in ("slate", "recycle") for card in cards}
    play(game, 0, "slate:museum")
    assert [card for card, _ in find_missing(game, 0)] == ["museum"]
    assert game.drafted(0) == ["wind_turbines", "zeppelin"]
    play(game, 0, "recycle:wind_turbines", "slate:zeppelin")
    assert game.drafted(0) == []
    assert [card for card, _ in find_missing(game, 0)] == ["zeppelin", "museum"]
    assert game.built(0) == {}


def test_two_drafted_copies_are_decided_one_by_one() -> None:
    game = start_with("zeppelin", "zeppelin")
    assert legal(game, 0) == {"slate:zeppelin", "recycle:zeppelin"}
    play(game, 0, "slate:zeppelin")
    assert game.drafted(0) == ["zeppelin"]
    play(game, 0, "slate:zeppelin")
    assert find_missing(game, 0) == [("zeppelin", {"energy": 2})] * 2


def test_slating_costs_and_gives_nothing() -> None:
    game = start_with("zeppelin")
    before = count_discarded(game, 0)
    play(game, 0, "slate:zeppelin")
    assert (empire(game, 0), loose(game, 0), tokens(game, 0)) == ((0, 0), (0, None), (0, 0, 0))
    assert count_discarded(game, 0) == before


@pytest.mark.parametrize(
    ("card", "resource"),
    [(card, resource) for resource, cards in EXPECTED_RECYCLING.items() for card in cards],
)
def test_ruling_2_a_recycled_card_gives_one_cube_of_its_recycling(card: str, resource: str) -> None:
    game = start_planning(ascension=True)
    start_construction(game, 0, "utopia")  # two open spaces of each resource
    set_drafted(game, 0, card)
    before = count_discarded(game, 0)
    play(game, 0, f"recycle:{card}")
    assert loose(game, 0) == (1, resource)
    assert empire(game, 0) == (0, 0)
    assert count_discarded(game, 0) - before == {card: 1}
    play(game, 0, "place:utopia")
    assert dict(find_missing(game, 0))["utopia"][resource] == 1


def test_ruling_2_a_recycled_cube_is_placed_at_once() -> None:
    game = start_with("military_base", "tank_division", "museum", sites=("wind_turbines", "zeppelin"))
    play(game, 0, "recycle:military_base")  # a material
    assert loose(game, 0) == (1, "materials")
    discards = {"discard:wind_turbines", "discard:zeppelin"}
    # Nothing can be slated or recycled, and the phase cannot be ended, before it is placed.
    assert legal(game, 0) == {"place:wind_turbines", "to_empire"} | discards
    hold(game, 0, krystallium=1)
    uses = {"use:krystallium_as_materials", "use:krystallium_as_energy"}
    assert legal(game, 0) == {"place:wind_turbines", "to_empire"} | discards | uses
    play(game, 0, "place:wind_turbines")
    assert {"slate:museum", "recycle:tank_division"} <= legal(game, 0)


def test_ruling_2_a_recycled_cube_may_go_to_the_empire_card() -> None:
    game = start_with("military_base", sites=("wind_turbines",))
    play(game, 0, "recycle:military_base", "to_empire")
    assert empire(game, 0) == (0, 1)
    assert find_missing(game, 0) == [("wind_turbines", {"materials": 2})]


def test_ruling_2_a_card_slated_earlier_in_the_phase_takes_the_cube() -> None:
    game = start_with("military_base", "wind_turbines")
    play(game, 0, "slate:wind_turbines", "recycle:military_base", "place:wind_turbines")
    assert find_missing(game, 0) == [("wind_turbines", {"materials": 1})]


def test_every_card_of_the_pool_can_be_slated_and_recycled() -> None:
    game = start_planning(ascension=True)
    for one in kinds(game.config.expansions):
        set_drafted(game, 0, one.id)
        assert {f"slate:{one.id}", f"recycle:{one.id}"} <= legal(game, 0)
        play(game, 0, f"slate:{one.id}")
        assert sum(dict(find_missing(game, 0))[one.id].values()) == sum(one.cost)
        play(game, 0, f"discard:{one.id}")
        set_drafted(game, 0, one.id)
        play(game, 0, f"recycle:{one.id}")
    # 116 discards and 116 recyclings, nothing under construction: a cube for each of the 232.
    assert empire(game, 0) == (46, 2)


# --- Ending the phase ------------------------------------------------------------------------------


def test_ruling_10_planning_cannot_be_ended_with_an_undecided_card() -> None:
    game = start_with("zeppelin", "museum")
    assert "end" not in legal(game, 0)
    play(game, 0, "slate:zeppelin")
    assert "end" not in legal(game, 0)
    play(game, 0, "slate:museum")
    assert legal(game, 0) == {"discard:zeppelin", "discard:museum", "end"}


def test_ruling_10_a_phase_cannot_be_ended_with_a_loose_cube() -> None:
    game = start_with("military_base", sites=("wind_turbines",))
    play(game, 0, "recycle:military_base")
    assert "end" not in legal(game, 0)
    play(game, 0, "to_empire")
    assert "end" in legal(game, 0)
    finish_phase(game)
    assert loose(game, 0) == (2, "materials")
    assert "end" not in legal(game, 0)
    play(game, 0, "place:wind_turbines")
    assert "end" not in legal(game, 0)
    play(game, 0, "place:wind_turbines")
    assert legal(game, 0) == {"end"}


@pytest.mark.parametrize("phase", ["planning", "materials"])
def test_ruling_10_a_seat_that_has_ended_its_phase_does_nothing_more(phase: str) -> None:
    game = start_planning()
    start_construction(game, 0, "zeppelin")
    go_to(game, phase)
    hold(game, 0, krystallium=1)
    play(game, 0, "end")
    assert legal(game, 0) == {"wait"}
    assert game.seats_to_act() == [1]
    before = game.to_bytes()
    for text in ("discard:zeppelin", "use:krystallium_as_energy", "end", "wait"):
        with pytest.raises(IllegalActionError):
            game.step(0, text)
    assert game.to_bytes() == before
    finish_phase(game)
    assert "use:krystallium_as_energy" in legal(game, 0)


def test_ruling_10_the_next_phase_begins_when_all_seats_have_ended() -> None:
    game = start_planning(4)
    for seat in (2, 0, 3):
        play(game, seat, "end")
        assert game.phase == "planning"
    assert game.seats_to_act() == [1]
    play(game, 1, "end")
    assert game.phase == "materials"
    assert game.seats_to_act() == [0, 1, 2, 3]


def test_nothing_may_be_slated_or_recycled_outside_planning() -> None:
    game = start_planning()
    go_to(game, "draft")
    finish_phase(game)
    assert len(game.drafted(0)) == 7
    go_to(game, "materials")
    verbs = {text.partition(":")[0] for seat in range(2) for text in legal(game, seat)}
    assert not verbs & {"slate", "recycle", "pick", "toss", "dig"}
