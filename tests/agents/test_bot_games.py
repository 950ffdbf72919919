"""Games in which every seat is a bot's, and bots in kernels that are made of two kernels and no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from iaww_agents import make_agent
from iaww_agents.base import KernelAgent, View
from iaww_env import rulebook
from iaww_env.bots.games import BotGames, find_lane_code
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.kernels import lanes
from iaww_env.engine.new_rows import make_rows, seed_stream


def test_only_random_bots_have_a_code_of_the_kernel_that_steps_lanes() -> None:
    codes = [find_lane_code(make_agent(one)) for one in ("random", "random:nodiscard", "greedy", "search")]
    assert codes == [lanes.RANDOM, lanes.RANDOM_NODISCARD, None, None]
    assert find_lane_code(object()) is None


@pytest.mark.parametrize(
    "lineup", [("random", "greedy"), ("greedy", "random:nodiscard"), ("random", "random")]
)
def test_games_of_bots_are_played_to_their_ends_and_can_be_repeated(lineup: tuple[str, ...]) -> None:
    config, ends = GameConfig(players=2), []
    for _ in range(2):
        states = make_rows(config, range(6))
        BotGames([make_agent(one) for one in lineup]).play(states, [seed_stream(seed) for seed in range(6)])
        assert (states[:, fields.PHASE] == rulebook.OVER).all()
        ends.append(states)
    assert np.array_equal(*ends)


class LazyAgent(KernelAgent):
    """A bot that plays no lane."""

    def act(self, view: View) -> int:
        return view.legal_actions()[0]

    def play_lanes(self, *arrays: Any) -> None:
        return


def test_a_bot_that_leaves_games_unfinished_is_named() -> None:
    with pytest.raises(RuntimeError, match="LazyAgent left games unfinished"):
        BotGames([LazyAgent()] * 2).play(make_rows(GameConfig(players=2), [1]))


def test_random_bots_play_with_streams_of_their_own_alone() -> None:
    with pytest.raises(ValueError, match="streams"):
        BotGames([make_agent("random")]).play(make_rows(GameConfig(players=1), [1]))
