"""How far a value can be trusted: `python -m iaww_training.values.calibration --write` puts it on a card.

Games that nobody learnt from, played by a policy at its best: what the value expects behind each decision,
against what the game brought that seat in the end, by round and phase, and by what was expected.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import iaww_env
from iaww_agents import value
from iaww_agents.arena.measure.intervals import estimate_mean
from iaww_agents.arena.publish.report import TextTable, show_interval
from iaww_agents.arena.publish.scripts import publish
from iaww_agents.networks.inputs import POINT_WORTH
from iaww_agents.ppo.bot import find_shipped, load_forward
from iaww_agents.value.bot import find_value
from iaww_env import rulebook
from iaww_env.publish import name_processor
from iaww_training.network import load_network
from iaww_training.ppo.settings import find_mode
from iaww_training.values.learn import judge
from iaww_training.values.positions import Positions, Watcher

Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

PARTS = 10  # of equal size, of all positions by what was expected
CARD = Path(value.__file__).with_name("CARD.md")
FIRST_SEED = 3_000_000_000  # of games that no value has learnt from


@dataclass(frozen=True)
class Options:
    """What is judged."""

    modes: tuple[str, ...] = ("base4", "base2", "basesolo", "ca4", "ca7", "casolo")
    """Kinds of games, as `iaww train` names them."""
    games: int = 256
    """Games of each; in every second one heuristics have all seats but one."""
    network: Path | None = None
    """A network whose value is judged; by default that which the bot `value` plays."""
    into: Path = CARD
    """The file it is written into."""
    write: bool = False
    """Write the tables on the card; by default they are printed."""


class Watched(NamedTuple):
    """Positions of games, and what a value expects there in points.

    Attributes:
        positions: What was seen, and what came of it.
        expected: (positions,) in points.
        players: Seats of each game.
    """

    positions: Positions
    expected: Doubles
    players: int

    def describe(self, chosen: Flags) -> tuple[str, ...]:
        """A line about some of them."""
        ends = self.positions.ends[chosen].astype(np.float64) / POINT_WORTH
        expected, games = self.expected[chosen], self.positions.owner[chosen] // self.players
        error = expected - ends
        return (
            f"{len(ends):,}",
            f"{expected.mean():.1f}",
            f"{ends.mean():.1f}",
            show_interval(estimate_mean(error, games), 1),
            f"{np.sqrt((error**2).mean()):.1f}",
            f"{1 - error.var() / ends.var():.0%}",
        )


def watch(mode: str, options: Options) -> Watched:
    """Positions of a mode, and what the value expects there."""
    config = find_mode(mode)
    policy = load_forward(find_shipped(config))
    found = Watcher(policy, config, stray=0.0, temperature=0.0).play(options.games, FIRST_SEED)
    network = load_network(options.network or find_value(config))
    expected = judge(network, found.known).astype(np.float64) / POINT_WORTH
    return Watched(found, expected, config.players)


HEADS = ("positions", "expected", "brought", "difference", "error", "explained")


def make_tables(options: Options, command: str) -> str:
    """A table by round and phase for each mode, and for the first one by what was expected."""
    parts = [
        "What is expected behind the decisions of the policy, in points, and what the game brought; `error` "
        "is the root of the mean square, `explained` the share of the outcomes' variance. "
        f"{options.games:,} games of each kind, made on {datetime.date.today()} with iaww-env "
        f"{iaww_env.__version__} by `{command}` ({name_processor()}); 95 % intervals with games as units."
    ]
    for number, mode in enumerate(options.modes):
        watched = watch(mode, options)
        parts.append(f"**{mode}**\n\n" + by_round(watched).to_markdown())
        if number == 0:
            parts.append(f"**{mode}, by what was expected**\n\n" + by_expected(watched).to_markdown())
    return "\n\n".join(part.strip() for part in parts) + "\n"


def by_round(watched: Watched) -> TextTable:
    """A line for each round and phase."""
    rows, found = [], watched.positions
    for number in range(1, rulebook.ROUNDS + 1):
        for phase, name in enumerate(rulebook.PHASES):
            chosen = (found.rounds == number) & (found.phases == phase)
            if chosen.any():
                rows.append((f"round {number}, {name}", *watched.describe(chosen)))
    return TextTable("", ("behind decisions of", *HEADS), tuple(rows))


def by_expected(watched: Watched) -> TextTable:
    """A line for each tenth of the positions, those of which least is expected first."""
    expected, rows = watched.expected, []
    for part in np.array_split(np.argsort(expected, kind="stable"), PARTS):
        chosen = np.zeros(len(expected), np.bool_)
        chosen[part] = True
        span = f"{expected[part].min():.0f} to {expected[part].max():.0f}"
        rows.append((span, *watched.describe(chosen)))
    return TextTable("", ("expected points", *HEADS), tuple(rows))


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    return publish("iaww_training.values.calibration", "calibration", Options, make_tables, __doc__, args)


if __name__ == "__main__":
    raise SystemExit(main())
