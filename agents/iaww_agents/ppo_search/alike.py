"""Decisions that look alike to who decides, so that a network is asked once for all of them.

Worlds differ in what is hidden. As long as nothing of that has come to light, a seat sees the same in all of
them, and so does every other seat in all worlds that differ in what has been tried alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_agents.jit import compile_apart
from iaww_env.engine.jit import inlined
from iaww_env.engine.rules.legal import Mask

Numbers = npt.NDArray[np.int32]
EMPTY = -1
SPREADING = 2654435761  # near the golden ratio of 32 bits: close sums come apart

kernel = compile_apart(__file__)


@inlined
def mix(found: int, number: int) -> int:
    """Take another number up into one of 32 bits."""
    return ((found ^ number) * SPREADING + (found >> 15)) & 0xFFFFFFFF


@inlined
def sum_up(numbers: Numbers) -> int:
    """A whole number of 32 bits that differs for nearly all rows that differ: of four sums side by side."""
    a, b, c, d = 0, 1, 2, 3
    whole = len(numbers) - len(numbers) % 4
    for i in range(0, whole, 4):
        a, b = mix(a, int(numbers[i])), mix(b, int(numbers[i + 1]))
        c, d = mix(c, int(numbers[i + 2])), mix(d, int(numbers[i + 3]))
    for i in range(whole, len(numbers)):
        a = mix(a, int(numbers[i]))
    return mix(mix(mix(a, b), c), d)


@inlined
def are_same(observations: Numbers, masks: Mask, a: int, b: int) -> bool:
    """Whether two decisions show the same numbers, and the same legal actions."""
    differ = 0
    for i in range(observations.shape[1]):
        differ |= observations[a, i] ^ observations[b, i]
    for i in range(masks.shape[1]):
        differ |= masks[a, i] ^ masks[b, i]
    return differ == 0


@kernel
def find_alike(observations: Numbers, masks: Mask, held: Numbers, firsts: Numbers, places: Numbers) -> int:
    """Write down the decisions that look like none before them, and which of these each one looks like.

    How many they are. `observations` are bit by bit; `held` has 2^n places, more than there are decisions.
    """
    held[:] = EMPTY
    last, count = len(held) - 1, 0
    for g in range(observations.shape[0]):
        at = sum_up(observations[g]) & last
        for _ in range(len(held)):  # more places than decisions: one is always empty
            if held[at] == EMPTY or are_same(observations, masks, g, firsts[held[at]]):
                break
            at = (at + 1) & last
        if held[at] == EMPTY:
            held[at], firsts[count], count = count, g, count + 1
        places[g] = held[at]
    return count


def tell_apart(observations: npt.NDArray[np.float32], masks: Mask) -> tuple[Numbers, Numbers]:
    """Which decisions look like none before them, and for each decision its place among these."""
    n = len(observations)
    firsts, places = np.empty((2, n), np.int32)
    held = np.empty(1 << (2 * n).bit_length(), np.int32)
    return firsts[: find_alike(observations.view(np.int32), masks, held, firsts, places)], places
