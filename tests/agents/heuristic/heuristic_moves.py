"""Games that the heuristic plays on."""

from __future__ import annotations

import numpy as np

from iaww_agents.heuristic.bot import choose_by_values
from iaww_agents.heuristic.weights import read_weights
from iaww_env.game import Game, lend_row


def choose(game: Game, seat: int) -> int:
    """What the heuristic plays with the weights in use."""
    return choose_by_values(lend_row(game), seat, read_weights(game.config.solo), np.empty_like(game.row))


def play_on(game: Game) -> Game:
    """The game after one decision of the heuristic for each seat in turn."""
    seat = game.seats_to_act()[0]
    game.step(seat, choose(game, seat))
    return game
