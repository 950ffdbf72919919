"""Tables that the tuning of the heuristic plays."""

from __future__ import annotations

from iaww_agents.heuristic.bot import read_weights
from iaww_env.config import GameConfig
from iaww_training.tune_heuristic import HEURISTIC, play_table


def test_tables_are_fair_between_equal_bots() -> None:
    weights = read_weights(False)
    margin, share = play_table(GameConfig(players=4), 4000, 5, (HEURISTIC, HEURISTIC), weights, weights)
    assert margin == 0
    assert share == 0.25
