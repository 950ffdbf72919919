"""The end of a game: who has won, and where the points come from."""

from __future__ import annotations

from iaww_agents.arena.play.results import OK, Result
from iaww_env.breakdown import PARTS


def list_outcome(result: Result) -> list[str]:
    """In lines: places and points, and in solo what was won; or why the game broke off."""
    if result.status != OK:
        return [f"The game broke off ({result.status}): {result.reason}"]
    ranked = sorted(range(len(result.places)), key=lambda seat: result.places[seat])
    told = [
        f"{result.places[seat]}. seat {seat} ({result.agents[seat]}): {result.points[seat]} points"
        for seat in ranked
    ]
    if result.fixture.config.solo:
        if result.scenario_won is not None:
            told.append("The scenario is won." if result.scenario_won else "The scenario is lost.")
        told.append(result.award or "no medal")
    return told


def list_sources(result: Result) -> list[tuple[str, tuple[int, ...]]]:
    """Where the points of the seats come from, part by part as far as anybody has any, and in all."""
    found = [
        (part.removeprefix("points "), tuple(map(int, counts)))
        for part, counts in zip(PARTS, zip(*result.parts, strict=True), strict=True)
        if any(counts)
    ]
    return [*found, ("in all", tuple(map(int, result.points)))]
