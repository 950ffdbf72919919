"""Counts of all sequences of decisions from fixed deals, by the engine and by the slow reference.

A count covers every legal action at every decision up to a depth, so that a single action too many or too
few, anywhere, shows. Cards lie in a fixed order and nothing is drawn at random, so the typed totals do not
depend on any random stream. A total was typed in when both had counted it, each by its own rules; those
with a product or sum beside them were also worked out by hand.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from iaww_env import Game, GameConfig
from iaww_env.cards import EMPIRE_IDS, kind, kinds, scenario
from iaww_env.game import lend_state
from tests.modes import CA
from tests.reference import ReferenceGame

DECKS = ("base", "ascension")
TOKENS = ("krystallium", "general", "financier")


# --- Fixed games -----------------------------------------------------------------------------------


def order_decks(config: GameConfig) -> dict[str, list[str]]:
    """Both decks in a fixed order: one card of each kind, then the second copies, and so on."""
    named = list(scenario(config.scenario).cards) if config.scenario else []
    decks: dict[str, list[str]] = {deck: [] for deck in DECKS}
    for nth in range(7):
        # 29 and 79 share no factor: every kind comes once, the types well mixed.
        for one in sorted(kinds(config.expansions), key=lambda one: one.index * 29 % 79):
            if nth < one.copies - named.count(one.id):
                decks[one.deck].append(one.id)
    return decks


def deal_cards(config: GameConfig, decks: dict[str, list[str]]) -> list[list[str]]:
    """Hands (solo: pools) from the top of the decks."""
    hands = []
    for _ in range(config.pools if config.solo else config.rounds * config.players):
        hands.append([decks["base"].pop(0) for _ in range(config.hand_base)])
        hands[-1] += [decks["ascension"].pop(0) for _ in range(config.hand_ascension)]
    return hands


class FixedDecks:
    """The source of a solo game's digs: the cards come in the order in which they lie."""

    def __init__(self, decks: dict[str, list[str]]) -> None:
        """Keep the decks."""
        self.decks = decks

    def __call__(self, deck: str, count: int) -> list[str]:
        """The top cards of a deck."""
        return [self.decks[deck].pop(0) for _ in range(count)]


def start_both(config: GameConfig, tokens: tuple[int, int, int] | None) -> tuple[Game, ReferenceGame]:
    """The same game in both; every seat holds these tokens."""
    config = config.replace(empires=EMPIRE_IDS[: config.players])
    decks = order_decks(config)
    hands = deal_cards(config, decks)
    if config.solo:
        game = Game(config, seed=0, pools=hands)
        reference = ReferenceGame(config.to_dict(), pools=hands, source=FixedDecks(decks))
        for number, window in enumerate((lend_state(game).base_deck, lend_state(game).ascension_deck)):
            first, end = int(game.state.deck_next[number]), int(game.state.deck_end[number])
            window[first:end] = [kind(card).index for card in decks[DECKS[number]]]
    else:
        n = config.players
        deals = [hands[at : at + n] for at in range(0, len(hands), n)]
        game = Game(config, seed=0, deals=deals)
        reference = ReferenceGame(config.to_dict(), deals=deals)
    if tokens is not None:
        for seat in range(config.players):
            state = lend_state(game)
            state.krystallium[seat], state.generals[seat], state.financiers[seat] = tokens
            reference.seats[seat].tokens = dict(zip(TOKENS, tokens, strict=True))
    return game, reference


def choose_by_number(texts: set[str], number: int) -> str:
    """The lead-in: a fixed way to play into a position; nothing is given up or dug."""
    kept = sorted(text for text in texts if not text.startswith(("discard:", "dig:")))
    places = [text for text in kept if text.startswith(("place:", "slate:"))]
    return (places or kept)[number * 5 % len(places or kept)] if number % 3 else kept[number % len(kept)]


def play_into(game: Game, reference: ReferenceGame, decisions: int) -> None:
    """Play so many decisions in both, the lowest seat first."""
    for number in range(decisions):
        seat = game.seats_to_act()[0]
        text = choose_by_number(set(game.legal_texts(seat)), number)
        game.step(seat, text)
        reference.step(seat, text)


# --- Counting --------------------------------------------------------------------------------------


