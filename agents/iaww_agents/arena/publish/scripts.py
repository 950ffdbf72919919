"""Tables of the arena as scripts: options, a text made from them, and its place in agents/README.md."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import tyro

from iaww_env.errors import ConfigError, IawwError

README = Path(__file__).resolve().parents[4] / "README.md"


class Published(Protocol):
    """What the options of such a script have in common."""

    @property
    def write(self) -> bool:
        """Whether the text goes into the file; it is printed otherwise."""

    @property
    def readme(self) -> Path:
        """The file it is written into."""


Kind = TypeVar("Kind", bound=Published)


def find_markers(name: str) -> tuple[str, str]:
    """The lines between which a text stands."""
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


def find_processor() -> str:
    """The processor's name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def write_between_markers(path: Path, name: str, text: str) -> None:
    """Replace what stands between the markers of a file."""
    begin, end = find_markers(name)
    whole = path.read_text(encoding="utf-8")
    if whole.count(begin) != 1 or whole.count(end) != 1:
        raise ConfigError(f"{path} must hold one line {begin} and one line {end}")
    before, rest = whole.split(begin)
    after = rest.split(end)[1]
    path.write_text(f"{before}{begin}\n\n{text}\n{end}{after}", encoding="utf-8")


def publish(
    name: str,
    kind: type[Kind],
    make: Callable[[Kind, str], str],
    about: str | None,
    args: Sequence[str] | None,
) -> int:
    """Run the script `iaww_agents.arena.<name>`; returns the exit code.

    Args:
        name: Of the module and of the markers.
        kind: Class of the options.
        make: Makes the text from the options and the command that was typed.
        about: What `--help` says.
        args: Words behind the command; those of the process by default.
    """
    words = list(sys.argv[1:] if args is None else args)
    program = f"python -m iaww_agents.arena.{name}"
    options = tyro.cli(kind, args=words, prog=program, description=about)
    try:
        text = make(options, " ".join([program, *words]))
        if options.write:
            write_between_markers(options.readme, name, text)
            print(f"{options.readme}: {name} written")
        else:
            print(text)
    except IawwError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0
