"""The decks of a solo game and how they are dug (ruling 13).

The order of the cards in a deck is hidden, so a deck is kept as a bag of cards, and a `source` tells which
cards are on top when somebody looks. What it says is checked against the bag.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.reference.card_table import CardTable, require

Source = Callable[[str, int], list[str]]
LOOK_AT = {"base": 5, "ascension": 3}


class DigDecks:
    """What is left in the base deck and (with the expansion) in the ascension deck."""

    def __init__(self, cards: Counter[str], table: CardTable, source: Source | None) -> None:
        """Sort the cards that are in no pool and no scenario by deck."""
        self.table = table
        self.source = source
        self.left: dict[str, Counter[str]] = {}
        for kind in table.cards:
            deck = table.deck_of(kind)
            if kind in cards:
                self.left.setdefault(deck, Counter())[kind] = cards[kind]

    def select_discards(self, deck: str, discarded: Counter[str]) -> Counter[str]:
        """Those discards that belong to a deck."""
        return Counter({kind: n for kind, n in discarded.items() if n and self.table.deck_of(kind) == deck})

    def diggable_decks(self, discarded: Counter[str]) -> list[str]:
        """The decks that have a card left, in the deck or among its discards."""
        return [deck for deck in self.left if self.left[deck] + self.select_discards(deck, discarded)]

    def look_at_top(self, deck: str, discarded: Counter[str]) -> list[str]:
        """Take the top cards off a deck, its discards shuffled under it first when it has too few."""
        left = self.left[deck]
        under = Counter[str]()
        if left.total() < LOOK_AT[deck]:
            under = self.select_discards(deck, discarded)
        count = min(LOOK_AT[deck], left.total() + under.total())
        if self.source is None:
            raise ValueError("digging needs a source of cards")
        shown = list(self.source(deck, count))
        require(len(shown) == count, f"{count} cards are to be shown, not {shown}")
        from_top = Counter(shown[: left.total()])  # the old cards lie on top of the shuffled discards
        from_under = Counter(shown[left.total() :])
        require(from_top <= left, f"not on top of the {deck} deck: {dict(from_top - left)}")
        require(from_under <= under, f"not among the {deck} discards: {dict(from_under - under)}")
        discarded.subtract(under)
        self.left[deck] = (left - from_top) + (under - from_under)
        return shown
