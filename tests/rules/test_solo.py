"""The solo game: pools, sequences, digs and titles (ruling 13), step by step."""

from __future__ import annotations

from collections import Counter

import pytest

from iaww_env import Game, GameConfig
from iaww_env.cards import kind, kinds
from iaww_env.engine.new_rows import seed_stream
from tests.rules.worked_positions import (
    ASCENSION,
    count_discarded,
    empire,
    find_missing,
    finish_phase,
    go_to,
    go_to_the_end,
    hold,
    legal,
    loose,
    play,
    set_drafted,
    tokens,
)

FIRST = ["recycling_plant", "wind_turbines", "research_center", "zeppelin", "financial_center"]
SECOND = ["military_base", "tank_division", "nuclear_plant", "offshore_oil_rig", "icebreaker"]
SHOWN = ["atlantis", "museum", "submarine", "university", "juggernaut"]
SHOWN_ASCENSION = ["utopia", "valhalla", "raiders"]


def in_order(*cards: str) -> list[str]:
    """In the order of the card table, as a hand is shown."""
    return sorted(cards, key=lambda card: kind(card).index)


def say(verb: str, cards: list[str]) -> set[str]:
    return {f"{verb}:{card}" for card in cards}


def fill_pools(*first_pools: list[str], ascension: bool = False) -> list[list[str]]:
    """Eight pools: the given ones, then any cards but those that the digs below show."""
    left = {deck: Counter[str]() for deck in ("base", "ascension")}
    for one in kinds(ASCENSION):
        left[one.deck][one.id] = one.copies
    for deck in left:
        left[deck] -= Counter([*SHOWN, *SHOWN_ASCENSION, *(card for pool in first_pools for card in pool)])
    rest = {deck: iter(list(cards.elements())) for deck, cards in left.items()}
    decks = ["base"] * 3 + (["ascension"] * 2 if ascension else ["base"] * 2)
    pools = list(first_pools)
    while len(pools) < 8:
        pools.append([next(rest[deck]) for deck in decks])
    return pools


def stack_deck(game: Game, deck: str, top: list[str], *, only: bool = False) -> None:
    """Put these cards on top of a deck; with `only`, nothing else is left of it."""
    number = ("base", "ascension").index(deck)
    window = (game.state.base_deck, game.state.ascension_deck)[number]
    first, end = int(game.state.deck_next[number]), int(game.state.deck_end[number])
    indices = [kind(card).index for card in top]
    rest = Counter(window[first:end].tolist())
    rest.subtract(indices)
    assert min(rest.values()) >= 0, "cards that are not in the deck"
    if only:
        window[first:end] = -1
        game.state.deck_end[number] = first + len(top)
        window[first : first + len(top)] = indices
    else:
        window[first:end] = [*indices, *rest.elements()]


def start_solo(*, ascension: bool = False) -> Game:
    """A game whose base deck has `SHOWN` on top; side B makes 2 materials, 1 energy, 1 science."""
    expansions = ASCENSION if ascension else ()
    config = GameConfig(players=1, expansions=expansions, empire_side="B")
    pools = fill_pools(ascension=True) if ascension else fill_pools(FIRST, SECOND)
    game = Game(config, seed=0, pools=pools)
    stack_deck(game, "base", SHOWN)
    return game


def show_hand(game: Game, *cards: str) -> None:
    """Put these cards in hand, and nothing into the discards."""
    set_drafted(game, 0, *cards)
    game.state.discarded[...] = 0


def discard(game: Game, *cards: str) -> None:
    """Put these cards into the discards, and no others."""
    game.state.discarded[...] = 0
    for card in cards:
        game.state.discarded[0, kind(card).index] += 1


# --- Pools and sequences ---------------------------------------------------------------------------


@pytest.mark.parametrize(("ascension", "base_cards", "ascension_cards"), [(False, 5, 0), (True, 3, 2)])
def test_ruling_13_eight_pools_of_five_are_dealt(
    ascension: bool, base_cards: int, ascension_cards: int
) -> None:
    game = Game(GameConfig(players=1, expansions=ASCENSION if ascension else ()), seed=5)
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
        copy.state.rng[:] = seed_stream(seed)
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
