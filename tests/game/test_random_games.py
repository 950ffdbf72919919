"""Games of random legal play: their records, and the points of a batch."""

import json
from pathlib import Path

import numpy as np
import pytest

from iaww_env.config import GameConfig
from iaww_env.random_games import play_batch, record_games
from iaww_env.records.files import read_records, write_records


def test_random_records_are_reproducible(tmp_path: Path) -> None:
    config = GameConfig(players=2)
    first = list(record_games(config, 3, 40))
    assert first == list(record_games(config, 3, 40))
    assert [record["seed"] for record in first] == [40, 41, 42]
    assert first[1] == next(record_games(config, 1, 41))
    write_records(tmp_path / "games.jsonl", first)
    assert list(read_records(tmp_path / "games.jsonl")) == first
    text = json.dumps(first)
    assert "discard:" not in text
    assert "discard:" in json.dumps(next(record_games(config, 1, 40, discards=True)))


def test_a_batch_counts_just_the_games_asked_for() -> None:
    for games in (1, 7, 1500):
        tally = play_batch(GameConfig(players=3), games, 5)
        assert tally.games == games
        assert tally.wins.sum() == pytest.approx(games)
        assert (tally.least <= tally.mean).all()
        assert (tally.mean <= tally.most).all()
    again = play_batch(GameConfig(players=3), games, 5)
    assert again.total.tolist() == tally.total.tolist()
    assert play_batch(GameConfig(players=3), games, 6).total.tolist() != tally.total.tolist()


def test_points_of_a_batch_are_summed_right() -> None:
    tally = play_batch(GameConfig(players=2), 1, 5)
    tally.games, tally.total[:], tally.squares[:] = 0, 0, 0
    tally.least[:], tally.most[:], tally.wins[:] = 100, 0, 0
    tally.add_games(np.array([[1, 5], [3, 5]], np.int16), np.array([[2, 1], [1, 1]], np.int16))
    tally.add_games(np.array([[8, 2]], np.int16), np.array([[1, 2]], np.int16))
    assert tally.mean.tolist() == [4, 4]
    assert tally.deviation == pytest.approx([np.std([1, 3, 8]), np.std([5, 5, 2])])
    assert (tally.least.tolist(), tally.most.tolist()) == ([1, 2], [8, 5])
    assert tally.wins.tolist() == [1.5, 1.5]
