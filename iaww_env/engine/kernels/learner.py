"""Games with one learner: bots decide for the other seats until it is the learner's turn.

A lane is one game with all that an environment knows of it besides the state. One kernel call plays the
learner's action in every lane and goes on to its next decision, or to the end of the game. Random
bots play inside that call; for other bots the lane waits, the caller answers, and a further call resumes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import chapter, kernel, rule
from iaww_env.engine.kernels.batch import Counts, Mask, Vectors, find_next_seat, score_game, write_mask
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.table import encode_seat
from iaww_env.engine.rewards import OUTCOME, POINTS, POINTS_GAIN, RANK, reward_seat
from iaww_env.engine.rng import draw_below, draw_word
from iaww_env.engine.row import find_seat, find_verb
from iaww_env.engine.rules.legal import Actions, list_legal
from iaww_env.engine.rules.scoring import is_scenario_won, score_seat
from iaww_env.engine.rules.transition import apply_action, begin_game

Streams = npt.NDArray[np.int64]
Settings = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int16]
Lane = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float64]

# A lane: how far it is, who is asked, and how the game that ended last in it went: by forfeit or not, the
# scenario won or not, the learner's seat and its illegal actions, points and places by seat.
STAGE, LEARNER_SEAT, ASKED, COUNT, DONE, FORFEIT, ILLEGAL = range(7)
END_FORFEIT, END_WON, END_SEAT, END_ILLEGAL, END_POINTS = range(7, 12)
END_PLACES = END_POINTS + fields.MOST_SEATS
PAID = END_PLACES + fields.MOST_SEATS
LEGAL = PAID + fields.MOST_SEATS
LANE = LEGAL + fields.MOST_LEGAL

# Stages. The learner is asked; the game has ended; a game must begin; its seats must be given out; it must go
# on; a bot is asked; the bot has answered; whoever is asked next has been found.
LEARNER_ASKED, ENDED, BEGIN, SEAT, GO_ON, BOT_ASKED, BOT_ANSWERED, FOUND = range(8)

# A lane's stream: four words of random bits, the seed of the bots in this game, the learner's next seat, and
# how many games have begun.
BOT_SEED, NEXT_SEAT, GAMES = 4, 5, 6
STREAM = 7

# Settings of all lanes. The seat is a number, or drawn for each game, or the next in turn.
SEAT_OPTION, SKIP_FORCED, SCHEME, ILLEGAL_RULE, SAME_STEP = range(5)
SETTINGS = 5
RANDOM_SEAT, ROTATING_SEAT = -1, -2
FORFEITS, REPLACES, RAISES = range(3)

# Who plays a seat. `codes` holds the code of each bot in seat order from the learner's left.
LEARNER, RANDOM, RANDOM_NODISCARD, FIRST_BOT = range(4)

# What a call of `step_lanes` is for: the learner's actions; going on where a lane waited; beginning games.
STEP, RESUME, RESET = range(3)


@rule
def find_code(row: States, lane: Lane, codes: Codes, seat: int) -> int:
    """Who plays a seat."""
    if seat == lane[LEARNER_SEAT]:
        return LEARNER
    n = int(row[fields.PLAYERS])
    return int(codes[(seat - int(lane[LEARNER_SEAT]) - 1 + n) % n])


@chapter
def find_asked(row: States, lane: Lane, stream: Streams, codes: Codes, skip_forced: bool) -> None:
    """Play forced decisions and those of random bots up to one that somebody else must take.

    Notes the seat asked and its legal actions in the lane; no legal action means that the game is over.
    """
    legal = lane[LEGAL:]
    lane[STAGE] = FOUND
    while row[fields.PHASE] != rulebook.OVER:
        seat = find_next_seat(row)
        code = find_code(row, lane, codes, seat)
        n = list_legal(row, seat, code != RANDOM_NODISCARD, legal)
        is_random = code == RANDOM or code == RANDOM_NODISCARD
        if not is_random and (n > 1 or (code == LEARNER and not skip_forced)):
            lane[ASKED], lane[COUNT] = seat, n
            return
        action = int(legal[0])
        if n > 1:
            action = int(legal[draw_below(stream, n)])
        apply_action(row, seat, action)
    lane[COUNT] = 0


@rule
def awaits_bot(row: States, lane: Lane, codes: Codes, code: int) -> bool:
    """Whether the lane waits for the decision of this bot: seat `lane[ASKED]` must decide."""
    return lane[STAGE] == BOT_ASKED and find_code(row, lane, codes, int(lane[ASKED])) == code


@chapter
def answer_lane(
    row: States, lane: Lane, stream: Streams, codes: Codes, settings: Settings, action: int
) -> None:
    """Play the legal action of the bot that a lane waits for; the lane may wait for a bot again."""
    apply_action(row, int(lane[ASKED]), action)
    find_asked(row, lane, stream, codes, settings[SKIP_FORCED] == 1)
    if lane[COUNT] > 0 and lane[ASKED] != lane[LEARNER_SEAT]:
        lane[STAGE] = BOT_ASKED


@rule
def is_listed(lane: Lane, action: int) -> bool:
    """Whether an action is among the legal ones of the seat that is asked."""
    for i in range(int(lane[COUNT])):
        if lane[LEGAL + i] == action:
            return True
    return False


@rule
def take_seats(row: States, lane: Lane, stream: Streams, option: int) -> None:
    """A game begins: the learner's seat, the seed of the bots, and a clean slate."""
    if option == RANDOM_SEAT:
        lane[LEARNER_SEAT] = draw_below(stream, int(row[fields.PLAYERS]))
    elif option == ROTATING_SEAT:
        lane[LEARNER_SEAT] = stream[NEXT_SEAT]
        stream[NEXT_SEAT] = (stream[NEXT_SEAT] + 1) % int(row[fields.PLAYERS])
    else:
        lane[LEARNER_SEAT] = option
    stream[BOT_SEED] = draw_word(stream)
    stream[GAMES] += 1
    lane[FORFEIT] = 0
    lane[ILLEGAL] = 0
    for seat in range(fields.MOST_SEATS):
        lane[PAID + seat] = 0
    lane[STAGE] = GO_ON


