"""Random games in which much is built, for the tests of observations."""

from __future__ import annotations

import random
from collections.abc import Iterator

from iaww_env import Game, GameConfig
from iaww_env.game import lend_state


def begin_game(config: GameConfig, seed: int, treasure: int = 0) -> Game:
    """A game whose seats hold so many tokens of each sort more, so that much is built."""
    game = Game(config, seed)
    if treasure:
        for window in (lend_state(game).krystallium, lend_state(game).generals, lend_state(game).financiers):
            window += treasure
        lend_state(game).shown_points[:] = game.scores()
    return game


def choose_eagerly(game: Game, seat: int, rng: random.Random, eager: str = "") -> int:
    """A legal action: placing and slating come often, the eager verb always, giving up a card rarely."""
    legal, table = game.legal_actions(seat), game.actions
    wanted = [a for a in legal if table.verb(a) == eager]
    if wanted:
        return wanted[-1]  # of two decks to dig the smaller one, so that it runs out
    wanted = [a for a in legal if table.verb(a) in ("place", "slate", "use", "choose", "dig")]
    if wanted and rng.random() < 0.5:
        return rng.choice(wanted)
    kept = [a for a in legal if table.verb(a) != "discard"]
    return rng.choice(legal if rng.random() < 0.05 else kept)


def play_eagerly(game: Game, rng: random.Random, eager: str = "") -> Iterator[int]:
    """Play at random to the end, yielding the seat before each of its decisions; seats in any order."""
    while not game.over:
        seat = rng.choice(game.seats_to_act())
        yield seat
        game.step(seat, choose_eagerly(game, seat, rng, eager))


def visit_positions(
    config: GameConfig, seed: int, often: float, treasure: int = 0, eager: str = ""
) -> Iterator[Game]:
    """Positions of a random game, so often; always its end."""
    game, rng = begin_game(config, seed, treasure), random.Random(seed)
    for _ in play_eagerly(game, rng, eager):
        if rng.random() < often:
            yield game
    yield game
