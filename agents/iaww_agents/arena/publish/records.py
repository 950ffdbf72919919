"""Games of bots as records: written in the order of the schedule, whichever process played them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from iaww_agents.arena.play.results import OK, Result
from iaww_env.records import write_records
from iaww_env.records.files import check_records
from iaww_env.records.from_moves import make_record


class RecordKeeper:
    """Keeps the moves of games until they are written.

    Attributes:
        results: Games that were played, with their moves.
    """

    def __init__(self, path: Path, *, replace: bool = False) -> None:
        """Take note of the file, and of whether games that stand there may be replaced.

        Raises:
            ConfigError: It cannot be written, or holds something.
        """
        check_records(path, replace=replace)
        self.path = path
        self.results: list[Result] = []

    def keep(self, results: Sequence[Result]) -> None:
        """Games that have ended."""
        self.results += [one for one in results if one.moves is not None]

    def write(self) -> int:
        """Write the records; returns how many. Where no game was played nothing is written."""
        ordered = sorted(self.results, key=lambda one: (one.fixture.deal, one.fixture.turn, one.agents))
        return write_records(self.path, map(record_result, ordered)) if ordered else 0


def record_result(result: Result) -> dict[str, Any]:
    """The record of a game that came with its moves."""
    assert result.moves is not None
    fixture = result.fixture
    return make_record(fixture.config, fixture.seed, result.moves, describe_bots(result), result.thoughts)


def describe_bots(result: Result) -> dict[str, Any]:
    """What is noted with a game: who played, which deal it was, and why it broke off."""
    about: dict[str, Any] = {"agents": list(result.agents), "deal": result.fixture.deal}
    if result.status != OK:
        about |= {"status": result.status, "reason": result.reason}
    return about
