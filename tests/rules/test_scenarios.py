"""Solo scenarios: cards that start under construction, and medals (ruling 14)."""

from __future__ import annotations

from collections import Counter

import pytest

from iaww_env import Game, GameConfig
from iaww_env.cards import kind, kinds, scenarios
from iaww_env.game import lend_state
from tests.modes import CA
from tests.rules.solo_positions import SHOWN_ASCENSION, show_hand, stack_deck
from tests.rules.worked_positions import (
    build,
    complete,
    fill,
    find_missing,
    go_to,
    go_to_the_end,
    hold,
    legal,
    play,
    start_construction,
    start_scenario,
    tokens,
)

# Cards, and the points that bronze, silver and gold ask for, as printed in the rulebooks.
PRINTED: dict[str, tuple[list[str], tuple[int, int, int]]] = {
    "base_sc01": (["polar_base", "mega_drill", "super_sonar", "center_of_the_earth"], (70, 95, 115)),
    "base_sc02": (["recycling_plant", "wind_turbines", "universal_vaccine", "aquaculture"], (70, 95, 115)),
    "base_sc03": (
        ["unknown_technology", "saucer_squadron", "lunar_base", "secret_laboratory"],
        (70, 90, 105),
    ),
    "base_sc04": (["research_center", "neuroscience", "time_travel"], (65, 85, 105)),
    "base_sc05": (
        ["industrial_complex", "underground_city", "underwater_city", "secret_society"],
        (75, 95, 120),
    ),
    "base_sc06": (["financial_center", "propaganda_center", "national_monument"], (60, 85, 105)),
    "ascension_sc01": (
        [
            "giant_robot",
            "telekinesis",
            "robot_factory",
            "security_automatons",
            "robot_assistants",
            "robotic_animals",
        ],
        (95, 115, 135),
    ),
    "ascension_sc02": (
        ["tax_haven", "occult_district", "raiders", "pandemonium", "lawless_zone", "high_security_prison"],
        (85, 95, 105),
    ),
    "ascension_sc03": (
        [
            "orbital_station",
            "mining_asteroid",
            "alpha_centauri",
            "space_elevator",
            "cryopreservation",
            "lunar_base",
        ],
        (95, 115, 135),
    ),
    "ascension_sc04": (["valhalla", "raiders", "solar_cannon", "tank_division"], (90, 100, 115)),
    "ascension_sc05": (
        ["hyperborea", "icebreaker", "icebreaker", "icebreaker", "quantum_generator", "underwater_city"],
        (95, 105, 120),
    ),
    "ascension_sc06": (["artificial_sun", "the_wall", "alpha_centauri"], (95, 105, 120)),
}
EACH_SCENARIO = pytest.mark.parametrize("name", list(PRINTED))


def list_cards(name: str) -> list[str]:
    """The named cards in the order of the card table."""
    return sorted(PRINTED[name][0], key=lambda card: kind(card).index)


def finish_scenario(name: str, points: int, *, leave_out: str | None = None) -> Game:
    """The end of a scenario with so many points, all named cards built (but one copy of `leave_out`)."""
    game = start_scenario(name)
    cards = list_cards(name)
    if leave_out is not None:
        cards.remove(leave_out)
    for card in cards:
        complete(game, 0, card)
    go_to_the_end(game)
    hold(game, 0)
    lend_state(game).flat_points[0] += points - game.scores()[0]
    assert (game.medal(), game.scenario_won()) == (None, None)  # the game is not over
    play(game, 0, "end")
    assert game.over
    assert game.scores() == [points]
    assert game.scenario_won() is (leave_out is None)
    return game


def test_all_twelve_scenarios_are_there() -> None:
    assert [one.id for one in scenarios()] == list(PRINTED)


@EACH_SCENARIO
def test_ruling_14_the_named_cards_start_under_construction_with_all_spaces_open(name: str) -> None:
    game = start_scenario(name)
    sites = find_missing(game, 0)
    assert [card for card, _ in sites] == list_cards(name)
    for card, missing in sites:
        assert sum(missing.values()) == sum(kind(card).cost)
    assert game.built(0) == {}
    assert tokens(game, 0) == (0, 0, 0)


@EACH_SCENARIO
def test_scenarios_are_played_on_side_b(name: str) -> None:
    config = start_scenario(name).config
    games = [Game(config, seed=seed) for seed in range(12)]
    assert len({game.empires[0] for game in games}) > 2
    for game in games:
        assert game.state.production[0].tolist() == [2, 1, 1, 0, 0]  # that of every empire


@EACH_SCENARIO
def test_ruling_14_the_named_cards_come_out_of_the_deck(name: str) -> None:
    game = start_scenario(name)
    fresh = Game(game.config, seed=0)
    state = fresh.state
    hidden = [*state.pools.ravel().tolist(), *state.base_deck.tolist(), *state.ascension_deck.tolist()]
    left = Counter(kinds(game.config.expansions)[index].id for index in hidden if index >= 0)
    left.update(fresh.drafted(0))
    named = Counter(list_cards(name))
    for one in kinds(game.config.expansions):
        assert left[one.id] == one.copies - named[one.id]


