"""Ratings find strengths that are known, and intervals cover as often as they say."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest

from iaww_agents.arena.measure.intervals import estimate_mean, estimate_share, find_quantile
from iaww_agents.arena.measure.ratings import ELO, PRIOR, Ratings, fit_rankings, list_choices, rate
from iaww_agents.arena.measure.standings import compare_agents, summarize_agents
from iaww_agents.arena.play.results import CRASH, Result, make_fault
from iaww_agents.arena.play.schedule import Fixture
from iaww_env import GameConfig

STRENGTHS = np.array([1.0, 0.4, 0.0, -0.5, -0.9])  # theta, their mean is 0
Ranking = tuple[list[int], list[int]]


def to_elo(theta: np.ndarray) -> np.ndarray:
    """The Elo scale by its definition: 400 points are odds of ten to one, the mean is 1500."""
    return 1500 + 400 * np.log10(np.exp(theta - theta.mean()))


def draw_ranking(rng: np.random.Generator, bots: Sequence[int]) -> Ranking:
    """Plackett-Luce by exponential races: the first to arrive is first."""
    times = rng.exponential(1 / np.exp(STRENGTHS[list(bots)]))
    return list(bots), (times.argsort().argsort() + 1).tolist()


def draw_tied_ranking(rng: np.random.Generator, bots: Sequence[int], delta: float) -> Ranking:
    """Choices with ties of two, one after another."""
    rest, places, place = list(range(len(bots))), [0] * len(bots), 1
    while rest:
        sets = [(s,) for s in rest] + list(itertools.combinations(rest, 2))
        odds = [
            (delta if len(one) == 2 else 1) * math.exp(np.mean([STRENGTHS[bots[s]] for s in one]))
            for one in sets
        ]
        chosen = sets[rng.choice(len(sets), p=np.array(odds) / sum(odds))]
        for seat in chosen:
            places[seat] = place
            rest.remove(seat)
        place += len(chosen)
    return list(bots), places


def test_strengths_are_recovered_from_games_of_four() -> None:
    rng = np.random.default_rng(1)
    rankings = [draw_ranking(rng, rng.permutation(5)[:4].tolist()) for _ in range(4000)]
    values, _ = fit_rankings(rankings, range(4000), 5)
    np.testing.assert_allclose(values, to_elo(STRENGTHS), atol=20)


def test_strengths_are_recovered_from_games_with_ties() -> None:
    rng = np.random.default_rng(2)
    rankings = [draw_tied_ranking(rng, rng.permutation(5)[:3].tolist(), 0.6) for _ in range(4000)]
    values, _ = fit_rankings(rankings, range(4000), 5)
    np.testing.assert_allclose(values, to_elo(STRENGTHS), atol=20)


def test_a_bot_in_several_seats_is_rated_as_in_one() -> None:
    rng = np.random.default_rng(3)
    rankings = [draw_ranking(rng, [0, 4, 4, 2]) for _ in range(3000)]
    values, _ = fit_rankings(rankings, range(3000), 5)
    np.testing.assert_allclose(values[0] - values[4], to_elo(STRENGTHS)[0] - to_elo(STRENGTHS)[4], atol=25)


def test_two_seats_follow_the_odds() -> None:
    """Ten wins to one loss are 400 points, whatever the prior is but for a little."""
    rankings: list[Ranking] = [([0, 1], [1, 2])] * 1000 + [([0, 1], [2, 1])] * 100
    values, _ = fit_rankings(rankings, range(1100), 2)
    assert values[0] - values[1] == pytest.approx(400, abs=1)
    assert values.mean() == pytest.approx(1500)


def test_ties_draw_ratings_together() -> None:
    wins: list[Ranking] = [([0, 1], [1, 2])] * 30 + [([0, 1], [2, 1])] * 10
    ties: list[Ranking] = [([0, 1], [1, 1])] * 200
    apart, _ = fit_rankings(wins, range(40), 2)
    # In Davidson's model a tie says nothing about two bots alone with each other but through the wins.
    near, _ = fit_rankings(wins + ties, range(240), 2)
    assert near[0] - near[1] == pytest.approx(apart[0] - apart[1], rel=0.02)
    tied_to_strong: list[Ranking] = (
        [([1, 2], [1, 1])] * 50 + [([0, 2], [1, 2])] * 30 + [([0, 2], [2, 1])] * 10
    )
    three, _ = fit_rankings(wins + tied_to_strong, range(130), 3)
    assert three[1] == pytest.approx(three[2], abs=1)


def maximize_by_hand(rankings: Sequence[Ranking], n_bots: int) -> np.ndarray:
    """Plackett-Luce without ties, by slow gradient ascent on the likelihood written out term by term."""
    theta = np.zeros(n_bots)
    for _ in range(3000):
        slope = -PRIOR * theta
        for bots, places in rankings:
            order = [bots[seat] for seat in np.argsort(places)]
            for i in range(len(order) - 1):
                odds = np.exp(theta[order[i:]])
                slope[order[i]] += 1
                for bot, odd in zip(order[i:], odds / odds.sum(), strict=True):
                    slope[bot] -= odd
        theta += 0.02 * slope
        if np.abs(slope).max() < 1e-6:
            break
    return theta


def test_the_fit_is_the_maximum_of_the_likelihood_written_out() -> None:
    rng = np.random.default_rng(4)
    rankings = [draw_ranking(rng, rng.permutation(5)[:4].tolist()) for _ in range(40)]
    values, _ = fit_rankings(rankings, range(40), 5)
    np.testing.assert_allclose(values, to_elo(maximize_by_hand(rankings, 5)), atol=0.05)


def test_the_fit_agrees_with_choix() -> None:
    choix = pytest.importorskip(
        "choix", reason="choix is not installed; the hand-written maximum is compared"
    )
    rng = np.random.default_rng(5)
    rankings = [draw_ranking(rng, rng.permutation(5)[:4].tolist()) for _ in range(500)]
    orders = [[bots[seat] for seat in np.argsort(places)] for bots, places in rankings]
    theirs = choix.opt_rankings(5, orders, alpha=PRIOR / 2)
    ours, _ = fit_rankings(rankings, range(500), 5)
    np.testing.assert_allclose(ours, to_elo(np.asarray(theirs)), atol=1)


def test_the_order_of_seats_and_games_does_not_matter() -> None:
    rng = np.random.default_rng(6)
    rankings = [draw_tied_ranking(rng, [0, 1, 2, 3], 0.5) for _ in range(200)]
    turned = [(bots[::-1], places[::-1]) for bots, places in rankings[::-1]]
    one, _ = fit_rankings(rankings, range(200), 5)
    other, _ = fit_rankings(turned, range(200), 5)
    np.testing.assert_allclose(one, other, atol=1e-6)


def test_a_bot_that_wins_every_game_has_a_finite_rating() -> None:
    values, samples = fit_rankings([([0, 1], [1, 2])] * 500, range(500), 2, resamples=20)
    assert 800 < values[0] - values[1] < 4000
    assert np.isfinite(samples).all()


def test_games_are_cut_into_choices() -> None:
    assert list_choices([7, 5, 6, 5], [1, 3, 1, 4]) == [((5, 5, 6, 7), (6, 7)), ((5, 5), (5,))]
    assert list_choices([1, 2], [1, 1]) == [((1, 2), (1, 2))]


def test_bootstrap_intervals_cover_the_truth() -> None:
    """Of 60 tournaments, about 57 intervals of a difference hold the true one; 50 is far too few."""
    rng, truth, hits = np.random.default_rng(7), (STRENGTHS[0] - STRENGTHS[2]) * ELO, 0
    for trial in range(60):
        rankings = [draw_ranking(rng, [0, 1, 2, 3]) for _ in range(120)]
        values, samples = fit_rankings(rankings, range(120), 5, resamples=120, seed=trial)
        gap = Ratings(tuple("abcde"), values, samples).find_gap("a", "c")
        hits += gap.low <= truth <= gap.high
    assert 51 <= hits <= 60


def test_deals_are_resampled_whole() -> None:
    """Games that are copies of each other are worth no more than one: the interval must not shrink."""
    rng = np.random.default_rng(8)
    rankings = [draw_ranking(rng, [0, 1]) for _ in range(100)]
    _, once = fit_rankings(rankings, range(100), 2, resamples=300)
    copies = [ranking for ranking in rankings for _ in range(9)]
    deals = [deal for deal in range(100) for _ in range(9)]
    _, ninefold = fit_rankings(copies, deals, 2, resamples=300)
    assert ninefold[:, 0].std() == pytest.approx(once[:, 0].std(), rel=0.1)


# --- Intervals of means and shares -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "expected"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (100, 1.984)]
)
def test_quantiles_are_those_of_the_tables(freedom: int, expected: float) -> None:
    assert find_quantile(0.95, freedom) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("deals", "games"), [(8, 4), (40, 4), (200, 1)])
def test_intervals_of_means_cover_the_truth(deals: int, games: int) -> None:
    rng = np.random.default_rng(9)
    labels = np.repeat(np.arange(deals), games)
    hits = 0
    for _ in range(1000):
        values = rng.normal(10, 3, deals)[labels] + rng.normal(0, 2, deals * games)
        found = estimate_mean(values, labels)
        hits += found.low <= 10 <= found.high
    assert hits == pytest.approx(950, abs=25)


@pytest.mark.parametrize("share", [0.03, 0.25, 0.5, 0.9])
def test_intervals_of_shares_cover_the_truth(share: float) -> None:
    """Games of one deal go the same way half of the time."""
    rng = np.random.default_rng(10)
    labels = np.repeat(np.arange(150), 4)
    hits = 0
    for _ in range(1000):
        alike = rng.random(150)[labels] < share
        own = rng.random(600) < share
        found = estimate_share(np.where(rng.random(150)[labels] < 0.5, alike, own), labels)
        assert 0 <= found.low <= found.value <= found.high <= 1
        hits += found.low <= share <= found.high
    assert hits >= 925


def test_an_interval_of_a_share_is_wilson_s_where_games_are_independent() -> None:
    wins = np.array([1.0] * 300 + [0.0] * 700)
    found = estimate_share(wins, np.arange(1000))
    z, n, p = 1.96, 1000, 0.3
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), abs=3e-4)


def test_winning_every_game_is_no_certainty() -> None:
    found = estimate_share(np.ones(400), np.repeat(np.arange(100), 4))
    assert found.high == pytest.approx(1)
    assert 0.95 < found.low < 0.97  # Wilson for 100 of 100


def test_a_single_deal_says_nothing_about_the_spread() -> None:
    assert math.isnan(estimate_mean([1.0, 2.0], [0, 0]).low)
    assert estimate_share([1.0, 0.0], [0, 0]).width == 1


# --- Standings -------------------------------------------------------------------------------------


def make_result(points: Sequence[int], places: Sequence[int], agents: Sequence[str], seed: int) -> Result:
    fixture = Fixture(seed, seed, tuple(agents), GameConfig(players=len(agents)))
    return Result(fixture, tuple(points), tuple(places))


def test_standings_count_shared_wins_faults_and_margins() -> None:
    results = [
        make_result([30, 20, 30], [1, 3, 1], ["a", "b", "b"], 0),
        make_result([10, 40, 25], [3, 1, 2], ["a", "b", "b"], 1),
        make_fault(Fixture(2, 2, ("a", "b", "b"), GameConfig(players=3)), 0, CRASH, "why"),
        make_fault(Fixture(3, 3, ("a", "b", "b"), GameConfig(players=3)), None, CRASH, "nobody's fault"),
    ]
    found = summarize_agents(results)
    a, b = found["a"], found["b"]
    assert (a.n, a.n_faults, b.n, b.n_faults) == (3, 1, 6, 0)
    assert a.wins.value == pytest.approx((0.5 + 0 + 0) / 3)
    assert b.wins.value == pytest.approx((0.5 + 1 + 1) / 6)
    assert a.points.value == pytest.approx((30 + 10 + 0) / 3)  # a game broken off is worth nothing
    assert b.points.value == pytest.approx((20 + 30 + 40 + 25) / 4)
    assert a.margin.value == pytest.approx((0 - 30) / 2)
    duel = compare_agents(results, ["a", "b"])["a", "b"]
    assert duel.n == 6
    assert duel.ahead.value == pytest.approx((1 + 0.5) / 6)
    assert duel.margin.value == pytest.approx((10 + 0 - 30 - 15) / 4)


def test_ratings_of_results_name_the_bots_and_rank_them() -> None:
    results = [make_result([9, 5, 1], [1, 2, 3], ["c", "b", "a"], seed) for seed in range(30)]
    results += [make_result([5, 9, 1], [2, 1, 3], ["c", "b", "a"], seed) for seed in range(30, 40)]
    results += [make_result([5, 4, 6], [2, 3, 1], ["c", "b", "a"], seed) for seed in range(40, 45)]
    found = rate(results, agents=["a", "b", "c"])
    assert found.agents == ("a", "b", "c")
    assert found.rank() == ["c", "b", "a"]
    assert found.is_decided()
    assert found.find_interval("c").low < found.find_interval("c").value < found.find_interval("c").high
    assert not rate(results[:1] + results[30:31] + results[40:41]).is_decided()
