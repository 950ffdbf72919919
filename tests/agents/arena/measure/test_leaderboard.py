"""What the leaderboard tells of ratings: how far bots are from the anchor, and not what nobody can know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from iaww_agents.arena.measure import leaderboard
from iaww_agents.arena.measure.intervals import Interval
from iaww_agents.arena.measure.leaderboard import ANCHOR, TOO_FEW, show_rating
from iaww_env.config import GameConfig


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


@pytest.mark.parametrize("players", [1, 3])
def test_quick_bots_meet_on_duplicate_deals_and_slow_ones_on_a_deal_for_each_game(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []

    def run(agents: Sequence[str], config: GameConfig, **said: Any) -> Any:
        played.append((tuple(agents), said["games"], said["duplicates"]))
        return SimpleNamespace(results=[])

    monkeypatch.setattr(leaderboard, "run_tournament", run)
    many = {"deals": 5, "slow_deals": 4, "solo_games": 7, "slow_solo_games": 2}
    for slow in (("search",), ()):
        options = leaderboard.Options(slow=slow, **many)  # type: ignore[arg-type]
        leaderboard.play_mode(GameConfig(players), options, ("greedy", "heuristic"), pool=None)  # type: ignore[arg-type]
    quick = (("greedy", "heuristic"), 14 if players == 1 else 15, True)
    assert played[0] == played[2] == quick
    assert played[1] == ((("search",), 2, False) if players == 1 else (("search", *quick[0]), 4, False))
    assert len(played) == 3, "without slow bots all has been played"
