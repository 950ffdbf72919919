"""Setting up a game: empires, decks, pools, and the cards dealt each round."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.rng import Words, load_stream, next_below, save_stream, shuffle_part
from iaww_env.engine.row import (
    fill_cells,
    find_deck,
    find_kinds,
    find_pools,
    find_seat,
    has_ascension,
    insert_kind,
)
from iaww_env.engine.rules.construction import open_site


@inlined
def clear_game(row: States) -> None:
    """Wipe everything but the configuration and the random stream."""
    seats, decks = int(row[fields.SEATS_AT]), int(row[fields.DECKS_AT])
    fill_cells(row[fields.PHASE : fields.RNG], 0)
    fill_cells(row[fields.PACKS_AT : seats], -1)
    fill_cells(row[seats:decks], 0)
    fill_cells(row[decks:], -1)
    # The seats and, right behind them, the seats as last seen.
    for at in range(seats, decks, int(row[fields.SEAT_SIZE])):
        fill_cells(row[at + fields.DRAFTED : at + fields.DRAFTED + fields.MOST_DRAFTED], -1)


@called
def draw_empires(row: States, words: Words) -> Words:
    """Distinct empires: the ones asked for, the others drawn at random (ruling 12)."""
    n = int(row[fields.PLAYERS])
    count = facts.N_EMPIRES if has_ascension(row) else facts.N_BASE_EMPIRES
    taken = 0
    for seat in range(n):
        if row[fields.NAMED_EMPIRE + seat] > 0:
            taken |= 1 << (int(row[fields.NAMED_EMPIRE + seat]) - 1)
    left = count
    for empire in range(count):
        left -= (taken >> empire) & 1
    for seat in range(n):
        empire = int(row[fields.NAMED_EMPIRE + seat]) - 1
        if empire < 0:
            nth, words = next_below(words, left)
            for one in range(count):
                if (taken >> one) & 1 == 0:
                    empire = one
                    nth -= 1
                    if nth < 0:
                        break
            taken |= 1 << empire
            left -= 1
        receive_empire(row, find_seat(row, seat), empire * facts.N_SIDES + int(row[fields.SIDE]))
    return words


@inlined
def receive_empire(row: States, at: int, card: int) -> None:
    """Give a seat an empire card (empire x sides + side): production, points, starting krystallium."""
    row[at + fields.EMPIRE] = card
    row[at + fields.KRYSTALLIUM] = facts.EMPIRE_KRYSTALLIUM[card]
    for resource in range(facts.N_RESOURCES):
        row[at + fields.PRODUCTION + resource] = facts.EMPIRE_PRODUCTION[card, resource]
    if facts.EMPIRE_RATE_OF[card] >= 0:
        row[at + fields.POINT_RATE + int(facts.EMPIRE_RATE_OF[card])] += facts.EMPIRE_RATE[card]


@inlined
def start_scenario(row: States, scenario: int) -> None:
    """The named cards of a scenario start under construction (ruling 14)."""
    at = find_seat(row, 0)
    for i in range(facts.SCENARIO_CARDS.shape[1]):
        kind = int(facts.SCENARIO_CARDS[scenario, i])
        if kind >= 0:
            open_site(row, at, kind)


@inlined
def count_named(row: States, kind: int) -> int:
    """How many copies of a kind the scenario takes out of the deck."""
    count = 0
    if row[fields.SCENARIO] > 0:
        for i in range(facts.SCENARIO_CARDS.shape[1]):
            count += facts.SCENARIO_CARDS[int(row[fields.SCENARIO]) - 1, i] == kind
    return count


@called
def build_decks(row: States, words: Words) -> Words:
    """Put every card of the pool, less the scenario's, into its deck and shuffle both."""
    for deck in range(facts.N_DECKS):
        first, last = find_kinds(row, deck)
        at = find_deck(row, deck)
        size = 0
        for kind in range(first, last):
            for _ in range(int(facts.COPIES[kind]) - count_named(row, kind)):
                row[at + size] = kind
                size += 1
        row[fields.DECK_NEXT + deck] = 0
        row[fields.DECK_END + deck] = size
        words = shuffle_part(row, at, at + size, words)
    return words


@inlined
def draw_card(row: States, deck: int) -> int:
    """Take the next card of a deck; its place in the row is wiped."""
    place = find_deck(row, deck) + int(row[fields.DECK_NEXT + deck])
    kind = int(row[place])
    row[place] = -1
    row[fields.DECK_NEXT + deck] += 1
    return kind


@called
def deal_pools(row: States) -> None:
    """Solo: eight pools, set aside face down at the start (ruling 13), in scenarios too (15 and 16)."""
    at = find_pools(row)
    for pool in range(rulebook.POOLS):
        for i in range(rulebook.POOL):
            row[at + pool * rulebook.POOL + i] = draw_card(row, 0 if i < row[fields.HAND_BASE] else 1)


@called
def deal_hands(row: States) -> None:
    """Deal every seat its pack for the round."""
    size = int(row[fields.HAND_BASE]) + int(row[fields.HAND_ASCENSION])
    for seat in range(int(row[fields.PLAYERS])):
        at = fields.PACKS_AT + seat * fields.PACK
        for i in range(size):
            insert_kind(row, at, i, draw_card(row, 0 if i < row[fields.HAND_BASE] else 1))
    row[fields.PACK_SIZE] = size


@inlined
def await_seats(row: States) -> None:
    """A phase begins: every seat owes a decision."""
    for seat in range(int(row[fields.PLAYERS])):
        row[fields.ACTED + seat] = 0
    row[fields.PENDING] = row[fields.PLAYERS]


@inlined
def begin_draft(row: States) -> None:
    """Deal, and begin the draft of the round."""
    row[fields.PHASE] = rulebook.DRAFT
    row[fields.PICK] = 0
    row[fields.PACK_SHIFT] = 0
    deal_hands(row)
    await_seats(row)


@called
def set_up_game(row: States) -> None:
    """Everything before the first round, drawn from the row's own stream."""
    clear_game(row)
    words = draw_empires(row, load_stream(row))
    if row[fields.SCENARIO] > 0:
        start_scenario(row, int(row[fields.SCENARIO]) - 1)
    save_stream(row, build_decks(row, words))
    row[fields.ROUND] = 1
