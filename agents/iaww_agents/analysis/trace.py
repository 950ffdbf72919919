"""What the moves of a game did, counted in a kernel while they are played again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from iaww_agents.jit import compile_apart
from iaww_env import rulebook
from iaww_env.engine import facts, fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined
from iaww_env.engine.kernels.game import Moves
from iaww_env.engine.row import count_duos, find_built, find_pack, find_seat, find_verb
from iaww_env.engine.rules.legal import ASK_ALL, Actions, can_play
from iaww_env.engine.rules.production import count_production
from iaww_env.engine.rules.scoring import count_thing, score_seat
from iaww_env.engine.rules.transition import apply_action

Counts = npt.NDArray[np.int16]

kernel = compile_apart(__file__)

# Of each seat and kind: decisions in which it lay in the seat's hand to be picked (alone: cards that came to
# hand), cards picked, round and number of the first pick, then what became of the cards; the round in which
# the first was built, the points that built ones brought at the end, and cards that a scenario let start
# under construction.
OFFERED, PICKED, PICK_ROUND, PICK_NUMBER, SLATED, RECYCLED, TOSSED, GIVEN_UP = range(8)
BUILT, BUILT_ROUND, BROUGHT, STARTED = range(8, 12)
N_OF_CARD = 12

# Of each seat and round: what it produced of each resource, cubes that went to the empire card, cards
# recycled and built, characters won by supremacy, tokens laid on cards, and its points at the end.
PRODUCED = 0
TO_EMPIRE, CARDS_RECYCLED, CARDS_BUILT, GENERALS_WON, FINANCIERS_WON, KRYSTALLIUM_USED, CHARACTERS_USED = (
    range(facts.N_RESOURCES, facts.N_RESOURCES + 7)
)
POINTS = facts.N_RESOURCES + 7
N_OF_ROUND = POINTS + 1

# What is looked at before and after a move, by seat.
HELD_TOKENS = 4
CUBES, KRYSTALLIUM, GENERALS, FINANCIERS = range(HELD_TOKENS)


class Trace(NamedTuple):
    """What is counted of a game: (players, kinds, ...), (players, rounds, ...), and what seats held last."""

    cards: Counts
    rounds: Counts
    held: Counts


def make_trace(players: int, kinds: int) -> Trace:
    """Nothing counted yet."""
    cards = np.zeros((players, kinds, N_OF_CARD), np.int16)
    rounds = np.zeros((players, rulebook.ROUNDS, N_OF_ROUND), np.int16)
    return Trace(cards, rounds, np.zeros((players, HELD_TOKENS), np.int16))


@inlined
def note_held(row: States, at: int, held: Counts) -> None:
    """What a seat holds now."""
    held[CUBES], held[KRYSTALLIUM] = row[at + fields.EMPIRE_CUBES], row[at + fields.KRYSTALLIUM]
    held[GENERALS], held[FINANCIERS] = row[at + fields.GENERALS], row[at + fields.FINANCIERS]


@inlined
def begin_trace(row: States, seat: int, trace: Trace) -> None:
    """Count what a seat has before the first move: what it holds, and the cards of a scenario (ruling 14)."""
    at = find_seat(row, seat)
    note_held(row, at, trace.held[seat])
    for i in range(int(row[at + fields.N_SITES])):
        kind = int(row[at + fields.SITE + i * fields.SITE_SIZE + fields.SITE_KIND])
        trace.cards[seat, kind, STARTED] += 1


@inlined
def count_offers(row: States, seat: int, kind: int, cards: Counts) -> None:
    """A card is picked from those that lie before the seat."""
    pack, is_draft = find_pack(row, seat), row[fields.PHASE] == rulebook.DRAFT
    for i in range(int(row[fields.PACK_SIZE])):
        cards[int(row[pack + i]), OFFERED] += 1
    cards[kind, PICKED] += 1
    if not is_draft:
        cards[kind, OFFERED] -= 1  # it comes to hand, and is counted when something is done with it
    if cards[kind, PICK_ROUND] == 0:
        cards[kind, PICK_ROUND] = row[fields.ROUND]
        cards[kind, PICK_NUMBER] = int(row[fields.PICK]) + 1 if is_draft else 0


@inlined
def count_card(row: States, seat: int, verb: int, kind: int, trace: Trace) -> None:
    """A card is picked, slated, recycled or tossed."""
    cards, of_round = trace.cards[seat], trace.rounds[seat, int(row[fields.ROUND]) - 1]
    if verb == verbs.PICK:
        count_offers(row, seat, kind, cards)
    elif verb == verbs.SLATE:
        cards[kind, SLATED] += 1
    elif verb == verbs.RECYCLE:
        cards[kind, RECYCLED] += 1
        of_round[CARDS_RECYCLED] += 1
    else:
        cards[kind, TOSSED] += 1
    if verb != verbs.PICK and row[fields.PLAYERS] == 1:
        cards[kind, OFFERED] += 1


@inlined
def find_kind(card: int) -> int:
    """The kind of a physical card."""
    for kind in range(1, facts.N_KINDS):
        if facts.FIRST_CARD[kind] > card:
            return kind - 1
    return facts.N_KINDS - 1


@inlined
def begin_move(row: States, seat: int, action: int, trace: Trace) -> tuple[int, int]:
    """Count what is known before a move: the kind that it may complete or -1, and the krystallium spent."""
    kinds, place, discard = int(row[fields.KINDS]), find_verb(row, verbs.PLACE), find_verb(row, verbs.DISCARD)
    at, of_round = find_seat(row, seat), trace.rounds[seat, int(row[fields.ROUND]) - 1]
    kind, spent = -1, 0
    if action < place:
        count_card(row, seat, action // kinds, action % kinds, trace)
    elif action < discard:
        kind = find_kind(action - place)
        use = int(row[at + fields.HELD])
        if use > 0:
            spent = int(use - 1 <= facts.KRYSTALLIUM)
            of_round[KRYSTALLIUM_USED] += spent
            of_round[CHARACTERS_USED] += 1 - spent
    elif action < find_verb(row, verbs.USE):
        trace.cards[seat, find_kind(action - discard), GIVEN_UP] += 1
    return kind, spent


@inlined
def end_move(row: States, seat: int, kind: int, spent: int, number: int, trace: Trace) -> None:
    """Count what a move did to a seat: cubes on the empire card, and a card that was built."""
    at, held = find_seat(row, seat), trace.held[seat]
    of_round = trace.rounds[seat, number]
    made = int(row[at + fields.KRYSTALLIUM]) - int(held[KRYSTALLIUM]) + spent
    if kind >= 0:
        trace.cards[seat, kind, BUILT] += 1
        of_round[CARDS_BUILT] += 1
        if trace.cards[seat, kind, BUILT_ROUND] == 0:
            trace.cards[seat, kind, BUILT_ROUND] = number + 1
        made -= int(facts.BONUS[kind, 0])
    cubes = int(row[at + fields.EMPIRE_CUBES]) - int(held[CUBES])
    of_round[TO_EMPIRE] += cubes + rulebook.CUBES_FOR_KRYSTALLIUM * made


@inlined
def count_won(row: States, seat: int, number: int, trace: Trace) -> None:
    """Characters that have come to a seat by supremacy."""
    at, held, of_round = find_seat(row, seat), trace.held[seat], trace.rounds[seat, number]
    of_round[GENERALS_WON] += int(row[at + fields.GENERALS]) - int(held[GENERALS])
    of_round[FINANCIERS_WON] += int(row[at + fields.FINANCIERS]) - int(held[FINANCIERS])


@inlined
def count_step(row: States, number: int, trace: Trace) -> None:
    """A phase has ended: what the production step that begins brings to every seat."""
    for seat in range(int(row[fields.PLAYERS])):
        end_move(row, seat, -1, 0, number, trace)
        count_won(row, seat, number, trace)
        if row[fields.PHASE] == rulebook.PRODUCTION:
            resource = int(row[fields.STEP])
            trace.rounds[seat, number, PRODUCED + resource] = count_production(
                row, find_seat(row, seat), resource
            )
        note_held(row, find_seat(row, seat), trace.held[seat])


@inlined
def count_brought(row: States, seat: int, cards: Counts) -> None:
    """The points that the built cards of a seat bring as the game stands, kind by kind."""
    at = find_seat(row, seat)
    built = find_built(row, at)
    for kind in range(int(row[fields.KINDS])):
        copies, rate = int(row[built + kind]), 0
        if copies > 0 and facts.RATE_OF[kind] >= 0:
            rate = int(facts.RATE[kind]) * count_thing(row, at, int(facts.RATE_OF[kind]))
        cards[kind, BROUGHT] = copies * (int(facts.FLAT_POINTS[kind]) + rate)
    for i in range(count_duos(row)):
        kind = int(facts.DUOS[i, 0])
        one, two = int(facts.DUOS[i, 2]), int(facts.DUOS[i, 3])
        pairs = min(count_thing(row, at, one), count_thing(row, at, two))
        cards[kind, BROUGHT] += int(row[built + kind]) * int(facts.DUOS[i, 1]) * pairs


@kernel
def trace_moves(row: States, moves: Moves, first: int, last: int, legal: Actions, trace: Trace) -> int:
    """Play moves from the first to before the last, and count what they do; gives the first not played.

    `legal` is scratch. Where the game is over, the points that cards brought are counted too.
    """
    players = int(row[fields.PLAYERS])
    if first == 0:
        for seat in range(players):
            begin_trace(row, seat, trace)
    for number in range(first, last):
        seat, action = int(moves[number, 0]), int(moves[number, 1])
        if seat < 0 or seat >= players or not can_play(row, seat, action, ASK_ALL, legal):
            return number
        at, turn = find_seat(row, seat), int(row[fields.ROUND]) - 1
        phase, step, n_built = int(row[fields.PHASE]), int(row[fields.STEP]), int(row[at + fields.N_BUILT])
        kind, spent = begin_move(row, seat, action, trace)
        apply_action(row, seat, action)
        ended = row[fields.PHASE] != phase or row[fields.STEP] != step or row[fields.ROUND] != turn + 1
        if ended:
            count_step(row, turn, trace)
        else:
            end_move(row, seat, kind if row[at + fields.N_BUILT] > n_built else -1, spent, turn, trace)
            if find_verb(row, verbs.CHOOSE) <= action < find_verb(row, verbs.DIG):
                count_won(row, seat, turn, trace)
            note_held(row, at, trace.held[seat])
        if row[fields.ROUND] != turn + 1 or row[fields.PHASE] == rulebook.OVER:
            for other in range(players):
                trace.rounds[other, turn, POINTS] = score_seat(row, find_seat(row, other))
    if row[fields.PHASE] == rulebook.OVER:
        for seat in range(players):
            count_brought(row, seat, trace.cards[seat])
    return last
