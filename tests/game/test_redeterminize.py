"""A game drawn anew for a seat: all that it knows is kept, all that it cannot know is drawn fairly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from iaww_env.config import GameConfig
from iaww_env.engine.fields import SEAT_FIELDS, TABLE_FIELDS
from iaww_env.errors import ConfigError
from iaww_env.game import Game, lend_state
from tests.chi_square import find_chi_square, limit_chi_square
from tests.dealt_cards import count_cards, count_pool
from tests.modes import MODES
from tests.random_play import choose_action, play_on, play_some

OWN = [field.name for field in SEAT_FIELDS]
# What of the table is hidden, or changes with what the others have done since: looked at one by one below.
OPEN = [field.name for field in TABLE_FIELDS if field.name not in ("rng", "pending", "acted")]


def find_known_hands(game: Game, seat: int) -> list[int]:
    """Seats whose hand this seat has held in this draft: its own, and those it has passed on (ruling 1)."""
    n, by = game.config.players, 1 if game.round % 2 == 1 else -1
    return sorted({(seat + by * passed) % n for passed in range(min(int(game.state.pick), n - 1) + 1)})


def visit_positions(mode: str, seed: int, every: int) -> Iterator[Game]:
    game = Game(MODES[mode], seed)
    yield game
    for played, _ in enumerate(play_on(game, random.Random(seed), discards=True), start=1):
        if played % every == 0 and not game.over:
            yield game


def dig_to_the_end(seed: int) -> Game:
    """A solo game whose small deck has been dug through, so that its discards lie shuffled under it."""
    game = Game(MODES["solo-ascension"], seed)
    rng = random.Random(seed)
    while not (game.state.reshuffled[1] and game.state.deck_end[1] - game.state.deck_next[1] > 8):
        legal = game.legal_texts(0)
        game.step(0, "dig:ascension" if "dig:ascension" in legal else choose_action(game, 0, rng))
    return game


# --- What is kept ----------------------------------------------------------------------------------


def check_kept(game: Game, seat: int, drawn: Game) -> None:
    """Everything that the seat knows stands in the drawn game as it stands in this one."""
    assert drawn.config == game.config
    for name in OPEN:
        assert (getattr(drawn.state, name) == getattr(game.state, name)).all(), name
    for name in OWN:
        assert (getattr(drawn.state, name)[seat] == getattr(game.state, name)[seat]).all(), name
        assert (getattr(drawn.state, f"seen_{name}") == getattr(game.state, f"seen_{name}")).all(), name
    assert drawn.state.acted[seat] == game.state.acted[seat]
    assert drawn.legal_actions(seat) == game.legal_actions(seat)
    for other in range(game.config.players):
        assert drawn.legal_actions(other) == sorted(set(drawn.legal_actions(other)))
    if game.phase == "draft":
        for other in find_known_hands(game, seat):
            assert drawn.hand(other) == game.hand(other)
    elif game.config.solo:
        assert drawn.hand(0) == game.hand(0), "what a dig shows"
    assert count_cards(drawn) == count_pool(game.config)


def check_secrets_undone(game: Game, seat: int, drawn: Game) -> None:
    """The others stand as everybody last saw them, and owe their decisions again."""
    others = [other for other in range(game.config.players) if other != seat]
    for other in others:
        assert other in drawn.seats_to_act()
        assert drawn.state.picked[other] == 0
        for name in OWN:
            last = game.state if game.phase == "draft" else None
            window = getattr(last, name) if last else getattr(game.state, f"seen_{name}")
            if name != "picked":
                assert (getattr(drawn.state, name)[other] == window[other]).all(), name
    assert drawn.state.pending == len(drawn.seats_to_act())
    assert (seat in drawn.seats_to_act()) == (seat in game.seats_to_act())


@pytest.mark.parametrize("mode", MODES)
def test_what_the_seat_knows_is_kept(mode: str) -> None:
    for number, game in enumerate(visit_positions(mode, 3, every=7)):
        before = game.row.tobytes()
        for seat in range(game.config.players):
            drawn = game.redeterminize(seat, number)
            check_kept(game, seat, drawn)
            check_secrets_undone(game, seat, drawn)
        assert game.row.tobytes() == before, "the game itself is not touched"


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_when_a_deck_was_shuffled_anew(seed: int) -> None:
    game = dig_to_the_end(seed)
    for number in range(40):
        drawn = game.redeterminize(0, number)
        check_kept(game, 0, drawn)
        assert sorted(drawn.state.ascension_deck.tolist()) == sorted(game.state.ascension_deck.tolist()), (
            "the cards of the shuffled deck are known, only their order is not"
        )
        game.step(0, choose_action(game, 0, random.Random(number)))
        if game.over:
            break


def find_phase(game: Game) -> tuple[int, str, int]:
    return game.round, game.phase, int(game.state.pick)


@pytest.mark.parametrize("mode", MODES)
def test_the_seat_can_go_on_as_it_can_here(mode: str) -> None:
    """Until its phase ends, its choices are the same and have the same effect on what is its own."""
    for number, game in enumerate(visit_positions(mode, 5, every=23)):
        seat = random.Random(number).randrange(game.config.players)
        drawn, here = game.redeterminize(seat, number), game.clone()
        rng = random.Random(number)
        phase = find_phase(here)
        while seat in here.seats_to_act() and find_phase(here) == phase:
            assert drawn.legal_actions(seat) == here.legal_actions(seat)
            for name in OWN:
                assert (getattr(drawn.state, name)[seat] == getattr(here.state, name)[seat]).all(), name
            action = choose_action(here, seat, rng)
            if here.actions.verb(action) == "toss" and here.state.tosses == 1:
                break  # what the dig shows is hidden from here
            for one in (drawn, here):
                one.step(seat, action)


@pytest.mark.parametrize("mode", MODES)
def test_drawn_games_can_be_played_to_the_end(mode: str) -> None:
    for number, game in enumerate(visit_positions(mode, 7, every=61)):
        drawn = game.redeterminize(number % game.config.players, number)
        for _ in play_on(drawn, random.Random(number)):
            pass
        assert drawn.over
        assert count_cards(drawn) == count_pool(game.config)


def test_a_finished_game_hides_nothing() -> None:
    game = play_some("3", 1, 10**6)
    assert game.over
    assert game.redeterminize(1, 5) == game


# --- What is drawn ---------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_hidden_cards_change(mode: str) -> None:
    for game in visit_positions(mode, 3, every=29):
        for seat in (0, game.config.players - 1):
            draws = [game.redeterminize(seat, number) for number in range(6)]
            decks = {drawn.state.base_deck.tobytes() for drawn in draws}
            assert len(decks) == 6
            assert game.state.base_deck.tobytes() not in decks
            assert len({drawn.state.rng.tobytes() for drawn in draws} | {game.state.rng.tobytes()}) == 7
            if game.config.solo and (game.state.pools >= 0).any():
                assert len({drawn.state.pools.tobytes() for drawn in draws}) == 6
            if game.phase == "draft":
                for other in set(range(game.config.players)) - set(find_known_hands(game, seat)):
                    assert len({tuple(drawn.hand(other)) for drawn in draws}) > 1


def test_the_same_seed_draws_the_same_game() -> None:
    game = play_some("4", 1, 9)
    assert game.redeterminize(2, 5) == game.redeterminize(2, 5)
    assert game.redeterminize(2, 5) != game.redeterminize(2, 6)
    assert game.redeterminize(2, np.random.default_rng(5)) == game.redeterminize(2, np.random.default_rng(5))
    stream = np.random.default_rng(5)
    assert game.redeterminize(2, stream) != game.redeterminize(2, stream), "a stream moves on"


@pytest.mark.parametrize("rng", [-1, 1.5, "5", True, np.random.RandomState(1), random.Random(1), [5]])
def test_streams_that_cannot_be(rng: object) -> None:
    with pytest.raises(ConfigError):
        play_some("4", 1, 9).redeterminize(2, rng)  # type: ignore[arg-type]


# --- Drawn fairly ----------------------------------------------------------------------------------

DRAWS = 3000


def check_fair(drawn: list[list[int]], unseen: Counter[int]) -> None:
    """Kinds come up in a hidden place as often as there are unseen cards of them."""
    counts = Counter(kind for cards in drawn for kind in cards)
    assert set(counts) <= set(unseen)
    total = sum(len(cards) for cards in drawn)
    drawn_of_each = np.array([counts[kind] for kind in unseen])
    expected = np.array(list(unseen.values())) * total / unseen.total()
    assert find_chi_square(drawn_of_each, expected) < limit_chi_square(len(unseen) - 1)


def split_decks(cards: list[int]) -> dict[str, list[int]]:
    base = [kind for kind in cards if 0 <= kind < 78]
    return {"base": base, "ascension": [kind for kind in cards if kind >= 78]}


def list_hidden_places(game: Game, seat: int) -> dict[str, list[int]]:
    """Groups of places in the row that the seat cannot see into, each with the kinds that lie there."""
    state = lend_state(game)
    places = {}
    if game.phase == "draft":
        n, size, shift = game.config.players, int(state.pack_size), int(state.pack_shift)
        for other in set(range(n)) - set(find_known_hands(game, seat)):
            places[f"hand of {other}"] = state.packs[(other + shift) % n, :size].tolist()
    if game.config.solo:
        for pool in range(8):
            if state.pools[pool, 0] >= 0:
                places[f"pool {pool}"] = state.pools[pool].tolist()
    for deck, window in enumerate((state.base_deck, state.ascension_deck)):
        left = window[state.deck_next[deck] : state.deck_end[deck]].tolist()
        if left:
            name = ("base", "ascension")[deck]
            places |= {f"{name} top": left[:1], f"{name} next": left[1:9], f"{name} rest": left[9:-1]}
            places[f"{name} bottom"] = left[-1:]
    return places


def check_all_places(game: Game, seat: int) -> None:
    """Unseen cards of each deck are equally likely in each place that can hold them."""
    cards = [kind for place in list_hidden_places(game, seat).values() for kind in place]
    unseen = {deck: Counter(kinds) for deck, kinds in split_decks(cards).items()}
    drawn: dict[tuple[str, str], list[list[int]]] = {}
    for number in range(DRAWS):
        for name, place in list_hidden_places(game.redeterminize(seat, number), seat).items():
            for deck, kinds in split_decks(place).items():
                drawn.setdefault((name, deck), []).append(kinds)
    for (name, deck), draws in drawn.items():
        before = split_decks(list_hidden_places(game, seat)[name])[deck]
        assert {len(kinds) for kinds in draws} == {len(before)}, "of each deck as many as there were"
        if before:
            check_fair(draws, unseen[deck])


@pytest.mark.parametrize(
    ("mode", "decisions", "seat", "phase"),
    [
        ("2", 0, 1, "draft"),
        ("4", 5, 1, "draft"),
        ("4-ascension", 9, 2, "draft"),
        ("7-ascension", 17, 6, "draft"),
        ("3", 30, 0, "planning"),
        ("5-ascension", 50, 4, "planning"),
    ],
)
def test_unseen_cards_are_equally_likely_everywhere(mode: str, decisions: int, seat: int, phase: str) -> None:
    game = play_some(mode, 4, decisions)
    assert game.phase == phase
    check_all_places(game, seat)


@pytest.mark.parametrize(
    ("mode", "decisions"), [("solo", 3), ("solo-ascension", 50), ("solo-ascension-sc01", 20)]
)
def test_unseen_cards_are_equally_likely_in_solo(mode: str, decisions: int) -> None:
    check_all_places(play_some(mode, 4, decisions), 0)


def test_after_a_dig_deck_was_shuffled_its_order_is_drawn_and_the_pools_among_themselves() -> None:
    """All cards of the shuffled deck have been seen, so none of them can lie in a pool."""
    game = dig_to_the_end(1)
    deck = slice(int(game.state.deck_next[1]), int(game.state.deck_end[1]))
    pools = Counter(game.state.pools[game.state.pools >= 78].tolist())
    first, last = next(pool for pool in range(8) if game.state.pools[pool, 0] >= 0), 7
    draws = [game.redeterminize(0, number) for number in range(DRAWS)]
    known = Counter(game.state.ascension_deck[deck].tolist())
    for place in (deck.start, deck.start + 1, deck.stop - 1):
        check_fair([[int(drawn.state.ascension_deck[place])] for drawn in draws], known)
    assert first < last
    for pool in (first, last):
        check_fair([drawn.state.pools[pool, 3:].tolist() for drawn in draws], pools)


@pytest.mark.parametrize("mode", ["4", "solo"])
def test_neighbouring_places_are_drawn_apart(mode: str) -> None:
    """A shuffle that keeps cards together would pass the counts above."""
    game = play_some(mode, 4, 5)
    start, end = int(game.state.deck_next[0]), int(game.state.deck_end[0])
    true = game.state.base_deck[start:end].tolist()
    pairs = Counter(pairwise(true))
    together = 0
    for number in range(500):
        cards = game.redeterminize(0, number).state.base_deck[start:end].tolist()
        together += sum(pairs[pair] > 0 for pair in pairwise(cards))
    cards_of = Counter(kind for place in list_hidden_places(game, 0).values() for kind in place)
    total = cards_of.total()
    chance = sum(cards_of[a] * (cards_of[b] - (a == b)) for a, b in pairs) / (total * (total - 1))
    expected = 500 * (len(true) - 1) * chance
    assert abs(together - expected) < 8 * expected**0.5


@pytest.mark.parametrize("players", range(1, 8))
def test_what_was_hidden_leaves_no_trace(players: int) -> None:
    """A draw depends on what the seat knows and on the seed alone: so a search bot cannot be told apart."""
    config = GameConfig(players, ("corruption_and_ascension",))
    game = Game(config, seed=players)
    rng = np.random.default_rng(players)
    while not game.over:
        seat = int(rng.choice(game.seats_to_act()))
        drawn = game.redeterminize(seat, 5)
        assert game.redeterminize(seat, 6).redeterminize(seat, 5) == drawn
        game.step(seat, int(rng.choice(game.legal_actions(seat))))
