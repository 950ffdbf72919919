"""The bot that plays a learnt value: what its network expects behind each action, whatever is hidden."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from iaww_agents.networks.inputs import POINT_WORTH, Rows
from iaww_agents.ppo.bot import load_forward
from iaww_agents.value.bot import ValueAgent
from iaww_env import Game
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_view
from iaww_env.errors import ConfigError
from iaww_env.game import lend_row, make_game
from tests.agents.hidden_cards import meet_other_cards
from tests.agents.networks.small_networks import draw_decisions, write_network
from tests.goals import expect_goal
from tests.modes import WITH_SCENARIOS

SPAN = {"2": 150, "4": 290, "1": 90, "base_sc01-base": 90, "5-ascension": 380}


def judge_behind(world: Game, seat: int, action: int, path: Path) -> float:
    """What a network expects behind an action in one world."""
    world.step(seat, action)
    if world.over:
        return expect_goal(world) if world.config.solo else float(world.scores()[seat])
    forward, view = load_forward(path), make_view(world, seat, "cards")
    sources = forward.inputs.find(world.config)
    nothing = np.zeros_like(view.action_mask)[None]
    rows = Rows(lend_row(world)[None], np.array([seat]))
    _, values = forward.score(sources, view.observation[None], nothing, rows)
    return float(values[0]) / POINT_WORTH


@pytest.mark.parametrize("mode", SPAN)
def test_the_action_behind_which_most_is_expected_is_played(mode: str, tmp_path: Path) -> None:
    config = WITH_SCENARIOS[mode]
    path = write_network(tmp_path / "net.npz", config.expansions, advised=True)
    bot, played = ValueAgent(worlds=3, path=str(path)), 0
    for steps in (0, SPAN[mode] // 2, SPAN[mode]):
        game = draw_decisions(config, steps, games=4).game(2)
        seat = game.seats_to_act()[0]
        view = make_view(game, seat, "cards")
        bot.reset(seat, config, 7)
        action = bot.act(view)
        thought = bot.explain()
        if thought is None:
            continue
        bot.reset(seat, config, 7)
        row = lend_row(view.sample_game(0))
        worlds = bot._playouts.draw_worlds(row, seat, 3, np.random.default_rng(7))
        for one, value in thought.values.items():
            behind = [judge_behind(make_game(config, world.copy()), seat, one, path) for world in worlds]
            assert value == pytest.approx(np.mean(behind), rel=1e-5)
        assert thought.values[action] == max(thought.values.values())
        given_up = [one for one in game.legal_actions(seat) if game.actions.verb(one) == "discard"]
        assert set(thought.values) == set(game.legal_actions(seat)) - set(given_up)
        played += 1
    assert played > 1


@pytest.mark.parametrize("mode", ["4", "1", "4-ascension", "ascension_sc01"])
def test_what_is_hidden_changes_nothing_and_the_same_seed_gives_the_same_moves(mode: str) -> None:
    assert meet_other_cards(ValueAgent(worlds=2), WITH_SCENARIOS[mode]) > 5


@pytest.mark.parametrize(
    ("said", "why"),
    [("worlds=0", "worlds is 0"), ("worlds=x", "worlds is 'x'"), ("path=/no/such.npz", "such.npz")],
)
def test_options_that_cannot_be_are_refused(said: str, why: str) -> None:
    with pytest.raises((ConfigError, OSError), match=why):
        make_agent(f"value:{said}")
