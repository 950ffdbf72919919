"""What each part of a bot is worth: `python -m iaww_agents.arena.measure.ingredients --write` writes a card.

The bot with other options, a line for each, on the same deals and in the same seats: what is told beside wins
and margin is by how much they differ from those of the bot as it is, game by game.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import iaww_env
from iaww_agents.arena.measure.games import Measuring
from iaww_agents.arena.measure.intervals import estimate_mean, estimate_share
from iaww_agents.arena.measure.standings import share_win
from iaww_agents.arena.play.results import OK
from iaww_agents.arena.publish.report import TextTable, show_interval
from iaww_agents.arena.publish.scripts import publish
from iaww_env.config import GameConfig
from iaww_env.publish import name_processor

CARD = Path(__file__).resolve().parents[2] / "ppo_search" / "CARD.md"
AS_IT_IS = ""
VARIANTS = (
    AS_IT_IS,
    "win_bonus=0,rivalry=0",
    "unlikely=0.01",
    "sure=0.99",
    "trust=1",
    "own=plans",
    "own=rules",
    "others=policy",
    "belief=0",
    "rounds=2",
    "rounds=4",
    "depth=0,worlds=8",
    "depth=0",
    "depth=0,worlds=128",
    "depth=2,worlds=8",
    "depth=2",
    "depth=3",
    "worlds=1024",
)


@dataclass(frozen=True)
class Options(Measuring):
    """What is compared."""

    bot: str = "ppo_search"
    """The bot."""
    variants: tuple[str, ...] = VARIANTS
    """Its options, a line each; the first is what the others are compared with."""
    opponent: str = "heuristic"
    """Who sits in all other seats."""
    players: int = 4
    """Seats."""
    deals: int = 200
    """Deals; each is a game, in which all variants sit in the same seat."""
    mark: str = "ingredients"
    """Of the place on the card: one for each kind of opponent, or for budgets alone."""
    key: str = "ingredients"
    out: Path = Path("runs/ingredients.jsonl")
    into: Path = CARD


def play(spec: str, options: Options) -> dict[tuple[int, int], tuple[float, float, float]]:
    """By deal and rotation: the share of the win, the margin, and the seconds of the game."""
    line_up = [spec, *[options.opponent] * (options.players - 1)]
    found = options.play(line_up, GameConfig(options.players), options.deals, duplicates=False)
    games = {}
    for result in found.results:
        if result.status == OK:
            seat = result.agents.index(spec)
            others = result.points[:seat] + result.points[seat + 1 :]
            ahead = float(result.points[seat] - max(others))
            place = result.fixture.seed, seat
            games[place] = share_win(result.places, seat), ahead, result.seconds
    print(f"{spec}: {len(games):,} games", file=sys.stderr)
    return games


def make_table(options: Options, command: str) -> str:
    """A line for each variant."""
    first: dict[tuple[int, int], tuple[float, float, float]] = {}
    rows = []
    for variant in options.variants:
        games = play(f"{options.bot}:{variant}" if variant else options.bot, options)
        first = first or games
        both = sorted(games.keys() & first.keys())
        deals = [deal for deal, _ in both]
        values, before = (np.array([one[place] for place in both]) for one in (games, first))
        change = values - before
        rows.append(
            (
                f"`{variant}`" if variant else "as it is",
                show_interval(estimate_share(values[:, 0], deals), 1, percent=True),
                show_mean(values[:, 1], deals),
                show_mean(change[:, 0], deals, percent=True) if variant else "",
                show_mean(change[:, 1], deals) if variant else "",
                f"{values[:, 2].mean():.2f}",
            )
        )
    heads = ("options", "wins", "margin", "wins more", "margin more", "seconds a game")
    return (
        f"`{options.bot}` against {options.players - 1} x {options.opponent}, base, side A, "
        f"{options.deals:,} deals, a game each; made on {datetime.date.today()} with iaww-env "
        f"{iaww_env.__version__} by `{command}` ({name_processor()}). 95 % intervals with deals as units; "
        "differences are from the first line, in the same seats of the same deals.\n\n"
        + TextTable("", heads, tuple(rows)).to_markdown()
    )


def show_mean(values: npt.NDArray[np.float64], deals: Sequence[int], *, percent: bool = False) -> str:
    """A mean with its interval."""
    return show_interval(estimate_mean(values, deals), 1, percent=percent)


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    module = "iaww_agents.arena.measure.ingredients"
    return publish(module, lambda said: said.mark, Options, make_table, __doc__, args)


if __name__ == "__main__":
    sys.exit(main())
