"""Games of networks, many at once, and what a result says of a game beside its points."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from iaww_agents.arena.play.batches import can_play_lanes, play_together
from iaww_agents.arena.play.guests import BotShelf
from iaww_agents.arena.play.results import Result
from iaww_agents.arena.play.schedule import schedule_games
from iaww_agents.base import BatchAgent, BatchView, View
from iaww_agents.networks.inputs import make_inputs
from iaww_env import GameConfig
from iaww_env.bots.games import BotGames
from iaww_env.breakdown import PARTS
from iaww_env.engine.new_rows import make_rows
from iaww_env.errors import ConfigError
from iaww_training.network import ScoringNetwork, save_network
from tests.agents.arena.play.test_tournament import play_one_by_one, strip_time

NETWORK = "iaww_agents.ppo.bot:PpoAgent:path="


@pytest.mark.parametrize("advised", [False, True])
@pytest.mark.parametrize("players", [1, 3])
def test_networks_answer_many_games_at_once_as_one_decision_at_a_time(
    players: int, advised: bool, tmp_path: Path
) -> None:
    torch.manual_seed(4)
    save_network(ScoringNetwork(make_inputs(advised=advised), width=16, depth=8), tmp_path / "network.npz")
    lineup = [f"{NETWORK}{tmp_path / 'network.npz'}", "greedy", "random:nodiscard"]
    fixtures = list(islice(schedule_games(GameConfig(players=players), lineup, "k"), 6))
    slow = play_one_by_one(fixtures)
    assert {one.status for one in slow} == {"ok"}
    fast = []
    for one in fixtures:
        bots = [BotShelf().take((spec,), 0) for spec in one.agents]
        for bot in bots:
            if isinstance(bot, BatchAgent):
                bot.reset_batch(one.config)
        assert all(map(can_play_lanes, bots))
        fast.append(play_together([one], bots)[0])
    assert strip_time(slow) == strip_time(fast)
    assert [(one.parts, one.empires) for one in slow] == [(one.parts, one.empires) for one in fast]


def test_results_say_where_points_come_from_and_who_had_which_empire() -> None:
    config = GameConfig(players=2, empires=("noram_states", "aztec_empire"))
    for one in play_one_by_one(list(islice(schedule_games(config, ["greedy", "random"], "k"), 4))):
        assert tuple(map(sum, one.parts)) == one.points
        assert one.empires == ("noram_states", "aztec_empire")
        read = Result.from_dict(one.to_dict())
        assert (read.parts, read.empires) == (one.parts, one.empires)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"empires": ["noram_states"]}, "name one for each seat"),
        ({"empires": ["noram_states", "atlantis"]}, "there is no empire 'atlantis'"),
        ({"empires": 3}, "name one for each seat"),
        ({"parts": [[1] * len(PARTS)]}, "give a list for each seat"),
        ({"parts": [[1] * len(PARTS), [1] * len(PARTS)]}, "do not sum to its points"),
        ({"parts": [[0.5] * len(PARTS), "x"]}, "do not sum to its points"),
    ],
)
def test_lines_that_cannot_be_are_refused(change: dict[str, Any], said: str) -> None:
    (one,) = play_one_by_one(list(islice(schedule_games(GameConfig(players=2), ["greedy"], "k"), 1)))
    line = one.to_dict()
    assert Result.from_dict(line).parts == one.parts
    with pytest.raises(ConfigError, match=said):
        Result.from_dict(line | change)
    before = {name: value for name, value in line.items() if name not in ("empires", "parts")}
    assert (Result.from_dict(before).empires, Result.from_dict(before).parts) == ((), ())


class PassingAgent(BatchAgent):
    """A bot that answers the same number everywhere, or takes a chance."""

    def __init__(self, takes_chances: bool) -> None:
        self.takes_chances = takes_chances

    def act(self, view: View) -> int:
        return -1

    def act_batch(self, view: BatchView) -> npt.NDArray[np.int64]:
        return view.draw_uniforms().astype(np.int64) if self.takes_chances else np.full(len(view), -1)


@pytest.mark.parametrize(("takes_chances", "said"), [(False, "-1, which is illegal"), (True, "chance")])
def test_what_cannot_be_played_together_is_refused(takes_chances: bool, said: str) -> None:
    """The games are then played one by one, where the bot is held to account."""
    config = GameConfig(players=2)
    with pytest.raises(RuntimeError, match=said):
        BotGames([PassingAgent(takes_chances)] * 2, config).play(make_rows(config, [1]))


def test_a_bot_of_many_games_must_know_what_is_played() -> None:
    with pytest.raises(ValueError, match="say what is played"):
        BotGames([PassingAgent(False)] * 2).play(make_rows(GameConfig(players=2), [1]))
