"""Cards given to a game in place of its own deals, and all cards of a game counted."""

from __future__ import annotations

import random
from collections import Counter

from iaww_env.cards import kinds, scenario
from iaww_env.config import GameConfig
from iaww_env.game import Game
from tests.modes import MODES

# Players, whether the expansion is in play, and the base and ascension cards of a hand (solo: of a pool).
HAND_SIZES = [
    (1, False, 5, 0),
    (2, False, 10, 0),
    (3, False, 7, 0),
    (4, False, 7, 0),
    (5, False, 7, 0),
    (1, True, 3, 2),
    (2, True, 8, 4),
    (3, True, 6, 3),
    (4, True, 6, 3),
    (5, True, 6, 2),
    (6, True, 6, 2),
    (7, True, 5, 2),
]


def count_cards(game: Game) -> Counter[int]:
    """How many of each kind there are, wherever they lie: each physical card is in one place."""
    state, config = game.state, game.config
    cards: Counter[int] = Counter(state.packs[state.packs >= 0].tolist())
    for deck, window in enumerate((state.base_deck, state.ascension_deck)):
        cards.update(window[state.deck_next[deck] : state.deck_end[deck]].tolist())
    if config.solo:
        cards.update(state.pools[state.pools >= 0].tolist())
    cards.update(state.drafted[state.drafted >= 0].tolist())
    for seat in range(config.players):
        cards.update(state.site_kind[seat, : state.n_sites[seat]].tolist())
        for counts in (state.built[seat], state.discarded[seat]):
            cards.update({kind: n for kind, n in enumerate(counts.tolist()) if n})
    return cards


def count_pool(config: GameConfig) -> Counter[int]:
    """How many of each kind there must be."""
    return Counter({kind.index: kind.copies for kind in kinds(config.expansions)})


def list_decks(config: GameConfig) -> list[list[str]]:
    """The base deck and the ascension deck as ids, the cards of a scenario taken out."""
    decks: list[list[str]] = [[], []]
    gone = Counter(scenario(config.scenario).cards if config.scenario else ())
    for kind in kinds(config.expansions):
        decks[kind.deck == "ascension"] += [kind.id] * (kind.copies - gone[kind.id])
    return decks


def draw_hands(config: GameConfig, seed: int) -> list[list[str]]:
    """Hands for a whole game, in the order in which they are dealt; solo: the pools."""
    decks = list_decks(config)
    for deck in decks:
        random.Random(seed).shuffle(deck)
    sizes = (config.hand_base, config.hand_ascension)
    hands = config.pools if config.solo else config.rounds * config.players
    return [
        [deck.pop() for deck, n in zip(decks, sizes, strict=True) for _ in range(n)] for _ in range(hands)
    ]


def draw_deals(config: GameConfig, seed: int) -> list[list[list[str]]]:
    """The same hands by round and seat."""
    hands, n = draw_hands(config, seed), config.players
    return [hands[at : at + n] for at in range(0, len(hands), n)]


def make_given_game(mode: str, seed: int) -> Game:
    """A game whose deals (solo: pools) are given."""
    config = MODES[mode]
    if config.solo:
        return Game(config, seed, pools=draw_hands(config, seed))
    return Game(config, seed, deals=draw_deals(config, seed))
