"""Positions of every mode to be drawn, and where the shapes of a drawing lie."""

from __future__ import annotations

import random
from collections.abc import Iterator

from iaww_env import rulebook
from iaww_env.config import GameConfig
from iaww_env.game import Game
from iaww_env.viewer.drawing import Box, Disc, Patch, Shape, Sign, Text
from iaww_env.viewer.letters import measure_text
from iaww_env.viewer.symbols import SIZE, TAG, TAGS

Corners = tuple[float, float, float, float]  # left, top, right, bottom


def list_positions(config: GameConfig, seed: int, every: int) -> Iterator[tuple[Game, int]]:
    """Positions of a random game: every so many moves, where the phases of the last round begin, the end."""
    game, rng, step, phase = Game(config, seed=seed), random.Random(seed), 0, ""
    while True:
        if step % every == 0 or (game.round == rulebook.ROUNDS and game.phase != phase):
            yield game, step
        phase = game.phase
        if game.over:
            return
        seat = rng.choice(game.seats_to_act())
        legal = game.legal_texts(seat)
        kept = [text for text in legal if not text.startswith("discard")]
        # Cubes go onto cards where they can, so that much is built.
        placed = [text for text in kept if text.startswith("place")]
        game.step(seat, rng.choice(placed or kept))
        step += 1


def find_corners(shape: Shape) -> Corners:
    """The smallest rectangle around a shape."""
    if isinstance(shape, Box):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Disc):
        return shape.x - shape.radius, shape.y - shape.radius, shape.x + shape.radius, shape.y + shape.radius
    if isinstance(shape, Patch):
        xs, ys = zip(*shape.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)
    if isinstance(shape, Sign):
        width, height = TAG if shape.name in TAGS else (SIZE, SIZE)
        return shape.x, shape.y - height / 2, shape.x + width, shape.y + height / 2
    width = measure_text(shape.text, shape.size, shape.bold)
    return shape.left, shape.y - 0.74 * shape.size, shape.left + width, shape.y + 0.22 * shape.size


def overlap(one: Corners, other: Corners) -> bool:
    """Whether two rectangles share more than an edge."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def is_read(shape: Shape) -> bool:
    """Whether a shape is there to be read, so that nothing else to be read may lie on it."""
    return isinstance(shape, Text | Sign)
