"""Digs in the solo game, and decks that run out (ruling 13), step by step."""

from __future__ import annotations

from collections import Counter

import pytest

from iaww_env import Game, GameConfig
from iaww_env.cards import kind, kinds
from iaww_env.engine.new_rows import seed_cells
from iaww_env.game import lend_state
from tests.modes import CA
from tests.rules.solo_positions import (
    FIRST,
    SECOND,
    SHOWN,
    SHOWN_ASCENSION,
    discard,
    in_order,
    say,
    show_hand,
    stack_deck,
    start_solo,
)
from tests.rules.state_checks import check_cards, check_lists
from tests.rules.worked_positions import (
    count_discarded,
    empire,
    finish_phase,
    hold,
    legal,
    loose,
    play,
    set_drafted,
    tokens,
)

# --- Digs ------------------------------------------------------------------------------------------


def test_ruling_13_a_dig_step_by_step() -> None:
    game = start_solo()
    play(game, 0, "dig:base")
    assert game.drafted(0) == in_order(*FIRST)
    assert legal(game, 0) == say("toss", FIRST)
    play(game, 0, "toss:zeppelin")
    hand = [card for card in FIRST if card != "zeppelin"]
    assert game.hand(0) == []
    assert legal(game, 0) == say("toss", hand)
    play(game, 0, "toss:wind_turbines")
    assert game.hand(0) == in_order(*SHOWN)
    assert legal(game, 0) == say("pick", SHOWN)
    assert count_discarded(game, 0) == Counter(["zeppelin", "wind_turbines"])
    play(game, 0, "pick:museum")
    hand = ["recycling_plant", "research_center", "financial_center", "museum"]
    assert game.drafted(0) == in_order(*hand)
    assert game.hand(0) == []
    gone = ["zeppelin", "wind_turbines", "atlantis", "submarine", "university", "juggernaut"]
    assert count_discarded(game, 0) == Counter(gone)
    assert legal(game, 0) == say("slate", hand) | say("recycle", hand) | {"dig:base"}
    assert (empire(game, 0), tokens(game, 0)) == ((0, 0), (0, 0, 0))  # tossed cards give no cube


def test_ruling_13_a_dig_into_the_ascension_deck_shows_three() -> None:
    game = start_solo(ascension=True)
    stack_deck(game, "ascension", SHOWN_ASCENSION)
    show_hand(game, "zeppelin", "inquisitors")
    assert {"dig:base", "dig:ascension"} <= legal(game, 0)
    play(game, 0, "dig:ascension", "toss:zeppelin", "toss:inquisitors")  # cards of either deck pay for it
    assert game.hand(0) == in_order(*SHOWN_ASCENSION)
    play(game, 0, "pick:utopia")
    assert game.drafted(0) == ["utopia"]
    assert count_discarded(game, 0) == Counter(["zeppelin", "inquisitors", "valhalla", "raiders"])


def test_ruling_13_a_dig_into_the_base_deck_shows_five_with_the_expansion_too() -> None:
    game = start_solo(ascension=True)
    show_hand(game, "raiders", "inquisitors")
    play(game, 0, "dig:base", "toss:raiders", "toss:inquisitors")
    assert game.hand(0) == in_order(*SHOWN)


def test_ruling_13_there_is_no_ascension_deck_in_the_base_game() -> None:
    assert "dig:ascension" not in legal(start_solo(), 0)


def test_ruling_13_a_dig_is_not_legal_with_one_card_in_hand() -> None:
    game = start_solo()
    play(game, 0, *(f"slate:{card}" for card in FIRST[:3]))
    assert "dig:base" in legal(game, 0)
    play(game, 0, f"slate:{FIRST[3]}")
    own = {"slate:financial_center", "recycle:financial_center"}
    assert legal(game, 0) == own | say("discard", FIRST[:4])


def test_ruling_13_a_dig_is_not_legal_with_a_cube_loose_or_a_token_in_hand_or_in_a_dig() -> None:
    game = start_solo()
    hold(game, 0, krystallium=1)
    play(game, 0, "slate:wind_turbines", "recycle:recycling_plant")
    assert loose(game, 0) == (1, "materials")
    assert "dig:base" not in legal(game, 0)
    play(game, 0, "to_empire")
    assert "dig:base" in legal(game, 0)
    play(game, 0, "use:krystallium_as_materials")
    assert legal(game, 0) == {"place:wind_turbines"}
    play(game, 0, "place:wind_turbines", "dig:base")
    assert "dig:base" not in legal(game, 0)
    assert "end" not in legal(game, 0)
    assert not {text for text in legal(game, 0) if text.startswith(("slate:", "recycle:"))}


