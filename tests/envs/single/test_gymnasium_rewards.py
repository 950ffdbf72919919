"""Rewards of the single Gymnasium environments, and what they say at the end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from iaww_agents.greedy import GreedyAgent
from iaww_env.bots.views import make_view
from iaww_env.cards import kind, scenario
from iaww_env.engine.fields import find_layout
from iaww_env.engine.kernels import lanes
from tests.envs.single.learner_play import make, play_game, play_on
from tests.modes import SCHEMES


def expect_reward(scheme: str, scores: list[int], places: list[int], seat: int) -> float:
    """The last reward of a seat, from the final scores and places."""
    n, level = len(scores), [other for other in places if other == places[seat]]
    if scheme in ("points", "points_gain"):
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
        assert sum(rewards) == pytest.approx(expect_reward(scheme, scores, places, env.learner_seat))
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


@pytest.mark.parametrize("table", ["solo", "solo-ascension", "base_sc01", "base_sc04", "ascension_sc02"])
def test_medals_and_titles(table: str) -> None:
    """A greedy learner, so that some are earned."""
    env, bot, found = make(table), GreedyAgent(), set()
    for seed in range(30):
        env.reset(seed=seed)
        ended, infos = False, {}
        while not ended:
            *_, ended, _, infos = env.step(bot.act(make_view(env.game, 0)))
        game = env.game
        assert (infos["medal"], infos["title"]) == (game.medal(), game.title())
        found.add(infos["medal"] or infos["title"])
    assert "title" not in play_game(make("3"), 1)[-1][4]
    assert len(found) > 1 or table.startswith(("base", "asc"))


def test_a_won_scenario_has_its_medal() -> None:
    """Points and named cards are given; the last decision ends the game."""
    env = make("base_sc01")
    env.reset(seed=1)
    asked = scenario("base_sc01")
    for points, medal in (
        (asked.bronze - 1, None),
        (asked.bronze, "bronze"),
        (asked.silver, "silver"),
        (asked.gold, "gold"),
    ):
        lanes = finish_solo(env, points, won=True)
        assert lanes == (medal, None)
        assert finish_solo(env, points, won=False) == (None, None)


def finish_solo(env: Any, points: int, won: bool) -> tuple[Any, Any]:
    """End a game of a scenario with so many points, its named cards built or not; medal and title."""
    shown, _ = env.reset(seed=1)
    state = find_layout(env.config).views(env._lanes.states)
    for _, answer in play_on(env, shown, random.Random(1)):  # noqa: B007  # the last one is used
        if state.round[0] == 4 and state.step[0] == 4:
            break
    state.n_sites[0, 0], state.loose[0, 0], state.held[0, 0] = 0, 0, 0
    state.open[0, 0] = 0
    state.built[0, 0] = 0
    for name in scenario(env.config.scenario).cards if won else ():
        state.built[0, 0, kind(name).index] += 1
    state.flat_points[0, 0] += points - env.game.scores()[0]
    while not answer[2]:
        end = env.game.actions.end
        env._lanes.lanes[0, lanes.LEGAL] = end  # whatever was legal before
        answer = env.step(end)
    return answer[4]["medal"], answer[4]["title"]
