"""The end of a game at the terminal: who has won, and where the points come from."""

from __future__ import annotations

from iaww_agents.arena.play.results import OK, Result
from iaww_agents.arena.terminal.seating import print_trace
from iaww_env.breakdown import PARTS
from iaww_env.render.lines import Line, align_rows, write_line


def print_end(result: Result) -> None:
    """Places and points, each seat's in their parts; or why the game broke off."""
    if result.status != OK:
        print(f"\nThe game broke off ({result.status}): {result.reason}", flush=True)
        print_trace(result.trace)
        return
    print()
    ranked = sorted(range(len(result.places)), key=lambda seat: result.places[seat])
    for seat in ranked:
        print(f"{result.places[seat]}. seat {seat} ({result.agents[seat]}): {result.points[seat]} points")
    if result.fixture.config.solo:
        if result.scenario_won is not None:
            print("The scenario is won." if result.scenario_won else "The scenario is lost.")
        print(result.award or "no medal")
    print(f"\n{draw_breakdown(result)}")


def draw_breakdown(result: Result) -> str:
    """Where the points come from: a line for each part that anybody has, a column for each seat."""
    rows: list[list[Line]] = [
        [[("points", "")], *([(f"seat {seat}", "")] for seat in range(len(result.parts)))]
    ]
    for part, counts in zip(PARTS, zip(*result.parts, strict=True), strict=True):
        if any(counts):
            rows.append([[(part.removeprefix("points "), "")], *([(str(n or ""), "")] for n in counts)])
    rows.append([[("in all", "")], *([(str(points), "")] for points in result.points)])
    lines = align_rows(rows, right=range(1, len(rows[0])), gap=2)
    return "\n".join(write_line(line, False) for line in lines)
