"""What a seat cannot know, laid out differently by plain Python: no kernel, and not `redeterminize`."""

from __future__ import annotations

import random

import numpy as np

from iaww_env import Game
from iaww_env.engine.fields import find_layout
from iaww_env.game import lend_row, lend_state

N_BASE_KINDS = 78

Place = tuple[str, int, int]  # window, line, column


def list_deck(game: Game, deck: int) -> list[Place]:
    """Where the cards left in a deck lie."""
    name = ("base_deck", "ascension_deck")[deck]
    return [(name, -1, i) for i in range(int(game.state.deck_next[deck]), int(game.state.deck_end[deck]))]


def was_in_hand(game: Game, seat: int, origin: int) -> bool:
    """Whether the pack dealt to `origin` has reached the seat in this draft."""
    n, forward = game.config.players, 1 if game.round % 2 else -1
    return any((origin + forward * passed) % n == seat for passed in range(int(game.state.pick) + 1))


def list_unknown_packs(game: Game, seat: int) -> list[int]:
    """Packs, by the seat they were dealt to, that the seat has not had in its hand."""
    if game.phase != "draft":
        return []
    return [origin for origin in range(game.config.players) if not was_in_hand(game, seat, origin)]


def list_unseen(game: Game, seat: int, deck: int) -> list[list[Place]]:
    """Groups of places; the cards of a group can lie in any order for all that the seat knows.

    How many cards of each deck a pack or pool holds is known: so only cards of one deck change places.
    A deck of shuffled discards holds cards that the seat has discarded itself: they stay in that deck.
    """
    state = lend_state(game)
    cards = [("packs", p, i) for p in list_unknown_packs(game, seat) for i in range(int(state.pack_size))]
    if game.config.solo:
        cards += [("pools", p, i) for p in range(8) for i in range(5) if state.pools[p, i] >= 0]
    unseen = [one for one in cards if (getattr(state, one[0])[one[1:]] >= N_BASE_KINDS) == deck]
    if state.reshuffled[deck]:
        return [unseen, list_deck(game, deck)]
    return [unseen + list_deck(game, deck)]


def swap_cards(game: Game, places: list[Place], rng: random.Random) -> None:
    """Shuffle the cards that lie at these places."""
    state = lend_state(game)
    windows = [getattr(state, name) if line < 0 else getattr(state, name)[line] for name, line, _ in places]
    cards = [int(window[i]) for window, (_, _, i) in zip(windows, places, strict=True)]
    rng.shuffle(cards)
    for window, (_, _, i), card in zip(windows, places, cards, strict=True):
        window[i] = card
    size = int(game.state.pack_size)
    for pack in lend_state(game).packs if game.phase == "draft" else ():
        pack[:size].sort()


def hide_picks(game: Game, seat: int, rng: random.Random) -> None:
    """Other seats have picked something else from their pack, or have not picked yet."""
    state, n = lend_state(game), game.config.players
    for other in range(n):
        if other != seat:
            pack = state.packs[(other + int(state.pack_shift)) % n, : state.pack_size]
            state.picked[other] = rng.choice([0, *(int(kind) + 1 for kind in pack)])
            state.acted[other] = int(state.picked[other] > 0)
    state.pending = max(1, n - int(state.acted[:n].sum()))


def scribble(game: Game, seat: int, rng: random.Random) -> None:
    """Other seats have done whatever they liked since the phase began: junk in all they have."""
    layout, n = find_layout(game.config), game.config.players
    for other in range(n):
        if other != seat:
            start = layout.seats_at + other * layout.seat_size
            junk = np.random.default_rng(rng.randrange(1 << 30)).integers(0, 90, layout.seat_size)
            lend_row(game)[start : start + layout.seat_size] = junk
            lend_state(game).acted[other] = rng.randrange(2)
    game.state.pending = rng.randrange(1, n + 1)


def rearrange_hidden(game: Game, seat: int, rng: random.Random) -> Game:
    """A copy in which everything that the seat cannot know is different."""
    other = game.clone()
    for deck in range(2):
        for places in list_unseen(other, seat, deck):
            swap_cards(other, places, rng)
    if other.phase == "draft":
        hide_picks(other, seat, rng)
    elif not other.over:
        scribble(other, seat, rng)
    lend_state(other).rng[:] = [rng.randrange(-32768, 32768) for _ in range(8)]
    return other
