"""The table: phase, round and step, who has acted, and what lies in packs, decks and pools."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.config import GameConfig
from iaww_env.engine import facts
from iaww_env.engine.fields import States, StateViews, find_layout
from iaww_env.engine.new_rows import make_rows
from iaww_env.soundness.bounds import refuse_unless

Counts = npt.NDArray[np.int64]


class Table:
    """What a row says of the table, as plain numbers.

    Attributes:
        is_draft: Whether cards are picked; likewise the phases after it.
        hand: Cards dealt to a seat in a round, base and ascension.
    """

    def __init__(self, config: GameConfig, views: StateViews) -> None:
        """Read the table's fields."""
        self.config, self.views, self.n = config, views, config.players
        self.phase, self.round, self.step = int(views.phase), int(views.round), int(views.step)
        self.pick, self.pack_size = int(views.pick), int(views.pack_size)
        self.sequence, self.dig, self.tosses = int(views.sequence), int(views.dig_deck), int(views.tosses)
        self.acted: list[int] = views.acted.tolist()
        self.is_draft, self.is_planning = self.phase == rulebook.DRAFT, self.phase == rulebook.PLANNING
        self.is_production, self.is_over = self.phase == rulebook.PRODUCTION, self.phase == rulebook.OVER
        self.hand = config.hand_base, config.hand_ascension

    @property
    def begun(self) -> int:
        """Solo: sequences that have begun since the game did, and so many pools are taken."""
        if self.is_planning:
            return rulebook.SEQUENCES * (self.round - 1) + self.sequence
        return rulebook.SEQUENCES * self.round

    def check(self) -> None:
        """Phase, round and step, who has acted, what is in the packs and what lies in decks and pools."""
        self.check_phase()
        self.check_decks()
        if self.config.solo:
            self.check_dig()
            self.check_pools()
        else:
            self.check_packs()

    def check_phase(self) -> None:
        """The clock of the game, and the seats that it waits for."""
        solo = self.config.solo
        refuse_unless(not (solo and self.is_draft), "nobody drafts alone")
        last = facts.N_RESOURCES - 1
        refuse_unless(self.is_production or self.step == (last if self.is_over else 0), "step and phase")
        refuse_unless(not self.is_over or self.round == rulebook.ROUNDS, "it is over before the last round")
        waiting = self.n - sum(self.acted[: self.n])
        refuse_unless(not any(self.acted[self.n :]), "a seat has acted that is not there")
        refuse_unless(int(self.views.pending) == waiting, "the seats that are pending are others")
        refuse_unless((waiting == 0) == self.is_over, "nobody owes a decision, and it is not over")
        picks = range(rulebook.PICKS) if self.is_draft else (0,)
        refuse_unless(self.pick in picks, "the number of the pick")
        drafts = range(1, rulebook.SEQUENCES + 1) if solo and self.is_planning else (0,)
        refuse_unless(self.sequence in drafts, "the number of the sequence")
        if not solo:
            digs = (self.dig, self.tosses, *self.views.reshuffled.tolist())
            refuse_unless(not any(digs), "only who plays alone digs")

    def check_decks(self) -> None:
        """Each deck holds cards of its own, from the next one to the last."""
        for deck, window in enumerate((self.views.base_deck, self.views.ascension_deck)):
            start, end = int(self.views.deck_next[deck]), int(self.views.deck_end[deck])
            refuse_unless(0 <= start <= end <= len(window), "a deck ends before it begins")
            first, last = find_kinds_of(self.config, deck)
            left = window[start:end]
            refuse_unless(((left >= first) & (left < last)).all(), "a deck holds a card that is not its own")
            refuse_unless((window[:start] == -1).all() and (window[end:] == -1).all(), "cards beside a deck")
            if self.views.reshuffled[deck]:
                continue
            named = count_scenario(self.config)[first:last].sum()
            refuse_unless(end == facts.COPIES[first:last].sum() - named, "a deck is too long or too short")
            dealt = self.hand[deck] * (rulebook.POOLS if self.config.solo else self.n * self.round)
            refuse_unless(start >= dealt if self.config.solo else start == dealt, "cards dealt from a deck")

    def check_packs(self) -> None:
        """Every pack holds as many cards as the draft has left it, in ascending order."""
        size = sum(self.hand) - self.pick if self.is_draft else 0
        refuse_unless(self.pack_size == size, "the packs hold another number of cards")
        packs = self.views.packs
        refuse_unless((packs[:, size:] == -1).all(), "a pack holds more cards than it should")
        held = packs[:, :size]
        refuse_unless((held >= 0).all() and is_ascending(held), "a pack is out of order")
        direction = rulebook.DIRECTIONS[self.round - 1]
        shift = -direction * self.pick % self.n if self.is_draft else 0
        refuse_unless(int(self.views.pack_shift) == shift, "the packs have passed otherwise")
        for seat, kind in enumerate((self.views.picked - 1).tolist()):
            has_picked = self.is_draft and self.acted[seat] == 1
            refuse_unless((kind >= 0) == has_picked, "a pick and who has picked")
            own = held[(seat + shift) % self.n]
            refuse_unless(kind < 0 or (own == kind).any(), "a card is picked that is not in the pack")

    # --- Solo ------------------------------------------------------------------------------------

    def check_dig(self) -> None:
        """A dig is either paid for or looked at, and there is something to look at."""
        size, hand = self.pack_size, int(self.views.n_drafted[0])
        refuse_unless(int(self.views.pack_shift) == 0, "alone, nothing is passed on")
        if self.dig == 0:
            refuse_unless(self.tosses == 0 and size == 0, "cards of a dig, and no dig")
        else:
            deck = self.dig - 1
            first, last = find_kinds_of(self.config, deck)
            shown = self.views.packs[0, :size]
            refuse_unless(self.is_planning, "a dig is for planning")
            refuse_unless((size == 0) == (self.tosses > 0), "a dig is paid for, or looked at")
            refuse_unless(size <= rulebook.LOOKS[deck], "a dig shows too many cards")
            refuse_unless(((shown >= first) & (shown < last)).all(), "a dig shows cards of another deck")
            refuse_unless(is_ascending(shown), "the cards of a dig are out of order")
            refuse_unless(size > 0 or self.can_dig(deck), "there is nothing to dig")
            refuse_unless(hand >= self.tosses, "too few cards to pay for a dig")
            refuse_unless(int(self.views.loose[0]) == 0, "no cube is loose in a dig")
        refuse_unless((self.views.packs[0, size:] == -1).all(), "cards that no dig shows")
        refuse_unless(hand + self.tossed <= rulebook.POOL, "the hand is too large")
        if self.is_planning and self.sequence < rulebook.SEQUENCES:
            waits = hand + int(self.views.loose[0]) + self.dig
            refuse_unless(waits > 0, "the next sequence should have begun")

    @property
    def tossed(self) -> int:
        """Cards tossed for the dig under way."""
        return rulebook.TOSSES - self.tosses if self.dig else 0

    def can_dig(self, deck: int) -> bool:
        """Whether a deck has a card left, its discards counted."""
        first, last = find_kinds_of(self.config, deck)
        left = int(self.views.deck_end[deck]) - int(self.views.deck_next[deck])
        return left + int(self.views.discarded[0, first:last].sum()) > 0

    def check_pools(self) -> None:
        """Pools that were taken are gone, the others whole: base cards first."""
        pools = self.views.pools
        refuse_unless((pools[: self.begun] == -1).all(), "a pool that was taken lies there")
        left = pools[self.begun :]
        for deck, part in enumerate((left[:, : self.hand[0]], left[:, self.hand[0] :])):
            first, last = find_kinds_of(self.config, deck)
            refuse_unless(((part >= first) & (part < last)).all(), "a pool holds other cards than were dealt")


def is_ascending(cards: States) -> bool:
    """Whether lists of cards ascend."""
    return bool((cards[..., 1:] >= cards[..., :-1]).all())


def find_kinds_of(config: GameConfig, deck: int) -> tuple[int, int]:
    """The first kind of a deck, and the one after its last."""
    return (0, facts.N_BASE_KINDS) if deck == 0 else (facts.N_BASE_KINDS, config.kinds)


@lru_cache(maxsize=64)
def count_scenario(config: GameConfig) -> Counts:
    """Copies that the scenario takes out of the decks, by kind."""
    number = int(find_layout(config).views(make_rows(config, [0])[0]).scenario)
    cards = facts.SCENARIO_CARDS[number - 1] if number else np.zeros(0, np.int16)
    return np.bincount(cards[cards >= 0], minlength=config.kinds).astype(np.int64)