def test_ruling_13_digs_may_be_repeated_while_two_cards_are_in_hand() -> None:
    game = start_solo()
    sizes = [len(game.drafted(0))]
    while "dig:base" in legal(game, 0):
        first, second = game.drafted(0)[:2]
        play(game, 0, "dig:base", f"toss:{first}", f"toss:{second}")
        assert len(game.hand(0)) == 5
        play(game, 0, f"pick:{game.hand(0)[0]}")
        sizes.append(len(game.drafted(0)))
    assert sizes == [5, 4, 3, 2, 1]
    assert sum(count_discarded(game, 0).values()) == 4 * (2 + 4)


def test_ruling_13_tossing_the_whole_hand_does_not_begin_the_next_sequence() -> None:
    game = start_solo()
    play(game, 0, *(f"slate:{card}" for card in FIRST[2:]))
    play(game, 0, "dig:base", "toss:recycling_plant", "toss:wind_turbines")
    assert game.drafted(0) == []
    assert legal(game, 0) == say("pick", SHOWN) | say("discard", FIRST[2:])  # and planning cannot be ended
    play(game, 0, "pick:atlantis")
    assert game.drafted(0) == ["atlantis"]
    play(game, 0, "slate:atlantis")
    assert game.drafted(0) == in_order(*SECOND)


def test_ruling_13_the_second_sequence_can_dig_too() -> None:
    game = start_solo()
    play(game, 0, *(f"recycle:{card}" for card in FIRST))
    play(game, 0, "dig:base", "toss:military_base", "toss:icebreaker", "pick:university")
    assert game.drafted(0) == in_order("tank_division", "nuclear_plant", "offshore_oil_rig", "university")


def test_rulings_5_and_6_hold_in_the_middle_of_a_dig() -> None:
    game = start_solo()
    hold(game, 0, krystallium=1)
    play(game, 0, "slate:zeppelin", "dig:base")
    own = {"discard:zeppelin", "use:krystallium_as_energy"}
    hand = [card for card in FIRST if card != "zeppelin"]
    assert legal(game, 0) == say("toss", hand) | own
    play(game, 0, "use:krystallium_as_energy", "place:zeppelin", "toss:recycling_plant", "toss:wind_turbines")
    assert legal(game, 0) == say("pick", SHOWN) | {"discard:zeppelin"}
    play(game, 0, "discard:zeppelin")
    assert empire(game, 0) == (0, 1)
    assert legal(game, 0) == say("pick", SHOWN)


# --- Decks that run out ----------------------------------------------------------------------------


def dig_with(left: list[str], discards: list[str]) -> Game:
    """A dig, two zeppelins tossed, with just this left of the base deck and in the discards."""
    game = start_solo()
    stack_deck(game, "base", left, only=True)
    set_drafted(game, 0, "zeppelin", "zeppelin", "mega_drill")
    discard(game, *discards)
    play(game, 0, "dig:base", "toss:zeppelin", "toss:zeppelin")
    return game


def test_ruling_13_five_cards_left_are_enough() -> None:
    game = dig_with(SHOWN, ["polar_base"])
    assert game.hand(0) == in_order(*SHOWN)
    assert count_discarded(game, 0) == Counter(["polar_base", "zeppelin", "zeppelin"])
    assert game.state.reshuffled.tolist() == [0, 0]


def test_ruling_13_the_discards_are_shuffled_under_a_deck_with_too_few_cards() -> None:
    discards = ["polar_base", "giant_dam", "giant_tower", "roswell"]
    game = dig_with(SHOWN[:3], discards)
    shown = Counter(game.hand(0))
    # The three old cards lie on top, and come first.
    assert Counter(SHOWN[:3]) <= shown
    under = Counter([*discards, "zeppelin", "zeppelin"])
    new = shown - Counter(SHOWN[:3])
    assert (new.total(), new <= under) == (2, True)
    assert count_discarded(game, 0) == Counter()
    left = game.state.base_deck[game.state.deck_next[0] : game.state.deck_end[0]].tolist()
    assert Counter(kinds()[index].id for index in left) == under - new
    play(game, 0, f"pick:{SHOWN[0]}")
    assert game.drafted(0) == in_order("mega_drill", SHOWN[0])
    assert count_discarded(game, 0) == shown - Counter(SHOWN[:1])


def test_ruling_13_the_shuffle_is_fair_and_comes_from_the_games_own_stream() -> None:
    discards = ["polar_base", "giant_dam", "giant_tower", "roswell"]
    game = start_solo()
    stack_deck(game, "base", SHOWN[:4], only=True)
    set_drafted(game, 0, "zeppelin", "zeppelin", "mega_drill")
    discard(game, *discards)
    fifth = Counter[str]()
    for seed in range(300):
        copy = game.clone()
        lend_state(copy).rng[:] = seed_cells(seed)
        again = copy.clone()
        for one in (copy, again):
            play(one, 0, "dig:base", "toss:zeppelin", "toss:zeppelin")
        assert copy == again
        fifth.update(Counter(copy.hand(0)) - Counter(SHOWN[:4]))
    # Six cards were under the deck, two of them zeppelins: each comes fifth about 50 times.
    assert set(fifth) == {*discards, "zeppelin"}
    assert all(25 <= fifth[card] <= 75 for card in discards)
    assert 70 <= fifth["zeppelin"] <= 130


