"""Solo: pools instead of a draft, and digs (ruling 13)."""

from __future__ import annotations

from iaww_env.engine.facts import N_BASE_CARDS, N_BASE_KINDS
from iaww_env.engine.fields import (
    DECK_END,
    DECK_NEXT,
    DECKS_AT,
    DIG_DECK,
    DRAFTED_AT,
    KINDS,
    LOOSE,
    N_DRAFTED,
    PACK_SIZE,
    PACKS_AT,
    POOL,
    RESHUFFLED,
    ROUND,
    SEQUENCE,
    SEQUENCES,
    TOSSES,
    TOSSES_LEFT,
    States,
)
from iaww_env.engine.jit import chapter, rule
from iaww_env.engine.rng import load_stream, save_stream, shuffle_part
from iaww_env.engine.rules.construction import find_discarded
from iaww_env.engine.rules.deal import draw_card, find_pools, find_seat, insert_kind
from iaww_env.engine.rules.planning import take_drafted

LOOK_BASE, LOOK_ASCENSION = 5, 3


@chapter
def begin_sequence(row: States) -> None:
    """Take the next pool into hand."""
    at = find_seat(row, 0)
    pool = (int(row[ROUND]) - 1) * SEQUENCES + int(row[SEQUENCE])
    start = find_pools(row) + pool * POOL
    for i in range(POOL):
        insert_kind(row, at + DRAFTED_AT, i, int(row[start + i]))
        row[start + i] = -1
    row[at + N_DRAFTED] = POOL
    row[SEQUENCE] += 1


@rule
def is_sequence_over(row: States, at: int) -> bool:
    """Whether the hand is empty and nothing waits to be placed or kept."""
    return int(row[at + N_DRAFTED]) + int(row[at + LOOSE]) + int(row[DIG_DECK]) == 0


@rule
def continue_sequences(row: States) -> None:
    """When a sequence is over, the next of the planning phase begins."""
    if row[SEQUENCE] < SEQUENCES and is_sequence_over(row, find_seat(row, 0)):
        begin_sequence(row)


@rule
def find_kinds(row: States, deck: int) -> tuple[int, int]:
    """The first kind of a deck, and the one after its last."""
    if deck == 0:
        return 0, N_BASE_KINDS
    return N_BASE_KINDS, int(row[KINDS])


@rule
def can_dig(row: States, deck: int) -> bool:
    """Whether a deck has a card to look at, its discards counted."""
    if row[DECK_NEXT + deck] < row[DECK_END + deck]:
        return True
    discarded = find_discarded(row, find_seat(row, 0))
    first, last = find_kinds(row, deck)
    for kind in range(first, last):
        if row[discarded + kind] > 0:
            return True
    return False


@rule
def choose_dig(row: States, deck: int) -> None:
    """Choose the deck to dig; two cards must be tossed for it."""
    row[DIG_DECK] = deck + 1
    row[TOSSES_LEFT] = TOSSES


@rule
def toss_card(row: States, at: int, kind: int) -> None:
    """Discard a card from hand for the dig; after the second the cards are looked at."""
    take_drafted(row, at, kind)
    row[find_discarded(row, at) + kind] += 1
    row[TOSSES_LEFT] -= 1
    if row[TOSSES_LEFT] == 0:
        look_at_cards(row)


@rule
def shuffle_discards_under(row: States, deck: int) -> None:
    """The discards of a deck are shuffled under what is left of it."""
    start = int(row[DECKS_AT]) + deck * N_BASE_CARDS
    left = int(row[DECK_END + deck]) - int(row[DECK_NEXT + deck])
    for i in range(left):
        row[start + i] = row[start + int(row[DECK_NEXT + deck]) + i]
    end = left
    discarded = find_discarded(row, find_seat(row, 0))
    first, last = find_kinds(row, deck)
    for kind in range(first, last):
        for _ in range(int(row[discarded + kind])):
            row[start + end] = kind
            end += 1
        row[discarded + kind] = 0
    for i in range(end, int(row[DECK_END + deck])):
        row[start + i] = -1
    save_stream(row, shuffle_part(row, start + left, start + end, load_stream(row)))
    row[DECK_NEXT + deck] = 0
    row[DECK_END + deck] = end
    row[RESHUFFLED + deck] = 1


@chapter
def look_at_cards(row: States) -> None:
    """Look at the top cards of the deck being dug; one of them will be kept."""
    deck = int(row[DIG_DECK]) - 1
    wanted = LOOK_BASE if deck == 0 else LOOK_ASCENSION
    if int(row[DECK_END + deck]) - int(row[DECK_NEXT + deck]) < wanted:
        shuffle_discards_under(row, deck)
    shown = min(wanted, int(row[DECK_END + deck]) - int(row[DECK_NEXT + deck]))
    for i in range(shown):
        insert_kind(row, PACKS_AT, i, draw_card(row, deck))
    row[PACK_SIZE] = shown


@rule
def keep_card(row: States, at: int, kind: int) -> None:
    """Keep one of the cards looked at; the others are discarded."""
    insert_kind(row, at + DRAFTED_AT, int(row[at + N_DRAFTED]), kind)
    row[at + N_DRAFTED] += 1
    discarded = find_discarded(row, at)
    row[discarded + kind] -= 1
    for i in range(int(row[PACK_SIZE])):
        row[discarded + int(row[PACKS_AT + i])] += 1
        row[PACKS_AT + i] = -1
    row[PACK_SIZE] = 0
    row[DIG_DECK] = 0
