"""The games of a tournament as a table for spreadsheets: a row for each game and seat."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from iaww_agents.arena.play.results import Result
from iaww_env.breakdown import PART_COLUMNS
from iaww_env.outputs import check_output, write_whole

COLUMNS = (
    *("deal", "turn", "seed", "players", "expansions", "empire_side", "scenario", "seat", "bot"),
    *("points", "place", "status", "is_offender", "reason", "award", "scenario_won", "decisions"),
    *("seconds", "version", "empire"),
    *PART_COLUMNS,
)
# Of tables as they are written today, and of those that did not tell empires yet.
HEADS = tuple(",".join(columns) + "\n" for columns in (COLUMNS, COLUMNS[: COLUMNS.index("empire")]))

Cell = str | int | float | None


def check_rows(path: Path | str) -> None:
    """Refuse, before anybody has waited, a file that the table cannot be written to.

    Raises:
        ConfigError: It cannot be written, or holds something else.
    """
    check_output(path, _holds_rows)


def write_rows(results: Sequence[Result], path: Path | str) -> int:
    """Write the table, whole; returns how many rows it has."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(COLUMNS)
    rows = [row for result in results for row in list_rows(result)]
    writer.writerows(rows)
    write_whole(path, written.getvalue(), _holds_rows)
    return len(rows)


def list_rows(result: Result) -> Iterator[tuple[Cell, ...]]:
    """A row for each seat; truth values are 1 and 0, and what there is not is empty."""
    fixture, config = result.fixture, result.fixture.config
    won = None if result.scenario_won is None else int(result.scenario_won)
    for seat, spec in enumerate(fixture.agents):
        where_from: tuple[Cell, ...] = (None,) * (1 + len(PART_COLUMNS))
        if result.parts:
            where_from = (result.empires[seat], *result.parts[seat])
        yield (
            *(fixture.deal, fixture.turn, fixture.seed, config.players, " ".join(config.expansions)),
            *(config.empire_side, config.scenario, seat, spec, result.points[seat], result.places[seat]),
            *(result.status, int(result.offender == seat), result.reason, result.award, won),
            *(result.decisions, round(result.seconds, 3), result.version),
            *where_from,
        )


def _holds_rows(begin: bytes) -> bool:
    return any(begin.startswith(head.encode()) for head in HEADS)
