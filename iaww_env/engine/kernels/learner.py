"""The kernels of games with one learner: bots decide for the other seats until it is the learner's turn.

One call plays the learner's action in every lane (see `lanes`) and goes on to its next decision, or to the
end of the game. Random bots play inside that call; for other bots the lane waits, the caller answers, and a
further call resumes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined, kernel
from iaww_env.engine.kernels.lanes import (
    ASKED,
    ASKS,
    BEGIN,
    BOT_ANSWERED,
    BOT_ASKED,
    BOT_SEED,
    COUNT,
    DONE,
    END_FORFEIT,
    END_ILLEGAL,
    END_PLACES,
    END_POINTS,
    END_SEAT,
    END_WON,
    ENDED,
    FORFEIT,
    FORFEITS,
    GAMES,
    GO_ON,
    ILLEGAL,
    ILLEGAL_RULE,
    LEARNER_ASKED,
    LEARNER_SEAT,
    LEGAL,
    NEXT_SEAT,
    PAID,
    RANDOM_SEAT,
    ROTATING_SEAT,
    SAME_STEP,
    SCHEME,
    SEAT,
    SEAT_OPTION,
    STAGE,
    Codes,
    Lane,
    Settings,
    Streams,
    awaits_bot,
    find_asked,
)
from iaww_env.engine.observe.cells import Vector
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.shown import show_decision
from iaww_env.engine.observe.table import encode_seat
from iaww_env.engine.rewards import NOBODY, POINTS_GAIN, pay_gain, reward_end, score_end
from iaww_env.engine.rng import draw_below, draw_word
from iaww_env.engine.row import find_verb
from iaww_env.engine.rules.legal import Actions, Mask, is_listed, write_mask
from iaww_env.engine.rules.scoring import is_scenario_won
from iaww_env.engine.rules.transition import apply_action, begin_game

Games = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# What a call of `step_lanes` is for: the learner's actions; going on where a lane waited; beginning games.
STEP, RESUME, RESET = range(3)

# A game ends and the next one begins: a lane is settled after two turns at most.
MOST_TURNS = 8


@inlined
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


@inlined
def close_lane(row: States, lane: Lane, scheme: int) -> float:
    """The game has ended: points and places of all seats; returns the learner's last reward."""
    points, places, paid = lane[END_POINTS:], lane[END_PLACES:], lane[PAID:]
    learner = int(lane[LEARNER_SEAT])
    offender = learner if lane[FORFEIT] == 1 else NOBODY
    score_end(row, offender, points, places)
    lane[END_SEAT], lane[END_ILLEGAL] = learner, lane[ILLEGAL]
    lane[END_FORFEIT] = lane[FORFEIT]
    lane[END_WON] = lane[FORFEIT] == 0 and is_scenario_won(row)
    lane[DONE] = 1
    lane[LEGAL] = find_verb(row, verbs.WAIT)
    return reward_end(row, scheme, offender, points, places, paid, learner)


@called
def play_learner(row: States, lane: Lane, stream: Streams, illegal_rule: int, action: int) -> None:
    """Play the learner's action; an illegal one is replaced or forfeits the game."""
    lane[STAGE] = GO_ON
    if not is_listed(action, lane[LEGAL:], int(lane[COUNT])):
        lane[ILLEGAL] += 1
        if illegal_rule == FORFEITS:
            lane[FORFEIT] = 1
            return
        action = int(lane[LEGAL + draw_below(stream, int(lane[COUNT]))])
    apply_action(row, int(lane[LEARNER_SEAT]), action)


@inlined
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


@inlined
def show_lane(row: States, lane: Lane, offsets: Offsets, mask: Mask, observation: Vector) -> None:
    """Mask and observation of the learner; `wait` alone after the end."""
    n = int(lane[COUNT]) if lane[STAGE] == LEARNER_ASKED else 1
    show_decision(row, int(lane[LEARNER_SEAT]), lane[LEGAL:], n, mask, offsets, observation)


@inlined
def is_settled(lane: Lane) -> bool:
    """Whether nothing happens in the lane before somebody outside has decided."""
    stage = int(lane[STAGE])
    return stage == LEARNER_ASKED or stage == ENDED or stage == BOT_ASKED


@called
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
        find_asked(row, lane, stream, codes, int(settings[ASKS]))


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
    observations: Vector,
    last_observations: Vector,
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
        for _ in range(MOST_TURNS):
            if is_settled(lane):
                break
            continue_lane(row, lane, stream, codes, settings)
            if lane[COUNT] == 0:
                rewards[g] += close_lane(row, lane, int(settings[SCHEME]))
                lane[STAGE] = ENDED
                if settings[SAME_STEP] == 1:
                    encode_seat(row, int(lane[LEARNER_SEAT]), offsets, last_observations[g])
                    lane[STAGE] = BEGIN
            elif lane[ASKED] == lane[LEARNER_SEAT]:
                lane[STAGE] = LEARNER_ASKED
                if settings[SCHEME] == POINTS_GAIN:
                    rewards[g] += pay_gain(row, int(lane[LEARNER_SEAT]), lane[PAID:])
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
        lane = lanes[g]
        if lane[STAGE] == LEARNER_ASKED and not is_listed(int(actions[g]), lane[LEGAL:], int(lane[COUNT])):
            return g
    return -1


@kernel
def show_waiting(
    code: int,
    states: States,
    codes: Codes,
    lanes: Lane,
    offsets: Offsets,
    games: Games,
    masks: Mask,
    observations: Vector,
) -> int:
    """Write numbers, masks and observations of the lanes that wait for a bot, one behind the other.

    Returns how many there are.
    """
    n = 0
    for g in range(states.shape[0]):
        row, lane = states[g], lanes[g]
        if awaits_bot(row, lane, codes, code):
            games[n] = g
            seat, legal = int(lane[ASKED]), int(lane[COUNT])
            show_decision(row, seat, lane[LEGAL:], legal, masks[n], offsets, observations[n])
            n += 1
    return n


@kernel
def draw_uniforms(streams: Streams, out: Floats) -> None:
    """A number from 0 to 1 (never 1) from each of these streams."""
    for i in range(streams.shape[0]):
        out[i] = draw_word(streams[i]) / 4294967296.0
