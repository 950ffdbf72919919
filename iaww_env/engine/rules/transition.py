"""One decision of one seat, and what follows when every seat has ended its phase."""

from __future__ import annotations

from iaww_env.engine.facts import N_RESOURCES
from iaww_env.engine.fields import (
    DECKS_AT,
    DRAFT,
    HELD,
    KINDS,
    OVER,
    PENDING,
    PHASE,
    PLANNING,
    PLAYERS,
    PRODUCTION,
    ROUND,
    ROUNDS,
    SEATS_AT,
    SEEN_AT,
    SEQUENCE,
    STEP,
    States,
)
from iaww_env.engine.jit import chapter, rule
from iaww_env.engine.rules.construction import (
    find_site,
    give_up_construction,
    place_cube,
    place_token,
    send_to_empire,
)
from iaww_env.engine.rules.deal import (
    await_seats,
    begin_draft,
    copy_cells,
    deal_pools,
    find_seat,
    set_up_game,
)
from iaww_env.engine.rules.draft import end_pick, finish_seat, pick_card
from iaww_env.engine.rules.planning import recycle_card, slate_card
from iaww_env.engine.rules.production import begin_step, choose_character
from iaww_env.engine.rules.scoring import note_points
from iaww_env.engine.rules.solo import begin_sequence, choose_dig, continue_sequences, keep_card, toss_card
from iaww_env.engine.verbs import (
    CHOOSE,
    DIG,
    DISCARD,
    END,
    PICK,
    PLACE,
    RECYCLE,
    SLATE,
    TO_EMPIRE,
    USE,
    find_verb,
)


@rule
def show_seats(row: States) -> None:
    """A phase begins: from now on the others see the seats as they stand here."""
    note_points(row)
    start, seen, end = int(row[SEATS_AT]), int(row[SEEN_AT]), int(row[DECKS_AT])
    copy_cells(row[start:seen], row[seen:end])


@chapter
def begin_planning(row: States) -> None:
    """Planning begins; in solo the first sequence with it."""
    row[PHASE] = PLANNING
    if row[PLAYERS] == 1:
        row[SEQUENCE] = 0
        begin_sequence(row)
    show_seats(row)
    await_seats(row)


@chapter
def begin_production_step(row: States, step: int) -> None:
    """A production step begins."""
    row[PHASE] = PRODUCTION
    row[STEP] = step
    begin_step(row)
    show_seats(row)
    await_seats(row)


@chapter
def begin_round(row: States) -> None:
    """A round begins with the draft; in solo with planning."""
    row[STEP] = 0
    if row[PLAYERS] == 1:
        begin_planning(row)
    else:
        # In the draft seats are seen as they lie; only their points are noted.
        note_points(row)
        begin_draft(row)


@rule
def end_round(row: States) -> None:
    """The next round, or the end of the game."""
    if row[ROUND] == ROUNDS:
        row[PHASE] = OVER
        show_seats(row)
    else:
        row[ROUND] += 1
        begin_round(row)


@chapter
def advance_phase(row: States) -> None:
    """Every seat has ended the phase (or picked): what comes next begins."""
    if row[PHASE] == DRAFT:
        if end_pick(row):
            begin_planning(row)
    elif row[PHASE] == PLANNING:
        row[SEQUENCE] = 0
        begin_production_step(row, 0)
    elif row[STEP] + 1 < N_RESOURCES:
        begin_production_step(row, int(row[STEP]) + 1)
    else:
        end_round(row)


@rule
def take_token(row: States, at: int, use: int) -> None:
    """Take a token in hand for one sort of space; placing it must follow (ruling 5)."""
    row[at + HELD] = use + 1


@rule
def play_kind(row: States, seat: int, verb: int, kind: int) -> None:
    """Pick, slate, recycle or toss a kind."""
    at = find_seat(row, seat)
    if verb == PICK:
        if row[PHASE] == DRAFT:
            pick_card(row, seat, kind)
        else:
            keep_card(row, at, kind)
    elif verb == SLATE:
        slate_card(row, at, kind)
    elif verb == RECYCLE:
        recycle_card(row, at, kind)
    else:
        toss_card(row, at, kind)


@rule
def play_site(row: States, at: int, discard: bool, card: int) -> None:
    """Place on a card under construction, or give it up."""
    site = find_site(row, at, card)
    if discard:
        give_up_construction(row, at, site)
    elif row[at + HELD] > 0:
        place_token(row, at, site)
    else:
        place_cube(row, at, site)


@rule
def play_other(row: States, seat: int, action: int) -> None:
    """The actions behind those that name a card: use, to_empire, choose, dig, end."""
    at = find_seat(row, seat)
    if action < find_verb(row, TO_EMPIRE):
        take_token(row, at, action - find_verb(row, USE))
    elif action == find_verb(row, TO_EMPIRE):
        send_to_empire(row, at)
    elif action < find_verb(row, DIG):
        choose_character(row, at, action - find_verb(row, CHOOSE))
    elif action < find_verb(row, END):
        choose_dig(row, action - find_verb(row, DIG))
    else:
        finish_seat(row, seat)


@chapter
def apply_action(row: States, seat: int, action: int) -> None:
    """Play a legal action of a seat."""
    if action < find_verb(row, PLACE):
        kinds = int(row[KINDS])
        play_kind(row, seat, action // kinds, action % kinds)
    elif action < find_verb(row, DISCARD):
        play_site(row, find_seat(row, seat), False, action - find_verb(row, PLACE))
    elif action < find_verb(row, USE):
        play_site(row, find_seat(row, seat), True, action - find_verb(row, DISCARD))
    else:
        play_other(row, seat, action)
    if row[PLAYERS] == 1 and row[PHASE] == PLANNING:
        continue_sequences(row)
    if row[PENDING] == 0:
        advance_phase(row)


@rule
def start_game(row: States) -> None:
    """Deal the first round of a game that is set up; in solo the pools with it."""
    if row[PLAYERS] == 1:
        deal_pools(row)
    begin_round(row)


@chapter
def begin_game(row: States) -> None:
    """A new game in this row, from its own random stream."""
    set_up_game(row)
    start_game(row)
