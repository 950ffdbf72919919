"""The checks that users run: they find nothing in our environments, and name what differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.utils import BaseParallelWrapper

import iaww_env
from iaww_env import Game, GameConfig, testing
from iaww_env.cards import EXPANSIONS
from iaww_env.testing.comparing import find_difference
from tests.modes import SIZES, WITH_SCENARIOS

MakeEnv = Callable[[], Any]

ENVIRONMENTS: dict[str, MakeEnv] = {
    "parallel": lambda: iaww_env.parallel_env(players=3),
    "parallel ascension": lambda: iaww_env.parallel_env(
        players=6, expansions=EXPANSIONS, observation="compact"
    ),
    "aec": lambda: iaww_env.aec_env(players=2),
    "aec, points": lambda: iaww_env.aec_env(players=4, reward="points_gain", skip_forced=False),
    "versus": lambda: iaww_env.VersusEnv(players=3),
    "versus, made": lambda: gymnasium.make("iaww/Versus-v0", players=4, opponents=["greedy"]),
    "solo": lambda: iaww_env.SoloEnv(),
    "scenario": lambda: iaww_env.SoloEnv(scenario="ascension_sc01"),
    "vector": lambda: iaww_env.VersusVectorEnv(3),
    "solo vector": lambda: iaww_env.SoloVectorEnv(2),
}


# --- Nothing is found ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_our_environments_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    testing.check_determinism(ENVIRONMENTS[name], steps=500)
    testing.check_conformance(ENVIRONMENTS[name])
    testing.check_round_trip(ENVIRONMENTS[name], trips=3)
    assert capsys.readouterr().out == "", "the frameworks' checkers are kept quiet"


@pytest.mark.parametrize("mode", SIZES)
def test_our_games_pass(mode: str) -> None:
    testing.check_no_leak(SIZES[mode], seeds=(3,), draws=1)
    testing.check_round_trip(SIZES[mode], trips=3)


def test_a_scenario_passes() -> None:
    testing.check_no_leak(WITH_SCENARIOS["base_sc03"], seeds=(1,))
    testing.check_round_trip(lambda: Game(WITH_SCENARIOS["base_sc03"], 2))


def test_the_example_in_the_documentation_runs() -> None:
    assert testing.__doc__ is not None
    example = "\n".join(line[4:] for line in testing.__doc__.splitlines() if line.startswith("    "))
    assert example.count("testing.check_") == 4
    exec(example, {"MyWrapper": BaseParallelWrapper, "my_observation": testing.show_all})


def test_text_can_be_checked_for_leaks() -> None:
    from iaww_env.render.text import render_table

    testing.check_no_leak(GameConfig(players=2), observe=render_table, seeds=(1,), draws=1)


# --- Comparing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        (1, 1.0, "x is int in one and float in the other"),
        ({"a": 1}, {"a": 2}, "x['a'] is 1 in one and 2 in the other"),
        ({"a": 1}, {"b": 1}, "x holds ['a'] in one and ['b'] in the other"),
        ([1, (2, 3)], [1, (2, 4)], "x[1][1] is 3 in one and 4 in the other"),
        ([1], [1, 2], "x has 1 entries in one and 2 in the other"),
        (np.zeros(2), np.zeros(2, np.float32), "x is float64[2] in one and float32[2] in the other"),
        (np.zeros((2, 2)), np.eye(2), "x[0, 0] is 0.0 in one and 1.0 in the other"),
        (np.array([0.0]), np.array([-0.0]), "x differs in its bytes alone (-0.0 or NaN)"),
        (np.array([{}], object), np.array([{"a": 1}], object), "x[0] holds [] in one and ['a'] in the other"),
        ("a", "b", "x is 'a' in one and 'b' in the other"),
        (float("nan"), float("nan"), None),
        ({"a": [np.arange(3), "b", None]}, {"a": [np.arange(3), "b", None]}, None),
    ],
)
def test_differences_are_named(one: Any, two: Any, message: str | None) -> None:
    assert find_difference(one, two, "x") == message
