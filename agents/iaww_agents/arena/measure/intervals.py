"""Means and shares with confidence intervals, the games of one deal counted as one observation.

Games of one deal share their cards, so they are no independent observations; deals are. All intervals here
and in `ratings` take deals as their units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its confidence interval, both ends NaN where there is too little to say."""

    value: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.high - self.low


def find_quantile(level: float, freedom: int) -> float:
    """The quantile of Student's t for a two-sided interval.

    Exact for one and two degrees of freedom, else by Cornish-Fisher expansion, right to 1 % from three on.
    """
    if freedom < 1:
        return math.nan
    if freedom == 1:
        return math.tan(math.pi * level / 2)
    if freedom == 2:
        return level * math.sqrt(2 / (1 - level * level))
    z = NormalDist().inv_cdf((1 + level) / 2)
    n = freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def sum_by_deal(values: Floats, deals: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Sum and count of the values of each deal."""
    _, which = np.unique(deals, return_inverse=True)
    return np.bincount(which, values).astype(np.float64), np.bincount(which).astype(np.float64)


def find_spread(sums: Floats, counts: Floats) -> tuple[float, float]:
    """The mean over all values, and its standard error with deals as units (NaN for a single deal)."""
    total, n = float(counts.sum()), len(counts)
    mean = float(sums.sum()) / total
    if n < 2:
        return mean, math.nan
    rest = sums - mean * counts
    return mean, math.sqrt(float(rest @ rest) * n / (n - 1)) / total


def estimate_mean(values: npt.ArrayLike, deals: npt.ArrayLike, level: float = LEVEL) -> Interval:
    """The mean of some values; `deals` says to which deal each belongs."""
    numbers = np.asarray(values, np.float64)
    if len(numbers) == 0:
        return Interval(math.nan, math.nan, math.nan)
    sums, counts = sum_by_deal(numbers, np.asarray(deals, np.int64))
    mean, error = find_spread(sums, counts)
    if len(counts) < 2:
        return Interval(mean, math.nan, math.nan)
    half = find_quantile(level, len(counts) - 1) * error
    return Interval(mean, mean - half, mean + half)


def estimate_share(values: npt.ArrayLike, deals: npt.ArrayLike, level: float = LEVEL) -> Interval:
    """The mean of values from 0 to 1, such as shares of wins: never outside them, also where all are equal.

    Wilson's interval for as many independent games as would have the spread that is found between deals;
    where all games went one way, each deal counts as one.
    """
    numbers = np.asarray(values, np.float64)
    if len(numbers) == 0:
        return Interval(math.nan, math.nan, math.nan)
    sums, counts = sum_by_deal(numbers, np.asarray(deals, np.int64))
    share, error = find_spread(sums, counts)
    if len(counts) < 2:
        return Interval(share, 0.0, 1.0)
    n = float(len(counts))
    between = share * (1 - share)
    if between > 1e-12:
        # Duplicate deals may leave no spread at all; no game is worth more than a deal full of them.
        n = min(between / error**2 if error > 0 else math.inf, float(counts.sum()) * max(counts.max(), 2.0))
    square = find_quantile(level, len(counts) - 1) ** 2
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = math.sqrt(square * between / n + square**2 / (4 * n**2)) / (1 + square / n)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def estimate_difference(
    values: npt.ArrayLike, is_first: npt.ArrayLike, deals: npt.ArrayLike, level: float = LEVEL
) -> Interval:
    """How much greater the mean of some values is than that of the others, deals as units.

    Both means may come from the same deals: what they share is taken into account.
    """
    numbers, first = np.asarray(values, np.float64), np.asarray(is_first, np.bool_)
    n_first, n_others = int(first.sum()), int((~first).sum())
    if n_first == 0 or n_others == 0:
        return Interval(math.nan, math.nan, math.nan)
    mean, other = float(numbers[first].mean()), float(numbers[~first].mean())
    pull = np.where(first, (numbers - mean) / n_first, (other - numbers) / n_others)
    sums, counts = sum_by_deal(pull, np.asarray(deals, np.int64))
    n = len(counts)
    if n < 2:
        return Interval(mean - other, math.nan, math.nan)
    half = find_quantile(level, n - 1) * math.sqrt(float(sums @ sums) * n / (n - 1))
    return Interval(mean - other, mean - other - half, mean - other + half)
