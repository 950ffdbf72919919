"""The commands about agents that learn: `iaww evaluate`.

What they do lies in the package `iaww_training`, which nothing here imports before a command runs.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, arg

from iaww_env.cli.options import STANDARD_GAME, Options

Agent = Annotated[Positional[str], arg(metavar="AGENT")]
Bots = Annotated[tuple[str, ...], arg(metavar="BOT ...")]


def evaluate(
    agent: Agent,
    game: Options = STANDARD_GAME,
    games: int = 1000,
    ladder: Bots = ("greedy", "heuristic"),
    key: str | None = None,
    workers: int | None = None,
    markdown: bool = False,
    out: Path | None = None,
    curve: Path | None = None,
    plot: Path | None = None,
    best_response: bool = False,
    minutes: float | None = None,
    decisions: int | None = None,
    folder: Path | None = None,
) -> int:
    """Measure how strong an agent is: against bots, against itself and alone, with intervals.

    It plays with every number of players of the card pool, unless one is named. The report also says where
    its points come from, how it does with each empire, and on request what a seat gains that learns against
    it.

    Args:
        agent: The agent: a name such as heuristic, ppo:path=network.npz, module:Class, or path/to/bot.py.
        game: What is played.
        games: Play at least so many games against each bot and with each number of players, in whole deals.
        ladder: Bots that it meets, one after the other; add search where there is time.
        key: A text that all deals follow from: the same key, the same games. Drawn by default.
        workers: Processes; one for each core by default.
        markdown: Print the report in Markdown.
        out: Write all figures to this file, as JSON.
        curve: The folder of a training run: also tell what was measured while it learnt.
        plot: Draw that curve into this file, such as curve.svg (needs matplotlib).
        best_response: Also let one seat learn against the agent in all others, and tell what it gains: a
            lower bound of how far the agent can be exploited (needs the extra train). Four players by
            default.
        minutes: How long the response learns; 10 where nothing is said.
        decisions: Decisions after which it ends.
        folder: Keep the response here, as network.npz.

    Examples:
        iaww evaluate greedy --players 2 --games 20 --ladder random:nodiscard
        iaww evaluate my_bot.py --players 2 --games 4 --ladder greedy --out figures.json
        iaww evaluate greedy --players 2 --games 20 --ladder random --best-response --decisions 1000
    """
    commands = importlib.import_module("iaww_training.evaluation.commands")
    code: int = commands.hold_evaluation(
        agent,
        game,
        games=games,
        ladder=ladder,
        key=key,
        workers=workers,
        markdown=markdown,
        out=out,
        curve=curve,
        plot=plot,
        best_response=best_response,
        minutes=minutes,
        decisions=decisions,
        folder=folder,
    )
    return code
