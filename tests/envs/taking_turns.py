"""Several games at once, chance deciding which goes on next."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any


def take_turns(games: Sequence[Iterator[Any]], rng: random.Random) -> list[list[Any]]:
    """What each of these games yields, all of them played to their ends."""
    yielded: list[list[Any]] = [[] for _ in games]
    left = list(range(len(games)))
    while left:
        number = rng.choice(left)
        step = next(games[number], None)
        if step is None:
            left.remove(number)
        else:
            yielded[number].append(step)
    return yielded
