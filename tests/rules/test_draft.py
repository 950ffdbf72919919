"""Dealing, picking and passing (rulings 1 and 12), by examples worked out by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from iaww_env import Game, GameConfig
from iaww_env.cards import kind
from iaww_env.engine.fields import find_layout
from iaww_env.engine.kernels import batch as kernels
from iaww_env.engine.new_rows import make_rows
from iaww_env.game import lend_row, lend_state
from tests.dealt_cards import HAND_SIZES
from tests.modes import CA
from tests.rules.worked_positions import (
    ALL_EMPIRES,
    BASE_EMPIRES,
    build,
    count_discarded,
    empire,
    find_missing,
    finish_phase,
    go_to,
    hold,
    legal,
    start_construction,
    start_planning,
    tokens,
)


def start_game(players: int, *, ascension: bool = False, seed: int = 0) -> Game:
    expansions = CA if ascension else ()
    return Game(GameConfig(players=players, expansions=expansions, empire_side="B"), seed=seed)


def pick_first(game: Game) -> list[list[str]]:
    """Every seat picks the first card of its hand; what is left of the hands, by seat."""
    players = range(game.config.players)
    hands = [game.hand(seat) for seat in players]
    for seat in players:
        game.step(seat, f"pick:{hands[seat][0]}")
    return [hand[1:] for hand in hands]


# --- Dealing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "ascension", "base_cards", "ascension_cards"),
    [row for row in HAND_SIZES if row[0] > 1],
)
def test_every_seat_is_dealt_its_cards_each_round(
    players: int, ascension: bool, base_cards: int, ascension_cards: int
) -> None:
    game = start_game(players, ascension=ascension)
    dealt: Counter[str] = Counter()
    for round in (1, 2, 3, 4):
        go_to(game, "draft", round=round)
        for seat in range(players):
            hand = game.hand(seat)
            decks = Counter(kind(card).deck for card in hand)
            assert (decks["base"], decks["ascension"]) == (base_cards, ascension_cards)
            dealt.update(hand)
        pick_first(game)
    for card, count in dealt.items():
        assert count <= kind(card).copies


def test_deals_differ_by_seed_and_not_within_one() -> None:
    hands = [start_game(4, seed=seed).hand(0) for seed in (0, 0, 1)]
    assert hands[0] == hands[1] != hands[2]


@pytest.mark.parametrize(("players", "ascension"), [(1, False), (1, True), (2, True), (5, False)])
def test_the_next_game_of_a_row_begins_as_a_new_one(players: int, ascension: bool) -> None:
    """Nothing of the game before is left in the row, and its stream goes on."""
    game = start_game(players, ascension=ascension)
    go_to(game, "planning")
    for seat in range(players):
        start_construction(game, seat, "museum", "lunar_base")
        build(game, seat, "neuroscience", "tank_division")
    lend_state(game).reshuffled[...] = players == 1  # as digs leave it
    while not game.over:
        finish_phase(game)
    fresh = make_rows(game.config, [0])
    find_layout(game.config).views(fresh[0]).rng[:] = game.state.rng
    kernels.begin_rows(fresh)
    kernels.begin_rows(lend_row(game)[None])
    assert game.round == 1
    assert game.row.tobytes() == fresh.tobytes()


def test_a_card_of_the_hand_is_picked() -> None:
    game = start_game(3)
    for seat in range(3):
        assert legal(game, seat) == {f"pick:{card}" for card in game.hand(seat)}


# --- Picking ---------------------------------------------------------------------------------------


def test_ruling_1_picks_are_revealed_together() -> None:
    game = start_game(3)
    hands = [game.hand(seat) for seat in range(3)]
    game.step(2, f"pick:{hands[2][3]}")
    game.step(0, f"pick:{hands[0][1]}")
    assert [game.drafted(seat) for seat in range(3)] == [[], [], []]
    assert legal(game, 1) == {f"pick:{card}" for card in hands[1]}
    assert legal(game, 0) == legal(game, 2) == {"wait"}
    assert game.seats_to_act() == [1]
    game.step(1, f"pick:{hands[1][0]}")
    assert [game.drafted(seat) for seat in range(3)] == [[hands[0][1]], [hands[1][0]], [hands[2][3]]]
    assert game.seats_to_act() == [0, 1, 2]


def test_ruling_1_seven_cards_are_picked() -> None:
    game = start_game(2)
    picked: list[list[str]] = [[], []]
    for _ in range(7):
        assert game.phase == "draft"
        for seat in range(2):
            picked[seat].append(game.hand(seat)[0])
        pick_first(game)
    assert game.phase == "planning"
    assert [game.drafted(seat) for seat in range(2)] == [
        sorted(cards, key=lambda card: kind(card).index) for cards in picked
    ]


# --- Passing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("round", [1, 3])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_ruling_1_packs_pass_to_the_left_in_rounds_one_and_three(players: int, round: int) -> None:
    game = start_game(players)
    go_to(game, "draft", round=round)
    for _ in range(5):
        left_over = pick_first(game)
        # Seat i hands its pack to seat i + 1, the last one to seat 0.
        assert [game.hand((seat + 1) % players) for seat in range(players)] == left_over


@pytest.mark.parametrize("round", [2, 4])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_ruling_1_packs_pass_to_the_right_in_rounds_two_and_four(players: int, round: int) -> None:
    game = start_game(players)
    go_to(game, "draft", round=round)
    for _ in range(5):
        left_over = pick_first(game)
        # Seat i hands its pack to seat i - 1, seat 0 to the last one.
        assert [game.hand((seat - 1) % players) for seat in range(players)] == left_over


def test_ruling_1_two_players_exchange_their_packs() -> None:
    game = start_game(2)
    for round in (1, 2):
        go_to(game, "draft", round=round)
        left_over = pick_first(game)
        assert [game.hand(1), game.hand(0)] == left_over


# --- What is left over -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "ascension", "left_over"),
    [
        (2, False, 3),
        (3, False, 0),
        (5, False, 0),
        (2, True, 5),
        (3, True, 2),
        (4, True, 2),
        (5, True, 1),
        (6, True, 1),
        (7, True, 0),
    ],
)
def test_ruling_1_what_is_left_in_a_hand_is_discarded_without_a_bonus(
    players: int, ascension: bool, left_over: int
) -> None:
    game = start_game(players, ascension=ascension)
    while game.phase == "draft":
        hands = pick_first(game)
    assert [len(hand) for hand in hands] == [left_over] * players
    for seat in range(players):
        assert count_discarded(game, seat) == Counter(hands[seat])
        assert (empire(game, seat), tokens(game, seat)) == ((0, 0), (0, 0, 0))
        assert game.state.loose[seat] == 0
        assert game.hand(seat) == []


def test_no_card_comes_twice() -> None:
    """What was dealt in round 1 is not dealt again, as long as no other copy of it exists."""
    game = start_game(5)
    single = {one for seat in range(5) for one in game.hand(seat) if kind(one).copies == 1}
    assert single
    for round in (2, 3, 4):
        finish_phase(game)
        go_to(game, "draft", round=round)
        assert not single & {card for seat in range(5) for card in game.hand(seat)}


# --- Empires ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ascension", "empires"), [(False, BASE_EMPIRES), (True, ALL_EMPIRES)])
def test_ruling_12_empires_are_distinct_and_drawn_from_the_boxes_played(
    ascension: bool, empires: tuple[str, ...]
) -> None:
    seen = set()
    for seed in range(60):
        drawn = start_game(3, ascension=ascension, seed=seed).empires
        assert len(set(drawn)) == 3
        seen |= set(drawn)
    assert seen == set(empires)


def test_ruling_12_any_seat_may_draw_any_empire() -> None:
    drawn = set()
    for seed in range(120):
        drawn |= set(enumerate(start_game(2, seed=seed).empires))
    assert drawn == {(seat, name) for seat in range(2) for name in BASE_EMPIRES}


def test_ruling_12_seven_seats_have_all_seven_empires() -> None:
    assert set(start_game(7, ascension=True).empires) == set(ALL_EMPIRES)


def test_ruling_12_named_empires_are_kept_and_the_others_drawn() -> None:
    drawn = set()
    for seed in range(60):
        config = GameConfig(players=3, empires=("aztec_empire", None, "noram_states"))
        first, second, third = Game(config, seed=seed).empires
        assert (first, third) == ("aztec_empire", "noram_states")
        drawn.add(second)
    assert drawn == {"republic_of_europe", "panafrican_union", "federation_of_asia"}


@pytest.mark.parametrize(
    ("side", "production", "krystallium"),
    [
        ("A", [3, 0, 0, 1, 0], 0),
        ("B", [2, 1, 1, 0, 0], 0),
        ("C", [0, 0, 0, 0, 0], 5),
        ("D", [3, 0, 0, 1, 0], 0),
        ("E", [4, 2, -1, -1, -1], 0),
        ("F", [3, 2, 0, -1, 0], 0),
    ],
)
def test_an_empire_starts_with_what_its_side_gives(
    side: str, production: list[int], krystallium: int
) -> None:
    game = Game(GameConfig(players=2, empire_side=side, empires=("noram_states", None)), seed=0)
    assert game.state.production[0].tolist() == production
    assert tokens(game, 0) == (krystallium, 0, 0)
    assert (game.state.empire_cubes[0], find_missing(game, 0), game.built(0)) == (0, [], {})


@pytest.mark.parametrize(("players", "ascension"), [(2, False), (5, False), (2, True), (7, True)])
def test_ruling_19_nothing_but_picks_in_the_draft(players: int, ascension: bool) -> None:
    """Every token in hand, a card under construction that asks for each of them: picks alone are legal."""
    game = start_planning(players, ascension=ascension)
    for seat in range(players):
        start_construction(game, seat, "center_of_the_earth", "giant_tower", "juggernaut", "wind_turbines")
    go_to(game, "draft", round=2)
    for seat in range(players):
        hold(game, seat, krystallium=3, generals=3, financiers=3)
    for _ in range(7):
        assert game.phase == "draft"
        for seat in range(players):
            assert legal(game, seat) == {f"pick:{card}" for card in game.hand(seat)}
        for seat in range(players):
            game.step(seat, game.legal_actions(seat)[0])
    assert game.phase == "planning"
    assert {"use:general", "use:financier", "use:krystallium", "discard:juggernaut"} <= legal(game, 0)
