"""Compare records with the rules: play them again, look at every check and at the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from iaww_env.errors import RecordError, quote
from iaww_env.game import Game
from iaww_env.records.capture import describe_result, describe_seat
from iaww_env.records.files import read_records
from iaww_env.records.form import CHECK_FIELDS, Check, ParsedRecord, parse_record
from iaww_env.records.replay import play_moves


class RecordMismatch(RecordError):
    """A record says something else than the rules give.

    Attributes:
        record: Number of the record in its file, counted from 1.
        move: Number of the move that was to come, counted from 0.
        seat: The seat concerned; None where the field is said of the game.
        field: The field that differs.
        expected: What the record says; of several cards those that differ.
        found: What the rules give, likewise.
    """

    def __init__(
        self, record: int, move: int, seat: int | None, field: str, expected: object, found: object
    ) -> None:
        self.record, self.move, self.seat, self.field = record, move, seat, field
        self.expected, self.found = expected, found
        who = "" if seat is None else f", seat {seat}"
        super().__init__(
            f"record {record}, before move {move}{who}: {field}: "
            f"the record says {quote(expected)}, the rules give {quote(found)}"
        )

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are rebuilt from `args`, which holds the message alone.
        parts = (self.record, self.move, self.seat, self.field, self.expected, self.found)
        return type(self), parts, self.__dict__


@dataclass(frozen=True, slots=True)
class Tally:
    """How much was compared, all of it found equal.

    Attributes:
        games: Records played.
        moves: Moves played.
        checks: Checks compared, each in all its fields.
        results: Results compared.
    """

    games: int = 0
    moves: int = 0
    checks: int = 0
    results: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.moves + other.moves,
            self.checks + other.checks,
            self.results + other.results,
        )


def verify_record(record: Mapping[str, Any], number: int = 1) -> Tally:
    """Play a record and compare every check and the result.

    Args:
        record: A record, as `read_records` or a `Recorder` gives it.
        number: Place of the record in its file, for messages.

    Raises:
        RecordMismatch: The first difference.
        RecordError: The record is garbled, or its moves cannot be played.
    """
    parsed = parse_record(record, number)
    due: dict[int, list[Check]] = {}
    for check in parsed.checks:
        due.setdefault(check.before, []).append(check)
    for before, game in play_moves(parsed):
        for check in due.get(before, ()):
            compare_check(parsed.number, check, game)
    if parsed.result is not None:
        compare_result(parsed, parsed.result, game)
    return Tally(1, len(parsed.moves), len(parsed.checks), int(parsed.result is not None))


def verify_records(records: Iterable[Mapping[str, Any]]) -> Tally:
    """Verify records one after the other; raises as `verify_record` does."""
    tally = Tally()
    for number, record in enumerate(records, start=1):
        tally += verify_record(record, number)
    return tally


def verify_file(path: str | Path) -> Tally:
    """Verify every record of a file; raises as `verify_record` and `read_records` do."""
    return verify_records(read_records(path))


def compare_check(number: int, check: Check, game: Game) -> None:
    """Raise RecordMismatch where the seat stands otherwise than the check says."""
    found = describe_seat(game, check.seat)
    for name in CHECK_FIELDS:
        if check.fields[name] != found[name]:
            find = _FIND_DIFFERENCE.get(name, _find_all)
            says, give = find(check.fields[name], found[name]), find(found[name], check.fields[name])
            raise RecordMismatch(number, check.before, check.seat, name, says, give)


def compare_result(parsed: ParsedRecord, result: Mapping[str, Any], game: Game) -> None:
    """Raise RecordMismatch where the game ended otherwise than the result says."""
    found = describe_result(game)
    for name, expected in result.items():
        if expected != found[name]:
            raise RecordMismatch(parsed.number, len(parsed.moves), None, name, expected, found[name])


def _find_all(one: Any, other: Any) -> Any:
    """The whole value."""
    return one


def _find_other_sites(one: list[Any], other: list[Any]) -> list[Any]:
    """Cards under construction that the other list lacks."""
    return [site for site in one if one.count(site) > other.count(site)]


def _find_other_kinds(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """Built cards of which the other table has another number."""
    return {kind: count for kind, count in one.items() if count != other.get(kind)}


# What a mismatch tells of a field; all of it where nothing stands here.
_FIND_DIFFERENCE: dict[str, Callable[[Any, Any], Any]] = {
    "under_construction": _find_other_sites,
    "built": _find_other_kinds,
}
