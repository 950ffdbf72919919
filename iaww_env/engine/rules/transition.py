"""One decision of one seat, and what follows when every seat has ended its phase."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import facts, fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.row import copy_cells, find_seat, find_site, find_verb
from iaww_env.engine.rules.construction import give_up_construction, place_cube, place_token, send_to_empire
from iaww_env.engine.rules.deal import await_seats, begin_draft, deal_pools, set_up_game
from iaww_env.engine.rules.draft import end_pick, finish_seat, pick_card
from iaww_env.engine.rules.planning import recycle_card, slate_card
from iaww_env.engine.rules.production import begin_step, choose_character
from iaww_env.engine.rules.scoring import note_points
from iaww_env.engine.rules.solo import begin_sequence, choose_dig, continue_sequences, keep_card, toss_card


@inlined
def show_seats(row: States) -> None:
    """A phase begins: from now on the others see the seats as they stand here."""
    note_points(row)
    start, seen, end = int(row[fields.SEATS_AT]), int(row[fields.SEEN_AT]), int(row[fields.DECKS_AT])
    copy_cells(row[start:seen], row[seen:end])


@called
def begin_planning(row: States) -> None:
    """Planning begins; in solo the first sequence with it."""
    row[fields.PHASE] = rulebook.PLANNING
    if row[fields.PLAYERS] == 1:
        row[fields.SEQUENCE] = 0
        begin_sequence(row)
    show_seats(row)
    await_seats(row)


@called
def begin_production_step(row: States, step: int) -> None:
    """A production step begins."""
    row[fields.PHASE] = rulebook.PRODUCTION
    row[fields.STEP] = step
    begin_step(row)
    show_seats(row)
    await_seats(row)


@called
def begin_round(row: States) -> None:
    """A round begins with the draft; in solo with planning."""
    row[fields.STEP] = 0
    if row[fields.PLAYERS] == 1:
        begin_planning(row)
    else:
        # In the draft seats are seen as they lie; only their points are noted.
        note_points(row)
        begin_draft(row)


@inlined
def end_round(row: States) -> None:
    """The next round, or the end of the game."""
    if row[fields.ROUND] == rulebook.ROUNDS:
        row[fields.PHASE] = rulebook.OVER
        show_seats(row)
    else:
        row[fields.ROUND] += 1
        begin_round(row)


@called
def advance_phase(row: States) -> None:
    """Every seat has ended the phase (or picked): what comes next begins."""
    if row[fields.PHASE] == rulebook.DRAFT:
        if end_pick(row):
            begin_planning(row)
    elif row[fields.PHASE] == rulebook.PLANNING:
        row[fields.SEQUENCE] = 0
        begin_production_step(row, 0)
    elif row[fields.STEP] + 1 < facts.N_RESOURCES:
        begin_production_step(row, int(row[fields.STEP]) + 1)
    else:
        end_round(row)


@inlined
def take_token(row: States, at: int, use: int) -> None:
    """Take a token in hand for one sort of space; placing it must follow (ruling 5)."""
    row[at + fields.HELD] = use + 1


@inlined
def play_kind(row: States, seat: int, verb: int, kind: int) -> None:
    """Pick, slate, recycle or toss a kind."""
    at = find_seat(row, seat)
    if verb == verbs.PICK:
        if row[fields.PHASE] == rulebook.DRAFT:
            pick_card(row, seat, kind)
        else:
            keep_card(row, at, kind)
    elif verb == verbs.SLATE:
        slate_card(row, at, kind)
    elif verb == verbs.RECYCLE:
        recycle_card(row, at, kind)
    else:
        toss_card(row, at, kind)


@inlined
def play_site(row: States, at: int, discard: bool, card: int) -> None:
    """Place on a card under construction, or give it up."""
    site = find_site(row, at, card)
    if discard:
        give_up_construction(row, at, site)
    elif row[at + fields.HELD] > 0:
        place_token(row, at, site)
    else:
        place_cube(row, at, site)


@inlined
def play_other(row: States, seat: int, action: int) -> None:
    """The actions behind those that name a card: use, to_empire, choose, dig, end."""
    at = find_seat(row, seat)
    if action < find_verb(row, verbs.TO_EMPIRE):
        take_token(row, at, action - find_verb(row, verbs.USE))
    elif action == find_verb(row, verbs.TO_EMPIRE):
        send_to_empire(row, at)
    elif action < find_verb(row, verbs.DIG):
        choose_character(row, at, action - find_verb(row, verbs.CHOOSE))
    elif action < find_verb(row, verbs.END):
        choose_dig(row, action - find_verb(row, verbs.DIG))
    else:
        finish_seat(row, seat)


@called
def apply_action(row: States, seat: int, action: int) -> None:
    """Play a legal action of a seat."""
    if action < find_verb(row, verbs.PLACE):
        kinds = int(row[fields.KINDS])
        play_kind(row, seat, action // kinds, action % kinds)
    elif action < find_verb(row, verbs.DISCARD):
        play_site(row, find_seat(row, seat), False, action - find_verb(row, verbs.PLACE))
    elif action < find_verb(row, verbs.USE):
        play_site(row, find_seat(row, seat), True, action - find_verb(row, verbs.DISCARD))
    else:
        play_other(row, seat, action)
    if row[fields.PLAYERS] == 1 and row[fields.PHASE] == rulebook.PLANNING:
        continue_sequences(row)
    if row[fields.PENDING] == 0:
        advance_phase(row)


@inlined
def start_game(row: States) -> None:
    """Deal the first round of a game that is set up; in solo the pools with it."""
    if row[fields.PLAYERS] == 1:
        deal_pools(row)
    begin_round(row)


@called
def begin_game(row: States) -> None:
    """A new game in this row, from its own random stream."""
    set_up_game(row)
    start_game(row)
