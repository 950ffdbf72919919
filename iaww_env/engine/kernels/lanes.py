"""Lanes: games in which some seats are bots', and what a bot that lives in a kernel may call.

A lane is one game with all that an environment knows of it besides the state. Random bots play inside the
kernel that steps the lanes. For any other bot the lane waits: a bot with a kernel of its own plays every lane
for which `awaits_bot` holds, by `answer_lane`, and asks of the record for no more than `lane[ASKED]`.
Behind a lane there may be room in which every move is noted.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.rng import draw_below
from iaww_env.engine.rules.legal import ASK_FORCED, find_next_seat, list_legal, offers_discards
from iaww_env.engine.rules.transition import apply_action

Streams = npt.NDArray[np.int64]
Settings = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int16]
Lane = npt.NDArray[np.int16]

# A lane: how far it is, who is asked, and how the game that ended last in it went: by forfeit or not, the
# scenario won or not, the learner's seat and its illegal actions, points and places by seat.
STAGE, LEARNER_SEAT, ASKED, COUNT, DONE, FORFEIT, ILLEGAL = range(7)
END_FORFEIT, END_WON, END_SEAT, END_ILLEGAL, END_POINTS = range(7, 12)
END_PLACES = END_POINTS + fields.MOST_SEATS
PAID = END_PLACES + fields.MOST_SEATS
LEGAL = PAID + fields.MOST_SEATS
LANE = LEGAL + fields.MOST_LEGAL

# Where moves are noted, lanes are longer: how many there are, then seat and action of each.
NOTED, MOVES = LANE, LANE + 1
MOST_NOTED = 8192  # many times the moves of the longest game
NOTING_LANE = MOVES + 2 * MOST_NOTED

# Stages. The learner is asked; the game has ended; a game must begin; its seats must be given out; it must go
# on; a bot is asked; the bot has answered; whoever is asked next has been found.
LEARNER_ASKED, ENDED, BEGIN, SEAT, GO_ON, BOT_ASKED, BOT_ANSWERED, FOUND = range(8)

# A lane's stream: four words of random bits, the seed of the bots in this game, the learner's next seat, and
# how many games have begun.
BOT_SEED, NEXT_SEAT, GAMES = 4, 5, 6
STREAM = 7

# Settings of all lanes. The seat is a number, or drawn for each game, or the next in turn.
SEAT_OPTION, ASKS, SCHEME, ILLEGAL_RULE, SAME_STEP = range(5)
SETTINGS = 5
RANDOM_SEAT, ROTATING_SEAT = -1, -2
FORFEITS, REPLACES, RAISES = range(3)

# Who plays a seat. `codes` holds the code of each bot in seat order from the learner's left.
LEARNER, RANDOM, RANDOM_NODISCARD, FIRST_BOT = range(4)


@inlined
def find_code(row: States, lane: Lane, codes: Codes, seat: int) -> int:
    """Who plays a seat."""
    if seat == lane[LEARNER_SEAT]:
        return LEARNER
    n = int(row[fields.PLAYERS])
    return int(codes[(seat - int(lane[LEARNER_SEAT]) - 1 + n) % n])


@inlined
def play_noted(row: States, lane: Lane, seat: int, action: int) -> None:
    """Play a legal action of a seat, and note it where the lane has room for moves."""
    if len(lane) > LANE:
        count = int(lane[NOTED])
        if count < MOST_NOTED:
            lane[MOVES + 2 * count], lane[MOVES + 2 * count + 1] = seat, action
        lane[NOTED] = min(count + 1, MOST_NOTED + 1)
    apply_action(row, seat, action)


@called
def find_asked(row: States, lane: Lane, stream: Streams, codes: Codes, asks: int) -> None:
    """Play forced decisions and those of random bots up to one that somebody else must take.

    Notes the seat asked and its legal actions in the lane; no legal action means that the game is over.
    """
    legal = lane[LEGAL:LANE]
    lane[STAGE] = FOUND
    for _ in range(rulebook.MOST_DECISIONS):
        if row[fields.PHASE] == rulebook.OVER:
            break
        seat = find_next_seat(row)
        code = find_code(row, lane, codes, seat)
        # What the learner is asked is its own affair: the others play the complete game.
        with_discards = offers_discards(asks) if code == LEARNER else code != RANDOM_NODISCARD
        n = list_legal(row, seat, with_discards, legal)
        is_random = code == RANDOM or code == RANDOM_NODISCARD
        if not is_random and (n > 1 or (code == LEARNER and asks & ASK_FORCED != 0)):
            lane[ASKED], lane[COUNT] = seat, n
            return
        action = int(legal[0])
        if n > 1:
            action = int(legal[draw_below(stream, n)])
        play_noted(row, lane, seat, action)
    lane[COUNT] = 0


@inlined
def awaits_bot(row: States, lane: Lane, codes: Codes, code: int) -> bool:
    """Whether the lane waits for the decision of this bot: seat `lane[ASKED]` must decide."""
    return lane[STAGE] == BOT_ASKED and find_code(row, lane, codes, int(lane[ASKED])) == code


@called
def answer_lane(
    row: States, lane: Lane, stream: Streams, codes: Codes, settings: Settings, action: int
) -> None:
    """Play the legal action of the bot that a lane waits for; the lane may wait for a bot again."""
    play_noted(row, lane, int(lane[ASKED]), action)
    find_asked(row, lane, stream, codes, int(settings[ASKS]))
    if lane[COUNT] > 0 and lane[ASKED] != lane[LEARNER_SEAT]:
        lane[STAGE] = BOT_ASKED
