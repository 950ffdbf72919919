"""Games brought to their last decision, with points that are given, so that their end is known."""

from __future__ import annotations

import random

import numpy as np

from iaww_env import Game
from iaww_env.game import lend_state


def bring_to_last_decision(game: Game, seed: int) -> None:
    """Play on to where every seat may end the last step of the game, and none has done so."""
    rng = random.Random(seed)
    while (game.round, game.phase) != (4, "exploration"):
        seat = game.seats_to_act()[0]
        play_randomly(game, seat, rng)
    for seat in range(game.config.players):
        while "end" not in game.legal_texts(seat):
            play_randomly(game, seat, rng)
    assert game.seats_to_act() == list(range(game.config.players))


def play_randomly(game: Game, seat: int, rng: random.Random) -> None:
    """One decision, without giving up a construction."""
    game.step(seat, rng.choice([text for text in game.legal_texts(seat) if not text.startswith("discard")]))


def set_points(game: Game, points: list[int]) -> None:
    """Give every seat so many points, as many built cards as the others, and no characters."""
    state = lend_state(game)
    state.generals[:], state.financiers[:], state.n_built[:] = 0, 0, 5
    state.flat_points[:] += np.array(points, np.int16) - np.array(game.scores(), np.int16)
    assert game.scores() == points
