"""What every environment shows of a seat, and the space of it."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from iaww_env.observation import ObservationTable

FLOAT, BYTE = np.dtype(np.float32), np.dtype(np.int8)  # ready-made: np.empty finds them at once


class Observation(TypedDict):
    """What a seat is shown."""

    observation: npt.NDArray[np.float32]
    action_mask: npt.NDArray[np.int8]


def make_observation_space(table: ObservationTable, n_actions: int) -> spaces.Space[Any]:
    """The observation within its bounds, and the action mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(table.low, table.high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
        }
    )
