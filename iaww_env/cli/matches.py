"""The commands that need bots: `iaww tournament`, `iaww play`, `iaww watch`.

The bots lie in the package `iaww_agents`, which nothing here imports before a command runs.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any, Literal

from tyro.conf import FlagCreatePairsOff, Positional, arg

from iaww_env.cli.exit_codes import complain
from iaww_env.cli.options import STANDARD_GAME, Options

Bots = Annotated[Positional[tuple[str, ...]], arg(metavar="BOT ...")]


def tournament(
    agents: Bots,
    game: Options = STANDARD_GAME,
    games: int = 1000,
    key: str | None = None,
    out: Path | None = None,
    until_decided: bool = False,
    duplicates: bool = True,
    backend: Literal["local", "ray"] = "local",
    workers: int | None = None,
    time_limit: float = 10.0,
    first_limit: float = 60.0,
    memory_limit: float = 4.0,
    markdown: bool = False,
    plot: Path | None = None,
    csv: Path | None = None,
    record: Path | None = None,
    replace: FlagCreatePairsOff[bool] = False,
) -> int:
    """Let bots play each other on duplicate deals, and print ratings with their intervals.

    Every deal is played in each rotation of the seats. A bot that crashes, answers something illegal or takes
    too long loses the game, and the report says how to repeat it.

    Args:
        agents: Bots: names such as heuristic or search:milliseconds=200, module:Class, or path/to/bot.py. One
            that is named twice takes twice the seats.
        game: What is played.
        games: Play at least so many games, in whole deals.
        key: A text that all deals follow from: the same key, the same games. Drawn by default, and told by
            the report; a short one can be guessed by a bot.
        out: Write results to this file, one JSON object for each game; games that stand there are not played
            again, and its key is gone on with. Tracebacks of bots that crash go into FILE.crashes beside it.
        until_decided: Stop as soon as each bot is told from the next in rank.
        duplicates: Play each deal in every rotation of the seats.
        backend: Play on the cores of this machine, or on a Ray cluster.
        workers: Processes; one for each core by default.
        time_limit: Seconds for each decision of a bot.
        first_limit: Seconds for making a bot and for its first decision, in which it may load and compile.
        memory_limit: Gigabytes that each bot of others may take; 0 for no limit.
        markdown: Print the report in Markdown.
        plot: Draw the ratings into this file, such as ratings.svg (needs matplotlib).
        csv: Write a table of this tournament to this file, with a row for each game and seat.
        record: Write the games to this new file, as records for `iaww verify`, `show` and `replay`; those
            that stood in the file of results are left out.
        replace: Games that the file of --record holds already may be replaced.

    Examples:
        iaww tournament heuristic greedy --players 2 --games 20
        iaww tournament my_bot.py random:nodiscard --players 2 --games 4 --out results.jsonl --csv games.csv
        iaww tournament heuristic greedy --players 2 --games 20 --record games.jsonl --replace
    """
    code: int = load_commands().hold_tournament(
        agents,
        game.make_config(),
        games=games,
        key=key,
        out=out,
        until_decided=until_decided,
        duplicates=duplicates,
        backend=backend,
        workers=workers,
        time_limit=time_limit,
        first_limit=first_limit,
        memory_limit=memory_limit,
        markdown=markdown,
        plot=plot,
        csv=csv,
        record=record,
        replace=replace,
    )
    return code


def play(
    agents: Bots = (),
    game: Options = STANDARD_GAME,
    seat: int = 0,
    seed: int | None = None,
    hints: Annotated[str | None, arg(metavar="BOT")] = None,
    record: Annotated[Path | None, arg(metavar="FILE")] = None,
    no_record: FlagCreatePairsOff[bool] = False,
    browser: FlagCreatePairsOff[bool] = False,
    port: int | None = None,
    open: bool = True,
) -> int:
    """Play in the terminal against bots: type the number or the beginning of an action, q to leave.

    While you play, `hint` asks a bot and Enter alone then plays what it says, `undo` takes decisions back
    that revealed nothing, `info CARD` tells of a card, `table` shows all of the table, and `help` the rest.
    The game is saved as it goes on.
    With --browser you play on a page, by mouse, touch or keys; it needs the extra `browser`.

    Args:
        agents: Bots for the other seats, from seat 0 on; one for all of them, the heuristic by default.
        game: What is played.
        seat: Your seat.
        seed: Seed of the game; drawn by default.
        hints: The bot that is asked for hints, and sees what you see; the heuristic by default.
        record: Save the game in this new file; by default in one in the folder games that tells when it was
            played, and its seed.
        no_record: Save it nowhere.
        browser: Play on a page that this program serves to this machine alone, for as long as the game lasts.
        port: Port of the page, with --browser; any that is free by default.
        open: Open the page, with --browser; its address is printed either way.

    Examples:
        iaww play heuristic --players 3 --seat 1 --seed 7
        iaww play --scenario base_sc01 --hints search --record mine.jsonl
        iaww play heuristic --players 2 --browser
    """
    options = {"seat": seat, "seed": seed, "hints": hints, "record": record, "no_record": no_record}
    if browser:
        options |= {"port": port or 0, "open": open}
    elif port is not None or not open:
        return complain("--port and --no-open are about a page: say --browser, or leave them out")
    commands = load_commands()
    play_it = commands.play_in_browser if browser else commands.play_in_terminal
    code: int = play_it(agents, game.make_config(), **options)
    return code


def watch(
    agents: Bots,
    game: Options = STANDARD_GAME,
    seed: int | None = None,
    delay: float = 0.0,
    record: Annotated[Path | None, arg(metavar="FILE")] = None,
) -> int:
    """Show bots playing: every move, and the table as it stands; at the end where the points come from.

    The same bots in the same seats and the same seed play as they did in a tournament.

    Args:
        agents: Bots by seat; one for all of them.
        game: What is played.
        seed: Seed of the game; drawn by default.
        delay: Seconds to wait before each move.
        record: Save the game in this new file, also where it breaks off.

    Examples:
        iaww watch heuristic greedy --players 2 --seed 7
        iaww watch search heuristic --players 2 --record game.jsonl
    """
    code: int = load_commands().watch_game(agents, game.make_config(), seed=seed, delay=delay, record=record)
    return code


def load_commands() -> Any:
    """What the commands do, in the package of the bots."""
    return importlib.import_module("iaww_agents.arena.commands")
