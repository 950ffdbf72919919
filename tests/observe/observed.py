"""Random games for the tests of observations, and what a seat is shown in them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from iaww_env import Game, GameConfig
from iaww_env.cards import EXPANSIONS, scenarios
from iaww_env.engine.observe.pieces import PROFILES
from iaww_env.observation import observation_table

Shown = tuple[bytes, ...]
ASCENSION = EXPANSIONS

VERSUS = {str(n): GameConfig(players=n) for n in range(2, 6)}
VERSUS |= {f"{n}-ascension": GameConfig(players=n, expansions=ASCENSION) for n in range(2, 8)}
SOLO = {"1": GameConfig(players=1), "1-ascension": GameConfig(players=1, expansions=ASCENSION)}
SCENARIOS = {one.id: GameConfig(players=1, expansions=ASCENSION, scenario=one.id) for one in scenarios()}
SCENARIOS |= {
    f"{one.id}-base": GameConfig(players=1, scenario=one.id) for one in scenarios() if not one.needs_expansion
}
MODES = VERSUS | SOLO
ALL_MODES = MODES | SCENARIOS


def begin(config: GameConfig, seed: int, treasure: int = 0) -> Game:
    """A game whose seats hold so many tokens of each sort more, so that much is built."""
    game = Game(config, seed)
    if treasure:
        for window in (game.state.krystallium, game.state.generals, game.state.financiers):
            window += treasure
        game.state.shown_points[:] = game.scores()
    return game


def choose(game: Game, seat: int, rng: random.Random, eager: str = "") -> int:
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


def play_on(game: Game, rng: random.Random, eager: str = "") -> Iterator[int]:
    """Play at random to the end, yielding the seat before each of its decisions; seats in any order."""
    while not game.over:
        seat = rng.choice(game.seats_to_act())
        yield seat
        game.step(seat, choose(game, seat, rng, eager))


def visit(config: GameConfig, seed: int, often: float, treasure: int = 0, eager: str = "") -> Iterator[Game]:
    """Positions of a random game, so often; always its end."""
    game, rng = begin(config, seed, treasure), random.Random(seed)
    for _ in play_on(game, rng, eager):
        if rng.random() < often:
            yield game
    yield game


def show(game: Game, seat: int, profiles: tuple[str, ...] = PROFILES) -> Shown:
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


def read(game: Game, seat: int, profile: str = "full") -> Any:
    """The named windows of a seat's observation, as raw numbers."""
    table = observation_table(game.config, profile)
    vector, _ = table.observe(game, seat)
    return table.views(vector.astype(np.float64) / table.scale)