@rule
def reward_forfeit(scheme: int, n: int, points: Lane, paid: Lane, seat: int) -> float:
    """What the seat that forfeits gets: the lowest outcome, or as if it had no points."""
    if scheme == POINTS_GAIN:
        return -float(paid[seat])
    if n == 1 or scheme == POINTS:
        return 0.0
    if scheme == RANK:
        return -1.0
    if scheme == OUTCOME:
        return -1 / (n - 1)
    best = 0
    for other in range(n):
        if other != seat:
            best = max(best, int(points[other]))
    return -float(best)


@rule
def place_last(places: Lane, n: int, seat: int) -> None:
    """The seat that forfeits is last, and those behind it move up."""
    own = int(places[seat])
    for other in range(n):
        if places[other] > own:
            places[other] -= 1
    places[seat] = n


@rule
def close_lane(row: States, lane: Lane, scheme: int) -> float:
    """The game has ended: points and places of all seats; returns the learner's last reward."""
    points, places, paid = lane[END_POINTS:], lane[END_PLACES:], lane[PAID:]
    learner, n = int(lane[LEARNER_SEAT]), int(row[fields.PLAYERS])
    score_game(row, points, places)
    lane[END_SEAT], lane[END_ILLEGAL] = learner, lane[ILLEGAL]
    lane[END_FORFEIT] = lane[FORFEIT]
    lane[END_WON] = lane[FORFEIT] == 0 and is_scenario_won(row)
    lane[DONE] = 1
    lane[LEGAL] = find_verb(row, verbs.WAIT)
    if lane[FORFEIT] == 1:
        place_last(places, n, learner)
        return reward_forfeit(scheme, n, points, paid, learner)
    return reward_seat(row, scheme, points, places, paid, learner)


@rule
def pay_gain(row: States, lane: Lane, scheme: int) -> float:
    """Points that the learner has gained since its last decision, where they are paid at once."""
    if scheme != POINTS_GAIN:
        return 0.0
    learner = int(lane[LEARNER_SEAT])
    points = score_seat(row, find_seat(row, learner))
    gain = points - int(lane[PAID + learner])
    lane[PAID + learner] = points
    return float(gain)


@chapter
def play_learner(row: States, lane: Lane, stream: Streams, illegal_rule: int, action: int) -> None:
    """Play the learner's action; an illegal one is replaced or forfeits the game."""
    lane[STAGE] = GO_ON
    if not is_listed(lane, action):
        lane[ILLEGAL] += 1
        if illegal_rule == FORFEITS:
            lane[FORFEIT] = 1
            return
        action = int(lane[LEGAL + draw_below(stream, int(lane[COUNT]))])
    apply_action(row, int(lane[LEARNER_SEAT]), action)


@rule
def start_lane(call: int, row: States, lane: Lane, stream: Streams, settings: Settings, action: int) -> None:
    """What this call does in a lane before the game goes on."""
    if call == STEP:
        lane[DONE] = 0
        if lane[STAGE] == LEARNER_ASKED:
            play_learner(row, lane, stream, int(settings[ILLEGAL_RULE]), action)
        elif lane[STAGE] == ENDED:
            lane[STAGE] = BEGIN
    elif lane[STAGE] == BOT_ANSWERED:
        apply_action(row, int(lane[ASKED]), action)
        lane[STAGE] = GO_ON


