"""What the leaderboard tells of ratings: how far bots are from the anchor, and not what nobody can know."""

from __future__ import annotations

import math

import pytest

from iaww_agents.arena.measure import leaderboard
from iaww_agents.arena.measure.intervals import Interval
from iaww_agents.arena.measure.leaderboard import ANCHOR, TOO_FEW, show_rating


class Rated:
    """Ratings of three bots; nobody says which scale."""

    agents = (ANCHOR, "better", "unknown")

    def find_gap(self, agent: str, other: str) -> Interval:
        assert other == ANCHOR
        known = {"better": Interval(120.0, 90.0, 151.0)}
        return known.get(agent, Interval(300.0, -math.inf, math.inf))

    def find_interval(self, agent: str) -> Interval:
        return Interval(1500.0, 1400.0, 1600.0)


@pytest.mark.parametrize(
    ("spec", "shown"),
    [(ANCHOR, "0"), ("better", "120 (90–151)"), ("unknown", TOO_FEW), ("absent", "–")],
)
def test_ratings_are_distances_from_the_anchor(spec: str, shown: str) -> None:
    assert show_rating(Rated(), spec) == shown  # type: ignore[arg-type]


def test_without_the_anchor_ratings_have_their_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard, "ANCHOR", "nobody")
    assert show_rating(Rated(), "better") == "1500 (1400–1600)"  # type: ignore[arg-type]
