"""The cards that a scenario names: worth more to the heuristic in the last round, until they stand."""

from __future__ import annotations

import pytest

from iaww_agents.heuristic.bot import HeuristicAgent
from iaww_agents.heuristic.values import value_points
from iaww_agents.heuristic.weights import Weights, change_weights
from iaww_agents.jit import kernel
from iaww_env import Game, GameConfig
from iaww_env.bots.games import BotGames
from iaww_env.cards import kinds, scenario
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.new_rows import make_rows
from iaww_env.engine.row import find_built, find_seat
from iaww_env.game import lend_row, make_game
from tests.modes import SCENARIOS


@kernel
def value(row: States, kind: int, weights: Weights) -> float:
    """Points that the only seat expects a kind to make."""
    return value_points(row, find_seat(row, 0), kind, weights)


@kernel
def find_first_built(row: States) -> int:
    """Where the cards lie that the only seat has built."""
    return find_built(row, find_seat(row, 0))


def find_extra(row: States, kind: int) -> float:
    """What a kind is worth more than to who does not look at the scenario."""
    plain, named = (change_weights(True, {"named": worth}) for worth in (0, 7))
    return value(row, kind, named) - value(row, kind, plain)


def test_a_named_card_is_worth_more_in_the_last_round_until_it_stands() -> None:
    places = {kind.id: kind.index for kind in kinds()}
    named, other = places[scenario("base_sc03").cards[0]], places["wind_turbines"]
    row = lend_row(Game(GameConfig(1, scenario="base_sc03"), seed=1)).copy()
    assert find_extra(row, named) == 0, "before the last round"
    row[fields.ROUND] = 4
    assert find_extra(row, named) == 7
    assert find_extra(row, other) == 0
    row[find_first_built(row) + named] = 1
    assert find_extra(row, named) == 0, "it stands"
    free = lend_row(Game(GameConfig(1), seed=1)).copy()
    free[fields.ROUND] = 4
    assert find_extra(free, named) == 0, "no scenario names it"


@pytest.mark.parametrize("name", ["base_sc03", "ascension_sc05"])
def test_scenarios_are_won_more_often_for_it(name: str) -> None:
    config, wins = SCENARIOS[name], []
    for bot in (HeuristicAgent(named=0), HeuristicAgent()):
        states = make_rows(config, range(400))
        BotGames([bot], config).play(states)
        wins.append(sum(bool(make_game(config, row).scenario_won()) for row in states))
    assert wins[1] > wins[0] + 12
