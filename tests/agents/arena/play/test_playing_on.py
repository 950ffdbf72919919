"""Games that are played on from where they stand: as if nobody had stopped, and never what was not given."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_agents.arena.play.playing_on import play_on
from iaww_agents.base import Agent, BatchAgent, BatchView, View
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.game import Game

CONFIG = GameConfig(players=3)


class FirstAgent(Agent):
    """Plays the first legal action."""

    def act(self, view: View) -> int:
        return view.legal_actions()[0]


class FirstBatchAgent(BatchAgent):
    """The same for many decisions."""

    def act(self, view: View) -> int:
        return view.legal_actions()[0]

    def act_batch(self, view: BatchView) -> np.ndarray:
        return view.action_masks.argmax(1)


@pytest.mark.parametrize("bot", ["greedy", FirstAgent, FirstBatchAgent])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_a_game_that_is_stopped_and_played_on_ends_as_one_that_is_not(bot: object, share: float) -> None:
    """Bots that leave nothing to chance go on from any position as they would have."""
    whole = Game(CONFIG, 5)
    (moves,) = play_on([whole], bot)  # type: ignore[arg-type]
    assert whole.over
    stopped = Game(CONFIG, 5)
    first = int(share * len(moves))
    for seat, action in moves[:first].tolist():
        stopped.step(seat, action)
    (rest,) = play_on([stopped], bot)  # type: ignore[arg-type]
    assert stopped == whole
    assert np.array_equal(rest, moves[first:])


def test_the_moves_lead_to_the_ends() -> None:
    games = [Game(CONFIG, seed) for seed in range(3)]
    starts = [game.clone() for game in games]
    for start, game, moves in zip(starts, games, play_on(games, "greedy"), strict=True):
        assert not start.over, "a clone stays where it was"
        for seat, action in moves.tolist():
            start.step(seat, action)
        assert start == game


def test_bots_that_answer_one_by_one_and_many_at_once_play_the_same() -> None:
    ends = []
    for bot in (FirstAgent, FirstBatchAgent):
        games = [Game(CONFIG, seed) for seed in range(2)]
        play_on(games, [bot, "greedy", bot])
        ends.append(games)
    assert ends[0] == ends[1]


@pytest.mark.parametrize("lineup", ["random:nodiscard", ["random:nodiscard", FirstAgent, "greedy"]])
def test_chance_comes_from_the_seed(lineup: object) -> None:
    ends = []
    for seed in (1, 1, 2):
        games = [Game(CONFIG, 9) for _ in range(2)]
        play_on(games, lineup, seed=seed)  # type: ignore[arg-type]
        ends.append(games)
    assert ends[0] == ends[1] != ends[2]
    assert ends[0][0] != ends[0][1], "each game has a chance of its own"


def test_what_cannot_be_played_on_is_refused() -> None:
    assert play_on([], "greedy") == []
    with pytest.raises(ConfigError, match="one configuration"):
        play_on([Game(CONFIG, 1), Game(GameConfig(players=2), 1)], "greedy")
    with pytest.raises(ConfigError, match="2 bots for 3 seats"):
        play_on([Game(CONFIG, 1)], ["greedy", "greedy"])
