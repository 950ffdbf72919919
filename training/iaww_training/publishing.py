"""Where the tables of training stand, and what is written below each."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import tyro

from iaww_env.cli.running import run_command
from iaww_env.publish import describe_machine, find_place, write_between_marks

GUIDE = Path(__file__).resolve().parents[1] / "README.md"


def sign_table(command: str) -> str:
    """How and when a table was made, and where."""
    return f"`{command}`, {datetime.date.today()}, {describe_machine()}."


class Published(Protocol):
    """What the options of a script that makes a table have in common."""

    @property
    def write(self) -> bool:
        """Whether the table is also written into the file."""

    @property
    def into(self) -> Path:
        """The file."""


Kind = TypeVar("Kind", bound=Published)


def publish(
    name: str,
    mark: str,
    kind: type[Kind],
    make: Callable[[Kind, str], str],
    about: str | None,
    args: Sequence[str] | None,
) -> int:
    """Run the script `iaww_training.<name>`; returns the exit code.

    Args:
        name: Of the module.
        mark: Of the place in the file.
        kind: Class of the options.
        make: Makes the table from the options and the command that was typed.
        about: What `--help` says.
        args: Words behind the command; those of the process by default.
    """
    typed = list(sys.argv[1:] if args is None else args)
    program = f"python -m iaww_training.{name}"

    def run() -> int:
        options = tyro.cli(kind, args=typed, prog=program, description=about)
        if options.write:
            find_place(options.into, mark)  # before anybody has waited
        text = make(options, " ".join([program, *typed]))
        print(text)
        if options.write:
            write_between_marks(options.into, mark, text)
        return 0

    return run_command(run, name, is_program=args is None)
