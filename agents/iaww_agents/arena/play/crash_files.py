"""Tracebacks of bots that crash, kept for their authors in a file beside that of the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from textwrap import indent

from iaww_agents.arena.play.results import Result, repeat_game
from iaww_env.errors import ConfigError, explain_os_error, name_path
from iaww_env.outputs import check_output, write_whole

BEGIN = "Tracebacks of bots that crashed in a tournament of iaww-env\n"
MOST_TOLD = 5  # tracebacks of one bot in one run
MOST_KEPT = 200_000  # characters of earlier runs


class CrashFile:
    """A file of tracebacks; there is none before the first crash.

    Attributes:
        path: The file, named after that of the results.
    """

    def __init__(self, out: Path | str) -> None:
        """Look whether it can be written.

        Raises:
            ConfigError: It cannot, or something else stands there.
        """
        self.path = name_crash_file(out)
        check_output(self.path, _holds_crashes)
        self.told: Counter[str] = Counter()
        self.text: str | None = None

    def keep(self, results: Iterable[Result]) -> None:
        """Write down the tracebacks of these games, of each bot no more than a few."""
        fresh = ""
        for result in results:
            spec = "" if result.offender is None else result.agents[result.offender]
            if result.trace and self.told[spec] < MOST_TOLD:
                self.told[spec] += 1
                told = indent(result.trace, "    ")  # what a bot tells cannot be taken for what we tell
                fresh += f"\n{result.reason}\nRepeat it: {repeat_game(result)}\n{told}\n"
        if fresh:
            self.text = (self._read() if self.text is None else self.text) + fresh
            write_whole(self.path, self.text, _holds_crashes)

    def _read(self) -> str:
        """What earlier runs have left, the oldest of it dropped where it is long."""
        try:
            kept = self.path.read_text(encoding="utf-8", errors="replace").removeprefix(BEGIN)
        except FileNotFoundError:
            kept = ""
        except OSError as error:
            raise ConfigError(f"cannot read {name_path(self.path)}: {explain_os_error(error)}") from error
        return BEGIN + kept[-MOST_KEPT:]


def name_crash_file(out: Path | str) -> Path:
    """Where the tracebacks of a tournament stand."""
    return Path(f"{out}.crashes")


def _holds_crashes(begin: bytes) -> bool:
    return begin.startswith(BEGIN.encode())
