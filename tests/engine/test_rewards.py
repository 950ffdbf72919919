"""What a batch pays: at the end by the scheme, or points as they are gained, and never twice."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_env.batch import Batch, make_stream
from iaww_env.engine.rewards import SCHEMES
from tests.modes import MODES

AT_THE_END = [scheme for scheme in SCHEMES if scheme != "points_gain"]
STEPS = {"2": 500, "5": 1300, "6-ascension": 1600, "solo": 500}  # three games in each lane, or so


def share_ranks(places: list[int]) -> list[float]:
    """Places from 1, equal seats in the middle of those that they take up together."""
    return [place + (places.count(place) - 1) / 2 for place in places]


def pay_end(scheme: str, points: list[int], places: list[int]) -> list[float]:
    """The rewards of a finished game, by their definition."""
    n = len(points)
    if scheme == "goal" and n == 1:
        return [float(points[0] + 10 * sum(points[0] >= title for title in (60, 80, 100)))]
    if scheme in ("points", "goal"):
        return [float(own) for own in points]
    if n == 1:
        return [points[0] / 100]
    if scheme == "outcome":
        return [(n * (place == 1) / places.count(1) - 1) / (n - 1) for place in places]
    if scheme == "rank":
        return [1 - 2 * (rank - 1) / (n - 1) for rank in share_ranks(places)]
    return [float(own - max(points[:seat] + points[seat + 1 :])) for seat, own in enumerate(points)]


@pytest.mark.parametrize("scheme", AT_THE_END)
@pytest.mark.parametrize("mode", STEPS)
def test_the_end_is_paid_by_the_scheme_and_nothing_before(mode: str, scheme: str) -> None:
    batch, words = Batch(MODES[mode], 4, 11, reward=scheme), make_stream(1)
    ended = 0
    for _ in range(STEPS[mode]):
        batch.step(batch.sample_legal(words, discards=False))
        for g in range(4):
            if batch.done[g]:
                expected = pay_end(scheme, batch.points[g].tolist(), batch.places[g].tolist())
                assert batch.rewards[g].tolist() == pytest.approx(expected)
            else:
                assert not batch.rewards[g].any()
        ended += int(batch.done.sum())
    assert ended >= 8


@pytest.mark.parametrize("skip_forced", [True, False])
@pytest.mark.parametrize("mode", STEPS)
def test_points_are_paid_once_when_they_are_gained(mode: str, skip_forced: bool) -> None:
    """A seat that decides has been paid what it would score now; the end pays every seat the rest."""
    batch = Batch(MODES[mode], 4, 11, reward="points_gain", skip_forced=skip_forced)
    words, paid = make_stream(1), np.zeros((4, MODES[mode].players))
    ended, gains = 0, 0
    for _ in range(STEPS[mode]):
        batch.step(batch.sample_legal(words, discards=False))
        for g in range(4):
            seat = int(batch.seats[g])
            if batch.done[g]:
                assert (paid[g] + batch.rewards[g]).tolist() == batch.points[g].tolist()
                paid[g] = 0
                ended += 1
            else:
                assert not np.delete(batch.rewards[g], seat).any()
                gains += bool(batch.rewards[g].any())
                paid[g] += batch.rewards[g]
            assert paid[g, seat] == batch.game(g).scores()[seat]
    assert ended >= 8
    assert gains > 5


def test_nothing_is_paid_when_a_batch_begins() -> None:
    for scheme in SCHEMES:
        assert not Batch(MODES["4"], 3, 5, reward=scheme).rewards.any()
