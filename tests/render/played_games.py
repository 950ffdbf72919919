"""Random games for the tests of rendering, decision by decision."""

import random
from collections.abc import Iterator

from iaww_env.config import GameConfig
from iaww_env.game import Game


def play(config: GameConfig, seed: int, discards: bool = False) -> Iterator[tuple[Game, int, int]]:
    """The same game after each decision; with how many there were, and the seat that decided last."""
    game, rng = Game(config, seed=seed), random.Random(seed)
    step, seat = 0, -1
    yield game, step, seat
    while not game.over:
        seat = rng.choice(game.seats_to_act())
        legal = game.legal_texts(seat)
        game.step(seat, rng.choice([text for text in legal if discards or not text.startswith("discard")]))
        step += 1
        yield game, step, seat


def play_to(config: GameConfig, seed: int, phase: str, round: int = 1) -> Game:
    """A game at the beginning of a phase."""
    for game, _, _ in play(config, seed):
        if game.phase == phase and game.round == round:
            return game
    raise AssertionError(f"no {phase} in round {round}")
