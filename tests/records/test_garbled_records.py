"""Garbled records and files are refused with a RecordError, whatever stands in them and wherever."""

import copy
import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iaww_env.errors import RecordError
from iaww_env.records.files import read_records, write_records
from iaww_env.records.verify import RecordMismatch, verify_file, verify_record
from tests.oracle.recorded_games import LINES, SHORT, copy_short
from tests.processes import run_python
from tests.records.mutated_records import try_records

WITH_ASCENSION = json.loads(min((line for line in LINES if "corruption_and_ascension" in line), key=len))

Place = tuple[str | int, ...]


def assert_refused(record: Any, change: str) -> None:
    try:
        verify_record(record)
    except RecordError:
        return
    pytest.fail(f"went through: {change}")


# --- Everything, everywhere ------------------------------------------------------------------------


def list_paths(value: Any, path: Place = ()) -> list[Place]:
    """Where something stands in a record: for each sort of place, its first, a middle and its last one."""
    found: list[Place] = [path]
    if isinstance(value, dict):
        for name in value:
            found += list_paths(value[name], (*path, name))
    elif isinstance(value, list):
        for index in sorted({0, len(value) // 2, len(value) - 1} if value else set()):
            found += list_paths(value[index], (*path, index))
    return found


PATHS = [(record, path) for record in (SHORT, WITH_ASCENSION) for path in list_paths(record) if path]
JUNK: list[Any] = [
    None, True, False, -1, 99, 1.5, 1e308, float("nan"), float("inf"), 10**30, -(10**30), "", "x", "\ud800",
    "zeppelin", "9" * 1000, [], {}, [[]], [None], {"a": 1}, {"": None}, [0, "end"],
]  # fmt: skip


def get_at(record: Any, path: Place) -> Any:
    for part in path:
        record = record[part]
    return record


def has_no_meaning(path: Place, value: Any) -> bool:
    """What a valid record may hold as well: no checks, the default side, another card that nobody picked."""
    if path[0] == "deals" and len(path) == 4:
        return value == "zeppelin"
    return (path, value) in ((("checks",), []), (("config", "empire_side"), None))


def test_junk_is_refused_in_every_place() -> None:
    for original, path in PATHS:
        record = copy.deepcopy(original)
        before, place = get_at(record, path), get_at(record, path[:-1])
        for junk in JUNK:
            if (type(junk) is type(before) and junk == before) or has_no_meaning(path, junk):
                continue
            place[path[-1]] = junk
            assert_refused(record, f"{junk!r} at {path}")


DEFAULTS = {("config", name) for name in ("expansions", "empire_side", "scenario")}


def test_nothing_needed_can_be_left_out() -> None:
    assert (SHORT["config"]["expansions"], SHORT["config"]["empire_side"]) == ([], "A")
    for path in list_paths(SHORT):
        a_whole_check = len(path) == 2 and path[0] == "checks"
        if not path or path in DEFAULTS | {("checks",), ("result",)} or a_whole_check:
            continue
        changed = copy_short()
        del get_at(changed, path[:-1])[path[-1]]
        assert_refused(changed, f"{path} left out")


def test_nothing_unknown_can_be_added() -> None:
    for path in list_paths(SHORT):
        changed = copy_short()
        place = get_at(changed, path)
        if isinstance(place, dict):
            place["note"] = 1
        elif isinstance(place, list):
            place.append(copy.deepcopy(place[-1]) if place else "note")
        else:
            continue
        assert_refused(changed, f"something added at {path}")


def test_notes_belong_into_meta() -> None:
    assert verify_record(SHORT | {"meta": {"played by": ["anybody", None, 1.5]}}).games == 1
    with pytest.raises(RecordError, match="meta"):
        verify_record(SHORT | {"meta": "notes"})


def test_every_whole_number_is_compared() -> None:
    """But for where a check stands: a seat that has ended its phase stands the same a move later."""
    for path in list_paths(SHORT):
        value = get_at(SHORT, path)
        if type(value) is not int or path[-1] == "before":
            continue
        for change in (-1, 1):
            changed = copy_short()
            get_at(changed, path[:-1])[path[-1]] = value + change
            assert_refused(changed, f"{value + change} for {value} at {path}")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(JUNK),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_corruption_raises_anything_but_a_record_error(data: st.DataObject) -> None:
    record = copy_short()
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list_paths(record)[1:]))
        place = get_at(record, path[:-1])
        how = data.draw(st.sampled_from(["replace", "delete", "repeat", "move"]))
        if how == "replace":
            place[path[-1]] = data.draw(JSON)
        elif how == "delete":
            del place[path[-1]]
        else:
            value = get_at(SHORT, data.draw(st.sampled_from(list_paths(SHORT)[1:])))
            place[path[-1]] = copy.deepcopy(value if how == "move" else [place[path[-1]]] * 2)
        if not record:
            break
    try:
        verify_record(record)
    except RecordError:
        pass


