"""Setting up positions of the solo game: pools, decks and discards that are known."""

from __future__ import annotations

from collections import Counter

from iaww_env import Game, GameConfig
from iaww_env.cards import kind, kinds
from iaww_env.game import lend_state
from tests.modes import CA
from tests.rules.worked_positions import set_drafted

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
    """Eight pools: the given ones, then any cards but those that the digs show."""
    left = {deck: Counter[str]() for deck in ("base", "ascension")}
    for one in kinds(CA):
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
    window = (lend_state(game).base_deck, lend_state(game).ascension_deck)[number]
    first, end = int(game.state.deck_next[number]), int(game.state.deck_end[number])
    indices = [kind(card).index for card in top]
    rest = Counter(window[first:end].tolist())
    rest.subtract(indices)
    assert min(rest.values()) >= 0, "cards that are not in the deck"
    if only:
        window[first:end] = -1
        lend_state(game).deck_end[number] = first + len(top)
        window[first : first + len(top)] = indices
    else:
        window[first:end] = [*indices, *rest.elements()]


def start_solo(*, ascension: bool = False) -> Game:
    """A game whose base deck has `SHOWN` on top; side B makes 2 materials, 1 energy, 1 science."""
    expansions = CA if ascension else ()
    config = GameConfig(players=1, expansions=expansions, empire_side="B")
    pools = fill_pools(ascension=True) if ascension else fill_pools(FIRST, SECOND)
    game = Game(config, seed=0, pools=pools)
    stack_deck(game, "base", SHOWN)
    return game


def show_hand(game: Game, *cards: str) -> None:
    """Put these cards in hand, and nothing into the discards."""
    set_drafted(game, 0, *cards)
    lend_state(game).discarded[...] = 0


def discard(game: Game, *cards: str) -> None:
    """Put these cards into the discards, and no others."""
    lend_state(game).discarded[...] = 0
    for card in cards:
        lend_state(game).discarded[0, kind(card).index] += 1
