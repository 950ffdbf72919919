"""The commands about records: `iaww verify`, `iaww record`, `iaww show`, `iaww replay`."""

from __future__ import annotations

import os
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tyro.conf import FlagCreatePairsOff, Positional, arg

from iaww_env.cli.exit_codes import DIFFERENCE, complain
from iaww_env.cli.matches import Bots, load_commands
from iaww_env.cli.options import STANDARD_GAME, Options
from iaww_env.errors import IawwError, RecordError, name_path

if TYPE_CHECKING:
    from iaww_env.game import Game
    from iaww_env.records import Tally

USUAL_FILE = Path("games.jsonl")  # of `iaww record`, where none is named


def verify(files: Annotated[Positional[tuple[Path, ...]], arg(metavar="FILE ...")]) -> int:
    """Replay recorded games and compare every check and result.

    Exit code 1: a record says something else than the rules give. Exit code 2: a file cannot be read, is
    garbled, or its moves cannot be played.

    Args:
        files: Files of records, JSON Lines, gzipped or not.

    Examples:
        iaww verify games.jsonl
    """
    from iaww_env.records import RecordMismatch, Tally, verify_file

    if not files:
        return complain("name at least one file of records")
    total = Tally()
    for path in files:
        try:
            tally = verify_file(path)
        except RecordMismatch as error:
            return complain(f"{name_path(path)}: {error}", DIFFERENCE)
        except IawwError as error:
            return complain(f"{name_path(path)}: {error}")
        print(f"{name_path(path)}: {_describe_tally(tally)}")
        total += tally
    if len(files) > 1:
        print(f"{len(files)} files: {_describe_tally(total)}")
    return 0


def _describe_tally(tally: Tally) -> str:
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


def record(
    agents: Bots = (),
    out: Path | None = None,
    game: Options = STANDARD_GAME,
    games: int = 1,
    seed: int = 0,
    checks: bool = True,
    discards: bool = False,
    thoughts: bool = False,
    replace: FlagCreatePairsOff[bool] = False,
    workers: int | None = None,
) -> int:
    """Play games between bots, or by random legal play, and write their records.

    Args:
        agents: Bots by seat; one for all of them. Random legal play by default.
        out: New file to write, gzipped where its name ends in .gz; by default games.jsonl, or games-2.jsonl
            and so on where that is there.
        game: What is played.
        games: Games to be played.
        seed: Seed of the first game; the others count up from it.
        checks: In random play: note how each seat stands before it ends a phase.
        discards: In random play: also discard cards under construction.
        thoughts: Keep what bots thought of their actions, which `iaww replay` shows: probabilities of ppo,
            values of search. Games are then played one by one, which is slower.
        replace: Games that the file holds already may be replaced.
        workers: Processes in which bots play; one for each core by default.

    Examples:
        iaww record --games 2 --players 3
        iaww record heuristic --out bots.jsonl --games 20 --players 2
        iaww record ppo --out ppo.jsonl --players 2 --thoughts
        iaww record --out solo.jsonl.gz --scenario base_sc01
    """
    from iaww_env.outputs import is_stream
    from iaww_env.random_games import record_games
    from iaww_env.records import write_records
    from iaww_env.records.files import check_records, find_free

    if games < 1:
        return complain(f"--games is {games}: play at least one game")
    config = game.make_config()
    out = out or (USUAL_FILE if replace else find_free(USUAL_FILE))
    if agents:
        if discards:
            return complain("--discards is for random play: bots play as they like")
        options = {"out": out, "games": games, "seed": seed, "workers": workers, "thoughts": thoughts}
        code: int = load_commands().record_games(agents, config, replace=replace, **options)
        return code
    if thoughts:
        return complain("--thoughts is for games of bots: name some")
    check_records(out, replace=replace)
    played = record_games(config, games, seed, checks=checks, discards=discards)
    written = write_records(out, played)
    told = sys.stderr if is_stream(out) else sys.stdout  # the stream may be that of the output
    print(f"{name_path(out)}: {written:,} game{'' if written == 1 else 's'} recorded", file=told)
    return 0