@pytest.mark.parametrize(("cards_left", "moved"), [(5, False), (4, True)])
def test_ruling_13_every_shuffle_of_discards_is_another_one(cards_left: int, moved: bool) -> None:
    """The stream moves on where a deck is shuffled, and nowhere else in a dig."""
    game = start_solo()
    before = game.state.rng.tolist()
    stack_deck(game, "base", SHOWN[:cards_left], only=True)
    play(game, 0, "dig:base", "toss:zeppelin")
    assert game.state.rng.tolist() == before
    play(game, 0, "toss:wind_turbines")
    assert (game.state.rng.tolist() != before) == moved


def test_ruling_13_a_dig_with_too_few_cards_left_shows_what_there_is() -> None:
    game = dig_with(["museum"], [])
    assert game.hand(0) == in_order("museum", "zeppelin", "zeppelin")
    play(game, 0, "pick:zeppelin")
    assert game.drafted(0) == in_order("mega_drill", "zeppelin")
    assert count_discarded(game, 0) == Counter(["museum", "zeppelin"])


def test_ruling_13_a_deck_without_cards_and_discards_cannot_be_dug() -> None:
    game = start_solo(ascension=True)
    stack_deck(game, "base", [], only=True)
    discard(game, "raiders")
    assert {text for text in legal(game, 0) if text.startswith("dig:")} == {"dig:ascension"}
    discard(game, "museum")
    assert {"dig:base", "dig:ascension"} <= legal(game, 0)
    stack_deck(game, "ascension", [], only=True)
    assert {text for text in legal(game, 0) if text.startswith("dig:")} == {"dig:base"}


def test_ruling_13_only_a_decks_own_discards_are_shuffled_under_it() -> None:
    game = start_solo(ascension=True)
    stack_deck(game, "ascension", ["utopia"], only=True)
    show_hand(game, "zeppelin", "inquisitors")
    discard(game, "museum", "valhalla")
    play(game, 0, "dig:ascension", "toss:zeppelin", "toss:inquisitors")
    assert game.hand(0) == in_order("utopia", "valhalla", "inquisitors")
    assert count_discarded(game, 0) == Counter(["museum", "zeppelin"])
    assert game.state.reshuffled.tolist() == [0, 1]


def dig_once(game: Game) -> list[str]:
    """Dig the base deck for the first two cards in hand and keep the first card shown; the cards shown."""
    first, second = game.drafted(0)[:2]
    play(game, 0, "dig:base", f"toss:{first}", f"toss:{second}")
    shown = game.hand(0)
    play(game, 0, f"pick:{shown[0]}")
    return shown


def list_left(game: Game) -> list[str]:
    """The cards left in the base deck, the next one first."""
    first, end = int(game.state.deck_next[0]), int(game.state.deck_end[0])
    return [kinds()[index].id for index in game.state.base_deck[first:end].tolist()]


@pytest.mark.parametrize("seed", range(4))
def test_ruling_13_a_deck_runs_out_in_the_last_round_of_a_whole_game(seed: int) -> None:
    """Four digs in each sequence of three rounds, then one: of 126 base cards a single one is left."""
    game = Game(GameConfig(players=1, expansions=CA), seed=seed)
    while game.round < 4:
        if game.phase == "planning" and len(game.drafted(0)) > 1:
            dig_once(game)
        elif game.phase == "planning" and game.drafted(0):
            play(game, 0, f"recycle:{game.drafted(0)[0]}")
        else:
            finish_phase(game)
    assert len(list_left(game)) == 150 - 24 - 24 * 5
    dig_once(game)
    (last,) = list_left(game)
    assert (game.state.reshuffled.tolist(), len(game.drafted(0))) == ([0, 0], 4)
    before = count_discarded(game, 0)
    own = Counter({card: n for card, n in before.items() if kind(card).deck == "base"})
    tossed = Counter(card for card in game.drafted(0)[:2] if kind(card).deck == "base")
    shown = Counter(dig_once(game))
    # The last card lies on top; the other four come from the deck's own discards, the tossed ones included.
    assert shown[last] > 0
    assert shown.total() == 5
    assert shown - Counter([last]) <= own + tossed
    assert Counter(list_left(game)) == own + tossed - (shown - Counter([last]))
    assert game.state.reshuffled.tolist() == [1, 0]
    after = count_discarded(game, 0)
    assert all(kind(card).deck == "ascension" or card in shown for card in after)
    assert sum(n for card, n in before.items() if kind(card).deck == "ascension") <= sum(
        n for card, n in after.items() if kind(card).deck == "ascension"
    )
    check_cards(game)
    check_lists(game)
