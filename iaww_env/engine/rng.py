"""The random stream of a game: xoshiro128++ in four words of 32 bits that lie in the row.

Every product and sum below stays under 2**63, so that compiled and interpreted runs give the same numbers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine.jit import rule
from iaww_env.engine.layout import RNG, States

Words = npt.NDArray[np.int64]

MASK32 = 0xFFFFFFFF


@rule
def rotate_word(word: int, by: int) -> int:
    """A word of 32 bits, rotated to the left."""
    return ((word << by) | (word >> (32 - by))) & MASK32


@rule
def draw_word(words: Words) -> int:
    """The next 32 random bits of a stream of four words."""
    a, b, c, d = int(words[0]), int(words[1]), int(words[2]), int(words[3])
    result = (rotate_word((a + d) & MASK32, 7) + a) & MASK32
    shifted = (b << 9) & MASK32
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate_word(d, 11)
    words[0], words[1], words[2], words[3] = a, b, c, d
    return result


@rule
def draw_below(words: Words, bound: int) -> int:
    """A whole number from 0 to bound - 1, each equally likely."""
    product = draw_word(words) * bound
    if (product & MASK32) < bound:
        # Lemire's rejection: the few products that would favour small numbers are drawn again.
        unfair = (MASK32 + 1 - bound) % bound
        while (product & MASK32) < unfair:
            product = draw_word(words) * bound
    return product >> 32


@rule
def load_stream(row: States) -> Words:
    """The row's random stream as four words."""
    words = np.empty(4, np.int64)
    for i in range(4):
        words[i] = (int(row[RNG + 2 * i]) & 0xFFFF) | ((int(row[RNG + 2 * i + 1]) & 0xFFFF) << 16)
    return words


@rule
def store_half(row: States, at: int, half: int) -> None:
    """Write 16 bits as a signed number."""
    row[at] = half - 0x10000 if half >= 0x8000 else half


@rule
def save_stream(row: States, words: Words) -> None:
    """Put the random stream back into the row."""
    for i in range(4):
        word = int(words[i])
        store_half(row, RNG + 2 * i, word & 0xFFFF)
        store_half(row, RNG + 2 * i + 1, word >> 16)


@rule
def shuffle_part(row: States, start: int, end: int, words: Words) -> None:
    """Shuffle row[start:end]."""
    for i in range(end - start - 1, 0, -1):
        j = draw_below(words, i + 1)
        row[start + i], row[start + j] = row[start + j], row[start + i]
