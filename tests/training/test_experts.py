"""Who sits where in games of a network that are to be learnt from."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_training.experts import seat_network


@pytest.mark.parametrize("players", [1, 2, 4, 7])
def test_a_network_has_all_seats_and_in_every_second_game_any_one(players: int) -> None:
    games = 401
    seated = seat_network(games, players, np.random.default_rng(1))
    assert seated.shape == (games, players)
    assert seated[::2].all()
    assert (seated[1::2].sum(axis=1) == 1).all()
    each = seated[1::2].mean(axis=0)
    assert each == pytest.approx(1 / players, abs=4 * (1 / players / 200) ** 0.5)
