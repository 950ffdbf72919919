"""Random games of the engine: played on to the end, so many decisions, or as a batch."""

from __future__ import annotations

import random
from collections.abc import Iterator

from iaww_env.batch import Batch, make_stream
from iaww_env.game import Game
from tests.modes import MODES


def choose_action(game: Game, seat: int, rng: random.Random, discards: bool = False) -> int:
    """A random legal action of a seat; constructions are given up only where `discards` says so."""
    legal = game.legal_actions(seat)
    table = game.actions
    if not discards:
        legal = [action for action in legal if not table.discard <= action < table.discard + table.cards]
    # Digs and characters are rare under uniform play, so half of the time they are taken.
    rare = [action for action in legal if table.use <= action < table.end and action != table.to_empire]
    return rng.choice(rare if rare and rng.random() < 0.5 else legal)


def play_on(game: Game, rng: random.Random, discards: bool = False) -> Iterator[tuple[int, int]]:
    """Play at random to the end, yielding (seat, action) after each decision."""
    while not game.over:
        seat = rng.choice(game.seats_to_act())
        action = choose_action(game, seat, rng, discards)
        game.step(seat, action)
        yield seat, action


def play_some(mode: str, seed: int, decisions: int, discards: bool = False) -> Game:
    """A game after so many random decisions (or at its end)."""
    game = Game(MODES[mode], seed)
    for played, _ in enumerate(play_on(game, random.Random(seed), discards), start=1):
        if played >= decisions:
            break
    return game


def play_batch(mode: str, seed: int, steps: int, num_games: int = 3) -> Batch:
    """A batch after so many random steps."""
    batch = Batch(MODES[mode], num_games, seed, observation=None)
    words = make_stream(seed)
    for _ in range(steps):
        batch.step(batch.sample_legal(words, discards=False))
    return batch
