"""Comparing: who has supremacy in a step, who wins, which medal or title a solo game earned."""

from __future__ import annotations

from collections import Counter

from tests.reference.card_table import Scenario
from tests.reference.seat import Seat

SOLO_SUPREMACY = 5
TITLES = ((100, "living god"), (80, "emperor"), (60, "dictator"), (0, "apprentice"))


def find_supreme_seats(produced: list[int]) -> list[int]:
    """The seats that have supremacy when they produce these numbers of cubes (rulings 8 and 9)."""
    if len(produced) == 1:
        return [0] if produced[0] >= SOLO_SUPREMACY else []
    winners_at_most = 2 if len(produced) >= 6 else 1
    supreme: list[int] = []
    for amount in sorted(set(produced), reverse=True):
        makers = [number for number, made in enumerate(produced) if made == amount]
        if amount == 0 or len(supreme) + len(makers) > winners_at_most:
            break
        supreme += makers
    return sorted(supreme)


def rank_seats(seats: list[Seat]) -> list[int]:
    """The place of every seat, 1 for the best; equal seats share the better place (ruling 11)."""
    standing = [(seat.points(), len(seat.built), seat.characters()) for seat in seats]
    return [1 + sum(other > mine for other in standing) for mine in standing]


def has_named_cards(seat: Seat, scenario: Scenario) -> bool:
    """Whether a scenario is won: every card is built that it names, by whichever copy (rulings 14 and 17)."""
    return Counter(scenario.cards) <= Counter(card.kind for card in seat.built)


def find_medal(seat: Seat, scenario: Scenario) -> str | None:
    """The medal in a scenario: none unless all its cards are built (ruling 14)."""
    if not has_named_cards(seat, scenario):
        return None
    reached = [medal for medal, points in scenario.medals.items() if seat.points() >= points]
    return reached[-1] if reached else None


def find_title(points: int) -> str:
    """The title in the standard solo game (ruling 13)."""
    return next(title for least, title in TITLES if points >= least)
