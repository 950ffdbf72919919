"""The encoder: what a seat may know, written into a vector of float32 (the pieces say what and where)."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.observe import pieces
from iaww_env.engine.observe.cells import Vector, count_kinds
from iaww_env.engine.observe.others import encode_gone, encode_others
from iaww_env.engine.observe.own import encode_own
from iaww_env.engine.observe.pieces import SCALES, Offsets
from iaww_env.engine.row import find_deck, has_ascension
from iaww_env.engine.rules.draft import find_direction


@inlined
def encode_table(row: States, where: Offsets, out: Vector) -> None:
    """Round, phase, step, pick and the configuration."""
    out[where[pieces.ROUND] + int(row[fields.ROUND]) - 1] = 1
    out[where[pieces.PHASE] + int(row[fields.PHASE])] = 1
    if row[fields.PHASE] == rulebook.PRODUCTION:
        out[where[pieces.STEP] + int(row[fields.STEP])] = 1
    out[where[pieces.PICK]] = row[fields.PICK] * SCALES[pieces.PICK]
    if row[fields.PLAYERS] > 1:
        out[where[pieces.DIRECTION]] = find_direction(row)
    out[where[pieces.PACK_SIZE]] = row[fields.PACK_SIZE] * SCALES[pieces.PACK_SIZE]
    out[where[pieces.PLAYERS] + int(row[fields.PLAYERS]) - 1] = 1
    out[where[pieces.ASCENSION]] = has_ascension(row)
    out[where[pieces.SIDE] + int(row[fields.SIDE])] = 1


@inlined
def encode_solo(row: States, where: Offsets, out: Vector) -> None:
    """Scenario, sequence, dig and decks of a solo game."""
    if row[fields.SCENARIO] > 0:
        out[where[pieces.SCENARIO] + int(row[fields.SCENARIO]) - 1] = 1
    out[where[pieces.SEQUENCE]] = row[fields.SEQUENCE] * SCALES[pieces.SEQUENCE]
    if row[fields.DIG_DECK] > 0:
        out[where[pieces.DIG] + int(row[fields.DIG_DECK]) - 1] = 1
    out[where[pieces.TOSSES]] = row[fields.TOSSES] * SCALES[pieces.TOSSES]
    for deck in range(facts.N_DECKS):
        left = int(row[fields.DECK_END + deck]) - int(row[fields.DECK_NEXT + deck])
        out[where[pieces.DECK_LEFT] + deck] = left * SCALES[pieces.DECK_LEFT]
        out[where[pieces.RESHUFFLED] + deck] = row[fields.RESHUFFLED + deck]
        # A reshuffled deck is made of cards that the seat has discarded itself.
        if row[fields.RESHUFFLED + deck] == 1 and where[pieces.KNOWN_DECK] >= 0:
            start = find_deck(row, deck) + int(row[fields.DECK_NEXT + deck])
            count_kinds(row, start, left, out, where[pieces.KNOWN_DECK], SCALES[pieces.KNOWN_DECK])


@called
def encode_seat(row: States, seat: int, where: Offsets, out: Vector) -> None:
    """Everything the profile holds of what a seat may know."""
    for i in range(len(out)):
        out[i] = 0
    encode_table(row, where, out)
    if row[fields.PLAYERS] == 1:
        encode_solo(row, where, out)
    encode_own(row, seat, where, out)
    encode_others(row, seat, where, out)
    if where[pieces.GONE] >= 0:
        encode_gone(row, seat, where, out)
