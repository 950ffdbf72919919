"""What a seat is shown: every byte, the pieces that differ, the windows as raw numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from iaww_env import Game
from iaww_env.engine.observe.pieces import PROFILES
from iaww_env.observation import observation_table

Shown = tuple[bytes, ...]


def show_seat(game: Game, seat: int, profiles: tuple[str, ...] = PROFILES) -> Shown:
    """Every byte that a seat is shown: observations of the profiles, and its mask."""
    shown: list[bytes] = []
    for profile in profiles:
        observation, mask = observation_table(game.config, profile).observe(game, seat)
        shown.append(observation.tobytes())
    return (*shown, mask.tobytes())


def find_difference(game: Game, one: Shown, two: Shown) -> list[str]:
    """Names of the pieces in which two showings differ."""
    named = []
    for profile, first, second in zip(PROFILES, one, two, strict=False):
        table = observation_table(game.config, profile)
        pair = [np.frombuffer(data, np.float32) for data in (first, second)]
        for piece in table.pieces:
            if not np.array_equal(*(vector[piece.start : piece.end] for vector in pair)):
                named.append(f"{profile} {piece.name}")
    return named + (["mask"] if one[-1] != two[-1] else [])


def read_windows(game: Game, seat: int, profile: str = "full") -> Any:
    """The named windows of a seat's observation, as raw numbers."""
    table = observation_table(game.config, profile)
    vector, _ = table.observe(game, seat)
    return table.views(vector.astype(np.float64) / table.scale)
