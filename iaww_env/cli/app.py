"""The command line: `iaww verify`, `iaww batch`, `iaww record`, `iaww show`, `iaww bench`, `iaww version`.

The commands that need bots stand in `matches`: `iaww tournament`, `iaww play`, `iaww watch`.
What a command needs is loaded when it runs, so that help comes at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import tyro
from tyro.conf import Positional

from iaww_env.cli import matches
from iaww_env.cli.options import STANDARD_GAME, Options
from iaww_env.errors import IawwError

DIFFERENCE = 1
REFUSED = 2
INTERRUPTED = 130

app = tyro.extras.SubcommandApp()


@app.command
def verify(files: Positional[tuple[Path, ...]]) -> int:
    """Replay recorded games and compare every check and result.

    Exit code 1: a record says something else than the rules give. Exit code 2: a file cannot be read, is
    garbled, or its moves cannot be played.

    Args:
        files: Files of records, JSON Lines, gzipped or not.
    """
    from iaww_env.records.recorder import RecordMismatch
    from iaww_env.records.verify import Tally, verify_file

    if not files:
        return _complain("name at least one file of records")
    total = Tally()
    for path in files:
        try:
            tally = verify_file(path)
        except RecordMismatch as error:
            _complain(f"{path}: {error}")
            return DIFFERENCE
        except IawwError as error:
            return _complain(f"{path}: {error}")
        print(f"{path}: {_describe_tally(tally)}")
        total += tally
    if len(files) > 1:
        print(f"{len(files)} files: {_describe_tally(total)}")
    return 0


def _describe_tally(tally: Any) -> str:
    counts = [
        f"{count:,} {name}{'' if count == 1 else 's'}"
        for count, name in (
            (tally.games, "game"),
            (tally.moves, "move"),
            (tally.checks, "check"),
            (tally.results, "result"),
        )
    ]
    return f"{', '.join(counts)}: all agree"


@app.command
def batch(
    options: Options = STANDARD_GAME, games: int = 10_000, seed: int = 0, discards: bool = False
) -> int:
    """Play and score games by random legal play, and print points and throughput.

    Args:
        options: What is played.
        games: Games to be played.
        seed: Seed of the first game and of the choices; the same seed gives the same points.
        discards: Also discard cards under construction. Random play then throws nearly all of them away.
    """
    from rich.console import Console
    from rich.progress import Progress

    from iaww_env.random_games import play_batch, show_batch

    if games < 1:
        return _complain(f"--games is {games}: play at least one game")
    config = options.make_config()
    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("playing (the first run compiles the rules)", total=games)
        tally = play_batch(
            config, games, seed, discards=discards, report=lambda done: bar.update(task, completed=done)
        )
    show_batch(tally)
    return 0


@app.command
def record(
    out: Path,
    options: Options = STANDARD_GAME,
    games: int = 1,
    seed: int = 0,
    checks: bool = True,
    discards: bool = False,
) -> int:
    """Play games by random legal play and write their records.

    Args:
        out: File to write; gzipped where its name ends in .gz.
        options: What is played.
        games: Games to be played.
        seed: Seed of the first game; the others count up from it.
        checks: Note how each seat stands before it ends a phase.
        discards: Also discard cards under construction.
    """
    from iaww_env.random_games import record_games
    from iaww_env.records.files import write_records

    if games < 1:
        return _complain(f"--games is {games}: play at least one game")
    config = options.make_config()
    played: Iterator[dict[str, Any]] = record_games(config, games, seed, checks=checks, discards=discards)
    written = write_records(out, played)
    print(f"{out}: {written:,} game{'' if written == 1 else 's'} recorded")
    return 0


@app.command
def show(file: Positional[Path], game: int = 1, move: int | None = None) -> int:
    """Print a position of a recorded game as text.

    Args:
        file: File of records.
        game: Number of the game in the file, counted from 1.
        move: Show the position before this move, counted from 0; by default after the last one.
    """
    from itertools import islice

    from iaww_env.records.files import read_records
    from iaww_env.records.recorder import replay

    if game < 1:
        return _complain(f"--game is {game}: games are counted from 1")
    found = next(islice(read_records(file), game - 1, None), None)
    if found is None:
        return _complain(f"{file} does not hold {game} games")
    position = replay(found, move, number=game)
    moves = found["moves"]
    if move is None or move == len(moves):
        print(f"game {game}, after all {len(moves)} moves")
    else:
        seat, text = moves[move]
        print(f"game {game}, before move {move} of {len(moves)}: seat {seat} plays {text}")
    print()
    print(position)
    return 0


@app.command
def bench(
    what: Positional[Literal["engine", "env", "compare"]],
    repeats: int = 5,
    json: Path | None = None,
    write_readme: Path | None = None,
) -> int:
    """Measure speed: decisions per second of CPU time, on one thread.

    Args:
        what: What is measured: the rules, the environments, or the same work in other libraries as well.
        repeats: Repeats of each measurement; the best one counts.
        json: Write the figures to this file as well, with the machine named.
        write_readme: Put the table between its marks in this file.
    """
    from iaww_env.bench import run_compare, run_engine, run_environments

    if repeats < 1:
        return _complain(f"--repeats is {repeats}: measure at least once")
    if what == "compare":
        run_compare(repeats, json, write_readme)
    elif what == "env":
        run_environments(repeats, json, write_readme)
    else:
        run_engine(repeats, json, write_readme)
    return 0


@app.command
def version() -> int:
    """Print the version."""
    import iaww_env

    print(f"iaww-env {iaww_env.__version__}")
    return 0


for _command in (matches.tournament, matches.play, matches.watch):
    app.command(_command)


def _complain(message: str) -> int:
    """One line on the error stream."""
    print(f"iaww: {' '.join(message.split())}", file=sys.stderr)
    return REFUSED


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        code = app.cli(prog="iaww", description=_ABOUT, args=args or ["--help"])
    except SystemExit as stop:  # help was shown, or the arguments made no sense
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except IawwError as error:
        return _complain(str(error))
    except BrokenPipeError:  # whoever read the output, as `head` does, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except OSError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return int(code)


_ABOUT = "It's a Wonderful World as a reinforcement-learning environment."

if __name__ == "__main__":
    sys.exit(main())
