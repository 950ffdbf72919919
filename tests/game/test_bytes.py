"""Saved games: whole when they come back, refused when anything is wrong with them."""

from __future__ import annotations

import json
import random
import zlib
from typing import Any

import numpy as np
import pytest

from iaww_env.errors import IawwError, StateError
from iaww_env.game import Game, lend_state
from tests.modes import MODES
from tests.random_play import play_some

# The form, written down once more: magic, version, checksum, length of the configuration, configuration, row.
MAGIC, VERSION = b"IAWW", 1
CHECKSUM = slice(5, 9)


def seal(about: bytes, row: bytes, magic: bytes = MAGIC, version: int = VERSION) -> bytes:
    """A saved game with a checksum that agrees."""
    head = magic + bytes([version])
    body = len(about).to_bytes(2, "little") + about + row
    return head + zlib.crc32(head + body).to_bytes(4, "little") + body


def describe(game: Game, **changes: Any) -> bytes:
    return json.dumps(game.config.to_dict() | changes, separators=(",", ":")).encode()


@pytest.mark.parametrize("mode", MODES)
def test_bytes_have_the_documented_form(mode: str) -> None:
    game = play_some(mode, 2, 60)
    row = game.row.astype("<i2").tobytes()
    assert game.to_bytes() == seal(describe(game), row)
    assert Game.from_bytes(seal(describe(game), row)) == game
    assert len(game.to_bytes()) < 20_000


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_of_every_type_are_read(kind: Any) -> None:
    game = play_some("3", 2, 60)
    data = kind(game.to_bytes())
    read = Game.from_bytes(data)
    assert read == game
    if kind is bytearray:
        data[:] = b"\0" * len(data)
        assert read == game, "what was read does not hang on the bytes"
    assert Game.from_bytes(memoryview(bytes(range(3)) + game.to_bytes())[3:]) == game


@pytest.mark.parametrize(
    "wrong",
    [None, "text", 5, 1.5, [1, 2], np.zeros(9, np.uint8), object()],
    ids=lambda one: type(one).__name__,
)
def test_what_is_no_bytes_is_refused(wrong: Any) -> None:
    with pytest.raises(StateError, match="bytes"):
        Game.from_bytes(wrong)


@pytest.mark.parametrize("mode", ["2", "solo-ascension"])
def test_cut_short_at_every_length(mode: str) -> None:
    data = play_some(mode, 2, 60).to_bytes()
    for length in range(len(data)):
        with pytest.raises(StateError):
            Game.from_bytes(data[:length])
        with pytest.raises(StateError):
            Game.from_bytes(data[len(data) - length :] if length else b"")


@pytest.mark.parametrize("mode", ["2", "solo"])
def test_every_flipped_bit_is_noticed(mode: str) -> None:
    data = bytearray(play_some(mode, 2, 60).to_bytes())
    for at in range(len(data)):
        for bit in range(8) if at < 200 or at % 16 == 0 else (at % 8,):
            data[at] ^= 1 << bit
            with pytest.raises(StateError):
                Game.from_bytes(data)
            data[at] ^= 1 << bit
    Game.from_bytes(data)


def test_garbled_bytes_are_refused() -> None:
    rng = random.Random(5)
    data = play_some("5", 2, 60).to_bytes()
    for _ in range(300):
        garbled = bytearray(data)
        start = rng.randrange(len(data))
        end = min(len(data), start + rng.randrange(1, 60))
        way = rng.randrange(4)
        if way == 0:
            garbled[start:end] = rng.randbytes(end - start)
        elif way == 1:
            del garbled[start:end]
        elif way == 2:
            garbled[start:start] = rng.randbytes(end - start)
        else:
            garbled[start:end] = reversed(garbled[start:end])
        if garbled != data:
            with pytest.raises(StateError):
                Game.from_bytes(garbled)
    for length in (0, 1, 10, 11, 500, 20_000):
        for filler in (
            b"\0" * length,
            b"\xff" * length,
            rng.randbytes(length),
            MAGIC + rng.randbytes(length),
        ):
            with pytest.raises(StateError):
                Game.from_bytes(filler)


@pytest.mark.parametrize("extra", [b"\0", b"\0\0", b"IAWW", b"\n"])
def test_extra_bytes_are_refused(extra: bytes) -> None:
    game = play_some("2", 2, 60)
    row = game.row.astype("<i2").tobytes()
    for data in (game.to_bytes() + extra, extra + game.to_bytes(), seal(describe(game), row + extra)):
        with pytest.raises(StateError):
            Game.from_bytes(data)


@pytest.mark.parametrize("version", [0, 2, 3, 255])
def test_other_versions_are_named(version: int) -> None:
    game = play_some("2", 2, 60)
    with pytest.raises(StateError, match=f"version {version}"):
        Game.from_bytes(seal(describe(game), game.row.astype("<i2").tobytes(), version=version))


