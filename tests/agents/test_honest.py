"""Bots decide by what they may know and by their seed alone, and play every mode."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from iaww_agents import Agent, make_agent, make_view
from iaww_agents.greedy import GreedyAgent, choose_greedily
from iaww_env import Game, GameConfig
from iaww_env.engine import fields
from iaww_env.game import lend_row
from tests.agents.asked_bots import BOTS, ask
from tests.envs.single.learner_play import make_vec
from tests.modes import MODES, VERSUS
from tests.random_play import play_on

# --- Honest ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("mode", MODES)
def test_a_bot_plays_the_same_whatever_is_hidden(mode: str, bot: str) -> None:
    """Packs, decks, secret picks and what others have done in this phase, all drawn anew."""
    game, rng, agent = Game(MODES[mode], 5), random.Random(5), make_agent(bot)
    changed = 0
    for number, _ in enumerate(play_on(game, rng)):
        if number % 5 or game.over:
            continue
        seat = rng.choice(game.seats_to_act())
        drawn = game.redeterminize(seat, number)
        changed += drawn != game
        assert ask(agent, make_view(game, seat), seat) == ask(agent, make_view(drawn, seat), seat)
    assert changed > 10


@pytest.mark.parametrize("mode", MODES)
def test_the_kernel_of_greedy_looks_at_nothing_hidden(mode: str) -> None:
    """It is given the whole row, so here the hidden cards of the row itself are drawn anew."""
    game, rng, room = Game(MODES[mode], 6), random.Random(6), np.zeros(fields.MOST_LEGAL, np.int16)
    agent, decisions = GreedyAgent(), 0
    for _ in play_on(game, rng):
        for seat in game.seats_to_act():
            action = choose_greedily(lend_row(game), seat, room)
            assert action in game.legal_actions(seat)
            assert choose_greedily(game.redeterminize(seat, decisions).row, seat, room) == action
            if decisions % 10 == 0:
                assert ask(agent, make_view(game, seat), seat) == action
            decisions += 1
    assert decisions > 100


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_seed_gives_the_same_moves(bot: str) -> None:
    """After other games as well; and bots with a chance of their own differ by seed and by seat."""
    used, fresh = make_agent(bot), make_agent(bot)
    games = [play_alone(used, seed) for seed in (1, 2, 1)]
    assert games[0] == games[2] == play_alone(fresh, 1)
    assert (games[0] != games[1]) == bot.startswith("random")


def play_alone(bot: Agent, seed: int) -> list[int]:
    """A bot's moves in a game against others that do not change."""
    game, moves = Game(GameConfig(players=2), 4), []
    bot.reset(0, game.config, seed)
    for _ in range(60):
        if 0 in game.seats_to_act():
            moves.append(bot.act(make_view(game, 0)))
            game.step(0, moves[-1])
        else:
            game.step(1, game.legal_actions(1)[0])
    return moves


# --- Every mode --------------------------------------------------------------------------------------


def test_every_mode_is_played(tmp_path: Path) -> None:
    """Whole games of every bot in every mode with two seats and more, through the environment."""
    for number, mode in enumerate(VERSUS):
        spec = BOTS[number % len(BOTS)]
        table = mode
        env = make_vec(table, 2, opponents=[spec], autoreset_mode="SameStep")
        env.reset(seed=1)
        assert any(env.step(env.action_masks().argmax(axis=1))[2].any() for _ in range(400))
