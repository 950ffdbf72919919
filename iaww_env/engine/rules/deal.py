"""Setting up a game: empires, decks, pools, and the cards dealt each round."""

from __future__ import annotations

from iaww_env.engine.facts import (
    COPIES,
    EMPIRE_KRYSTALLIUM,
    EMPIRE_PRODUCTION,
    EMPIRE_RATE,
    EMPIRE_RATE_OF,
    N_BASE_CARDS,
    N_BASE_EMPIRES,
    N_BASE_KINDS,
    N_EMPIRES,
    N_RESOURCES,
    N_SIDES,
    SCENARIO_CARDS,
)
from iaww_env.engine.fields import (
    ACTED,
    CARDS,
    DECK_END,
    DECK_NEXT,
    DECKS_AT,
    DRAFT,
    DRAFTED,
    DRAFTED_AT,
    EMPIRE,
    HAND_ASCENSION,
    HAND_BASE,
    KINDS,
    KRYSTALLIUM,
    NAMED_EMPIRE,
    PACK,
    PACK_SHIFT,
    PACK_SIZE,
    PACKS_AT,
    PENDING,
    PHASE,
    PICK,
    PLAYERS,
    POINT_RATE,
    POOL,
    POOLS,
    RNG,
    ROUND,
    SCENARIO,
    SEAT_PRODUCTION,
    SEAT_SIZE,
    SEATS_AT,
    SIDE,
    States,
)
from iaww_env.engine.jit import chapter, rule
from iaww_env.engine.rng import Stream, load_stream, next_below, save_stream, shuffle_part
from iaww_env.engine.rules.construction import open_site


@rule
def find_seat(row: States, seat: int) -> int:
    """Where the block of a seat begins in the row."""
    return int(row[SEATS_AT]) + seat * int(row[SEAT_SIZE])


@rule
def copy_cells(source: States, target: States) -> None:
    """Copy one part of a row over another of the same length."""
    for i in range(len(source)):
        target[i] = source[i]


@rule
def fill_cells(cells: States, value: int) -> None:
    """Set every cell of a part of a row."""
    for i in range(len(cells)):
        cells[i] = value


@rule
def find_pools(row: States) -> int:
    """Where the solo pools begin in the row."""
    return int(row[DECKS_AT]) + int(row[CARDS])


@rule
def clear_game(row: States) -> None:
    """Wipe everything but the configuration and the random stream."""
    seats, decks = int(row[SEATS_AT]), int(row[DECKS_AT])
    fill_cells(row[PHASE:RNG], 0)
    fill_cells(row[PACKS_AT:seats], -1)
    fill_cells(row[seats:decks], 0)
    fill_cells(row[decks:], -1)
    # The seats and, right behind them, the seats as last seen.
    for at in range(seats, decks, int(row[SEAT_SIZE])):
        fill_cells(row[at + DRAFTED_AT : at + DRAFTED_AT + DRAFTED], -1)


@chapter
def draw_empires(row: States, stream: Stream) -> Stream:
    """Distinct empires: the ones asked for, the others drawn at random (ruling 12)."""
    n = int(row[PLAYERS])
    count = N_EMPIRES if row[KINDS] > N_BASE_KINDS else N_BASE_EMPIRES
    taken = 0
    for seat in range(n):
        if row[NAMED_EMPIRE + seat] > 0:
            taken |= 1 << (int(row[NAMED_EMPIRE + seat]) - 1)
    left = count
    for empire in range(count):
        left -= (taken >> empire) & 1
    for seat in range(n):
        empire = int(row[NAMED_EMPIRE + seat]) - 1
        if empire < 0:
            nth, stream = next_below(stream, left)
            empire = 0
            while (taken >> empire) & 1 or nth > 0:
                nth -= 1 - ((taken >> empire) & 1)
                empire += 1
            taken |= 1 << empire
            left -= 1
        receive_empire(row, find_seat(row, seat), empire * N_SIDES + int(row[SIDE]))
    return stream


@rule
def receive_empire(row: States, at: int, card: int) -> None:
    """Give a seat an empire card (empire x sides + side): production, points, starting krystallium."""
    row[at + EMPIRE] = card
    row[at + KRYSTALLIUM] = EMPIRE_KRYSTALLIUM[card]
    for resource in range(N_RESOURCES):
        row[at + SEAT_PRODUCTION + resource] = EMPIRE_PRODUCTION[card, resource]
    if EMPIRE_RATE_OF[card] >= 0:
        row[at + POINT_RATE + int(EMPIRE_RATE_OF[card])] += EMPIRE_RATE[card]


