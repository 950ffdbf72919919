"""What bots thought, in records: read, checked in every field, and no matter for the replay."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from iaww_env.errors import RecordError
from iaww_env.records import read_records, verify_record, write_records
from iaww_env.records.form import Thought, parse_record
from tests.oracle.recorded_games import SHORT

FIRST = SHORT["moves"][0][1]
GOOD: list[dict[str, Any]] = [
    {"move": 0, "of": "probability", "values": {FIRST: 0.75, "end": 0}},
    {"move": 3, "of": "value", "values": {"pick:zeppelin": -2.5, "to_empire": 1e9}},
]


def test_thoughts_are_read(tmp_path: Any) -> None:
    record = SHORT | {"thoughts": GOOD}
    assert parse_record(record).thoughts == (
        Thought(0, "probability", {FIRST: 0.75, "end": 0.0}),
        Thought(3, "value", {"pick:zeppelin": -2.5, "to_empire": 1e9}),
    )
    assert verify_record(record) == verify_record(SHORT)
    write_records(tmp_path / "games.jsonl", [record])
    assert next(read_records(tmp_path / "games.jsonl")) == record


def test_records_without_thoughts_have_none() -> None:
    assert parse_record(SHORT).thoughts == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"move": len(SHORT["moves"])}, "thought 1: move is"),
        ({"move": -1}, "thought 1: move is"),
        ({"move": 1.0}, "a whole number"),
        ({"move": 0}, "another thought of move 0"),
        ({"of": "values"}, "thought 1: of is 'values'"),
        ({"of": None}, "thought 1: of is None"),
        ({"values": []}, "an object"),
        ({"values": {"fly": 1}}, "'fly' names no action"),
        ({"values": {"pick:luxury_clinic": 1}}, "comes with Corruption & Ascension"),
        ({"values": {"end": True}}, "end is True, where a finite number stands"),
        ({"values": {"end": "1"}}, "a finite number"),
        ({"values": {"end": float("nan")}}, "a finite number"),
        ({"values": {"end": float("inf")}}, "a finite number"),
        ({"values": {"end": 10**400}}, "a finite number"),
        ({"of": "probability", "values": {"end": 1.01}}, "from 0 to 1"),
        ({"of": "probability", "values": {"end": -0.01}}, "from 0 to 1"),
        ({"more": 1}, "unknown field 'more'"),
    ],
)
def test_thoughts_that_cannot_be(change: dict[str, Any], said: str) -> None:
    thoughts = copy.deepcopy(GOOD)
    thoughts[1] |= change
    with pytest.raises(RecordError, match=said):
        parse_record(SHORT | {"thoughts": thoughts})


@pytest.mark.parametrize("name", ["move", "of", "values"])
def test_thoughts_have_all_their_fields(name: str) -> None:
    thoughts = copy.deepcopy(GOOD)
    del thoughts[1][name]
    with pytest.raises(RecordError, match=f"thought 1 has no field '{name}'"):
        parse_record(SHORT | {"thoughts": thoughts})


def test_a_record_without_moves_has_no_thoughts() -> None:
    bare = {name: SHORT[name] for name in ("format", "version", "config", "deals")} | {"moves": []}
    with pytest.raises(RecordError, match="there is no move that it could be of"):
        parse_record(bare | {"thoughts": GOOD[:1]})
