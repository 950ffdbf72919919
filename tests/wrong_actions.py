"""What is given as the actions of a batch of three games, and is none."""

from __future__ import annotations

from typing import Any

NO_THREE_ACTIONS: list[Any] = [
    [0, 0],
    [0, 0, 0, 0],
    [[0, 0, 0]],
    0,
    None,
    [0.0, 0.0, 0.0],
    [True, True, True],
    [0, None, 0],
    [],
]