@rule
def show_lane(row: States, lane: Lane, offsets: Offsets, mask: Mask, observation: Vectors) -> None:
    """Mask and observation of the learner; `wait` alone after the end."""
    write_mask(row, lane[LEGAL:], int(lane[COUNT]) if lane[STAGE] == LEARNER_ASKED else 1, mask)
    encode_seat(row, int(lane[LEARNER_SEAT]), offsets, observation)


@rule
def is_settled(lane: Lane) -> bool:
    """Whether nothing happens in the lane before somebody outside has decided."""
    stage = int(lane[STAGE])
    return stage == LEARNER_ASKED or stage == ENDED or stage == BOT_ASKED


@chapter
def continue_lane(row: States, lane: Lane, stream: Streams, codes: Codes, settings: Settings) -> None:
    """Go on to where somebody must be asked: FOUND, with no legal action where the game is over."""
    if lane[STAGE] == BEGIN:
        begin_game(row)
        lane[STAGE] = SEAT
    if lane[STAGE] == SEAT:
        take_seats(row, lane, stream, int(settings[SEAT_OPTION]))
    if lane[FORFEIT] == 1:
        lane[COUNT] = 0
    elif lane[STAGE] == GO_ON:
        find_asked(row, lane, stream, codes, settings[SKIP_FORCED] == 1)


@kernel
def step_lanes(
    call: int,
    states: States,
    actions: Actions,
    settings: Settings,
    codes: Codes,
    lanes: Lane,
    streams: Streams,
    offsets: Offsets,
    masks: Mask,
    observations: Vectors,
    last_observations: Vectors,
    rewards: Floats,
) -> int:
    """Go on in every lane until the learner must decide or its game has ended; returns how many lanes wait.

    STEP plays the learner's `actions`; an ended lane begins its next game, its action unread. RESUME goes
    on in lanes that waited, with the bots' `actions` where they have answered. RESET goes on in lanes whose
    stage says that a game begins, and shows all others again. With SAME_STEP an ended game is shown in
    `last_observations` and the next one begins at once.
    """
    waiting = 0
    for g in range(states.shape[0]):
        row, lane, stream = states[g], lanes[g], streams[g]
        if call == STEP:
            rewards[g] = 0.0
        start_lane(call, row, lane, stream, settings, int(actions[g]))
        is_shown = call == RESET or not is_settled(lane)
        while not is_settled(lane):
            continue_lane(row, lane, stream, codes, settings)
            if lane[COUNT] == 0:
                rewards[g] += close_lane(row, lane, int(settings[SCHEME]))
                lane[STAGE] = ENDED
                if settings[SAME_STEP] == 1:
                    encode_seat(row, int(lane[LEARNER_SEAT]), offsets, last_observations[g])
                    lane[STAGE] = BEGIN
            elif lane[ASKED] == lane[LEARNER_SEAT]:
                lane[STAGE] = LEARNER_ASKED
                rewards[g] += pay_gain(row, lane, int(settings[SCHEME]))
            else:
                lane[STAGE] = BOT_ASKED
        if lane[STAGE] == BOT_ASKED:
            waiting += 1
        elif is_shown:
            show_lane(row, lane, offsets, masks[g], observations[g])
    return waiting


@kernel
def show_masks(states: States, lanes: Lane, masks: Mask) -> None:
    """Write the masks of all learners as they stand."""
    for g in range(states.shape[0]):
        is_asked = lanes[g, STAGE] == LEARNER_ASKED
        write_mask(states[g], lanes[g, LEGAL:], int(lanes[g, COUNT]) if is_asked else 1, masks[g])


@kernel
def find_illegal_lane(lanes: Lane, actions: Actions) -> int:
    """The first lane whose learner has chosen an illegal action, or -1."""
    for g in range(lanes.shape[0]):
        if lanes[g, STAGE] == LEARNER_ASKED and not is_listed(lanes[g], int(actions[g])):
            return g
    return -1


@kernel
def show_waiting(
    code: int,
    states: States,
    codes: Codes,
    lanes: Lane,
    offsets: Offsets,
    games: Counts,
    masks: Mask,
    observations: Vectors,
) -> int:
    """Write numbers, masks and observations of the lanes that wait for a bot, one behind the other.

    Returns how many there are.
    """
    n = 0
    for g in range(states.shape[0]):
        if awaits_bot(states[g], lanes[g], codes, code):
            games[n] = g
            write_mask(states[g], lanes[g, LEGAL:], int(lanes[g, COUNT]), masks[n])
            encode_seat(states[g], int(lanes[g, ASKED]), offsets, observations[n])
            n += 1
    return n


@kernel
def draw_uniforms(games: Counts, streams: Streams, out: Floats) -> None:
    """A number from 0 to 1 (never 1) for each of these lanes, from its own stream."""
    for i in range(games.shape[0]):
        out[i] = draw_word(streams[int(games[i])]) / 4294967296.0