@pytest.mark.parametrize(
    ("name", "medal", "points"),
    [
        (name, medal, points)
        for name, (_, (bronze, silver, gold)) in PRINTED.items()
        for medal, points in [
            (None, bronze - 1),
            ("bronze", bronze),
            ("bronze", silver - 1),
            ("silver", silver),
            ("silver", gold - 1),
            ("gold", gold),
            ("gold", gold + 50),
        ]
    ],
)
def test_ruling_14_the_points_decide_the_medal(name: str, medal: str | None, points: int) -> None:
    game = finish_scenario(name, points)
    assert (game.medal(), game.title()) == (medal, None)


@pytest.mark.parametrize(
    ("name", "missing"), [(name, card) for name in PRINTED for card in dict.fromkeys(list_cards(name))]
)
def test_ruling_14_a_scenario_is_not_won_when_one_named_card_is_missing(name: str, missing: str) -> None:
    assert finish_scenario(name, 300, leave_out=missing).medal() is None


def test_ruling_14_a_named_card_that_was_given_up_is_missing() -> None:
    game = start_scenario("base_sc04")
    play(game, 0, "discard:neuroscience")
    complete(game, 0, "research_center")
    complete(game, 0, "time_travel")
    go_to_the_end(game)
    lend_state(game).flat_points[0] = 200
    play(game, 0, "end")
    assert game.medal() is None


def test_rulings_14_and_17_another_copy_counts_after_the_named_one_was_given_up() -> None:
    game = start_scenario("base_sc02")
    play(game, 0, "discard:wind_turbines")
    for card in ("recycling_plant", "universal_vaccine", "aquaculture"):
        complete(game, 0, card)
    start_construction(game, 0, "wind_turbines")
    complete(game, 0, "wind_turbines")
    go_to_the_end(game)
    lend_state(game).flat_points[0] = 200
    play(game, 0, "end")
    assert game.medal() == "gold"


@pytest.mark.parametrize(
    ("name", "expansions", "decks"),
    [
        ("base_sc01", (), {"base": 5}),
        ("base_sc01", CA, {"base": 3, "ascension": 2}),
        ("base_sc06", CA, {"base": 3, "ascension": 2}),
        ("ascension_sc05", CA, {"base": 3, "ascension": 2}),
    ],
)
def test_rulings_13_and_14_the_pools_of_a_scenario(
    name: str, expansions: tuple[str, ...], decks: dict[str, int]
) -> None:
    """Those of a base scenario are mixed as well, where it is played with Corruption & Ascension."""
    game = Game(GameConfig(players=1, expansions=expansions, scenario=name), seed=3)
    table = kinds(game.config.expansions)
    pools = [[table[index].id for index in pool] for pool in game.state.pools.tolist() if pool[0] >= 0]
    pools.append(game.drafted(0))
    assert len(pools) == 8
    for pool in pools:
        assert Counter(kind(card).deck for card in pool) == decks


def test_ruling_14_other_built_cards_do_not_matter() -> None:
    game = start_scenario("base_sc04")
    start_construction(game, 0, "museum", "zeppelin")
    for card in (*list_cards("base_sc04"), "museum"):
        complete(game, 0, card)
    go_to_the_end(game)
    lend_state(game).flat_points[0] = 200
    play(game, 0, "end")
    assert game.medal() == "gold"


def test_ruling_14_named_cards_are_built_like_any_other() -> None:
    game = start_scenario("base_sc06")
    fill(game, 0, "financial_center", materials=2)
    go_to(game, "materials")
    assert game.state.loose[0] == 2
    play(game, 0, "place:financial_center", "place:financial_center")
    assert dict(find_missing(game, 0))["financial_center"] == {"energy": 1}
    go_to(game, "energy")
    play(game, 0, "place:financial_center")
    assert game.built(0) == {"financial_center": 1}
    assert tokens(game, 0)[2] == 1
    # It makes 2 gold in the gold step of this round, for the propaganda center.
    go_to(game, "gold")
    assert game.state.loose[0] == 2


# --- The boxes that are played with ----------------------------------------------------------------


def list_pools_of(game: Game) -> list[list[str]]:
    """The cards of all eight pools of a game that has just begun."""
    table = kinds(game.config.expansions)
    later = [[table[index].id for index in pool] for pool in game.state.pools.tolist() if pool[0] >= 0]
    return [game.drafted(0), *later]


