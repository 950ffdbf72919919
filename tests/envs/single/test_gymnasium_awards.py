"""What the environments say of a solo game at its end: titles, medals, and whether a scenario is won."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from iaww_agents.greedy import GreedyAgent
from iaww_env.bots.views import make_view
from iaww_env.cards import kind
from iaww_env.engine.fields import StateViews, find_layout
from iaww_env.engine.kernels import lanes
from iaww_env.envs.single.learner import LearnerEnv
from tests.envs.single.learner_play import TABLES, make, make_vec, play_game, play_on
from tests.rules.test_scenarios import PRINTED

# Points, and the title of the standard game that they earn, at the limits and one below.
TITLES = [(0, "apprentice"), (59, "apprentice"), (60, "dictator"), (79, "dictator"), (80, "emperor")]
TITLES += [(99, "emperor"), (100, "living god"), (250, "living god")]
SCENARIOS = [pytest.param(name, id=name) for name in (*PRINTED, "base_sc01-ascension")]

# --- Setting up the end ----------------------------------------------------------------------------


@cache
def play_to_the_last_step(table: str, reward: str = "outcome") -> LearnerEnv:
    """The last production step of a random game."""
    env = make(table, reward=reward, skip_forced=False)
    shown, _ = env.reset(seed=1)
    state = find_layout(env.config).views(env._lanes.states)
    for _ in play_on(env, shown, random.Random(1)):
        if state.round[0] == 4 and state.step[0] == 4:
            break
    return env


def clear_table(state: StateViews, g: int) -> None:
    """Nothing is built, begun or in hand."""
    for window in (state.n_sites, state.loose, state.held, state.must_choose, state.open, state.built):
        window[g, 0] = 0


def set_result(state: StateViews, g: int, points: int, built: Sequence[str]) -> None:
    """These cards, and no others, are built in a lane, and the seat has so many points."""
    state.built[g, 0] = 0
    for card in built:
        state.built[g, 0, kind(card).index] += 1
    for window in (state.n_built, state.generals, state.financiers):
        window[g, 0] = 0
    for window in (state.types_built, state.point_rate):
        window[g, 0] = 0
    state.flat_points[g, 0] = points


def finish(table: str, points: int, *built: str, reward: str = "outcome") -> tuple[float, dict[str, Any]]:
    """End a game with these points and cards built: the last reward, and the infos."""
    env = copy.deepcopy(play_to_the_last_step(table, reward))
    state = find_layout(env.config).views(env._lanes.states)
    clear_table(state, 0)
    set_result(state, 0, points, built)
    env._lanes.lanes[0, lanes.LEGAL] = env.game.actions.end  # whatever was legal before
    _, paid, ended, _, infos = env.step(env.game.actions.end)
    assert ended
    # Duos among the named cards add points of their own: the caller says all of them.
    surplus = env.game.scores()[0] - points
    if surplus:
        return finish(table, points - surplus, *built, reward=reward)
    return paid, infos


def list_named(table: str) -> list[str]:
    """The cards that the scenario of a table names."""
    return PRINTED[table.removesuffix("-ascension")][0]


# --- Titles and medals at their limits -------------------------------------------------------------


@pytest.mark.parametrize("table", ["solo", "solo-ascension"])
@pytest.mark.parametrize(("points", "title"), TITLES)
def test_ruling_13_the_title_at_its_limits(table: str, points: int, title: str) -> None:
    _, infos = finish(table, points)
    assert (infos["points"], infos["scores"].tolist()) == (points, [points])
    assert (infos["title"], infos["medal"], infos["scenario_won"]) == (title, None, None)


def list_limits() -> list[Any]:
    """Every scenario with the points at each medal's limit and one below, and the medal they earn."""
    limits = []
    for name, (_, asked) in PRINTED.items():
        medals = (None, "bronze", "silver", "gold")
        for place, points in enumerate(asked):
            limits += [(name, points - 1, medals[place]), (name, points, medals[place + 1])]
    return limits


