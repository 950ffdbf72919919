"""Solo: pools instead of a draft, and digs (ruling 13)."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.rng import load_stream, save_stream, shuffle_part
from iaww_env.engine.row import find_deck, find_discarded, find_kinds, find_pools, find_seat, insert_kind
from iaww_env.engine.rules.deal import draw_card
from iaww_env.engine.rules.planning import take_drafted


@called
def begin_sequence(row: States) -> None:
    """Take the next pool into hand."""
    at = find_seat(row, 0)
    pool = (int(row[fields.ROUND]) - 1) * rulebook.SEQUENCES + int(row[fields.SEQUENCE])
    start = find_pools(row) + pool * rulebook.POOL
    for i in range(rulebook.POOL):
        insert_kind(row, at + fields.DRAFTED, i, int(row[start + i]))
        row[start + i] = -1
    row[at + fields.N_DRAFTED] = rulebook.POOL
    row[fields.SEQUENCE] += 1


@inlined
def is_sequence_over(row: States, at: int) -> bool:
    """Whether the hand is empty and nothing waits to be placed or kept."""
    return int(row[at + fields.N_DRAFTED]) + int(row[at + fields.LOOSE]) + int(row[fields.DIG_DECK]) == 0


@inlined
def continue_sequences(row: States) -> None:
    """When a sequence is over, the next of the planning phase begins."""
    if row[fields.SEQUENCE] < rulebook.SEQUENCES and is_sequence_over(row, find_seat(row, 0)):
        begin_sequence(row)


@inlined
def can_dig(row: States, deck: int) -> bool:
    """Whether a deck has a card to look at, its discards counted."""
    if row[fields.DECK_NEXT + deck] < row[fields.DECK_END + deck]:
        return True
    discarded = find_discarded(row, find_seat(row, 0))
    first, last = find_kinds(row, deck)
    for kind in range(first, last):
        if row[discarded + kind] > 0:
            return True
    return False


@inlined
def choose_dig(row: States, deck: int) -> None:
    """Choose the deck to dig; two cards must be tossed for it."""
    row[fields.DIG_DECK] = deck + 1
    row[fields.TOSSES] = rulebook.TOSSES


@inlined
def toss_card(row: States, at: int, kind: int) -> None:
    """Discard a card from hand for the dig; after the second the cards are looked at."""
    take_drafted(row, at, kind)
    row[find_discarded(row, at) + kind] += 1
    row[fields.TOSSES] -= 1
    if row[fields.TOSSES] == 0:
        look_at_cards(row)


@inlined
def shuffle_discards_under(row: States, deck: int) -> None:
    """The discards of a deck are shuffled under what is left of it."""
    start = find_deck(row, deck)
    left = int(row[fields.DECK_END + deck]) - int(row[fields.DECK_NEXT + deck])
    for i in range(left):
        row[start + i] = row[start + int(row[fields.DECK_NEXT + deck]) + i]
    end = left
    discarded = find_discarded(row, find_seat(row, 0))
    first, last = find_kinds(row, deck)
    for kind in range(first, last):
        for _ in range(int(row[discarded + kind])):
            row[start + end] = kind
            end += 1
        row[discarded + kind] = 0
    for i in range(end, int(row[fields.DECK_END + deck])):
        row[start + i] = -1
    save_stream(row, shuffle_part(row, start + left, start + end, load_stream(row)))
    row[fields.DECK_NEXT + deck] = 0
    row[fields.DECK_END + deck] = end
    row[fields.RESHUFFLED + deck] = 1


@called
def look_at_cards(row: States) -> None:
    """Look at the top cards of the deck being dug; one of them will be kept."""
    deck = int(row[fields.DIG_DECK]) - 1
    wanted = rulebook.LOOKS[deck]
    if int(row[fields.DECK_END + deck]) - int(row[fields.DECK_NEXT + deck]) < wanted:
        shuffle_discards_under(row, deck)
    shown = min(wanted, int(row[fields.DECK_END + deck]) - int(row[fields.DECK_NEXT + deck]))
    for i in range(shown):
        insert_kind(row, fields.PACKS_AT, i, draw_card(row, deck))
    row[fields.PACK_SIZE] = shown


@inlined
def keep_card(row: States, at: int, kind: int) -> None:
    """Keep one of the cards looked at; the others are discarded."""
    insert_kind(row, at + fields.DRAFTED, int(row[at + fields.N_DRAFTED]), kind)
    row[at + fields.N_DRAFTED] += 1
    discarded = find_discarded(row, at)
    row[discarded + kind] -= 1
    for i in range(int(row[fields.PACK_SIZE])):
        row[discarded + int(row[fields.PACKS_AT + i])] += 1
        row[fields.PACKS_AT + i] = -1
    row[fields.PACK_SIZE] = 0
    row[fields.DIG_DECK] = 0
