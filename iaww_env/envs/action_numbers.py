"""Actions as users hand them in: any kind of integer, also numbers that no action table reaches."""

from __future__ import annotations

from operator import index

import numpy as np

from iaww_env.errors import quote

# Types that are taken as they are; every other one goes through `read_action`.
PLAIN = frozenset({int, np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint16, np.uint32, np.uint64})
NO_ACTION = -1  # what stands in a kernel's array for a number that no action table reaches
MOST_ACTION = 32767


def read_action(agent: str, action: object) -> int:
    """An action as a plain number; numpy's integers and arrays of a single one will do."""
    try:
        if isinstance(action, bool):
            raise TypeError
        return index(action)  # type: ignore[arg-type]  # refused below when it is no integer
    except TypeError:
        raise TypeError(
            f"the action of {agent} is {quote(action)} ({type(action).__name__}): "
            "give the number of an action, an integer"
        ) from None
