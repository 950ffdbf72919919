"""The command that studies games: `iaww analyze`."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any, Literal

from tyro.conf import arg

from iaww_env.cli.matches import Bots
from iaww_env.cli.options import STANDARD_GAME, Options


def analyze(
    agents: Bots = (),
    game: Options = STANDARD_GAME,
    records: Annotated[tuple[Path, ...], arg(metavar="FILE ...")] = (),
    games: int = 1000,
    key: str | None = None,
    out: Path | None = None,
    form: Literal["parquet", "csv"] = "parquet",
    html: Path | None = None,
    workers: int | None = None,
) -> int:
    """Make tables of games: games, seats, cards and rounds; needs the extra `analysis`.

    The tables come from games that bots play now, or with --records from recorded ones. What wins is printed;
    --out writes the tables, --html a page with empires, sources of points, production and cards.

    Args:
        agents: Bots, as `iaww tournament` takes them.
        game: What is played.
        records: Files of records, in place of bots.
        games: Play at least so many games, in whole deals.
        key: A text that all deals follow from: the same key, the same games. Drawn by default, and told at
            the end.
        out: Folder for the four tables.
        form: Form of the files that the tables are written to.
        html: Write the page to this file.
        workers: Processes; one for each core by default.

    Examples:
        iaww analyze heuristic --players 2 --games 20 --out tables
        iaww analyze heuristic greedy --players 2 --games 20 --html analysis.html --form csv
    """
    commands: Any = importlib.import_module("iaww_agents.analysis.commands")
    code: int = commands.analyze(
        agents,
        game.make_config(),
        records=records,
        games=games,
        key=key,
        out=out,
        form=form,
        html=html,
        workers=workers,
    )
    return code
