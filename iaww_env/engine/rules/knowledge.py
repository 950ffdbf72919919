"""What a seat cannot know, drawn anew: the only door through which a search sees a future."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined, pasted
from iaww_env.engine.rng import Stream, draw_below, draw_word, save_stream
from iaww_env.engine.row import copy_cells, find_deck, find_kinds, find_pools, find_seat
from iaww_env.engine.rules.draft import find_direction

PLACES = facts.MOST_IN_DECK
MOST_PLACES = PLACES + facts.N_KINDS


@inlined
def knows_pack(row: States, seat: int, origin: int) -> bool:
    """Whether the pack dealt to `origin` has been in the seat's hand in this draft."""
    n = int(row[fields.PLAYERS])
    distance = (seat - origin) * find_direction(row)
    if distance < 0:
        distance += n
    return distance <= int(row[fields.PICK])


@inlined
def undo_secrets(row: States, seat: int) -> None:
    """The other seats stand as they stood when the phase (or the pick) began."""
    size = int(row[fields.SEAT_SIZE])
    for other in range(int(row[fields.PLAYERS])):
        if other == seat:
            continue
        at, seen = find_seat(row, other), int(row[fields.SEEN_AT]) + other * size
        if row[fields.PHASE] == rulebook.DRAFT:
            row[at + fields.PICKED] = 0
        else:
            copy_cells(row[seen : seen + size], row[at : at + size])
        row[fields.PENDING] += row[fields.ACTED + other]
        row[fields.ACTED + other] = 0


@inlined
def list_unseen(row: States, seat: int, deck: int, places: States) -> int:
    """Where the cards of a deck lie that the seat has never seen: packs, pools and the deck itself."""
    low, high = find_kinds(row, deck)
    n = 0
    if row[fields.PHASE] == rulebook.DRAFT:
        for origin in range(int(row[fields.PLAYERS])):
            if not knows_pack(row, seat, origin):
                start = fields.PACKS_AT + origin * fields.PACK
                for i in range(start, start + int(row[fields.PACK_SIZE])):
                    if low <= row[i] < high:
                        places[n] = i
                        n += 1
    if row[fields.PLAYERS] == 1:
        start = find_pools(row)
        for i in range(start, start + rulebook.POOLS * rulebook.POOL):
            if low <= row[i] < high:
                places[n] = i
                n += 1
    if row[fields.RESHUFFLED + deck] == 0:
        n = list_deck(row, deck, places, n)
    return n


@inlined
def list_deck(row: States, deck: int, places: States, n: int) -> int:
    """Where the cards left in a deck lie."""
    start = find_deck(row, deck)
    for i in range(start + int(row[fields.DECK_NEXT + deck]), start + int(row[fields.DECK_END + deck])):
        places[n] = i
        n += 1
    return n


@inlined
def sort_places(row: States, places: States, n: int) -> None:
    """Put the cards at these places into ascending order, so that what was hidden leaves no trace.

    The kinds are counted in `places`, behind the places themselves.
    """
    for kind in range(int(row[fields.KINDS])):
        places[PLACES + kind] = 0
    for i in range(n):
        places[PLACES + int(row[int(places[i])])] += 1
    i = 0
    for kind in range(int(row[fields.KINDS])):
        for _ in range(int(places[PLACES + kind])):
            row[int(places[i])] = kind
            i += 1


@inlined
def shuffle_places(row: States, places: States, n: int, stream: Stream) -> None:
    """Shuffle the cards that lie at these places."""
    sort_places(row, places, n)
    for i in range(n - 1, 0, -1):
        j = draw_below(stream, i + 1)
        here, there = int(places[i]), int(places[j])
        row[here], row[there] = row[there], row[here]


@inlined
def sort_pack(row: States, start: int, size: int) -> None:
    """Put the cards of a pack into ascending order again."""
    for i in range(start + 1, start + size):
        kind = int(row[i])
        j = i
        while j > start and row[j - 1] > kind:
            row[j] = row[j - 1]
            j -= 1
        row[j] = kind


@pasted
def redraw_hidden(row: States, seat: int, stream: Stream, places: States) -> None:
    """Turn a game into another that agrees with everything the seat knows, drawn with `stream`.

    The draw depends on nothing but that and `stream`. `places` is scratch for MOST_PLACES numbers.
    """
    if row[fields.PHASE] == rulebook.OVER:
        return
    undo_secrets(row, seat)
    for deck in range(facts.N_DECKS):
        n = list_unseen(row, seat, deck, places)
        shuffle_places(row, places, n, stream)
        if row[fields.RESHUFFLED + deck] == 1:
            n = list_deck(row, deck, places, 0)
            shuffle_places(row, places, n, stream)
    if row[fields.PHASE] == rulebook.DRAFT:
        for origin in range(int(row[fields.PLAYERS])):
            sort_pack(row, fields.PACKS_AT + origin * fields.PACK, int(row[fields.PACK_SIZE]))
    save_stream(row, (draw_word(stream), draw_word(stream), draw_word(stream), draw_word(stream)))
