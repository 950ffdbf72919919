"""Whether what chance has drawn is as even as it should be."""

from __future__ import annotations

import numpy as np


def find_chi_square(counts: np.ndarray, expected: np.ndarray | float) -> float:
    return float(((counts - expected) ** 2 / expected).sum())


def limit_chi_square(free: int, spare: int = 10) -> float:
    """Five standard deviations and more above the mean: by chance less often than once in a million."""
    return free + 5 * (2 * free) ** 0.5 + spare
