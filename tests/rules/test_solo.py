"""The solo game: pools, sequences and titles (ruling 13), step by step."""

from __future__ import annotations

from collections import Counter

import pytest

from iaww_env import Game, GameConfig
from iaww_env.cards import kind
from tests.modes import CA
from tests.rules.solo_positions import FIRST, SECOND, fill_pools, in_order, say, start_solo
from tests.rules.worked_positions import (
    ALL_EMPIRES,
    BASE_EMPIRES,
    empire,
    find_missing,
    finish_phase,
    go_to,
    go_to_the_end,
    hold,
    legal,
    loose,
    play,
    tokens,
)

# --- Pools and sequences ---------------------------------------------------------------------------


@pytest.mark.parametrize(("ascension", "base_cards", "ascension_cards"), [(False, 5, 0), (True, 3, 2)])
def test_ruling_13_eight_pools_of_five_are_dealt(
    ascension: bool, base_cards: int, ascension_cards: int
) -> None:
    game = Game(GameConfig(players=1, expansions=CA if ascension else ()), seed=5)
    hands: list[list[str]] = []
    while not game.over:
        hand = game.drafted(0)
        if len(hand) == 5:
            hands.append(hand)
        if game.phase == "planning" and hand:
            play(game, 0, f"recycle:{hand[0]}")
        else:
            finish_phase(game)
    assert len(hands) == 8
    decks = [Counter(kind(card).deck for card in hand) for hand in hands]
    assert [(deck["base"], deck["ascension"]) for deck in decks] == [(base_cards, ascension_cards)] * 8
    dealt = Counter(card for hand in hands for card in hand)
    assert all(count <= kind(card).copies for card, count in dealt.items())


def test_ruling_13_given_pools_come_in_their_order_two_in_each_round() -> None:
    pools = fill_pools(FIRST, SECOND)
    game = Game(GameConfig(players=1), seed=0, pools=pools)
    for round in (1, 2, 3, 4):
        go_to(game, "planning", round=round)
        for pool in pools[2 * round - 2 : 2 * round]:
            assert game.drafted(0) == in_order(*pool)
            for card in pool:
                assert "end" not in legal(game, 0)
                play(game, 0, f"recycle:{card}")
        assert "end" in legal(game, 0)


def test_ruling_13_a_sequence_is_slated_and_recycled_in_any_order() -> None:
    game = start_solo()
    assert game.phase == "planning"
    assert game.drafted(0) == in_order(*FIRST)
    assert legal(game, 0) == say("slate", FIRST) | say("recycle", FIRST) | {"dig:base"}
    play(game, 0, "slate:zeppelin", "recycle:financial_center", "slate:wind_turbines")
    assert game.drafted(0) == ["recycling_plant", "research_center"]
    assert [card for card, _ in find_missing(game, 0)] == ["wind_turbines", "zeppelin"]
    assert empire(game, 0) == (0, 1)


def test_ruling_13_the_next_sequence_begins_when_the_hand_is_empty() -> None:
    game = start_solo()
    play(game, 0, *(f"slate:{card}" for card in FIRST[:4]))
    assert game.drafted(0) == FIRST[4:]
    play(game, 0, f"slate:{FIRST[4]}")
    assert game.drafted(0) == in_order(*SECOND)
    assert "end" not in legal(game, 0)
    assert (game.round, game.phase) == (1, "planning")


def test_ruling_13_the_next_sequence_waits_for_a_loose_cube() -> None:
    game = start_solo()
    play(game, 0, *(f"slate:{card}" for card in FIRST[1:]), "recycle:recycling_plant")
    assert loose(game, 0) == (1, "materials")
    assert game.drafted(0) == []
    assert "end" not in legal(game, 0)
    play(game, 0, "place:wind_turbines")
    assert game.drafted(0) == in_order(*SECOND)


def test_ruling_13_the_next_sequence_waits_while_a_token_is_placed() -> None:
    game = start_solo()
    hold(game, 0, krystallium=1)
    play(game, 0, *(f"slate:{card}" for card in FIRST[1:]), "recycle:recycling_plant")
    play(game, 0, "discard:research_center", "discard:financial_center")
    # Two open material spaces: the krystallium takes one, the cube the other.
    play(game, 0, "use:krystallium_as_materials")
    assert game.drafted(0) == []
    play(game, 0, "place:wind_turbines")
    assert (loose(game, 0), game.drafted(0)) == ((1, "materials"), [])
    play(game, 0, "place:wind_turbines")
    assert game.drafted(0) == in_order(*SECOND)


def test_ruling_13_planning_can_be_ended_after_the_second_sequence_only() -> None:
    game = start_solo()
    play(game, 0, *(f"recycle:{card}" for card in FIRST))
    for card in SECOND:
        assert "end" not in legal(game, 0)
        play(game, 0, f"recycle:{card}")
    assert empire(game, 0) == (2, 0)  # ten cubes, nothing under construction
    assert legal(game, 0) == {"end"}
    assert game.phase == "planning"
    play(game, 0, "end")
    assert game.phase == "materials"


def test_ruling_13_planning_may_go_on_until_it_is_ended() -> None:
    game = start_solo()
    play(game, 0, *(f"slate:{card}" for card in FIRST + SECOND))
    assert legal(game, 0) == say("discard", FIRST + SECOND) | {"end"}
    play(game, 0, "discard:zeppelin")
    assert "end" in legal(game, 0)


@pytest.mark.parametrize(
    ("empire_name", "expansions"),
    [(name, ()) for name in BASE_EMPIRES] + [(name, CA) for name in ALL_EMPIRES],
)
def test_ruling_13_side_c_begins_with_its_krystallium(empire_name: str, expansions: tuple[str, ...]) -> None:
    """Five krystallium and no production; they can be used in the first sequence already."""
    config = GameConfig(players=1, expansions=expansions, empire_side="C", empires=(empire_name,))
    game = Game(config, seed=3)
    assert tokens(game, 0) == (5, 0, 0)
    assert game.state.production[0].tolist() == [0] * 5
    card = game.drafted(0)[0]
    play(game, 0, f"slate:{card}")
    use = next(text for text in sorted(legal(game, 0)) if text.startswith("use:krystallium"))
    play(game, 0, use, f"place:{card}")
    assert tokens(game, 0)[0] == 4 + kind(card).bonus_krystallium * game.built(0).get(card, 0)


# --- The end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "title"),
    [
        (0, "apprentice"),
        (59, "apprentice"),
        (60, "dictator"),
        (79, "dictator"),
        (80, "emperor"),
        (99, "emperor"),
        (100, "living god"),
        (250, "living god"),
    ],
)
def test_ruling_13_the_title_by_points(points: int, title: str) -> None:
    game = start_solo()
    go_to_the_end(game)
    hold(game, 0, financiers=points)
    assert game.title() is None  # the game is not over
    play(game, 0, "end")
    assert game.over
    assert game.scores() == [points]
    assert (game.title(), game.medal()) == (title, None)


def test_titles_are_for_the_solo_game() -> None:
    game = Game(GameConfig(players=2), seed=0)
    go_to_the_end(game)
    finish_phase(game)
    assert game.over
    assert game.title() is None