# --- Files -----------------------------------------------------------------------------------------


def write_bytes(folder: Path, content: bytes) -> Path:
    path = folder / "games.jsonl"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "line",
    [
        b"", b"\n", b"   \n", b"null", b"true", b"7", b'"iaww-record"', b"[]", b"{}", b"{", b"NaN", b"1e999",
        b"{'format': 1}", b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5_000, b"\x00" * 100, b"\x89PNG\r\n",
        b"\xff\xfe{}",
        b"\xef\xbb\xbf{}", b"{} {}", b'{"format": "iaww-record",}', b"\x1f\x8b", b"\x1f\x8b\x08\x00",
        LINES[0].encode()[:-1], LINES[0].encode()[1:], LINES[0].encode() * 2, LINES[0].encode("utf-16"),
        LINES[0].encode() + b"\n\n" + LINES[1].encode(), b"\n" + LINES[0].encode(),
        LINES[0].replace('"round": 1', '"round": NaN', 1).replace('"round":1', '"round":NaN', 1).encode(),
        LINES[0].replace('"seat":', '"seat": 0, "seat":', 1).encode(),
        LINES[0].replace("{", '{"version": 1, ', 1).encode(),
    ],
)  # fmt: skip
def test_a_file_that_holds_something_else_is_refused(line: bytes, tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        verify_file(write_bytes(tmp_path, line))


def test_a_field_that_stands_twice_is_named(tmp_path: Path) -> None:
    line = LINES[0].replace("{", '{"version": 1, ', 1)
    with pytest.raises(RecordError, match="'version' stands twice"):
        verify_file(write_bytes(tmp_path, line.encode()))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_words_for_numbers_that_json_lacks_are_refused_even_in_notes(word: str, tmp_path: Path) -> None:
    line = LINES[0].replace("{", f'{{"meta": {{"value": {word}}}, ', 1)
    with pytest.raises(RecordError, match=f"{word} is no number"):
        verify_file(write_bytes(tmp_path, line.encode()))


def test_records_are_counted_from_one(tmp_path: Path) -> None:
    spoiled = copy_short()
    spoiled["result"]["scores"][0] += 1
    write_records(tmp_path / "games.jsonl", [SHORT, SHORT, spoiled, SHORT])
    with pytest.raises(RecordMismatch, match="record 3") as caught:
        verify_file(tmp_path / "games.jsonl")
    assert caught.value.record == 3


def test_a_gzipped_file_cut_short_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    write_records(tmp_path / "games.jsonl.gz", [SHORT])
    whole = (tmp_path / "games.jsonl.gz").read_bytes()
    cuts = [*range(20), *range(20, len(whole), len(whole) // 40), len(whole) - 1]
    for cut in cuts:
        with pytest.raises(RecordError):
            verify_file(write_bytes(tmp_path, whole[:cut]))
    assert verify_file(write_bytes(tmp_path, whole)).games == 1


def test_a_line_cut_short_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    line = json.dumps(SHORT).encode()
    for cut in range(0, len(line), len(line) // 60):
        with pytest.raises(RecordError):
            verify_file(write_bytes(tmp_path, line[:cut]))


def test_flipped_bytes_in_a_gzipped_file_are_noticed(tmp_path: Path) -> None:
    write_records(tmp_path / "games.jsonl.gz", [SHORT])
    whole = (tmp_path / "games.jsonl.gz").read_bytes()
    rng = random.Random(5)
    for place in [*range(10), *(rng.randrange(10, len(whole)) for _ in range(150))]:
        spoiled = bytearray(whole)
        spoiled[place] ^= 1 << rng.randrange(8)
        path = write_bytes(tmp_path, bytes(spoiled))
        if 4 <= place < 10:  # time and system of the packer: no part of what is packed
            assert verify_file(path).games == 1
        else:
            with pytest.raises(RecordError):
                verify_file(path)


def test_flipped_bytes_in_a_plain_file_raise_nothing_but_record_errors(tmp_path: Path) -> None:
    line = json.dumps(SHORT).encode()
    rng = random.Random(6)
    refused = 0
    for _ in range(300):
        spoiled = bytearray(line)
        spoiled[rng.randrange(len(line))] ^= 1 << rng.randrange(8)
        try:
            verify_file(write_bytes(tmp_path, bytes(spoiled)))
        except RecordError:
            refused += 1
    assert refused > 250  # what goes through lies in cards that nobody picked


@pytest.mark.parametrize("filler", [b" ", b"[", b"9", b'{"format": "' + b"x" * 1000])
def test_an_endless_line_is_refused_without_being_read(filler: bytes, tmp_path: Path) -> None:
    packed = gzip.compress(filler * (60_000_000 // len(filler)), compresslevel=1)
    with pytest.raises(RecordError, match="longer than"):
        verify_file(write_bytes(tmp_path, packed))


def test_absurd_sizes_are_refused() -> None:
    with pytest.raises(RecordError, match="no game has more"):
        verify_record(SHORT | {"moves": SHORT["moves"] * 1000})
    crowded = copy_short()
    crowded["checks"][0]["under_construction"] *= 10_000
    with pytest.raises(RecordError, match="no seat has more"):
        verify_record(crowded)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    games = [json.loads(line) for line in LINES[:3]]
    for name in ("games.jsonl", "games.jsonl.gz"):
        assert write_records(tmp_path / name, games) == 3
        once = (tmp_path / name).read_bytes()
        write_records(tmp_path / name, games)
        assert (tmp_path / name).read_bytes() == once
        assert (once[:2] == b"\x1f\x8b") == name.endswith(".gz")
        assert list(read_records(tmp_path / name)) == games
    # Gzipped bytes are known by themselves, whatever the file is called.
    (tmp_path / "games.jsonl").write_bytes((tmp_path / "games.jsonl.gz").read_bytes())
    assert list(read_records(tmp_path / "games.jsonl")) == games


# --- Everything at random, every access of an array checked --------------------------------------------


def fuzz(count: int, seed: int, cache: Path) -> list[int]:
    """Records that agree, differ and are refused; anything else would have raised."""
    settings = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(cache)}
    printed = run_python("-m", "tests.records.mutated_records", str(count), str(seed), **settings)
    return [int(number) for number in printed.split()]


def test_mutated_records_are_refused_or_played() -> None:
    found = try_records(400, 5)
    assert found["refused"] > 250
    assert found["agrees"] > 5
    assert found["differs"] > 2


@pytest.mark.slow
def test_many_mutated_records_are_refused_or_played(tmp_path: Path) -> None:
    agrees, differs, refused = fuzz(10_000, 7, tmp_path)
    assert agrees + differs + refused == 10_000
    assert min(agrees, differs) > 50
    assert refused > 5000
