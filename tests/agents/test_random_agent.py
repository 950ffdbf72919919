"""Random bots are uniform, and keep what they should."""

from __future__ import annotations

import random

import numpy as np
import pytest

from iaww_agents import make_view
from iaww_agents.random_agent import RandomAgent
from iaww_env import Game, GameConfig
from iaww_env.cards import kinds
from iaww_env.engine.fields import find_layout
from tests.chi_square import find_chi_square, limit_chi_square
from tests.dealt_cards import draw_deals
from tests.envs.single.learner_play import make_vec
from tests.random_play import play_on


@pytest.mark.parametrize("nodiscard", [False, True])
def test_random_bots_are_uniform_and_keep_what_they_should(nodiscard: bool) -> None:
    """Chi-square over 400 draws for each legal action of one position, from a fixed seed."""
    game, rng = Game(GameConfig(players=2), 2), random.Random(2)
    for _ in play_on(game, rng):
        legal = game.legal_texts(0)
        if sum(text.startswith("discard") for text in legal) > 1 and len(legal) > 5:
            break
    bot, view = RandomAgent(nodiscard), make_view(game, 0)
    kept = [text for text in legal if not (nodiscard and text.startswith("discard"))]
    bot.reset(0, game.config, 3)
    drawn = [view.text(bot.act(view)) for _ in range(400 * len(kept))]
    assert set(drawn) == set(kept)
    counts = np.array([drawn.count(text) for text in kept])
    assert find_chi_square(counts, 400) < limit_chi_square(len(kept) - 1, spare=5)


@pytest.mark.parametrize("spec", ["random", "random:nodiscard"])
def test_random_opponents_in_the_kernel_are_uniform_too(spec: str) -> None:
    """Its first pick, from one hand, in 2,000 games with streams of their own."""
    env = make_vec("2", 2000, opponents=[spec], seat=1, observation="compact")
    env.reset(seed=1, options={"deals": draw_deals(env.config, 3)})
    hand = sorted(set(env.game(0).hand(0)))
    names = [one.id for one in kinds()]
    picks = [
        names[number - 1] for number in find_layout(env.config).views(env._lanes.states).picked[:, 0].tolist()
    ]
    assert sorted(set(picks)) == hand
    counts = np.array([picks.count(name) for name in hand])
    assert find_chi_square(counts, len(picks) / len(hand)) < limit_chi_square(len(hand) - 1, spare=5)


def test_random_opponents_in_the_kernel_keep_what_they_should() -> None:
    """Uniform play gives up nearly all that it slates; without discards all is built or still open."""
    kept = []
    for spec in ("random", "random:nodiscard"):
        env = make_vec("2", 32, opponents=[spec], autoreset_mode="NextStep")
        env.reset(seed=1)
        state, ended = find_layout(env.config).views(env._lanes.states), np.zeros(32, np.bool_)
        table = np.zeros(32)
        while not ended.all():
            over = env.step(env.action_masks().argmax(axis=1))[2]
            table[over & ~ended] = (state.n_built + state.n_sites)[over & ~ended, 1]
            ended |= over
        kept.append(table.mean())
    # Of 28 drafted cards about half are slated.
    assert kept[0] < 6
    assert kept[1] > 12