def show(
    file: Annotated[Positional[Path], arg(metavar="FILE")],
    game: int = 1,
    move: int | None = None,
    seat: int | None = None,
    picture: Annotated[Path | None, arg(metavar="FILE")] = None,
) -> int:
    """Print a position of a recorded game as text, or draw it.

    Args:
        file: File of records.
        game: Number of the game in the file, counted from 1.
        move: Show the position before this move, counted from 0; by default after the last one.
        seat: Show what this seat sees; by default everything.
        picture: Draw the position into this file, a PNG, in place of text.

    Examples:
        iaww show games.jsonl
        iaww show games.jsonl --game 2 --move 40 --seat 1
        iaww show games.jsonl --move 60 --picture table.png
    """
    from iaww_env.records import replay as play_again
    from iaww_env.records.form import name_players
    from iaww_env.render.text import render_position

    found = _find_record(file, game)
    position = play_again(found, move, number=game)
    if seat is not None and not 0 <= seat < position.config.players:
        return complain(f"--seat is {seat}: the game has the seats 0 to {position.config.players - 1}")
    agents = name_players(found.get("meta"))
    if picture is not None:
        return _draw_position(position, seat, agents, picture)
    moves = found["moves"]
    if move is None or move == len(moves):
        print(f"game {game}, after all {len(moves)} moves")
    else:
        who, text = moves[move]
        # A seat does not see ahead what others are about to choose in secret (rulings 1 and 10).
        done = f"plays {text}" if seat in (None, who) else "decides, not seen"
        print(f"game {game}, before move {move} of {len(moves)}: seat {who} {done}")
    print()
    print(render_position(position, seat, agents=agents))
    return 0


def _draw_position(position: Game, seat: int | None, agents: tuple[str, ...], picture: Path) -> int:
    from iaww_env.outputs import check_output, is_stream, write_whole
    from iaww_env.viewer.raster import draw_png, holds_png

    check_output(picture, holds_png)
    write_whole(picture, draw_png(position, seat, agents), holds_png)
    print(
        f"{name_path(picture)}: the position is drawn", file=sys.stderr if is_stream(picture) else sys.stdout
    )
    return 0


def _find_record(file: Path, game: int) -> dict[str, Any]:
    """A game of a file, by its number."""
    from iaww_env.records import read_records

    if game < 1:
        raise RecordError(f"--game is {game}: games are counted from 1")
    found = next(islice(read_records(file), game - 1, None), None)
    if found is None:
        raise RecordError(f"{name_path(file)} does not hold {game} games")
    return found


def replay(
    file: Annotated[Positional[Path], arg(metavar="FILE")],
    game: int = 1,
    out: Path | None = None,
    open: bool = True,
) -> int:
    """Write a page that steps through a recorded game move by move, and open it in the browser.

    The page needs no network and no other file.

    Args:
        file: File of records.
        game: Number of the game in the file, counted from 1.
        out: Page to write; by default beside FILE, or in this folder where that may not be written.
        open: Open the page in the browser.

    Examples:
        iaww replay games.jsonl --no-open
        iaww replay games.jsonl --game 2 --out game.html --no-open
    """
    from iaww_env.outputs import check_output, is_stream, write_whole
    from iaww_env.viewer.pages import holds_page, write_page

    found = _find_record(file, game)
    place = out or _place_page(file, game)
    check_output(place, holds_page)
    write_whole(place, write_page(found, game, name_path(file.name)), holds_page)
    if is_stream(place):
        print(f"{name_path(place)}: the page is written", file=sys.stderr)
        return 0
    print(name_path(place))
    if open:
        print(_open_page(place))
    return 0


def _place_page(file: Path, game: int) -> Path:
    """Where a page goes when nothing is said: beside its file, or into this folder."""
    name = file.name.removesuffix(".gz").removesuffix(".jsonl")
    page = file.with_name(f"{name}-game-{game}.html")
    return page if os.access(file.parent, os.W_OK) else Path(page.name)


def _open_page(page: Path) -> str:
    """Open a page in the browser; returns what became of it."""
    from iaww_env.viewer.opening import open_address

    opened = open_address(page.resolve().as_uri())
    return "opened in the browser" if opened else "there is no browser here: open the page in one of yours"
