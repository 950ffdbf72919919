"""What environments return, as something that can be compared."""

from __future__ import annotations

from typing import Any

import numpy as np


def freeze(value: Any) -> Any:
    """Made of dicts, lists, bytes and numbers; types count, arrays of objects (`final_obs`) are opened."""
    if isinstance(value, dict):
        return {key: freeze(one) for key, one in value.items()}
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        return [freeze(one) for one in value]
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return type(value).__name__, value
