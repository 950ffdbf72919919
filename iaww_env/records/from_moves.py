"""Records of games that were played without a recorder: from the seed and the moves.

Bots that live in kernels play thousands of games a second, and what they note is two numbers a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np

from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.kernels.game import Moves, play_moves
from iaww_env.errors import IawwError, RecordError
from iaww_env.game import Game, lend_row
from iaww_env.records.capture import describe_result, list_deals
from iaww_env.records.form import FORMAT, VERSION, Thought
from iaww_env.records.recorder import Recorder


@lru_cache(maxsize=2)
def list_texts(expansions: tuple[str, ...]) -> tuple[str, ...]:
    """The text of every action, by its number."""
    return tuple(action_table(expansions))


def make_record(
    config: GameConfig,
    seed: int,
    moves: Moves,
    meta: dict[str, Any] | None = None,
    thoughts: Sequence[Thought] = (),
) -> dict[str, Any]:
    """The record of a game; with the result where its moves end it.

    Args:
        config: What was played; empires that were drawn are drawn again from the seed.
        seed: Seed of the game.
        moves: (moves, 2) seat and action of every move, forced ones included.
        meta: Notes to be kept with it.
        thoughts: What bots thought of their actions.

    Raises:
        RecordError: A move is not legal.
    """
    notes: dict[str, Any] = {"thoughts": [asdict(one) for one in thoughts]} if thoughts else {}
    notes |= {"meta": meta} if meta else {}
    if config.solo:  # what digs showed is found by playing them
        recorder = Recorder(Game(config, seed), seed)
        for number, (seat, action) in enumerate(moves.tolist()):
            try:
                recorder.step(seat, action)
            except (IawwError, IndexError) as error:
                raise _refuse(number, seed) from error
        return recorder.record() | notes
    game = Game(config, seed)
    named = game.config.replace(empires=tuple(game.empires))
    deals, texts = list_deals(game), list_texts(config.expansions)
    played = play_moves(lend_row(game), moves, np.empty(fields.MOST_LEGAL, np.int16))
    if played < len(moves):
        raise _refuse(played, seed)
    return {
        "format": FORMAT,
        "version": VERSION,
        "config": named.to_dict(),
        "seed": seed,
        "deals": deals,
        "moves": [[seat, texts[action]] for seat, action in moves.tolist()],
        **({"result": describe_result(game)} if game.over else {}),
        **notes,
    }


def _refuse(number: int, seed: int) -> RecordError:
    return RecordError(f"move {number} of the game with seed {seed} is not legal")
