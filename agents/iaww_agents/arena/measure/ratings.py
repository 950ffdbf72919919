"""Ratings: one fit over all games of the Plackett-Luce model with ties, with bootstrap intervals.

Bot i has a strength `exp(theta_i)`. A game is a sequence of choices: of the seats not yet placed, which one
comes next, or which several share the place. A set S of seats is chosen with probability proportional to
`delta_|S| * exp(mean of theta over S)`, where delta_1 = 1 and the other deltas are fitted (the Davidson-Luce
model of Turner, van Etten, Firth and Kosmidis, "Modelling rankings in R: the PlackettLuce package", 2020).
Without ties it is the Plackett-Luce model, with two seats Bradley-Terry and Davidson.

Fitted by Newton's method: `log p` is that of a multinomial logit and so concave. A weak normal prior on
theta keeps a bot that wins or loses every game at a finite rating. The intervals resample whole deals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from iaww_agents.arena.measure.intervals import LEVEL, Interval
from iaww_agents.arena.play.results import Result

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Reach = npt.NDArray[np.bool_]
Seats = tuple[int, ...]  # bots by number, ascending; a bot in two seats stands twice

ELO = 400 / np.log(10)  # points of rating for a factor of e in strength
CENTRE = 1500.0  # the mean rating of all bots
PRIOR = 1 / 8.0**2  # the prior's spread is 8 in theta, 1390 points of rating
MOST_STEPS = 60


@dataclass(frozen=True, slots=True)
class Ratings:
    """Strengths of bots on the Elo scale, their mean at 1500: 400 points are odds of ten to one.

    Attributes:
        agents: Specs, in the order of the ratings.
        values: (bots,) ratings.
        samples: (resamples, bots) ratings of the bootstrap.
        level: Of the intervals.
        reach: (1 + resamples, bots, bots) in all games, and in each resample: whether one bot was placed
            before another, or level with it, or before one who was, and so on. Who is reached by all and
            reaches all has a rating; others may be at any distance, and only the prior gives them a number.
    """

    agents: tuple[str, ...]
    values: Floats
    samples: Floats
    level: float = LEVEL
    reach: Reach | None = None

    def find_interval(self, agent: str) -> Interval:
        """The rating of a bot with its interval; an end is infinite where the games set no bound."""
        which = self.agents.index(agent)
        if len(self.agents) == 1:  # the mean of all bots is its own
            return Interval(float(self.values[which]), math.nan, math.nan)
        above: Flags = np.zeros(1 + len(self.samples), bool)
        below = above
        if self.reach is not None:
            above = np.logical_not(self.reach[:, :, which].all(1))
            below = np.logical_not(self.reach[:, which].all(1))
        return self._cut(float(self.values[which]), self.samples[:, which], above, below)

    def list_unbounded(self) -> list[str]:
        """The bots whose ratings have no bound on one side, or on both."""
        ends = {spec: self.find_interval(spec) for spec in self.agents}
        return [spec for spec, one in ends.items() if math.isinf(one.low) or math.isinf(one.high)]

    def find_gap(self, agent: str, other: str) -> Interval:
        """How much higher a bot is rated than another, with the interval of the difference."""
        a, b = self.agents.index(agent), self.agents.index(other)
        gaps = self.samples[:, a] - self.samples[:, b]
        above = below = np.zeros(1 + len(gaps), bool)
        if self.reach is not None:
            above, below = ~self.reach[:, b, a], ~self.reach[:, a, b]
        return self._cut(float(self.values[a] - self.values[b]), gaps, above, below)

    def _cut(self, value: float, samples: Floats, above: Flags, below: Flags) -> Interval:
        """The interval of something that is without a bound, above or below, where the flags say so."""
        tail = (1 - self.level) / 2
        if len(samples) == 0:  # a single deal
            samples, above, below = np.full(1, math.nan), above[[0, 0]], below[[0, 0]]
        if not (above.any() or below.any()):
            low, high = np.quantile(samples, [tail, 1 - tail])
            return Interval(value, float(low), float(high))
        lows = np.where(below[1:], -math.inf, np.where(above[1:], math.inf, samples))
        highs = np.where(above[1:], math.inf, np.where(below[1:], -math.inf, samples))
        low = np.quantile(lows, tail, method="lower")
        high = np.quantile(highs, 1 - tail, method="higher")
        return Interval(value, float(low), float(high))

    def rank(self) -> list[str]:
        """The bots, strongest first."""
        return [self.agents[i] for i in np.argsort(-self.values, kind="stable").tolist()]

    def is_decided(self) -> bool:
        """Whether each bot is told from the next in rank: the interval of their difference is above 0."""
        ranked = self.rank()
        return all(self.find_gap(a, b).low > 0 for a, b in pairwise(ranked))


@dataclass(frozen=True, slots=True)
class Choices:
    """What games are to the model: choices between sets of seats, equal ones counted.

    Attributes:
        features: (sets, parameters) mean of bots in the set, then 1 for the number of seats tied.
        log_counts: (sets,) logarithm of how many sets of seats are the same set of bots.
        starts: (choices,) where the sets of each kind of choice begin.
        chosen: (choices,) which set was chosen.
        weights: (deals, choices) how often in each deal.
        before: (choices, bots, bots) whether a choice places one bot before another, or level with it.
        n_bots: How many of the parameters are bots.
    """

    features: Floats
    log_counts: Floats
    starts: npt.NDArray[np.int64]
    chosen: npt.NDArray[np.int64]
    weights: Floats
    before: Reach
    n_bots: int


def rate(
    results: Iterable[Result],
    *,
    resamples: int = 400,
    seed: int = 0,
    level: float = LEVEL,
    agents: Sequence[str] = (),
) -> Ratings:
    """Rate all bots that play in some games.

    Args:
        results: The games. Games that broke off count as they are placed: who broke off is last.
        resamples: Resamples of the deals for the intervals.
        seed: Of the resampling.
        level: Of the intervals.
        agents: The order of the bots; by default as they come.
    """
    games = [result for result in results if result.fixture.config.players > 1 and not result.is_void]
    names = tuple(dict.fromkeys([*agents, *(spec for game in games for spec in game.agents)]))
    number = {spec: i for i, spec in enumerate(names)}
    rankings = [([number[spec] for spec in game.agents], game.places) for game in games]
    _, deals = np.unique([find_cluster(game) for game in games], return_inverse=True)
    choices = count_choices(rankings, deals.tolist(), len(names))
    values, samples = fit_choices(choices, resamples, seed)
    return Ratings(names, values, samples, level, find_reach(choices, resamples, seed))


def find_cluster(game: Result) -> int:
    """Which games count as one observation: those of one deal have one seed."""
    return game.fixture.seed


def fit_rankings(
    rankings: Sequence[tuple[Sequence[int], Sequence[int]]],
    deals: Sequence[int],
    n_bots: int,
    resamples: int = 0,
    seed: int = 0,
) -> tuple[Floats, Floats]:
    """Ratings from rankings, each given as the bots by seat and their places; and those of the bootstrap."""
    return fit_choices(count_choices(rankings, deals, n_bots), resamples, seed)


def fit_choices(choices: Choices, resamples: int = 0, seed: int = 0) -> tuple[Floats, Floats]:
    """Ratings from games as choices, and those of the bootstrap."""
    theta = maximize_likelihood(choices, choices.weights.sum(0))
    drawn = [
        maximize_likelihood(choices, weights, theta)[: choices.n_bots]
        for weights in draw_weights(choices, resamples, seed)
    ]
    samples = np.array(drawn).reshape(len(drawn), choices.n_bots)
    return scale_strengths(theta[: choices.n_bots]), scale_strengths(samples)


def draw_weights(choices: Choices, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each choice was made in resamples of the deals; none of one deal, which has no spread."""
    rng = np.random.default_rng(seed)
    n_deals = len(choices.weights)
    for _ in range(resamples if n_deals > 1 else 0):
        drawn = np.bincount(rng.integers(n_deals, size=n_deals), minlength=n_deals)
        yield drawn @ choices.weights


