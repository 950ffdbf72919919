"""The random stream of a game: xoshiro128++ in four words of 32 bits that lie in the row.

A stream is a tuple: nothing is allocated, and its words stay in registers while a deck is shuffled. Every
product and sum below stays under 2**63, so that compiled and interpreted runs give the same numbers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import rule

Words = npt.NDArray[np.int64]
Stream = tuple[int, int, int, int]

MASK32 = 0xFFFFFFFF


@rule
def rotate_word(word: int, by: int) -> int:
    """A word of 32 bits, rotated to the left."""
    return ((word << by) | (word >> (32 - by))) & MASK32


@rule
def next_word(stream: Stream) -> tuple[int, Stream]:
    """The next 32 random bits, and the stream behind them."""
    a, b, c, d = stream
    result = (rotate_word((a + d) & MASK32, 7) + a) & MASK32
    shifted = (b << 9) & MASK32
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    return result, (a, b, c, rotate_word(d, 11))


@rule
def next_below(stream: Stream, bound: int) -> tuple[int, Stream]:
    """A whole number from 0 to bound - 1, each equally likely, and the stream behind it."""
    word, stream = next_word(stream)
    product = word * bound
    if (product & MASK32) < bound:
        # Lemire's rejection: the few products that would favour small numbers are drawn again.
        unfair = (MASK32 + 1 - bound) % bound
        while (product & MASK32) < unfair:
            word, stream = next_word(stream)
            product = word * bound
    return product >> 32, stream


@rule
def load_stream(row: States) -> Stream:
    """The row's random stream."""
    return load_word(row, 0), load_word(row, 1), load_word(row, 2), load_word(row, 3)


@rule
def load_word(row: States, i: int) -> int:
    """The i-th word of the row's stream, put together from two halves."""
    return (int(row[fields.RNG + 2 * i]) & 0xFFFF) | ((int(row[fields.RNG + 2 * i + 1]) & 0xFFFF) << 16)


@rule
def store_half(row: States, at: int, half: int) -> None:
    """Write 16 bits as a signed number."""
    row[at] = half - 0x10000 if half >= 0x8000 else half


@rule
def save_stream(row: States, stream: Stream) -> None:
    """Put the random stream back into the row."""
    for i in range(4):
        store_half(row, fields.RNG + 2 * i, stream[i] & 0xFFFF)
        store_half(row, fields.RNG + 2 * i + 1, stream[i] >> 16)


@rule
def draw_word(words: Words) -> int:
    """The next 32 random bits of a caller's own stream."""
    word, stream = next_word((int(words[0]), int(words[1]), int(words[2]), int(words[3])))
    words[0], words[1], words[2], words[3] = stream
    return word


@rule
def draw_below(words: Words, bound: int) -> int:
    """A whole number from 0 to bound - 1 of a caller's own stream."""
    number, stream = next_below((int(words[0]), int(words[1]), int(words[2]), int(words[3])), bound)
    words[0], words[1], words[2], words[3] = stream
    return number


@rule
def shuffle_part(row: States, start: int, end: int, stream: Stream) -> Stream:
    """Shuffle row[start:end]; returns the stream behind it."""
    for i in range(end - start - 1, 0, -1):
        j, stream = next_below(stream, i + 1)
        row[start + i], row[start + j] = row[start + j], row[start + i]
    return stream
