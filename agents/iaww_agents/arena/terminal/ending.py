"""The end of a game as the terminal shows it: who has won, and where the points come from."""

from __future__ import annotations

from iaww_agents.arena.play.results import OK, Result
from iaww_agents.arena.table.ending import list_outcome, list_sources
from iaww_agents.arena.table.seating import print_trace
from iaww_env.render.lines import Line, align_rows, write_line


def print_end(result: Result) -> None:
    """Places and points, each seat's in their parts; or why the game broke off."""
    print("\n" + "\n".join(list_outcome(result)), flush=True)
    if result.status == OK:
        print(f"\n{draw_breakdown(result)}")
    else:
        print_trace(result.trace)


def draw_breakdown(result: Result) -> str:
    """Where the points come from: a line for each part that anybody has, a column for each seat."""
    *parts, (last, sums) = list_sources(result)
    rows: list[list[Line]] = [
        [[("points", "")], *([(f"seat {seat}", "")] for seat in range(len(result.parts)))],
        *([[(part, "")], *([(str(n or ""), "")] for n in counts)] for part, counts in parts),
        [[(last, "")], *([(str(points), "")] for points in sums)],
    ]
    lines = align_rows(rows, right=range(1, len(rows[0])), gap=2)
    return "\n".join(write_line(line, False) for line in lines)
