"""The random stream of a game: xoshiro128++ in four words of 32 bits that lie in the row.

The words of a stream are a tuple: nothing is allocated, and they stay in registers while a deck is shuffled.
Every product and sum below stays under 2**63, so that compiled and interpreted runs give the same numbers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined

Stream = npt.NDArray[np.int64]
Words = tuple[int, int, int, int]

MASK32 = 0xFFFFFFFF
N_WORDS = fields.STREAM_CELLS // 2
MOST_REJECTIONS = 128  # at worst every second product is rejected: no stream that draws comes to this end


@inlined
def rotate_word(word: int, by: int) -> int:
    """A word of 32 bits, rotated to the left."""
    return ((word << by) | (word >> (32 - by))) & MASK32


@inlined
def next_word(words: Words) -> tuple[int, Words]:
    """The next 32 random bits, and the words behind them."""
    a, b, c, d = words
    result = (rotate_word((a + d) & MASK32, 7) + a) & MASK32
    shifted = (b << 9) & MASK32
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    return result, (a, b, c, rotate_word(d, 11))


@inlined
def next_below(words: Words, bound: int) -> tuple[int, Words]:
    """A whole number from 0 to bound - 1, each equally likely, and the words behind it."""
    word, words = next_word(words)
    product = word * bound
    if (product & MASK32) < bound:
        # Lemire's rejection: the few products that would favour small numbers are drawn again.
        unfair = (MASK32 + 1 - bound) % bound
        for _ in range(MOST_REJECTIONS):
            if (product & MASK32) >= unfair:
                break
            word, words = next_word(words)
            product = word * bound
    return product >> 32, words


@inlined
def load_stream(row: States) -> Words:
    """The words of the row's random stream."""
    return load_word(row, 0), load_word(row, 1), load_word(row, 2), load_word(row, 3)


@inlined
def load_word(row: States, i: int) -> int:
    """The i-th word of the row's stream, put together from two halves."""
    return (int(row[fields.RNG + 2 * i]) & 0xFFFF) | ((int(row[fields.RNG + 2 * i + 1]) & 0xFFFF) << 16)


@inlined
def store_half(row: States, at: int, half: int) -> None:
    """Write 16 bits as a signed number."""
    row[at] = half - 0x10000 if half >= 0x8000 else half


@inlined
def save_stream(row: States, words: Words) -> None:
    """Put the random stream back into the row."""
    for i in range(4):
        store_half(row, fields.RNG + 2 * i, words[i] & 0xFFFF)
        store_half(row, fields.RNG + 2 * i + 1, words[i] >> 16)


@inlined
def can_draw(stream: Stream) -> bool:
    """Whether a caller's own stream is four words of 32 bits; from 0, 0, 0, 0 nothing but 0 would come."""
    if len(stream) != N_WORDS:
        return False
    bits = int(stream[0]) | int(stream[1]) | int(stream[2]) | int(stream[3])
    return 0 < bits <= MASK32


@inlined
def draw_word(stream: Stream) -> int:
    """The next 32 random bits of a caller's own stream."""
    word, words = next_word((int(stream[0]), int(stream[1]), int(stream[2]), int(stream[3])))
    stream[0], stream[1], stream[2], stream[3] = words
    return word


@inlined
def draw_below(stream: Stream, bound: int) -> int:
    """A whole number from 0 to bound - 1 of a caller's own stream."""
    number, words = next_below((int(stream[0]), int(stream[1]), int(stream[2]), int(stream[3])), bound)
    stream[0], stream[1], stream[2], stream[3] = words
    return number


@inlined
def shuffle_part(row: States, start: int, end: int, words: Words) -> Words:
    """Shuffle row[start:end]; returns the words behind it."""
    for i in range(end - start - 1, 0, -1):
        j, words = next_below(words, i + 1)
        row[start + i], row[start + j] = row[start + j], row[start + i]
    return words
