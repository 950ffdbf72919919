"""The random stream: xoshiro128++ as published, fair numbers, fair deals."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_env.batch import make_stream
from iaww_env.cards import kinds
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import find_layout
from iaww_env.engine.kernels import batch as kernels
from iaww_env.engine.new_rows import make_rows
from iaww_env.engine.rng import draw_below, draw_word, load_stream, save_stream, shuffle_part
from tests.chi_square import find_chi_square, limit_chi_square
from tests.dealt_cards import count_pool
from tests.modes import MODES

MASK = 0xFFFFFFFF


class PlainStream:
    """xoshiro128++ once more, in plain Python."""

    def __init__(self, words: list[int]) -> None:
        self.words = list(words)

    def draw_word(self) -> int:
        def rotate(word: int, by: int) -> int:
            return ((word << by) & MASK) | (word >> (32 - by))

        a, b, c, d = self.words
        drawn = (rotate((a + d) & MASK, 7) + a) & MASK
        c, d = c ^ a, d ^ b
        self.words = [a ^ d, b ^ c, c ^ ((b << 9) & MASK), rotate(d, 11)]
        return drawn

    def draw_below(self, bound: int) -> int:
        """The numbers of 32 bits, cut to a multiple of `bound` by dropping unfair products."""
        while True:
            product = self.draw_word() * bound
            if product & MASK >= 2**32 % bound:
                return product >> 32


# --- Words -----------------------------------------------------------------------------------------

# The first words that the authors' C program draws from the state 1, 2, 3, 4, and its word number 102401.
PUBLISHED = [641, 1573767, 3222811527, 3517856514, 836907274]
PUBLISHED += [4247214768, 3867114732, 1355841295, 495546011, 621204420]
PUBLISHED_LATE = int.from_bytes(bytes.fromhex("fa3c872c"), "little")


def test_words_are_the_published_ones() -> None:
    words, plain = np.array([1, 2, 3, 4], np.int64), PlainStream([1, 2, 3, 4])
    drawn = [draw_word(words) for _ in range(102_401)]
    assert drawn[:10] == PUBLISHED
    assert drawn[-1] == PUBLISHED_LATE
    assert [plain.draw_word() for _ in range(102_401)] == drawn
    assert words.tolist() == plain.words


STATES = [
    [MASK, MASK, MASK, MASK],
    [0x80000000, 0, 0, 0],
    [0, 0, 0, 1],
    [0x7FFFFFFF, 0x80000000, 0xFFFF, 0x8000],
    *(make_stream(seed).tolist() for seed in range(20)),
]
BOUNDS = [1, 2, 3, 5, 7, 78, 150, 160, 2**16, 2**16 + 1, 3 << 29, 2**31 - 1, 2**31]


@pytest.mark.parametrize("state", STATES, ids=str)
def test_words_and_numbers_agree_with_plain_python(state: list[int]) -> None:
    words, plain = np.array(state, np.int64), PlainStream(state)
    for _ in range(50):
        assert draw_word(words) == plain.draw_word()
        for bound in BOUNDS:
            assert draw_below(words, bound) == plain.draw_below(bound)
    assert words.tolist() == plain.words


@pytest.mark.parametrize("bound", [2, 3, 10, 78, 150])
def test_numbers_are_uniform(bound: int) -> None:
    words = make_stream(5)
    counts = np.bincount([draw_below(words, bound) for _ in range(1000 * bound)], minlength=bound)
    assert len(counts) == bound
    assert find_chi_square(counts, 1000.0) < limit_chi_square(bound - 1)


def test_no_number_is_favoured_where_words_do_not_divide() -> None:
    """With 3 << 29 numbers for 2**32 words, every third would come up a third less often."""
    words = make_stream(6)
    counts = np.bincount([draw_below(words, 3 << 29) % 3 for _ in range(30_000)], minlength=3)
    assert find_chi_square(counts, 10_000.0) < limit_chi_square(2)
    unfair = np.array([3 / 8, 3 / 8, 2 / 8]) * 30_000
    assert find_chi_square(unfair, 10_000.0) > 10 * limit_chi_square(2), "the test would see it"


# --- The stream in the row -------------------------------------------------------------------------


@pytest.mark.parametrize("state", STATES, ids=str)
def test_a_stream_survives_the_row(state: list[int]) -> None:
    row = make_rows(GameConfig(players=2), [1])[0]
    before = row.copy()
    save_stream(row, tuple(state))
    assert load_stream(row) == tuple(state)
    outside = np.arange(len(row))
    outside = (outside < fields.RNG) | (outside >= fields.RNG + 8)
    assert (row[outside] == before[outside]).all()


def test_seeds_give_streams_of_their_own() -> None:
    """numpy's SeedSequence, whose words are the same on every system and in every version."""
    rows = make_rows(GameConfig(players=2), range(2000))
    streams = find_layout(GameConfig(players=2)).views(rows).rng
    assert len({stream.tobytes() for stream in streams}) == 2000
    for seed in (0, 1, 1999):
        words = np.random.SeedSequence(seed).generate_state(4, np.uint32).tolist()
        assert load_stream(rows[seed]) == tuple(words)
        assert make_stream(seed).tolist() == words
    assert all(make_stream(seed).any() for seed in range(100)), "a stream of zeros would stand still"


# --- Shuffles and deals ----------------------------------------------------------------------------


