"""A seat is shown nothing that it cannot know, and all that it can remember of the packs."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Callable

import pytest

from iaww_env import Game, GameConfig
from tests.modes import SCENARIOS, SIZES, VERSUS, WITH_SCENARIOS
from tests.observe.eager_play import choose_eagerly, play_eagerly
from tests.observe.hidden_cards import list_unknown_packs, list_unseen, rearrange_hidden
from tests.observe.showings import Shown, find_difference, read_windows, show_seat

# --- Hidden cards ----------------------------------------------------------------------------------


def check_honest(game: Game, seat: int, rng: random.Random) -> None:
    """Whatever is hidden from the seat may lie otherwise: every byte it is shown stays the same."""
    shown = show_seat(game, seat)
    drawn = game.redeterminize(seat, rng.randrange(1 << 30))
    for other in (drawn, rearrange_hidden(game, seat, rng), rearrange_hidden(drawn, seat, rng)):
        assert show_seat(other, seat) == shown, find_difference(game, shown, show_seat(other, seat))


def check_game(config: GameConfig, seed: int, eager: str = "") -> None:
    """A whole random game: every seat at every step, and at the end."""
    game, rng = Game(config, seed), random.Random(seed)
    for _ in play_eagerly(game, rng, eager):
        for seat in range(config.players):
            check_honest(game, seat, rng)
    for seat in range(config.players):
        check_honest(game, seat, rng)


@pytest.mark.parametrize("mode", SIZES)
def test_hidden_cards_do_not_show(mode: str) -> None:
    check_game(SIZES[mode], 6)


@pytest.mark.parametrize("mode", ["1", "1-ascension", *SCENARIOS])
def test_hidden_cards_do_not_show_in_solo(mode: str) -> None:
    """Digging all the time: decks run out and are made of discards."""
    check_game(WITH_SCENARIOS[mode], 2, "dig")


@pytest.mark.parametrize("mode", SIZES)
def test_hidden_cards_are_really_rearranged(mode: str) -> None:
    """Else the tests above would prove nothing."""
    changed, game, rng = Counter[str](), Game(SIZES[mode], 1), random.Random(1)
    for seat in play_eagerly(game, rng):
        other = rearrange_hidden(game, seat, rng)
        names = ["base_deck", "ascension_deck", "rng", "packs", "picked", "built", "site", "drafted"]
        for name in [*names, "krystallium", "acted", *(["pools"] if game.config.solo else [])]:
            if (getattr(other.state, name) != getattr(game.state, name)).any():
                changed[name] += 1
        if game.phase == "draft" and list_unknown_packs(game, seat):
            changed["unknown"] += 1
    versus = {"packs", "picked", "built", "site", "drafted", "krystallium", "acted", "unknown"}
    ascension = {"ascension_deck"} if game.config.ascension else set()
    assert set(changed) == {"base_deck", "rng"} | ascension | ({"pools"} if game.config.solo else versus)


@pytest.mark.parametrize("mode", ["2", "3-ascension", "6-ascension", "1-ascension"])
def test_cards_of_one_deck_are_all_that_is_drawn_anew(mode: str) -> None:
    """`redeterminize` and the rearranging here agree on which places are hidden."""
    game, rng = Game(SIZES[mode], 1), random.Random(1)
    moved: set[tuple[str, int, int]] = set()
    hidden: set[tuple[str, int, int]] = set()
    for step, seat in enumerate(play_eagerly(game, rng, "dig")):
        if step % 7 == 0:
            for deck in range(2):
                for places in list_unseen(game, seat, deck):
                    hidden |= {(f"{step} {place[0]}", *place[1:]) for place in places}
            for draw in range(2):
                other = game.redeterminize(seat, draw)
                for name in ("base_deck", "ascension_deck", *(["pools"] if game.config.solo else [])):
                    now, then = getattr(game.state, name), getattr(other.state, name)
                    where = zip(*(now != then).nonzero(), strict=True)
                    moved |= {(f"{step} {name}", *((-1, *at) if len(at) == 1 else at)) for at in where}
    assert moved <= hidden
    assert len(moved) > 0.8 * len([place for place in hidden if "packs" not in place[0]])


# --- Seats inside a phase --------------------------------------------------------------------------

Order = Callable[[list[int], random.Random], int]
ORDERS: dict[str, Order] = {
    "first": lambda seats, _: seats[0],
    "last": lambda seats, _: seats[-1],
    "mixed": lambda seats, rng: rng.choice(seats),
}


def list_sights(config: GameConfig, seed: int, order: Order) -> list[list[Shown]]:
    """What each seat is shown at each of its decisions; it decides by that alone."""
    game, rng = Game(config, seed), random.Random(seed)
    sights: list[list[Shown]] = [[] for _ in range(config.players)]
    while not game.over:
        seat = order(game.seats_to_act(), rng)
        shown = show_seat(game, seat)
        sights[seat].append(shown)
        game.step(seat, choose_eagerly(game, seat, random.Random(zlib.crc32(b"".join(shown)))))
    for seat in range(config.players):
        sights[seat].append(show_seat(game, seat))
    return sights


@pytest.mark.parametrize("mode", VERSUS)
def test_order_of_asking_seats_does_not_show(mode: str) -> None:
    sights = {name: list_sights(VERSUS[mode], 7, order) for name, order in ORDERS.items()}
    assert sights["first"] == sights["last"]
    assert sights["first"] == sights["mixed"]
    assert min(len(seen) for seen in sights["first"]) > 50


@pytest.mark.parametrize("mode", VERSUS)
def test_what_others_do_in_a_phase_does_not_show(mode: str) -> None:
    """Until the phase (in the draft: the pick) is over, a seat that does nothing is shown the same."""
    game, rng = Game(VERSUS[mode], 9), random.Random(9)
    n = game.config.players
    before: list[Shown] = []
    moved, where = 0, (0, "", 0)
    for seat in play_eagerly(game, rng):
        now = game.round, game.phase, int(game.state.pick)
        shown = [show_seat(game, one) for one in range(n)]
        if now == where:
            assert all(shown[one] == before[one] for one in range(n) if one != moved)
        moved, before, where = seat, shown, now


# --- Memory of packs -------------------------------------------------------------------------------


class Memory:
    """A seat that writes down each hand it has, and what is picked from each pack."""

    def __init__(self, game: Game, seat: int) -> None:
        """A draft begins: it knows its own pack."""
        self.seat, self.n = seat, game.config.players
        self.packs: dict[int, Counter[int]] = {}
        self.holders = list(range(self.n))  # seat i holds the pack of this number
        self.look(game)

    def look(self, game: Game) -> None:
        """It writes down the pack in its hand; one that it knows already is as it remembers it."""
        table = game.actions
        hand = Counter(table.kind(table.parse(f"pick:{id}")).index for id in game.hand(self.seat))  # type: ignore[union-attr]
        number = self.holders[self.seat]
        assert self.packs.get(number, hand) == hand
        self.packs[number] = hand

    def reveal(self, game: Game, picks: dict[int, int], odd: bool) -> None:
        """All picks are revealed, and packs pass to seat + 1 in odd rounds, else to seat - 1."""
        for other, kind in picks.items():
            if self.holders[other] in self.packs:
                self.packs[self.holders[other]] -= Counter([kind])
        step = 1 if odd else -1
        self.holders = [self.holders[(seat - step) % self.n] for seat in range(self.n)]
        if game.phase == "draft":
            self.look(game)

    def check(self, game: Game) -> None:
        """The observation holds what is written down, and nothing else."""
        shown = read_windows(game, self.seat)
        for i in range(self.n - 1):
            number = self.holders[(self.seat + 1 + i) % self.n]
            assert shown.pack_known[i] == (number in self.packs)
            expected = self.packs.get(number, Counter())
            assert {k: n for k, n in enumerate(shown.pack[i].tolist()) if n} == dict(expected)


@pytest.mark.parametrize("mode", VERSUS)
def test_memory_of_packs_is_exact(mode: str) -> None:
    """In every round, so in both directions, at every pick."""
    config, rng = VERSUS[mode], random.Random(3)
    game, known = Game(config, 3), 0
    while not game.over:
        memories = [Memory(game, seat) for seat in range(config.players)]
        odd = game.round % 2 == 1
        while game.phase == "draft":
            picks: dict[int, int] = {}
            for seat in rng.sample(range(config.players), config.players):
                for memory in memories:
                    memory.check(game)
                action = choose_eagerly(game, seat, rng)
                game.step(seat, action)
                picks[seat] = game.actions.kind(action).index  # type: ignore[union-attr]
            for memory in memories:
                memory.reveal(game, picks, odd)
                known += len(memory.packs)
        while game.phase not in ("draft", "over"):
            seat = game.seats_to_act()[0]
            shown = read_windows(game, seat)
            assert not shown.pack_known.any()
            assert not shown.pack.any()
            game.step(seat, game.legal_actions(seat)[-1])
    assert known > 4 * 7 * config.players