@pytest.mark.parametrize("magic", [b"IAWV", b"iaww", b"WWAI", b"\0\0\0\0", b"\x80\x04\x95\x00"])
def test_other_files_are_refused(magic: bytes) -> None:
    game = play_some("2", 2, 60)
    with pytest.raises(StateError, match="IAWW"):
        Game.from_bytes(seal(describe(game), game.row.astype("<i2").tobytes(), magic=magic))


# --- A checksum that agrees with bytes that are wrong ----------------------------------------------

CHANGES: list[dict[str, Any]] = [
    {"players": players} for players in (0, 1, 3, 4, 8, -2, 2.0, "2", None, True, [2], 1e400, 10**30, {})
]
CHANGES += [
    {"expansions": value} for value in (["corruption_and_ascension"], ["x"], [[]], [{}], 5, "x", None, {})
]
CHANGES += [{"empire_side": value} for value in ("B", "G", "", 1, [], {}, "AA")]
CHANGES += [
    {"empires": value} for value in (["noram_states", None], ["x", None], [None], [[], {}], 5, "ab", {})
]
CHANGES += [{"scenario": value} for value in ("base_sc01", "x", 5, [], {}, True)]
CHANGES += [{"unknown": 1}, {"players": 2, "Players": 3}, {"": None}]


@pytest.mark.parametrize("changes", CHANGES, ids=repr)
def test_another_configuration_is_noticed(changes: dict[str, Any]) -> None:
    """The sizes, the side and the empires asked for stand in the row as well."""
    game = play_some("2", 2, 60)
    data = seal(describe(game, **changes), game.row.astype("<i2").tobytes())
    with pytest.raises(StateError):
        Game.from_bytes(data)


def test_a_missing_field_is_noticed() -> None:
    game = play_some("3", 2, 60)
    fields = game.config.to_dict()
    del fields["players"]
    with pytest.raises(StateError, match="players"):
        Game.from_bytes(seal(json.dumps(fields).encode(), game.row.astype("<i2").tobytes()))


ABOUTS = [
    b"",
    b" ",
    b"null",
    b"[]",
    b"5",
    b'"x"',
    b"{",
    b"{}",
    b"}{",
    b"\xff\xfe",
    b"\0",
    b"NaN",
    b"[" * 60_000,
]
ABOUTS += [b'{"a":' * 12_000, b'{"players":' + b"9" * 5000 + b"}", b'{"players":2,}', b'{"players":2} x']


@pytest.mark.parametrize("about", ABOUTS, ids=lambda about: repr(about[:12]))
def test_a_configuration_that_is_no_configuration(about: bytes) -> None:
    row = play_some("2", 2, 60).row.astype("<i2").tobytes()
    with pytest.raises(StateError):
        Game.from_bytes(seal(about, row))


@pytest.mark.parametrize("length", [0, 1, 50, 5000, 65_535])
def test_a_wrong_length_of_the_configuration(length: int) -> None:
    game = play_some("2", 2, 60)
    data = bytearray(game.to_bytes())
    data[9:11] = length.to_bytes(2, "little")
    data[CHECKSUM] = zlib.crc32(bytes(data[:5] + data[9:])).to_bytes(4, "little")
    with pytest.raises(StateError):
        Game.from_bytes(data)


@pytest.mark.parametrize("mode", ["2", "4-ascension", "solo"])
def test_rows_of_another_length(mode: str) -> None:
    game = play_some(mode, 2, 60)
    row = game.row.astype("<i2").tobytes()
    for wrong in (b"", row[:-1], row[:-2], row[2:], row + b"\0\0", row * 2, row[: len(row) // 2]):
        with pytest.raises(StateError):
            Game.from_bytes(seal(describe(game), wrong))


@pytest.mark.parametrize("mode", ["2", "4-ascension", "solo"])
def test_rows_whose_sizes_are_wrong(mode: str) -> None:
    """What a row says of its own form is where kernels would look for it."""
    game = play_some(mode, 2, 60)
    for name in (
        "players",
        "kinds",
        "cards",
        "sites",
        "seats_at",
        "seat_size",
        "seen_at",
        "decks_at",
        "side",
    ):
        for by in (-1, 1, 1000):
            wrong = game.clone()
            getattr(lend_state(wrong), name)[...] += by
            with pytest.raises(StateError, match="fit"):
                Game.from_bytes(wrong.to_bytes())


def test_the_error_is_one_of_ours() -> None:
    with pytest.raises(IawwError, match="do not begin"):
        Game.from_bytes(b"")
    with pytest.raises(ValueError, match="cut short"):
        Game.from_bytes(play_some("2", 2, 60).to_bytes()[:-1])
