"""Whether a bot that looks ahead plays and thinks the same whatever the cards that its seat cannot know."""

from __future__ import annotations

import numpy as np

from iaww_agents.base import Agent
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from tests.agents.networks.small_networks import draw_decisions


def meet_other_cards(bot: Agent, config: GameConfig) -> int:
    """Ask it of games that differ in nothing that its seat knows; how many of these were other games."""
    rng, changed = np.random.default_rng(1), 0
    for steps in (3, 25, 60):
        game = draw_decisions(config, steps).game(1)
        seat = game.seats_to_act()[0]
        bot.reset(seat, game.config, 1)
        played, thought = bot.act(make_view(game, seat, bot.profile)), bot.explain()
        for _ in range(3):
            drawn = game.redeterminize(seat, rng)
            changed += drawn != game
            bot.reset(seat, game.config, 1)
            assert bot.act(make_view(drawn, seat, bot.profile)) == played
            assert bot.explain() == thought
    return changed
