"""Deals and pools that are given: those that fit a configuration, and where others are wrong."""

import re
from collections import Counter

import pytest

from iaww_env.cards import kinds, scenario
from iaww_env.config import GameConfig, check_deals, check_pools
from iaww_env.errors import ConfigError
from tests.modes import CA


def list_cards(config: GameConfig, deck: str) -> list[str]:
    gone = Counter(scenario(config.scenario).cards if config.scenario else ())
    pool = [kind for kind in kinds(config.expansions) if kind.deck == deck]
    return [kind.id for kind in pool for _ in range(kind.copies - gone[kind.id])]


def deal_hands(config: GameConfig, count: int) -> list[list[str]]:
    base, ascension = list_cards(config, "base"), list_cards(config, "ascension")
    return [
        [
            *(base.pop(0) for _ in range(config.hand_base)),
            *(ascension.pop(0) for _ in range(config.hand_ascension)),
        ]
        for _ in range(count)
    ]


def deal(config: GameConfig) -> list[list[list[str]]]:
    hands = deal_hands(config, 4 * config.players)
    return [hands[r * config.players : (r + 1) * config.players] for r in range(4)]


VERSUS = [
    *(GameConfig(players=n) for n in range(2, 6)),
    *(GameConfig(players=n, expansions=CA) for n in range(2, 8)),
]
SOLO = [
    GameConfig(players=1),
    GameConfig(players=1, expansions=CA),
    GameConfig(players=1, scenario="base_sc02"),
    GameConfig(players=1, expansions=CA, scenario="ascension_sc05"),
]


@pytest.mark.parametrize("config", VERSUS, ids=lambda c: f"{c.players}{'ca' if c.ascension else ''}")
def test_deals_that_fit_come_back_as_tuples(config: GameConfig) -> None:
    deals = deal(config)
    checked = check_deals(config, deals)
    assert checked == tuple(tuple(tuple(hand) for hand in seats) for seats in deals)
    assert check_deals(config, checked) == checked
    deals[3][config.players - 1].reverse()
    assert check_deals(config, deals)[3][-1] == tuple(deals[3][-1]), "the order inside a hand stays"


@pytest.mark.parametrize("config", SOLO, ids=["base", "ca", "base_sc02", "ascension_sc05"])
def test_pools_that_fit_come_back_as_tuples(config: GameConfig) -> None:
    pools = deal_hands(config, 8)
    assert check_pools(config, pools) == tuple(tuple(pool) for pool in pools)


def test_deals_are_for_seats_and_pools_for_the_solo_game() -> None:
    with pytest.raises(ConfigError, match="give its 8 pools"):
        check_deals(SOLO[0], deal_hands(SOLO[0], 8))
    with pytest.raises(ConfigError, match="only the solo game has pools"):
        check_pools(VERSUS[0], deal_hands(SOLO[0], 8))


@pytest.mark.parametrize(
    "bad", [None, 5, "deals", {}, {"0": []}, iter([]), [], [[]] * 3, [[]] * 5, [[]] * 4, [None] * 4]
)
def test_deals_of_a_wrong_shape(bad: object) -> None:
    with pytest.raises(ConfigError, match="deal"):
        check_deals(GameConfig(players=3), bad)
    with pytest.raises(ConfigError, match="pool"):
        check_pools(GameConfig(players=1), bad)


def test_deals_say_where_they_are_wrong() -> None:
    config = GameConfig(players=3)
    for spoil, message in [
        (lambda d: d[1].pop(), "the deal of round 2: 2 given, where there are 3 hands"),
        (lambda d: d[2].append([]), "the deal of round 3: 4 given"),
        (lambda d: d[1][2].pop(), "the deal of round 2, seat 2: 6 given, where there are 7 cards"),
        (lambda d: d[0][1].append("zeppelin"), "the deal of round 1, seat 1: 8 given"),
        (lambda d: d[3].__setitem__(0, "zeppelin"), "the deal of round 4, seat 0: 'zeppelin' is no list"),
        (lambda d: d[0][0].__setitem__(3, "zepelin"), "round 1, seat 0: there is no card 'zepelin'"),
        (lambda d: d[0][0].__setitem__(3, "zepelin"), "did you mean 'zeppelin'"),
        (lambda d: d[0][0].__setitem__(3, "Zeppelin"), "there is no card 'Zeppelin'"),
        (lambda d: d[0][0].__setitem__(3, 17), "there is no card 17"),
        (lambda d: d[0][0].__setitem__(3, ["zeppelin"]), "there is no card ['zeppelin']"),
        (lambda d: d[0][0].__setitem__(3, None), "there is no card None"),
        (lambda d: d[0][0].__setitem__(3, "border_patrol"), "no card 'border_patrol' in the card pool"),
        (lambda d: d[0][0].__setitem__(3, "headquarters"), "no card 'headquarters' in the card pool"),
    ]:
        deals = deal(config)
        spoil(deals)
        with pytest.raises(ConfigError, match=re.escape(message)):
            check_deals(config, deals)


def test_hands_hold_the_right_number_of_each_deck() -> None:
    config = GameConfig(players=4, expansions=CA)
    deals = deal(config)
    deals[0][0][0] = "shambhala"
    with pytest.raises(ConfigError, match="seat 0: 5 base and 4 ascension cards, where 6 and 3 are dealt"):
        check_deals(config, deals)
    solo = GameConfig(players=1, expansions=CA)
    pools = deal_hands(solo, 8)
    pools[7][4] = "zeppelin"
    with pytest.raises(ConfigError, match="pool 8: 4 base and 1 ascension cards, where 3 and 2 are dealt"):
        check_pools(solo, pools)


def test_no_more_copies_than_exist() -> None:
    config = GameConfig(players=2)
    deals = deal(config)
    last = [id for seats in deals for hand in seats for id in hand]
    assert last.count("recycling_plant") == 7
    assert "juggernaut" in last
    deals[3][1][9] = "recycling_plant"
    with pytest.raises(ConfigError, match="'recycling_plant' is dealt 8 times, but the deck holds 7"):
        check_deals(config, deals)
    deals[3][1][9] = "juggernaut"
    with pytest.raises(ConfigError, match="'juggernaut' is dealt 2 times, but the deck holds 1"):
        check_deals(config, deals)


def test_a_scenarios_cards_are_out_of_the_deck() -> None:
    config = GameConfig(players=1, expansions=CA, scenario="ascension_sc05")  # three of the four icebreakers
    pools = deal_hands(config, 8)
    assert sum(pool.count("icebreaker") for pool in pools) <= 1
    pools[0][0], pools[1][0] = "icebreaker", "icebreaker"
    with pytest.raises(ConfigError, match=r"but the deck holds 1 \(the scenario's cards are out"):
        check_pools(config, pools)
    assert check_pools(config.replace(scenario=None), pools)
    pools = deal_hands(config, 8)
    pools[0][0] = "quantum_generator"
    with pytest.raises(ConfigError, match="'quantum_generator' is dealt 1 times, but the deck holds 0"):
        check_pools(config, pools)
