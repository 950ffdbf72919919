"""What a seat is shown does not depend on anything that it cannot know."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from iaww_env.config import GameConfig
from iaww_env.engine.observe.pieces import PROFILES
from iaww_env.game import Game
from iaww_env.observation import observation_table
from iaww_env.random_games import choose_at_random
from iaww_env.testing.comparing import find_difference, require

MakeGame = GameConfig | Callable[[], Game]
Observe = Callable[[Game, int], Any]


def check_no_leak(
    make_game: MakeGame, observe: Observe | None = None, seeds: Sequence[int] = (1, 2), draws: int = 2
) -> None:
    """What a seat is shown does not depend on anything that it cannot know.

    At every step of random games every hidden card, every secret pick and whatever the others have done in
    the phase is drawn anew (`Game.redeterminize`); what each seat is shown must stay the same, to the byte.

    Args:
        make_game: What is played, or a function that makes a game.
        observe: Given a game and a seat, what that seat is shown: an array, a dict, a text, ...; by default
            every profile of the observation, and the action mask.
        seeds: One game for each.
        draws: How often the hidden things are drawn anew at each step.
    """
    show = observe or show_all
    for seed in seeds:
        game = Game(make_game, seed) if isinstance(make_game, GameConfig) else make_game()
        rng = np.random.default_rng(seed)
        while not game.over:
            for seat in range(game.config.players):
                _check_seat(game, seat, show, rng.integers(1 << 31, size=draws).tolist())
            asked = int(rng.choice(game.seats_to_act()))
            game.step(asked, choose_at_random(game, asked, rng, discards=bool(rng.random() < 0.1)))


def _check_seat(game: Game, seat: int, show: Observe, draws: Sequence[int]) -> None:
    where = f"seat {seat} in round {game.round}, {game.phase}"
    row = game.row.tobytes()
    shown = copy.deepcopy(show(game, seat))
    again = find_difference(shown, show(game, seat), "what is shown")
    require(again is None, f"{where}: asked twice, {again}")
    require(game.row.tobytes() == row, f"{where}: observing changes the game")
    for draw in draws:
        found = show(game.redeterminize(seat, draw), seat)
        difference = find_difference(shown, found, "what is shown")
        if difference is not None:
            raise AssertionError(
                f"{where} is shown something it cannot know: {difference} with other hidden cards"
            )


def show_all(game: Game, seat: int) -> dict[str, Any]:
    """All that environments show a seat: its observation by piece, in every profile, and its mask."""
    shown: dict[str, Any] = {}
    for profile in PROFILES:
        table = observation_table(game.config, profile)
        observation, shown["action_mask"] = table.observe(game, seat)
        shown[profile] = vars(table.views(observation))
    return shown
