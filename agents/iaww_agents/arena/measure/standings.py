"""Win rates, points and margins of bots, over all games and head to head."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations

from iaww_agents.arena.measure.intervals import Interval, estimate_mean, estimate_share
from iaww_agents.arena.play.results import OK, Result


@dataclass(frozen=True, slots=True)
class Standing:
    """How a bot did over all its games.

    Attributes:
        wins: Share of wins, a shared win counted in parts; a seat's fair share is 1 / players.
        points: Points, with 0 for games that the bot broke off; games that others broke off left out.
        margin: Points more than the best other seat, in games played to their end.
        n: Seats taken, over all games.
        n_faults: Games that it broke off.
    """

    wins: Interval
    points: Interval
    margin: Interval
    n: int
    n_faults: int


@dataclass(frozen=True, slots=True)
class Duel:
    """How a bot did against another in the games that both played.

    Attributes:
        ahead: Share of pairs of seats in which it is placed before the other; equal places count half.
        margin: Points more than the other, in games played to their end.
        n: Pairs of seats.
    """

    ahead: Interval
    margin: Interval
    n: int


@dataclass(slots=True)
class DealValues:
    """Values, and the deals that they are from."""

    values: list[float] = field(default_factory=list)
    deals: list[int] = field(default_factory=list)

    def add(self, value: float, deal: int) -> None:
        """One more."""
        self.values.append(value)
        self.deals.append(deal)


def share_win(places: Sequence[int], seat: int) -> float:
    """What a seat has of the win: the winners share it."""
    return 1 / places.count(1) if places[seat] == 1 else 0.0


def summarize_agents(results: Sequence[Result], agents: Sequence[str] = ()) -> dict[str, Standing]:
    """Every bot's standing."""
    wins: defaultdict[str, DealValues] = defaultdict(DealValues)
    points: defaultdict[str, DealValues] = defaultdict(DealValues)
    margins: defaultdict[str, DealValues] = defaultdict(DealValues)
    faults: defaultdict[str, int] = defaultdict(int)
    order = dict.fromkeys([*agents, *(spec for result in results for spec in result.agents)])
    for result in results:
        if result.is_void:
            continue
        deal = result.fixture.seed
        for seat, spec in enumerate(result.agents):
            wins[spec].add(share_win(result.places, seat), deal)
            if result.status == OK:
                points[spec].add(result.points[seat], deal)
                others = result.points[:seat] + result.points[seat + 1 :]
                if others:
                    margins[spec].add(result.points[seat] - max(others), deal)
            elif result.offender == seat:
                points[spec].add(0.0, deal)
                faults[spec] += 1
    return {
        spec: Standing(
            estimate_share(wins[spec].values, wins[spec].deals),
            estimate_mean(points[spec].values, points[spec].deals),
            estimate_mean(margins[spec].values, margins[spec].deals),
            len(wins[spec].values),
            faults[spec],
        )
        for spec in order
        if spec in wins
    }


def compare_agents(results: Sequence[Result], agents: Sequence[str]) -> dict[tuple[str, str], Duel]:
    """Every bot against every other that it has met."""
    ahead: defaultdict[tuple[str, str], DealValues] = defaultdict(DealValues)
    margins: defaultdict[tuple[str, str], DealValues] = defaultdict(DealValues)
    for result in results:
        if result.is_void:
            continue
        places, points, deal = result.places, result.points, result.fixture.seed
        for one, other in permutations(range(len(places)), 2):
            pair = result.agents[one], result.agents[other]
            if pair[0] == pair[1] or not {*pair} <= {*agents}:
                continue
            ahead[pair].add((1.0 + (places[one] < places[other]) - (places[one] > places[other])) / 2, deal)
            if result.status == OK:
                margins[pair].add(points[one] - points[other], deal)
    return {
        pair: Duel(
            estimate_share(sample.values, sample.deals),
            estimate_mean(margins[pair].values, margins[pair].deals),
            len(sample.values),
        )
        for pair, sample in ahead.items()
    }
