"""Random games in every mode: they end, nothing is lost, and the order of asking does not matter."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.reference import ReferenceGame
from tests.reference.card_table import EXPANSION, read_card_table, scenario_cards
from tests.reference.random_play import DigSource, choose_action, play_random, start_game

TABLE = read_card_table()
BASE_EMPIRES = [name for name, side in TABLE.empires if side == "A" and name not in TABLE.expansion_empires]
ALL_EMPIRES = [name for name, side in TABLE.empires if side == "A"]


def list_modes() -> list[dict[str, Any]]:
    """Every number of players with either card pool on sides A and B, each promo side, each scenario."""
    modes = []
    for players in range(1, 8):
        for expansions in ([], [EXPANSION]):
            empires = ALL_EMPIRES if expansions else BASE_EMPIRES
            if players <= len(empires):
                for side in "ABCDEF" if players in (1, 4) else "AB":
                    mode = {"players": players, "expansions": expansions, "empire_side": side}
                    modes.append({**mode, "scenario": None})
    for name, scenario in TABLE.scenarios.items():
        for expansions in [[EXPANSION]] if scenario.expansion else [[], [EXPANSION]]:
            modes.append({"players": 1, "expansions": expansions, "empire_side": "B", "scenario": name})
    return modes


def name_mode(mode: dict[str, Any]) -> str:
    pool = "expansion" if mode["expansions"] else "base"
    return f"{mode['players']}-{pool}-{mode['empire_side']}-{mode['scenario']}"


def draw_empires(mode: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    empires = ALL_EMPIRES if mode["expansions"] else BASE_EMPIRES
    return {**mode, "empires": rng.sample(empires, mode["players"])}


def count_cards(game: ReferenceGame) -> Counter[str]:
    """Every card that is somewhere on the table or still to come."""
    cards = Counter[str]()
    if game.solo:
        for pool in game.pools_to_come:
            cards.update(pool)
        for left in game.decks.left.values():
            cards.update(left)
    for number in range(game.players):
        position = game.position(number)
        cards.update(position["hand"] + position["drafted"])
        cards.update(position["built"])
        cards.update(position["discarded"])
        cards.update(site["card"] for site in position["sites"])
    return cards


def count_cards_to_be_there(game: ReferenceGame) -> Counter[str]:
    if game.solo:
        return TABLE.card_pool(game.config["expansions"])
    return Counter(kind for packs in game.deals[: game.round] for pack in packs for kind in pack)


def check_position(game: ReferenceGame, number: int) -> None:
    position = game.position(number)
    assert 0 <= position["empire_cubes"] < 5
    assert min(position["generals"], position["financiers"], position["krystallium"], position["loose"]) >= 0
    assert (position["loose_resource"] is None) == (position["loose"] == 0)
    open_spaces = Counter[str]()
    for site in position["sites"]:
        assert site["missing"], "a card with no open space is built"
        assert Counter(site["missing"]) <= Counter(TABLE.cards[site["card"]].cost)
        open_spaces.update(site["missing"])
    assert position["loose"] <= open_spaces[position["loose_resource"]]
    assert game.legal_actions(number), "a dead end"
    assert (game.legal_actions(number) == {"wait"}) == (number not in game.seats_to_act())


@pytest.mark.parametrize("discards", [False, True])
@pytest.mark.parametrize("mode", list_modes(), ids=name_mode)
def test_nothing_is_lost(mode: dict[str, Any], discards: bool) -> None:
    rng = random.Random(f"{sorted(mode.items())}{discards}")
    game = start_game(draw_empires(mode, rng), rng)
    decisions = 0
    while not game.over:
        assert count_cards(game) == count_cards_to_be_there(game)
        for number in range(game.players):
            check_position(game, number)
        seat = rng.choice(game.seats_to_act())
        game.step(seat, choose_action(game, seat, rng, discards))
        decisions += 1
        assert decisions < 1000 * game.players
    assert game.round == 4
    assert all(game.legal_actions(number) == {"wait"} for number in range(game.players))
    assert (game.title() is None) == (not game.solo or mode["scenario"] is not None)
    assert 1 in game.places()


def play_in_order(config: dict[str, Any], seed: int, ask: Callable[[list[int]], int]) -> list[Any]:
    """Each seat draws from its own stream; `ask` decides which seat acts next. All positions at the end."""
    game = start_game(config, random.Random(seed))
    streams = [random.Random(f"{seed} {seat}") for seat in range(game.players)]
    while not game.over:
        seat = ask(game.seats_to_act())
        game.step(seat, choose_action(game, seat, streams[seat], discards=True))
    return [game.position(seat) for seat in range(game.players)]


@pytest.mark.parametrize("players", [2, 3, 5, 7])
def test_the_order_of_asking_does_not_matter(players: int) -> None:
    mode = {"players": players, "expansions": [EXPANSION], "empire_side": "A", "scenario": None}
    for seed in range(3):
        config = draw_empires(mode, random.Random(seed))
        in_order = play_in_order(config, seed, min)
        assert play_in_order(config, seed, max) == in_order
        assert play_in_order(config, seed, random.Random(seed).choice) == in_order


def test_random_games_repeat() -> None:
    config = draw_empires(list_modes()[0], random.Random(0))
    games = [play_random(config, random.Random(seed)) for seed in (1, 1, 2)]
    assert games[0].position(0) == games[1].position(0)
    assert games[0].position(0) != games[2].position(0)


def test_a_solo_game_can_dig_a_deck_to_its_end() -> None:
    """Digging whenever possible empties the small ascension deck: its discards are shuffled under it."""
    mode = {"players": 1, "expansions": [EXPANSION], "empire_side": "B", "scenario": "ascension_sc01"}
    rng = random.Random(3)
    game = start_game(draw_empires(mode, rng), rng)
    cards_of_scenario = Counter(scenario_cards(game.config, TABLE))
    assert not cards_of_scenario & (TABLE.card_pool([EXPANSION]) - count_cards(game))
    shuffled = 0
    while not game.over:
        legal = game.legal_actions(0)
        discards_before = game.position(0)["discarded"]
        game.step(0, "dig:ascension" if "dig:ascension" in legal else choose_action(game, 0, rng))
        shuffled += any(game.position(0)["discarded"].get(kind, 0) < n for kind, n in discards_before.items())
        assert count_cards(game) == TABLE.card_pool([EXPANSION])
    assert shuffled > 0


@pytest.mark.parametrize("cards_left", range(7))
def test_the_source_shuffles_the_discards_under_a_small_deck(cards_left: int) -> None:
    mode = {"players": 1, "expansions": [], "empire_side": "B", "scenario": None}
    rng = random.Random(4)
    game = start_game(draw_empires(mode, rng), rng)
    source = game.decks.source
    assert isinstance(source, DigSource)
    old, lost = source.decks["base"][:cards_left], source.decks["base"][cards_left:]
    source.decks["base"] = list(old)
    game.decks.left["base"] = Counter(old)
    game.seats[0].discarded = Counter(lost)
    game.step(0, "dig:base")
    for _ in range(2):
        game.step(0, min(text for text in game.legal_actions(0) if text.startswith("toss:")))
    shown = game.position(0)["hand"]
    assert len(shown) == 5
    assert Counter(old) <= Counter(shown) if cards_left <= 5 else Counter(shown) <= Counter(old)
    assert Counter(source.decks["base"]) == game.decks.left["base"]
    assert count_cards(game) == TABLE.card_pool([])
