"""Bounds: every cell lies between the least and the greatest number that its field declares."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from iaww_env.config import GameConfig
from iaww_env.engine.fields import SEAT_FIELDS, TABLE_FIELDS, States, find_layout
from iaww_env.engine.observe.bounds import MOST_TOKENS
from iaww_env.errors import StateError

TOKENS = ("generals", "financiers", "krystallium")


def refuse_unless(holds: object, what: str) -> None:
    """Refuse the state where something does not hold."""
    if not holds:
        raise StateError(f"this is no state of a game: {what}")


@lru_cache(maxsize=64)
def find_bounds(config: GameConfig) -> tuple[States, States]:
    """The least and the greatest number of every cell."""
    layout = find_layout(config)
    low = np.full(layout.state_size, -1, np.int16)  # packs, decks and pools: a kind, or none
    high = np.full(layout.state_size, layout.kinds - 1, np.int16)
    for row, end in ((low, "low"), (high, "high")):
        views = layout.views(row)
        for field in TABLE_FIELDS:
            getattr(views, field.name)[...] = getattr(field, end)
        for field in SEAT_FIELDS:
            for prefix in ("", "seen_"):
                getattr(views, prefix + field.name)[...] = getattr(field, end)
    for name in TOKENS:  # a cell could hold more, but no game brings more
        for prefix in ("", "seen_"):
            getattr(layout.views(high), prefix + name)[...] = MOST_TOKENS
    return low, high


def check_bounds(config: GameConfig, row: States) -> None:
    """Refuse a row in which a cell lies outside the bounds of its field."""
    low, high = find_bounds(config)
    outside = (row < low) | (row > high)
    if outside.any():
        cell = int(outside.argmax())
        first = np.zeros_like(row)
        first[cell] = 1
        views = find_layout(config).views(first)
        name = next(name for name in dir(views) if getattr(views, name).any())
        refuse_unless(False, f"{name} is {row[cell]}, outside {low[cell]} to {high[cell]}")
