"""Copies made in the middle of a game are equal to it and go on in the same way."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from iaww_env.config import GameConfig
from iaww_env.game import Game
from iaww_env.random_games import choose_at_random
from iaww_env.records import Recorder, replay
from iaww_env.testing.comparing import require, require_same
from iaww_env.testing.leaks import MakeGame
from iaww_env.testing.seatings import MakeEnv, play_at_random, sit_down

TRIP = 50  # steps that copies of environments are followed


def check_round_trip(make: MakeGame | MakeEnv, seed: int = 1, trips: int = 8) -> None:
    """Copies made in the middle of a game are equal to it and go on in the same way.

    Of a game: clones, deep copies, pickles, bytes, and at the end its record. Of an environment: deep copies
    and pickles.

    Args:
        make: What is played, or a function that makes a game or an environment.
        seed: Of the game (of a configuration or an environment) and of the actions.
        trips: How often copies are made.
    """
    made = Game(make, seed) if isinstance(make, GameConfig) else make()
    if isinstance(made, Game):
        _check_game_trips(made, seed, trips)
    else:
        _check_env_trips(make, seed, trips)  # type: ignore[arg-type]  # it has made an environment


GAME_COPIES: dict[str, Callable[[Game], Game]] = {
    "a clone": lambda game: game.clone(),
    "a deep copy": copy.deepcopy,
    "a pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "its bytes": lambda game: type(game).from_bytes(game.to_bytes()),
}


def _check_game_trips(game: Game, seed: int, trips: int) -> None:
    rng, recorder = np.random.default_rng(seed), Recorder(game)
    copies: list[tuple[str, Game]] = []
    while not game.over:
        where = f"round {game.round}, {game.phase}"
        if len(copies) < trips * len(GAME_COPIES) and rng.random() < 0.05:
            for name, make_copy in GAME_COPIES.items():
                made = make_copy(game)
                require(
                    not np.shares_memory(made.row, game.row),
                    f"{where}: {name} shares its state with the game",
                )
                require(made == game, f"{where}: {name} of the game is not equal to it")
                copies.append((f"{name} made in {where}", made))
        asked = int(rng.choice(game.seats_to_act()))
        action = choose_at_random(game, asked, rng)
        recorder.step(asked, action)
        for name, made in copies:
            made.step(asked, action)
            require(made == game, f"{name} went another way in round {game.round}, {game.phase}")
    played = replay(recorder.record())
    require((played.scores(), played.places()) == (game.scores(), game.places()), "the record ends otherwise")


ENV_COPIES: dict[str, Callable[[Any], Any]] = {
    "a deep copy": copy.deepcopy,
    "a pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


def _check_env_trips(make_env: MakeEnv, seed: int, trips: int) -> None:
    actions, returned = play_at_random(sit_down(make_env()), seed)
    rng = np.random.default_rng(seed)
    for cut in sorted(rng.choice(len(actions), min(trips, len(actions)), replace=False).tolist()):
        end = min(len(actions), cut + TRIP)
        for name, make_copy in ENV_COPIES.items():
            original = sit_down(make_env())
            original.reset(seed)
            for action in actions[:cut]:
                original.step(action)
            copied = sit_down(make_copy(original.env))
            for which, seating in ((name, copied), (f"the environment of which {name} was", original)):
                for step in range(cut, end):
                    where = f"{which} made at step {cut} of seed {seed}: at step {step + 1}"
                    require_same(returned[step + 1], seating.step(actions[step]), where)
