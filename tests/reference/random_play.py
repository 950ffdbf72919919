"""Random games on the reference alone."""

from __future__ import annotations

import random
from typing import Any

from tests.reference.card_table import CardTable, deal_sizes, read_card_table, scenario_cards
from tests.reference.rules import ROUNDS, ReferenceGame


def shuffle_decks(config: dict[str, Any], table: CardTable, rng: random.Random) -> dict[str, list[str]]:
    """The shuffled decks, the scenario's cards taken out (ruling 14). The top is the end of the list."""
    cards = table.card_pool(config["expansions"])
    cards.subtract(scenario_cards(config, table))
    decks: dict[str, list[str]] = {"base": [], "ascension": []}
    for kind, count in cards.items():
        decks[table.deck_of(kind)] += [kind] * count
    for deck in decks.values():
        rng.shuffle(deck)
    return decks


def deal_cards(
    config: dict[str, Any], rng: random.Random
) -> tuple[list[list[list[str]]] | None, list[list[str]] | None]:
    """Deal a whole game: (deals, None) for two and more players, (None, pools) for solo."""
    decks = shuffle_decks(config, read_card_table(), rng)
    base, ascension = deal_sizes(config)

    def deal_pack() -> list[str]:
        base_cards = [decks["base"].pop() for _ in range(base)]
        return base_cards + [decks["ascension"].pop() for _ in range(ascension)]

    if config["players"] == 1:
        return None, [deal_pack() for _ in range(2 * ROUNDS)]
    return [[deal_pack() for _ in range(config["players"])] for _ in range(ROUNDS)], None


class DigSource:
    """A fair source of cards for solo: keeps the decks in order and shuffles the discards of its game."""

    def __init__(self, config: dict[str, Any], pools: list[list[str]], rng: random.Random) -> None:
        """Shuffle all cards that are in no pool and no scenario."""
        self.rng = rng
        self.game: ReferenceGame | None = None
        self.decks = shuffle_decks(config, read_card_table(), rng)
        for pool in pools:
            for kind in pool:
                self.decks[read_card_table().deck_of(kind)].remove(kind)

    def follow(self, game: ReferenceGame) -> None:
        """Called by the game that this source serves."""
        self.game = game

    def __call__(self, deck_name: str, count: int) -> list[str]:
        """The top cards of a deck, its discards shuffled under it when they do not suffice (ruling 13)."""
        assert self.game is not None, "the source must follow its game"
        wanted = {"base": 5, "ascension": 3}[deck_name]
        deck = self.decks[deck_name]
        if len(deck) < wanted:
            discards = self.game.decks.select_discards(deck_name, self.game.seats[0].discarded)
            under = sorted(discards.elements())
            self.rng.shuffle(under)
            deck[:0] = under
        return [deck.pop() for _ in range(count)]


def start_game(config: dict[str, Any], rng: random.Random) -> ReferenceGame:
    """A game with everything dealt at random."""
    deals, pools = deal_cards(config, rng)
    source = DigSource(config, pools, rng) if pools is not None else None
    return ReferenceGame(config, deals=deals, pools=pools, source=source)


def choose_action(game: ReferenceGame, seat: int, rng: random.Random, discards: bool = False) -> str:
    """A random legal action; cards under construction are given up only if `discards` says so."""
    legal = game.legal_actions(seat)
    if not discards:
        legal = {text for text in legal if not text.startswith("discard:")}
    return rng.choice(sorted(legal))


def play_random(config: dict[str, Any], rng: random.Random, discards: bool = False) -> ReferenceGame:
    """Play a whole game of random legal actions, the seats acting in random order."""
    game = start_game(config, rng)
    while not game.over:
        seat = rng.choice(game.seats_to_act())
        game.step(seat, choose_action(game, seat, rng, discards))
    return game
