"""Many games at once, where all bots play inside kernels or answer many decisions with one call.

A game goes here as `match` plays it one decision at a time: bots that leave nothing to chance give the same
actions either way, and random bots draw from the same stream in the same order.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from iaww_agents.arena.play.results import Result, make_result
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.base import BatchAgent, KernelAgent
from iaww_env.bots.games import BotGames, find_lane_code
from iaww_env.bots.specs import OURS
from iaww_env.engine.kernels.game import Moves
from iaww_env.engine.new_rows import make_rows


def can_play_lanes(bot: Any) -> bool:
    """Whether a bot may play in many games at once: only the project's own may.

    A kernel sees the whole row and answers unchecked, so bots of others are asked through views.
    """
    is_ours = type(bot).__module__.split(".")[0] == OURS
    return is_ours and (find_lane_code(bot) is not None or isinstance(bot, KernelAgent | BatchAgent))


def play_together(fixtures: Sequence[Fixture], bots: Sequence[Any], *, noting: bool = False) -> list[Result]:
    """Play games of one line-up to their ends.

    Args:
        fixtures: Games that agree in what is played and who sits where.
        bots: The bots by seat; the same object where a bot takes several seats.
        noting: Give the moves of each game with its result.
    """
    began = time.perf_counter()
    states = make_rows(fixtures[0].config, [fixture.seed for fixture in fixtures])
    chances = [fixture.make_stream() for fixture in fixtures]
    moves = BotGames(bots, fixtures[0].config).play(states, chances, noting=noting)
    seconds = (time.perf_counter() - began) / len(fixtures)
    kept: list[Moves] | list[None] = moves if noting else [None] * len(fixtures)
    played = zip(fixtures, states, kept, strict=True)
    return [make_result(one, row, seconds=seconds, moves=noted) for one, row, noted in played]