def find_reach(choices: Choices, resamples: int, seed: int) -> Reach:
    """Which bots were placed before which, through however many others (see `Ratings.reach`)."""
    n = choices.n_bots
    made = np.array([choices.weights.sum(0), *draw_weights(choices, resamples, seed)]) > 0
    ahead = made.astype(np.float32) @ choices.before.reshape(made.shape[1], n * n).astype(np.float32)
    reach = (ahead.reshape(-1, n, n) > 0) | np.eye(n, dtype=bool)
    for _ in range(n.bit_length()):  # each time over twice as many others
        reach = np.matmul(reach.astype(np.float32), reach.astype(np.float32)) > 0
    return reach


def scale_strengths(theta: Floats) -> Floats:
    """Strengths on the Elo scale, the mean of all bots at its centre."""
    return np.asarray(CENTRE + ELO * (theta - theta.mean(axis=-1, keepdims=True)), np.float64)


# --- Games as choices ------------------------------------------------------------------------------


def list_choices(bots: Sequence[int], places: Sequence[int]) -> list[tuple[Seats, Seats]]:
    """The choices of one game: the seats not yet placed, and those of them that come next."""
    choices = []
    rest = sorted(range(len(bots)), key=lambda seat: places[seat])
    while len(rest) > 1:
        tied = [seat for seat in rest if places[seat] == places[rest[0]]]
        choices.append((tuple(sorted(bots[s] for s in rest)), tuple(sorted(bots[s] for s in tied))))
        rest = rest[len(tied) :]
    return choices