def check_mixed(name: str) -> None:
    """Pools of 3 + 2, and digs into both decks: five base cards are shown, or three ascension cards."""
    game = Game(GameConfig(players=1, expansions=CA, scenario=name), seed=8)
    pools = list_pools_of(game)
    assert [Counter(kind(card).deck for card in pool) for pool in pools] == [{"base": 3, "ascension": 2}] * 8
    assert {"dig:base", "dig:ascension"} <= legal(game, 0)
    for deck, shown in (("base", 5), ("ascension", 3)):
        dug = game.clone()
        first, second = dug.drafted(0)[:2]
        play(dug, 0, f"dig:{deck}", f"toss:{first}", f"toss:{second}")
        assert len(dug.hand(0)) == shown
        assert {kind(card).deck for card in dug.hand(0)} == {deck}
        play(dug, 0, f"pick:{dug.hand(0)[0]}")
        assert len(dug.drafted(0)) == 4
    # The decks hold all that is in no pool and not named.
    named = Counter(kind(card).deck for card in PRINTED[name][0])
    left = (game.state.deck_end - game.state.deck_next).tolist()
    assert left == [150 - 24 - named["base"], 56 - 16 - named["ascension"]]


@pytest.mark.parametrize("name", [name for name in PRINTED if name.startswith("ascension")])
def test_ruling_15_an_ascension_scenario_has_the_pools_and_digs_of_the_solo_game(name: str) -> None:
    check_mixed(name)


BASE = pytest.mark.parametrize("name", [name for name in PRINTED if name.startswith("base")])


@BASE
def test_ruling_16_a_base_scenario_with_the_expansion_is_played_with_both_decks(name: str) -> None:
    check_mixed(name)


@BASE
def test_ruling_16_a_base_scenario_without_the_expansion_is_played_with_the_base_deck(name: str) -> None:
    game = Game(GameConfig(players=1, scenario=name), seed=8)
    assert [Counter(kind(card).deck for card in pool) for pool in list_pools_of(game)] == [{"base": 5}] * 8
    assert {text for text in legal(game, 0) if text.startswith("dig:")} == {"dig:base"}


@BASE
def test_ruling_16_the_medals_of_a_base_scenario_stay_as_they_are(name: str) -> None:
    """With cards of the expansion built, which count as any."""
    game = start_scenario(name)
    build(game, 0, "utopia", "raiders")
    for card in list_cards(name):
        complete(game, 0, card)
    go_to_the_end(game)
    hold(game, 0)
    play(game, 0, "end")
    for points, medal in zip(PRINTED[name][1], ("bronze", "silver", "gold"), strict=True):
        lend_state(game).flat_points[0] += points - game.scores()[0]
        assert (game.scores(), game.medal()) == ([points], medal)


# --- Whichever copy --------------------------------------------------------------------------------


def test_ruling_17_a_copy_from_a_pool_counts_for_the_named_one() -> None:
    """The named copy lies unfinished to the end; another one was slated and built."""
    game = start_scenario("base_sc06")
    start_construction(game, 0, "financial_center")
    for card in ("propaganda_center", "national_monument"):
        complete(game, 0, card)
    fill(game, 0, "financial_center", energy=1)  # on the named copy, the oldest
    fill(game, 0, "financial_center#2", materials=4, energy=1)
    assert find_missing(game, 0) == [("financial_center", {"materials": 4})]
    go_to_the_end(game)
    play(game, 0, "end")
    assert (game.built(0)["financial_center"], game.scenario_won()) == (1, True)


def test_ruling_17_a_copy_that_was_dug_up_counts_for_the_named_one() -> None:
    game = start_scenario("ascension_sc04")
    play(game, 0, "discard:raiders")
    show_hand(game, "zeppelin", "zeppelin", "museum")
    stack_deck(game, "ascension", ["raiders", *SHOWN_ASCENSION[:1], "inquisitors"])
    play(game, 0, "dig:ascension", "toss:zeppelin", "toss:zeppelin", "pick:raiders", "slate:raiders")
    for card in list_cards("ascension_sc04"):
        complete(game, 0, card)
    go_to_the_end(game)
    lend_state(game).flat_points[0] = 200
    play(game, 0, "end")
    assert (game.scenario_won(), game.medal()) == (True, "gold")


def test_ruling_17_copies_are_counted_and_not_only_kinds() -> None:
    """Three icebreakers are named and four exist: any three of them will do, two will not."""
    for built in (2, 3, 4):
        game = start_scenario("ascension_sc05")
        for card in ("hyperborea", "quantum_generator", "underwater_city"):
            complete(game, 0, card)
        play(game, 0, "discard:icebreaker")
        if built == 4:
            start_construction(game, 0, "icebreaker")
        start_construction(game, 0, *["icebreaker"] * (built > 2))
        while game.state.n_sites[0]:
            fill(game, 0, "icebreaker", **find_missing(game, 0)[0][1])
        go_to_the_end(game)
        play(game, 0, "end")
        assert game.built(0)["icebreaker"] == built
        assert game.scenario_won() is (built >= 3)


def test_rulings_14_and_17_a_named_card_that_is_not_finished_is_not_built() -> None:
    game = start_scenario("base_sc06")
    for card in ("financial_center", "propaganda_center"):
        complete(game, 0, card)
    go_to_the_end(game)
    play(game, 0, "end")
    assert game.state.n_sites[0] == 1
    assert game.scenario_won() is False
