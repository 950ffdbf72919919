"""What a seat cannot know, drawn anew: the only door through which a search sees a future."""

from __future__ import annotations

from iaww_env.engine.facts import N_BASE_CARDS
from iaww_env.engine.fields import (
    ACTED,
    DECK_END,
    DECK_NEXT,
    DECKS_AT,
    DRAFT,
    KINDS,
    OVER,
    PACK,
    PACK_SIZE,
    PACKS_AT,
    PENDING,
    PHASE,
    PICK,
    PICKED,
    PLAYERS,
    POOL,
    POOLS,
    RESHUFFLED,
    ROUND,
    SEAT_SIZE,
    SEEN_AT,
    States,
)
from iaww_env.engine.jit import passage, rule
from iaww_env.engine.rng import Words, draw_below, draw_word, save_stream
from iaww_env.engine.rules.deal import copy_cells, find_pools, find_seat
from iaww_env.engine.rules.solo import find_kinds

PLACES = 256  # more than there are cards in a deck
HIDDEN_ROOM = 2 * PLACES


@rule
def knows_pack(row: States, seat: int, origin: int) -> bool:
    """Whether the pack dealt to `origin` has been in the seat's hand in this draft."""
    n = int(row[PLAYERS])
    distance = seat - origin if row[ROUND] % 2 == 1 else origin - seat
    if distance < 0:
        distance += n
    return distance <= int(row[PICK])


@rule
def undo_secrets(row: States, seat: int) -> None:
    """The other seats stand as they stood when the phase (or the pick) began."""
    size = int(row[SEAT_SIZE])
    for other in range(int(row[PLAYERS])):
        if other == seat:
            continue
        at, seen = find_seat(row, other), int(row[SEEN_AT]) + other * size
        if row[PHASE] == DRAFT:
            row[at + PICKED] = 0
        else:
            copy_cells(row[seen : seen + size], row[at : at + size])
        row[PENDING] += row[ACTED + other]
        row[ACTED + other] = 0


@rule
def list_unseen(row: States, seat: int, deck: int, places: States) -> int:
    """Where the cards of a deck lie that the seat has never seen: packs, pools and the deck itself."""
    low, high = find_kinds(row, deck)
    n = 0
    if row[PHASE] == DRAFT:
        for origin in range(int(row[PLAYERS])):
            if not knows_pack(row, seat, origin):
                start = PACKS_AT + origin * PACK
                for i in range(start, start + int(row[PACK_SIZE])):
                    if low <= row[i] < high:
                        places[n] = i
                        n += 1
    if row[PLAYERS] == 1:
        start = find_pools(row)
        for i in range(start, start + POOLS * POOL):
            if low <= row[i] < high:
                places[n] = i
                n += 1
    if row[RESHUFFLED + deck] == 0:
        n = list_deck(row, deck, places, n)
    return n


@rule
def list_deck(row: States, deck: int, places: States, n: int) -> int:
    """Where the cards left in a deck lie."""
    start = int(row[DECKS_AT]) + deck * N_BASE_CARDS
    for i in range(start + int(row[DECK_NEXT + deck]), start + int(row[DECK_END + deck])):
        places[n] = i
        n += 1
    return n


@rule
def sort_places(row: States, places: States, n: int) -> None:
    """Put the cards at these places into ascending order, so that what was hidden leaves no trace.

    The kinds are counted in `places`, behind the room for the places themselves.
    """
    for kind in range(int(row[KINDS])):
        places[PLACES + kind] = 0
    for i in range(n):
        places[PLACES + int(row[int(places[i])])] += 1
    i = 0
    for kind in range(int(row[KINDS])):
        for _ in range(int(places[PLACES + kind])):
            row[int(places[i])] = kind
            i += 1


@rule
def shuffle_places(row: States, places: States, n: int, words: Words) -> None:
    """Shuffle the cards that lie at these places."""
    sort_places(row, places, n)
    for i in range(n - 1, 0, -1):
        j = draw_below(words, i + 1)
        here, there = int(places[i]), int(places[j])
        row[here], row[there] = row[there], row[here]


@rule
def sort_pack(row: States, start: int, size: int) -> None:
    """Put the cards of a pack into ascending order again."""
    for i in range(start + 1, start + size):
        kind = int(row[i])
        j = i
        while j > start and row[j - 1] > kind:
            row[j] = row[j - 1]
            j -= 1
        row[j] = kind


@passage
def redraw_hidden(row: States, seat: int, words: Words, places: States) -> None:
    """Turn a game into another that agrees with everything the seat knows, drawn with `words`.

    The draw depends on nothing but that and `words`. `places` is room for HIDDEN_ROOM numbers.
    """
    if row[PHASE] == OVER:
        return
    undo_secrets(row, seat)
    for deck in range(2):
        n = list_unseen(row, seat, deck, places)
        shuffle_places(row, places, n, words)
        if row[RESHUFFLED + deck] == 1:
            n = list_deck(row, deck, places, 0)
            shuffle_places(row, places, n, words)
    if row[PHASE] == DRAFT:
        for origin in range(int(row[PLAYERS])):
            sort_pack(row, PACKS_AT + origin * PACK, int(row[PACK_SIZE]))
    save_stream(row, (draw_word(words), draw_word(words), draw_word(words), draw_word(words)))