def count_sequences(game: Any, copy_game: Callable[[Any], Any], depth: int) -> int:
    """Sequences of so many decisions in one of both, the lowest seat that owes one deciding first."""
    if game.over:
        return 1
    seat = game.seats_to_act()[0]
    legal = game.legal_actions(seat)
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = copy_game(game)
        after.step(seat, action)
        total += count_sequences(after, copy_game, depth - 1)
    return total


def copy_reference(game: ReferenceGame) -> ReferenceGame:
    """A copy that goes its own way; card facts and deals are shared."""
    shared: list[Any] = [game.table, game.config, getattr(game, "deals", None)]
    shared += [*game.table.cards.values(), *game.table.empires.values()]
    return copy.deepcopy(game, {id(one): one for one in shared})


# --- Positions -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """A fixed game, how far it is played before the counting begins, and what is counted."""

    name: str
    config: GameConfig
    decisions: int
    depth: int
    total: int
    tokens: tuple[int, int, int] | None = None


POSITIONS = [
    # Two seats pick from ten different kinds each, then each from the nine that the other left.
    Position("the draft of two", GameConfig(2), 0, 4, 10 * 10 * 9 * 9),
    # Seven different kinds each; the packs go round.
    Position("the draft of five", GameConfig(5), 0, 4, 7 * 7 * 7 * 7),
    Position("the draft of seven", GameConfig(7, CA), 7, 4, 6 * 6 * 6 * 6),
    # The last pick of two seats from four cards each, and 14 ways to decide the first of seven kinds.
    Position("the end of a draft", GameConfig(2), 12, 3, 4 * 4 * 14),
    # Seven undecided kinds, nothing under construction. Slate: 7 ways, then 6 to slate, 6 to recycle, 1 to
    # discard. Recycle: 7 ways, the cube is surplus, then 6 and 6.
    Position("planning", GameConfig(3), 21, 2, 7 * (6 + 6 + 1) + 7 * (6 + 6)),
    # Slate two: 12 ways on; slate and discard: 12; slate and recycle: 11, but 3 in the 15 of 42 cases where
    # the slated card takes the cube; recycle and slate: 11; recycle two: 10.
    Position(
        "planning, deeper", GameConfig(3), 21, 3, 42 * 12 + 7 * 12 + 27 * 11 + 15 * 3 + 42 * 11 + 42 * 10
    ),
    Position("planning with krystallium", GameConfig(4, CA, "C"), 28, 4, 20_318),
    Position("later planning with tokens", GameConfig(2, CA, "F"), 216, 3, 11_276, (20, 5, 5)),
    Position("materials", GameConfig(2, (), "A"), 134, 3, 6_912),
    Position("energy with tokens", GameConfig(2, CA, "F"), 92, 3, 1_266, (20, 5, 5)),
    Position("science of six", GameConfig(6, CA, "D"), 273, 4, 17_094),
    Position("exploration with tokens", GameConfig(2, CA, "F"), 260, 3, 9_318, (20, 5, 5)),
    Position("the last decisions", GameConfig(2, (), "A"), 205, 3, 11_664),
    # Slate one of five: 4 to slate, 4 to recycle, 1 to discard, a dig. Recycle: 4, 4, a dig. Dig: 5 to toss.
    Position("solo", GameConfig(1), 0, 2, 5 * (4 + 4 + 1 + 1) + 5 * (4 + 4 + 1) + 5),
    Position("solo, deeper", GameConfig(1), 0, 4, 4_388),
    Position("solo with both decks", GameConfig(1, CA), 3, 5, 14_137),
    Position("a scenario", GameConfig(1, CA, scenario="ascension_sc05"), 1, 4, 10_267, (2, 2, 1)),
    Position("the end of a scenario", GameConfig(1, CA, scenario="ascension_sc05"), 93, 3, 40_600),
]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_engine_and_reference_count_the_same_sequences(position: Position) -> None:
    game, reference = start_both(position.config, position.tokens)
    play_into(game, reference, position.decisions)
    found = tuple(
        count_sequences(one, copy_game, position.depth)
        for one, copy_game in ((game, Game.clone), (reference, copy_reference))
    )
    assert found == (position.total, position.total)
