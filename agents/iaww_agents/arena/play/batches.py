"""Many games at once, where all bots play inside kernels; and how random seats draw their actions.

A game goes here as `match` plays it one decision at a time: bots that leave nothing to chance give the same
actions either way, and random bots draw from the same stream in the same order.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_agents.arena.play.results import Result, find_award
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.base import KernelAgent
from iaww_env.bots.specs import OURS
from iaww_env.engine.fields import MOST_LEGAL, MOST_SEATS, States
from iaww_env.engine.jit import kernel
from iaww_env.engine.kernels.batch import begin_rows, choose_at_random
from iaww_env.engine.kernels.game import score_row
from iaww_env.engine.kernels.lanes import (
    ASKED,
    BOT_ASKED,
    COUNT,
    FIRST_BOT,
    LANE,
    LEARNER_SEAT,
    RANDOM,
    RANDOM_NODISCARD,
    SETTINGS,
    STAGE,
    STREAM,
    Codes,
    Lane,
    Settings,
)
from iaww_env.engine.new_rows import make_rows, seed_words
from iaww_env.engine.rng import Words
from iaww_env.engine.rules.legal import Actions
from iaww_env.game import Game, make_game

RANDOM_CODES = (RANDOM, RANDOM_NODISCARD)
# Away from the seeds of the games, so that no game's cards and its bots' chance come from one stream.
STREAM_SEED = 1 << 66
NOBODY = -1  # in place of the learner's seat: every seat is a bot's


@kernel
def draw_action(row: States, seat: int, with_discards: bool, words: Words, legal: Actions) -> int:
    """A uniformly random legal action of a seat, with or without discards."""
    return choose_at_random(row, seat, with_discards, words, legal)[0]


def open_lane(game: Game, lane: Lane, words: Words, codes: Codes) -> None:
    """Bring a game that has just begun to the first decision of a bot that is no random one.

    In Python, not in a kernel: a further kernel that plays whole games takes long to compile, and one
    decision of a bot later the kernels of the bots have taken over.
    """
    room = np.empty(MOST_LEGAL, np.int16)
    lane[LEARNER_SEAT] = NOBODY
    while not game.over:
        seat = game.seats_to_act()[0]
        legal = game.legal_actions(seat)
        is_random = codes[seat] in RANDOM_CODES
        if len(legal) > 1 and not is_random:
            lane[STAGE], lane[ASKED], lane[COUNT] = BOT_ASKED, seat, len(legal)
            return
        action = legal[0]
        if is_random:
            action = draw_action(game.row, seat, codes[seat] == RANDOM, words, room)
        game.step(seat, action)


def make_words(seed: int) -> npt.NDArray[np.int64]:
    """The stream from which the random bots of a game draw."""
    return seed_words(seed + STREAM_SEED)


def seed_bot(seed: int, seat: int) -> int:
    """Where a bot's own chance begins in a game."""
    return seed * MOST_SEATS + seat


def find_random_code(bot: Any) -> int | None:
    """The code of a random bot, None for all others."""
    code = getattr(bot, "engine_code", None)
    return int(code) if code in RANDOM_CODES else None


def can_play_lanes(bot: Any) -> bool:
    """Whether a bot may play in kernels: only the project's own may.

    A kernel sees the whole row and answers unchecked, so bots of others are asked through views.
    """
    is_ours = type(bot).__module__.split(".")[0] == OURS
    return is_ours and (find_random_code(bot) is not None or isinstance(bot, KernelAgent))


def play_lanes(fixtures: Sequence[Fixture], bots: Sequence[Any]) -> list[Result]:
    """Play games of one line-up to their ends.

    Args:
        fixtures: Games that agree in what is played and who sits where.
        bots: The bots by seat; the same object where a bot takes several seats.
    """
    began = time.perf_counter()
    config = fixtures[0].config
    states = make_rows(config, [fixture.seed for fixture in fixtures])
    begin_rows(states)
    lanes = np.zeros((len(fixtures), LANE), np.int16)
    streams = np.zeros((len(fixtures), STREAM), np.int64)
    for stream, fixture in zip(streams, fixtures, strict=True):
        stream[:4] = make_words(fixture.seed)
    settings: Settings = np.zeros(SETTINGS, np.int64)
    asked, codes = number_bots(bots)
    for row, lane, stream in zip(states, lanes, streams, strict=True):
        open_lane(make_game(config, row), lane, stream, codes)
    while np.any(lanes[:, STAGE] == BOT_ASKED):
        for code, bot in asked:
            bot.play_lanes(code, states, settings, codes, lanes, streams)
    seconds = (time.perf_counter() - began) / len(fixtures)
    return [finish_row(fixture, row, seconds) for fixture, row in zip(fixtures, states, strict=True)]


def number_bots(bots: Sequence[Any]) -> tuple[list[tuple[int, KernelAgent]], Codes]:
    """The bots that must be asked, with their codes, and the codes by seat."""
    asked: list[tuple[int, KernelAgent]] = []
    codes: list[int] = []
    for bot in bots:
        code = find_random_code(bot)
        if code is None:
            code = next((number for number, known in asked if known is bot), None)
        if code is None:
            code = FIRST_BOT + len(asked)
            asked.append((code, bot))
        codes.append(code)
    return asked, np.array(codes, np.int16)


def finish_row(fixture: Fixture, row: States, seconds: float) -> Result:
    """The result of a game that is over."""
    players = fixture.config.players
    points, places = np.empty(players, np.int16), np.empty(players, np.int16)
    is_won = bool(score_row(row, points, places))
    award = find_award(fixture.config, int(points[0]), is_won)
    return Result(fixture, tuple(points.tolist()), tuple(places.tolist()), award=award, seconds=seconds)
