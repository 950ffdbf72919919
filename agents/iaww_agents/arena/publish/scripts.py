"""Tables as scripts: options, a text made from them, and its place in a file."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import tyro

from iaww_env.cli.running import run_command
from iaww_env.publish import find_place, write_between_marks

LEADERBOARD = Path(__file__).resolve().parents[3] / "LEADERBOARD.md"
BOTS_GUIDE = LEADERBOARD.with_name("README.md")


class Published(Protocol):
    """What the options of such a script have in common."""

    @property
    def write(self) -> bool:
        """Whether the text goes into the file; it is printed otherwise."""

    @property
    def into(self) -> Path:
        """The file it is written into."""


Kind = TypeVar("Kind", bound=Published)


def publish(
    module: str,
    mark: str | Callable[[Kind], str],
    kind: type[Kind],
    make: Callable[[Kind, str], str],
    about: str | None,
    args: Sequence[str] | None,
) -> int:
    """Run a script; returns the exit code.

    Args:
        module: What is run.
        mark: Of the place in the file, or what finds it from the options.
        kind: Class of the options.
        make: Makes the text from the options and the command that was typed.
        about: What `--help` says.
        args: Words behind the command; those of the process by default.
    """
    typed = list(sys.argv[1:] if args is None else args)
    program = f"python -m {module}"

    def run() -> int:
        options = tyro.cli(kind, args=typed, prog=program, description=about)
        place = mark if isinstance(mark, str) else mark(options)
        if options.write:
            find_place(options.into, place)  # before anybody has waited
        text = make(options, " ".join([program, shlex.join(typed)]).strip())
        print(text)
        if options.write:
            write_between_marks(options.into, place, f"\n{text}")
            print(f"{options.into}: {place} written")
        return 0

    return run_command(run, module.rsplit(".", 1)[-1], is_program=args is None)
