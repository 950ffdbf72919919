"""Games between bots of several sorts, played in kernels: the learner meets greedy bots and the heuristic."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaww_agents.greedy import choose_action
from iaww_agents.heuristic.plan import choose_heuristic
from iaww_agents.heuristic.weights import Weights
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import pasted
from iaww_env.engine.kernels.batch import begin_rows
from iaww_env.engine.new_rows import make_rows
from iaww_env.engine.rules.legal import Actions

# Who sits in a seat: the heuristic with the weights in use or with those that are learnt, or a greedy bot.
HEURISTIC, GREEDY, LEARNER = range(3)


class Bots(NamedTuple):
    """What the bots of a game take: weights of the learner and of the others, and scratch."""

    learnt: Weights
    in_use: Weights
    legal: Actions
    row: States


def make_bots(learnt: Weights, in_use: Weights, states: States) -> Bots:
    """Bots with these weights for games in such rows."""
    return Bots(learnt, in_use, np.zeros(fields.MOST_LEGAL, np.int16), np.empty_like(states[0]))


def deal_games(config: GameConfig, games: int, seed: int) -> States:
    """Rows of so many games that have begun; each deal once for every seat that the learner may take."""
    states = make_rows(config, [seed + game // config.players for game in range(games)])
    begin_rows(states)
    return states


@pasted
def choose_for(sort: int, row: States, seat: int, bots: Bots) -> int:
    """The action of a seat in which a bot of this sort sits."""
    if sort == GREEDY:
        action = choose_action(row, seat, bots.legal)
    else:
        weights = bots.in_use if sort == HEURISTIC else bots.learnt
        action = choose_heuristic(row, seat, weights, bots.row)
    return action
