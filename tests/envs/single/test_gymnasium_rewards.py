"""Rewards of the single Gymnasium environments, and what they say at the end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.envs.single.learner_play import make, play_game, play_on
from tests.goals import expect_goal
from tests.modes import SCHEMES


def expect_reward(scheme: str, scores: list[int], places: list[int], seat: int) -> float:
    """The last reward of a seat, from the final scores and places."""
    n, level = len(scores), [other for other in places if other == places[seat]]
    if scheme in ("points", "points_gain", "goal"):
        return scores[seat]
    if n == 1:
        return scores[0] / 100
    if scheme == "margin":
        return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
    if scheme == "rank":
        shared = sum(1 - 2 * (places[seat] - 1 + k) / (n - 1) for k in range(len(level)))
        return shared / len(level)
    share = 1 / len(level) if places[seat] == 1 else 0
    return (n * share - 1) / (n - 1)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("table", ["2", "4", "6-ascension", "solo", "ascension_sc03"])
def test_rewards_of_whole_games(table: str, scheme: str) -> None:
    options: dict[str, Any] = {} if table in ("solo", "ascension_sc03") else {"seat": "random"}
    env = make(table, reward=scheme, **options)
    dense = 0
    for seed in range(6):
        answers = play_game(env, seed)[1:]
        rewards, infos = [answer[1] for answer in answers], answers[-1][4]
        scores, places = env.game.scores(), env.game.places()
        expected = expect_reward(scheme, scores, places, env.learner_seat)
        if scheme == "goal" and len(scores) == 1:
            expected = expect_goal(env.game)
        assert sum(rewards) == pytest.approx(expected)
        assert all(type(reward) is float for reward in rewards)
        assert scheme == "points_gain" or not any(rewards[:-1])
        dense += sum(map(bool, rewards[:-1]))
        assert all(answer[4] == {} for answer in answers[:-1])
        assert infos["scores"].tolist() == scores
        assert infos["places"].tolist() == places
        assert (infos["points"], infos["place"]) == (scores[env.learner_seat], places[env.learner_seat])
        assert infos["seat"] == env.learner_seat
    assert (dense > 0) == (scheme == "points_gain")


def test_gains_are_paid_at_the_next_decision() -> None:
    env = make("solo", reward="points_gain")
    shown, _ = env.reset(seed=4)
    before = 0
    for _, (_, reward, *_) in play_on(env, shown, random.Random(4)):
        assert reward == env.game.scores()[0] - before
        before = env.game.scores()[0]