def count_choices(
    rankings: Sequence[tuple[Sequence[int], Sequence[int]]], deals: Sequence[int], n_bots: int
) -> Choices:
    """All games as choices between sets, equal choices counted together."""
    counts: Counter[tuple[int, tuple[Seats, Seats]]] = Counter()
    for (bots, places), deal in zip(rankings, deals, strict=True):
        counts.update((deal, choice) for choice in list_choices(bots, places))
    kinds = sorted({choice for _, choice in counts})
    # Only sizes of ties that occur get a parameter: the others would go to minus infinity.
    sizes = sorted({len(chosen) for _, chosen in kinds if len(chosen) > 1})
    features: list[list[float]] = []
    log_counts: list[float] = []
    starts, chosen = [], []
    before = np.zeros((len(kinds), n_bots, n_bots), bool)
    for which, (rest, picked) in enumerate(kinds):
        before[which][np.ix_(picked, rest)] = True
        starts.append(len(features))
        sets = Counter(one for size in (1, *sizes) for one in combinations(rest, size))
        chosen.append(len(features) + list(sets).index(picked))
        for one, count in sets.items():
            shares = [one.count(bot) / len(one) for bot in range(n_bots)]
            features.append([*shares, *(float(len(one) == size) for size in sizes)])
            log_counts.append(float(np.log(count)))
    weights = np.zeros((max(deals, default=0) + 1, len(kinds)))
    index = {kind: i for i, kind in enumerate(kinds)}
    for (deal, kind), count in counts.items():
        weights[deal, index[kind]] = count
    table = np.array(features).reshape(len(features), n_bots + len(sizes))
    at = (np.array(starts, np.int64), np.array(chosen, np.int64))
    return Choices(table, np.array(log_counts), *at, weights, before, n_bots)


# --- The fit ---------------------------------------------------------------------------------------


def weigh_choices(choices: Choices, weights: Floats, theta: Floats) -> tuple[float, Floats, Floats]:
    """Log-likelihood with the prior, its gradient, and the negative of its second derivative."""
    prior = PRIOR * np.eye(len(theta))
    if len(weights) == 0:
        return 0.0, -prior @ theta, prior
    scores = choices.features @ theta
    utilities = scores + choices.log_counts
    sizes = np.diff(np.append(choices.starts, len(utilities)))
    top = np.repeat(np.maximum.reduceat(utilities, choices.starts), sizes)
    odds = np.exp(utilities - top)
    totals = np.add.reduceat(odds, choices.starts)
    chances = odds / np.repeat(totals, sizes)
    logs = scores[choices.chosen] - top[choices.starts] - np.log(totals)
    means = np.add.reduceat(chances[:, None] * choices.features, choices.starts)
    gradient = weights @ (choices.features[choices.chosen] - means) - prior @ theta
    spread = (choices.features * (chances * np.repeat(weights, sizes))[:, None]).T @ choices.features
    curvature = spread - (means * weights[:, None]).T @ means + prior
    return float(weights @ logs - theta @ prior @ theta / 2), gradient, curvature


def maximize_likelihood(choices: Choices, weights: Floats, begin: Floats | None = None) -> Floats:
    """Parameters at the maximum, by Newton's method with steps halved until they climb."""
    theta = np.zeros(choices.features.shape[1]) if begin is None else begin.copy()
    value, gradient, curvature = weigh_choices(choices, weights, theta)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(curvature, gradient)
        if float(gradient @ step) < 1e-12 * max(1.0, float(weights.sum())):
            break
        scale = 1.0
        while scale > 1e-6:
            tried = weigh_choices(choices, weights, theta + scale * step)
            if tried[0] >= value:
                break
            scale /= 2
        theta = theta + scale * step
        value, gradient, curvature = tried
    return theta
