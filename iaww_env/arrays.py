"""Arrays that the caller brings to be written into: pinned memory, memory that processes share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env.errors import ConfigError, quote

Arrays = Mapping[str, npt.NDArray[Any]]
NAMES = ("observations", "masks", "rewards")


def check_arrays(arrays: Arrays | None) -> Arrays:
    """Arrays by the names of what is written into them."""
    if arrays is None:
        return {}
    if not isinstance(arrays, Mapping):
        raise ConfigError(f"arrays is {quote(arrays)}: give arrays by name, of {', '.join(NAMES)}")
    for name in arrays:
        if name not in NAMES:
            raise ConfigError(f"arrays has {quote(name)}: what is written are {', '.join(NAMES)}")
    return dict(arrays)


def take_array(arrays: Arrays, name: str, shape: tuple[int, ...], kind: type[np.generic]) -> npt.NDArray[Any]:
    """The caller's array, where it will do, or a new one."""
    if name not in arrays:
        return np.zeros(shape, kind)
    array = arrays[name]
    fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == kind
    if not fits or not array.flags.carray:
        found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ConfigError(
            f"{name} are written into an array of {np.dtype(kind)} {shape}, writable and in one piece, "
            f"not {found}"
        )
    return array


def lend_array(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same memory for kernels: whatever becomes of the array, or its class, it is what they know."""
    return array.view(np.ndarray)
