"""The commands that measure: `iaww batch`, `iaww bench`."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Literal

from tyro.conf import Positional

from iaww_env.announcing import announce_to, show_in_bar
from iaww_env.cli.exit_codes import complain
from iaww_env.cli.options import STANDARD_GAME, Options
from iaww_env.errors import quote

MOST_GAMES = 1_000_000_000
MOST_SEED = (1 << 63) - 1  # as the seeds that are drawn; the stream of the choices begins beyond


def batch(game: Options = STANDARD_GAME, games: int = 10_000, seed: int = 0, discards: bool = False) -> int:
    """Play and score games by random legal play, and print points and throughput.

    Args:
        game: What is played.
        games: Games to be played.
        seed: Seed of the first game and of the choices; the same seed gives the same points.
        discards: Also discard cards under construction. Random play then throws nearly all of them away.

    Examples:
        iaww batch --games 100 --players 3
        iaww batch --games 100 --players 7 --expansions corruption_and_ascension --empire-side B
    """
    from rich.console import Console
    from rich.progress import Progress

    from iaww_env.random_games import play_batch, show_batch

    if not 1 <= games <= MOST_GAMES:
        return complain(f"--games is {games:,}: play at least one game, and at most {MOST_GAMES:,}")
    if seed > MOST_SEED:
        return complain(f"--seed is {quote(seed)}: give at most {MOST_SEED:,}")
    config = game.make_config()
    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("playing", total=games)
        show = partial(show_in_bar, bar, task, "playing")
        with announce_to(show) if screen.is_terminal else nullcontext():
            tally = play_batch(
                config, games, seed, discards=discards, report=lambda done: bar.update(task, completed=done)
            )
    show_batch(tally)
    return 0


def bench(
    what: Positional[Literal["engine", "env", "cold", "compare"]],
    repeats: int = 5,
    json: Path | None = None,
    into: Path | None = None,
) -> int:
    """Measure speed: decisions per second, and what compiling costs.

    Args:
        what: What is measured: the rules, the environments, what compiling costs a first user (cold), or the
            same work in other libraries as well.
        repeats: Repeats of each measurement; the best one counts.
        json: Write the figures to this file as well, with the machine named.
        into: Put the table between its marks in this file.

    Examples:
        iaww bench engine --repeats 3
    """
    from iaww_env.bench import run_cold, run_compare, run_engine, run_environments

    if repeats < 1:
        return complain(f"--repeats is {repeats}: measure at least once")
    if what == "compare":
        run_compare(repeats, json, into)
    elif what == "cold":
        run_cold(repeats, json, into)
    elif what == "env":
        run_environments(repeats, json, into)
    else:
        run_engine(repeats, json, into)
    return 0