def test_a_shuffle_gives_every_order_equally_often() -> None:
    stream = tuple(make_stream(7).tolist())
    orders: dict[tuple[int, ...], int] = {}
    for _ in range(24 * 400):
        row = np.array([9, 0, 1, 2, 3, 9], np.int16)
        stream = shuffle_part(row, 1, 5, stream)
        assert (row[0], row[5]) == (9, 9)
        order = tuple(row[1:5].tolist())
        orders[order] = orders.get(order, 0) + 1
    assert len(orders) == 24
    assert find_chi_square(np.array(list(orders.values())), 400.0) < limit_chi_square(23)


GAMES = 6000


def deal_games(mode: str) -> np.ndarray:
    """Rows of games with consecutive seeds, as users take them."""
    rows = make_rows(MODES[mode], range(GAMES))
    kernels.begin_rows(rows)
    return rows


def check_kinds(drawn: np.ndarray, config: GameConfig, deck: str, cards_per_game: int) -> None:
    """Kinds come up as often as they have copies in the deck."""
    copies = np.array([kind.copies * (kind.deck == deck) for kind in kinds(config.expansions)])
    counts = np.bincount(drawn.ravel(), minlength=config.kinds)
    assert counts.sum() == GAMES * cards_per_game
    assert not counts[copies == 0].any()
    expected = counts.sum() * copies / copies.sum()
    there = copies > 0
    assert find_chi_square(counts[there], expected[there]) < limit_chi_square(int(there.sum()) - 1)


@pytest.mark.parametrize("mode", ["2", "4", "7-ascension"])
def test_hands_are_dealt_fairly(mode: str) -> None:
    config = MODES[mode]
    state = find_layout(config).views(deal_games(mode))
    for seat in (0, config.players - 1):
        hands = state.packs[:, seat, : config.hand_base + config.hand_ascension]
        check_kinds(hands[hands < 78], config, "base", config.hand_base)
        if config.ascension:
            check_kinds(hands[hands >= 78], config, "ascension", config.hand_ascension)


@pytest.mark.parametrize("mode", ["4", "4-ascension", "solo-ascension"])
def test_decks_are_shuffled_fairly(mode: str) -> None:
    """Every place of the deck holds every kind as often as it has copies; so do two neighbours together."""
    config = MODES[mode]
    state = find_layout(config).views(deal_games(mode))
    for deck, window in (("base", state.base_deck), ("ascension", state.ascension_deck)):
        if window.shape[1] == 0:
            continue
        first = int(state.deck_next[0, 0 if deck == "base" else 1])
        for place in (first, first + 1, (first + window.shape[1]) // 2, window.shape[1] - 1):
            check_kinds(window[:, place], config, deck, 1)
    same = (state.base_deck[:, 100:149] == state.base_deck[:, 101:150]).sum()
    copies = np.array([kind.copies for kind in kinds()])
    chance = float((copies * (copies - 1)).sum()) / (150 * 149)
    pairs = GAMES * 49
    assert abs(same - pairs * chance) < 6 * (pairs * chance) ** 0.5


@pytest.mark.parametrize("mode", ["solo", "solo-ascension"])
def test_pools_are_dealt_fairly(mode: str) -> None:
    config = MODES[mode]
    state = find_layout(config).views(deal_games(mode))
    for pool in (2, 7):  # the first lies in hand already
        cards = state.pools[:, pool]
        check_kinds(cards[cards < 78], config, "base", config.hand_base)


@pytest.mark.parametrize(
    ("mode", "empires"), [("3", 5), ("7-ascension", 7), ("solo", 5), ("solo-ascension", 7)]
)
def test_empires_are_drawn_fairly(mode: str, empires: int) -> None:
    drawn = find_layout(MODES[mode]).views(deal_games(mode)).empire // 6
    for seat in range(MODES[mode].players):
        counts = np.bincount(drawn[:, seat], minlength=empires)
        assert len(counts) == empires
        assert find_chi_square(counts, GAMES / empires) < limit_chi_square(empires - 1)
    assert all(len(set(row)) == len(row) for row in drawn.tolist())


@pytest.mark.parametrize("mode", ["3", "7-ascension"])
def test_a_named_empire_leaves_the_others_fair(mode: str) -> None:
    n = MODES[mode].players
    config = MODES[mode].replace(empires=[None] * (n - 1) + ["panafrican_union"])
    rows = make_rows(config, range(GAMES))
    kernels.begin_rows(rows)
    drawn = find_layout(config).views(rows).empire // 6
    assert set(drawn[:, -1].tolist()) == {2}
    count = 7 if config.ascension else 5
    for seat in range(n - 1):
        counts = np.delete(np.bincount(drawn[:, seat], minlength=count), 2)
        assert counts.sum() == GAMES
        assert find_chi_square(counts, GAMES / (count - 1)) < limit_chi_square(count - 2)


def test_the_next_game_of_a_row_is_as_fair_as_the_first() -> None:
    rows = deal_games("4")
    first = rows.copy()
    kernels.begin_rows(rows)
    state = find_layout(MODES["4"]).views(rows)
    check_kinds(state.packs[:, 1, :7], MODES["4"], "base", 7)
    shared = (state.base_deck[:, 100] == find_layout(MODES["4"]).views(first).base_deck[:, 100]).sum()
    copies = np.array(list(count_pool(MODES["4"]).values()))
    expected = GAMES * float((copies**2).sum()) / 150**2
    assert abs(shared - expected) < 6 * expected**0.5, "a game tells nothing of the next"
