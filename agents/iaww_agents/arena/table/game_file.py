"""The record of a person's game: written as the game goes on, so that nothing of it is lost."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np

from iaww_agents.arena.play.schedule import Fixture
from iaww_env.errors import ConfigError, explain_os_error, name_path
from iaww_env.game import Game
from iaww_env.interrupts import hold_interrupts
from iaww_env.outputs import check_output, is_stream
from iaww_env.records import write_records
from iaww_env.records.files import find_free, holds_records
from iaww_env.records.form import Thought
from iaww_env.records.from_moves import make_record

FOLDER = Path("games")  # in the current folder, where no file is named


class GameFile:
    """A file for one game, which exists once something was played.

    It is written where a phase begins and at the end, each time whole: whatever ends the program, a game up
    to the last phase stands there. What was there before is never replaced.

    Attributes:
        moves: Seat and action, in the order played.
        thoughts: What bots thought of their actions, where that is kept.
    """

    def __init__(self, fixture: Fixture, path: Path | None, *, is_named: bool = False) -> None:
        """Nothing is written yet.

        Args:
            fixture: The game.
            path: Where it is written; None for nowhere.
            is_named: Whether the user has named the file; otherwise another name will do as well.

        Raises:
            ConfigError: A file that was named exists, or cannot be written.
        """
        self.fixture, self.path, self.is_named = fixture, path, is_named
        self.moves: list[tuple[int, int]] = []
        self.thoughts: list[Thought] = []
        self._is_begun = False
        self._phase: tuple[int, str] | None = None
        if path is not None and is_named:
            refuse_existing(path)
            check_output(path, holds_records)

    def note(self, game: Game, seat: int, action: int) -> None:
        """A move is about to be played."""
        if (game.round, game.phase) != self._phase:
            self._phase = game.round, game.phase
            if self.path is not None and not is_stream(self.path):
                self._save_meanwhile()
        self.moves.append((seat, action))

    def take_back(self, count: int) -> None:
        """The last moves are taken back."""
        del self.moves[len(self.moves) - count :]

    def finish(self) -> str:
        """Write all of it, and say where it is; returns what was said.

        Raises:
            ConfigError: It cannot be written.
        """
        if self.path is None or not self.moves:
            return ""
        self.save()
        told = sys.stderr if is_stream(self.path) else sys.stdout
        about = "" if "result" in self.make_record() else f", unfinished, {len(self.moves)} moves"
        said = f"The game is saved{about}. To look at it: iaww replay {quote(name_path(self.path))}"
        print(f"\n{said}", file=told, flush=True)
        return said

    def save(self) -> None:
        """Write the game as far as it was played."""
        if self.path is None or not self.moves:
            return
        with hold_interrupts():
            if not self._is_begun and not is_stream(self.path):
                self._begin()
            write_records(self.path, [self.make_record()])

    def make_record(self) -> dict[str, Any]:
        """The record of the game so far."""
        moves = np.array(self.moves, np.int16).reshape(-1, 2)
        about = {"agents": list(self.fixture.agents)}
        known = [one for one in self.thoughts if one.move < len(moves)]
        return make_record(self.fixture.config, self.fixture.seed, moves, about, known)

    def _begin(self) -> None:
        """Make the file, so that from now on it is ours."""
        assert self.path is not None
        try:
            if not self.is_named:
                self.path.parent.mkdir(exist_ok=True)
                self.path = find_free(self.path)
            self.path.open("xb").close()
        except OSError as error:
            raise ConfigError(f"cannot write {name_path(self.path)}: {explain_os_error(error)}") from error
        self._is_begun = True

    def _save_meanwhile(self) -> None:
        """Write what there is; where that fails, the game goes on, and its end will say so."""
        try:
            self.save()
        except (ConfigError, OSError):
            return


def open_game_file(fixture: Fixture, named: Path | None, *, no_record: bool = False) -> GameFile:
    """The file that the user has named, or one such as `games/iaww-2026-11-19-1432-seed7.jsonl`."""
    if named is not None and no_record:
        raise ConfigError("--record names a file and --no-record wants none: leave one of them out")
    if no_record:
        return GameFile(fixture, None)
    if named is not None:
        return GameFile(fixture, named, is_named=True)
    place = FOLDER if FOLDER.exists() else Path()
    if not place.is_dir() or not os.access(place, os.W_OK):
        raise ConfigError(
            f"games are saved in the folder {FOLDER} here, which cannot be written: say --record FILE or "
            "--no-record"
        )
    now = time.strftime("%Y-%m-%d-%H%M")
    return GameFile(fixture, FOLDER / f"iaww-{now}-seed{fixture.seed}.jsonl")


def refuse_existing(path: Path) -> None:
    """Refuse to replace what stands there.

    Raises:
        ConfigError: There is a file of this name.
    """
    if not is_stream(path) and (path.exists() or path.is_symlink()):
        raise ConfigError(f"{name_path(path)} exists already, and is left as it is: name a new file")