@rule
def start_scenario(row: States, scenario: int) -> None:
    """The named cards of a scenario start under construction (ruling 14)."""
    at = find_seat(row, 0)
    for i in range(SCENARIO_CARDS.shape[1]):
        kind = int(SCENARIO_CARDS[scenario, i])
        if kind >= 0:
            open_site(row, at, kind)


@rule
def count_named(row: States, kind: int) -> int:
    """How many copies of a kind the scenario takes out of the deck."""
    count = 0
    if row[SCENARIO] > 0:
        for i in range(SCENARIO_CARDS.shape[1]):
            count += SCENARIO_CARDS[int(row[SCENARIO]) - 1, i] == kind
    return count


@chapter
def build_decks(row: States, stream: Stream) -> Stream:
    """Put every card of the pool, less the scenario's, into its deck and shuffle both."""
    for deck in range(2):
        first = 0 if deck == 0 else N_BASE_KINDS
        last = min(N_BASE_KINDS, int(row[KINDS])) if deck == 0 else int(row[KINDS])
        at = int(row[DECKS_AT]) + deck * N_BASE_CARDS
        size = 0
        for kind in range(first, last):
            for _ in range(int(COPIES[kind]) - count_named(row, kind)):
                row[at + size] = kind
                size += 1
        row[DECK_NEXT + deck] = 0
        row[DECK_END + deck] = size
        stream = shuffle_part(row, at, at + size, stream)
    return stream


@rule
def draw_card(row: States, deck: int) -> int:
    """Take the next card of a deck; its place in the row is wiped."""
    place = int(row[DECKS_AT]) + deck * N_BASE_CARDS + int(row[DECK_NEXT + deck])
    kind = int(row[place])
    row[place] = -1
    row[DECK_NEXT + deck] += 1
    return kind


@rule
def insert_kind(row: States, start: int, size: int, kind: int) -> None:
    """Put a kind into the ascending list row[start:start + size]."""
    i = start + size
    while i > start and row[i - 1] > kind:
        row[i] = row[i - 1]
        i -= 1
    row[i] = kind


@rule
def remove_kind(row: States, start: int, size: int, kind: int) -> None:
    """Take one card of a kind out of the ascending list row[start:start + size]."""
    i = start
    while row[i] != kind:
        i += 1
    for j in range(i, start + size - 1):
        row[j] = row[j + 1]
    row[start + size - 1] = -1


@chapter
def deal_pools(row: States) -> None:
    """Solo: eight pools, set aside face down at the start (ruling 13)."""
    at = find_pools(row)
    for pool in range(POOLS):
        for i in range(POOL):
            row[at + pool * POOL + i] = draw_card(row, 0 if i < row[HAND_BASE] else 1)


@chapter
def deal_hands(row: States) -> None:
    """Deal every seat its pack for the round."""
    size = int(row[HAND_BASE]) + int(row[HAND_ASCENSION])
    for seat in range(int(row[PLAYERS])):
        at = PACKS_AT + seat * PACK
        for i in range(size):
            insert_kind(row, at, i, draw_card(row, 0 if i < row[HAND_BASE] else 1))
    row[PACK_SIZE] = size


@rule
def await_seats(row: States) -> None:
    """A phase begins: every seat owes a decision."""
    for seat in range(int(row[PLAYERS])):
        row[ACTED + seat] = 0
    row[PENDING] = row[PLAYERS]


@rule
def begin_draft(row: States) -> None:
    """Deal, and begin the draft of the round."""
    row[PHASE] = DRAFT
    row[PICK] = 0
    row[PACK_SHIFT] = 0
    deal_hands(row)
    await_seats(row)


@chapter
def set_up_game(row: States) -> None:
    """Everything before the first round, drawn from the row's own stream."""
    clear_game(row)
    stream = draw_empires(row, load_stream(row))
    if row[SCENARIO] > 0:
        start_scenario(row, int(row[SCENARIO]) - 1)
    save_stream(row, build_decks(row, stream))
    row[ROUND] = 1