@pytest.mark.parametrize(("table", "points", "medal"), list_limits())
def test_ruling_14_the_medal_at_its_limits(table: str, points: int, medal: str | None) -> None:
    _, infos = finish(table, points, *list_named(table))
    assert infos["points"] == points
    assert (infos["medal"], infos["title"], infos["scenario_won"]) == (medal, None, True)


# --- Won or lost -----------------------------------------------------------------------------------


@pytest.mark.parametrize("table", SCENARIOS)
def test_ruling_14_a_lost_scenario_is_told_from_one_won_without_a_medal(table: str) -> None:
    named = list_named(table)
    _, won = finish(table, 3, *named)
    assert (won["scenario_won"], won["medal"]) == (True, None)
    for missing in range(len(named)):
        _, lost = finish(table, 3, *named[:missing], *named[missing + 1 :])
        assert (lost["scenario_won"], lost["medal"]) == (False, None)
        assert lost.keys() == won.keys()


@pytest.mark.parametrize(
    ("reward", "worth"), [("outcome", 2.5), ("rank", 2.5), ("margin", 2.5), ("points", 250)]
)
def test_a_scenario_pays_its_points_won_or_lost(reward: str, worth: float) -> None:
    named = list_named("base_sc04")
    for cards, is_won in ((named, True), (named[1:], False)):
        paid, infos = finish("base_sc04", 250, *cards, reward=reward)
        assert (paid, infos["scenario_won"]) == (worth, is_won)
        assert infos["medal"] == ("gold" if is_won else None)


def test_a_scenario_that_is_left_by_forfeit_is_lost() -> None:
    env = make("base_sc01")
    shown, _ = env.reset(seed=1)
    infos = env.step(int((shown["action_mask"] == 0).argmax()))[4]
    assert (infos["scenario_won"], infos["medal"], infos["illegal_action"]) == (False, None, 1)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_every_lane_of_a_vector_says_whether_it_is_won(mode: str) -> None:
    table, named = "ascension_sc05", list_named("ascension_sc05")
    model = play_to_the_last_step(table)
    venv = make_vec(table, 3, autoreset_mode=mode, skip_forced=False)
    venv.reset(seed=1)
    state = find_layout(venv.config).views(venv._lanes.states)
    venv._lanes.states[:2] = model._lanes.states[0]
    venv._lanes.lanes[:2] = model._lanes.lanes[0]
    end = model.game.actions.end
    for g, cards in ((0, named), (1, [*named[:-1], "quantum_generator"])):
        clear_table(state, g)
        set_result(state, g, 200, cards)
        venv._lanes.lanes[g, lanes.LEGAL] = end
    legal = int(venv.action_masks()[2].argmax())
    *_, ended, _, infos = venv.step([end, end, legal])
    assert ended.tolist() == [True, True, False]
    last = infos["final_info"] if mode == "SameStep" else infos
    assert last["scenario_won"][:2].tolist() == [True, False]
    assert last["_scenario_won"].tolist() == [True, True, False]
    assert last["medal"][:2].tolist() == ["gold", None]


def test_the_standard_game_and_games_with_others_know_no_scenario() -> None:
    assert play_game(make("solo"), 1)[-1][4]["scenario_won"] is None
    assert "scenario_won" not in play_game(make("3"), 1)[-1][4]


# --- As the game itself says -----------------------------------------------------------------------


@pytest.mark.parametrize("table", ["solo", "solo-ascension", "base_sc01", "base_sc04", "ascension_sc02"])
def test_the_infos_say_what_the_game_says(table: str) -> None:
    """A greedy learner, so that some titles and medals are earned."""
    env, bot, found = make(table), GreedyAgent(), set()
    assert table in TABLES
    for seed in range(30):
        env.reset(seed=seed)
        ended, infos = False, {}
        while not ended:
            *_, ended, _, infos = env.step(bot.act(make_view(env.game, 0)))
        game = env.game
        said = (infos["medal"], infos["title"], infos["scenario_won"])
        assert said == (game.medal(), game.title(), game.scenario_won())
        found.add(infos["medal"] or infos["title"])
    assert "title" not in play_game(make("3"), 1)[-1][4]
    assert len(found) > 1 or table.startswith(("base", "asc"))
