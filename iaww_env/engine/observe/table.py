"""The encoder: what a seat may know, written into a vector of float32 (the pieces say what and where)."""

from __future__ import annotations

from iaww_env.engine.facts import N_BASE_CARDS, N_BASE_KINDS
from iaww_env.engine.fields import (
    DECK_END,
    DECK_NEXT,
    DECKS_AT,
    DIG_DECK,
    KINDS,
    PACK_SIZE,
    PHASE,
    PICK,
    PLAYERS,
    RESHUFFLED,
    ROUND,
    SCENARIO,
    SEQUENCE,
    SIDE,
    STEP,
    TOSSES_LEFT,
    States,
)
from iaww_env.engine.fields import PRODUCTION as PRODUCTION_PHASE
from iaww_env.engine.jit import chapter, rule
from iaww_env.engine.observe.cells import Vector, count_kinds
from iaww_env.engine.observe.others import encode_gone, encode_others
from iaww_env.engine.observe.own import encode_own
from iaww_env.engine.observe.pieces import SCALES, Offsets, find_piece

_ROUND = find_piece("round")
_PHASE = find_piece("phase")
_STEP = find_piece("step")
_PICK = find_piece("pick")
_DIRECTION = find_piece("direction")
_PACK_SIZE = find_piece("pack_size")
_PLAYERS = find_piece("players")
_ASCENSION = find_piece("ascension")
_SIDE = find_piece("side")
_SCENARIO = find_piece("scenario")
_SEQUENCE = find_piece("sequence")
_DIG = find_piece("dig")
_TOSSES = find_piece("tosses")
_DECK_LEFT = find_piece("deck_left")
_RESHUFFLED = find_piece("reshuffled")
_KNOWN_DECK = find_piece("known_deck")
_GONE = find_piece("gone")


@rule
def encode_table(row: States, at: Offsets, out: Vector) -> None:
    """Round, phase, step, pick and the configuration."""
    out[at[_ROUND] + int(row[ROUND]) - 1] = 1
    out[at[_PHASE] + int(row[PHASE])] = 1
    if row[PHASE] == PRODUCTION_PHASE:
        out[at[_STEP] + int(row[STEP])] = 1
    out[at[_PICK]] = row[PICK] * SCALES[_PICK]
    if row[PLAYERS] > 1:
        out[at[_DIRECTION]] = 1 if row[ROUND] % 2 == 1 else -1
    out[at[_PACK_SIZE]] = row[PACK_SIZE] * SCALES[_PACK_SIZE]
    out[at[_PLAYERS] + int(row[PLAYERS]) - 1] = 1
    out[at[_ASCENSION]] = row[KINDS] > N_BASE_KINDS
    out[at[_SIDE] + int(row[SIDE])] = 1


@rule
def encode_solo(row: States, at: Offsets, out: Vector) -> None:
    """Scenario, sequence, dig and decks of a solo game."""
    if row[SCENARIO] > 0:
        out[at[_SCENARIO] + int(row[SCENARIO]) - 1] = 1
    out[at[_SEQUENCE]] = row[SEQUENCE] * SCALES[_SEQUENCE]
    if row[DIG_DECK] > 0:
        out[at[_DIG] + int(row[DIG_DECK]) - 1] = 1
    out[at[_TOSSES]] = row[TOSSES_LEFT] * SCALES[_TOSSES]
    for deck in range(2):
        left = int(row[DECK_END + deck]) - int(row[DECK_NEXT + deck])
        out[at[_DECK_LEFT] + deck] = left * SCALES[_DECK_LEFT]
        out[at[_RESHUFFLED] + deck] = row[RESHUFFLED + deck]
        # A reshuffled deck is made of cards that the seat has discarded itself.
        if row[RESHUFFLED + deck] == 1 and at[_KNOWN_DECK] >= 0:
            start = int(row[DECKS_AT]) + deck * N_BASE_CARDS + int(row[DECK_NEXT + deck])
            count_kinds(row, start, left, out, at[_KNOWN_DECK], SCALES[_KNOWN_DECK])


@chapter
def encode_seat(row: States, seat: int, at: Offsets, out: Vector) -> None:
    """Everything the profile holds of what a seat may know."""
    for i in range(len(out)):
        out[i] = 0
    encode_table(row, at, out)
    if row[PLAYERS] == 1:
        encode_solo(row, at, out)
    encode_own(row, seat, at, out)
    encode_others(row, seat, at, out)
    if at[_GONE] >= 0:
        encode_gone(row, seat, at, out)
