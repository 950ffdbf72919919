"""Records made from a seed and moves are those that a recorder notes."""

from __future__ import annotations

import random

import numpy as np
import pytest

from iaww_env.config import GameConfig
from iaww_env.errors import RecordError
from iaww_env.game import Game
from iaww_env.records import Recorder, replay, verify_record
from iaww_env.records.from_moves import make_record
from tests.modes import MODES
from tests.random_play import choose_action


def play_recorded(
    config: GameConfig, seed: int, most: int = 10_000
) -> tuple[Recorder, list[tuple[int, int]]]:
    """A random game, noted by a recorder, and its moves."""
    recorder, rng = Recorder(Game(config, seed), seed), random.Random(seed)
    moves: list[tuple[int, int]] = []
    while not recorder.game.over and len(moves) < most:
        seat = rng.choice(recorder.game.seats_to_act())
        action = choose_action(recorder.game, seat, rng, discards=seed % 2 == 1)
        recorder.step(seat, action)
        moves.append((seat, action))
    return recorder, moves


@pytest.mark.parametrize("mode", MODES)
def test_a_record_from_moves_is_that_of_a_recorder(mode: str) -> None:
    for seed in (4, 5):
        recorder, moves = play_recorded(MODES[mode], seed)
        made = make_record(MODES[mode], seed, np.array(moves, np.int16))
        assert made == recorder.record()
        assert verify_record(made).results == 1


def test_a_game_that_broke_off_has_no_result() -> None:
    for mode in ("3", "solo"):
        recorder, moves = play_recorded(MODES[mode], 4, most=40)
        made = make_record(MODES[mode], 4, np.array(moves, np.int16), {"why": "it broke off"})
        assert made.pop("meta") == {"why": "it broke off"}
        assert "result" not in made
        assert made == recorder.record()
        assert replay(made) == replay(recorder.record())


def test_moves_that_are_not_legal_are_refused() -> None:
    moves = np.array(play_recorded(MODES["3"], 4)[1], np.int16)
    for wrong in ([0, -1], [0, 9999], [7, moves[50, 1]], [-1, moves[50, 1]]):
        broken = moves.copy()
        broken[50] = wrong
        with pytest.raises(RecordError, match="move 50 of the game with seed 4 is not legal"):
            make_record(MODES["3"], 4, broken)
    moves = np.array(play_recorded(MODES["solo"], 4)[1], np.int16)
    for wrong in ([0, -1], [0, 9999], [1, moves[10, 1]], [0, moves[10, 1] + 1]):
        broken = moves.copy()
        broken[10] = wrong
        with pytest.raises(RecordError, match="move 10 of the game with seed 4 is not legal"):
            make_record(MODES["solo"], 4, broken)
