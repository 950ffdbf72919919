"""The errors of the project: each says what is wrong and what would do instead."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Iterable

# Versions that an extra is installed with; constraints.txt where it has none of its own.
CONSTRAINTS = {"compat": "constraints-compat.txt", "rllib": "constraints-rllib.txt"}

_SHOWN = 60  # characters of a foreign value that a message repeats
_PATH_SHOWN = 300  # characters of a path
MOST_CHARACTERS = 500  # of words of others, such as why a bot failed
_LEGAL_SHOWN = 12  # legal actions that a message names

_repr = reprlib.Repr()
_repr.maxstring = _repr.maxother = _repr.maxlong = _SHOWN


class IawwError(Exception):
    """Every error that the project raises on purpose."""


class FactsError(IawwError, ValueError):
    """A row of the card facts that cannot be; the message names the file and the line."""


class ConfigError(IawwError, ValueError):
    """A configuration, a card's name or a deal that cannot be played."""


class ActionTextError(IawwError, ValueError):
    """A text or a number that names no action of the card pool's table."""


class RecordError(IawwError, ValueError):
    """A record that cannot be read, or that does not agree with the rules."""


class StateError(IawwError, ValueError):
    """Bytes or arrays that are no state of the game."""


class IllegalActionError(IawwError, ValueError):
    """An action that the seat may not take now; the game is unchanged.

    Attributes:
        seat: The seat that tried.
        action: The number of the action.
        text: The same action in text form.
        reason: Why it is illegal.
        legal: What was legal, in text form.
    """

    def __init__(self, seat: int, action: int, text: str, reason: str, legal: Iterable[str] = ()) -> None:
        self.seat = int(seat)
        self.action = int(action)
        self.text = text
        self.reason = reason
        self.legal: tuple[str, ...] = tuple(legal)
        super().__init__(
            f"seat {self.seat} cannot play {quote(text)} (action {quote(self.action)}): {reason}; "
            f"legal: {_list_legal(self.legal)}"
        )

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are rebuilt from `args`, which holds the message alone.
        parts = (self.seat, self.action, self.text, self.reason, self.legal)
        return type(self), parts, self.__dict__


def _list_legal(legal: tuple[str, ...]) -> str:
    if not legal:
        return "nothing"
    shown = ", ".join(legal[:_LEGAL_SHOWN])
    return shown if len(legal) <= _LEGAL_SHOWN else f"{shown}, ... ({len(legal)} in all)"


def quote(value: object) -> str:
    """The value as a message shows it: short, whatever it is."""
    try:
        return _repr.repr(value)
    except ValueError:  # an integer with more digits than Python prints
        return f"a very long {type(value).__name__}"


def name_path(path: object) -> str:
    """A path as a message shows it: in full, but where it is endless or would steer a terminal."""
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if isinstance(text, str) and text and text.isprintable() and len(text) <= _PATH_SHOWN:
        return text
    return quote(text)


def clean_text(text: str) -> str:
    """Words of a bot or of a record as they may be printed: one line, nothing that steers a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:MOST_CHARACTERS])


def explain_os_error(error: OSError) -> str:
    """What the system says, without its number and without the file, which the message names itself."""
    return (error.strerror or str(error) or type(error).__name__).lower()


def describe_os_error(error: OSError) -> str:
    """What the system says, with the file that it is about."""
    said = explain_os_error(error)
    if isinstance(error.filename, str | bytes):
        return f"{name_path(os.fsdecode(error.filename))}: {said}"
    if isinstance(error, FileNotFoundError) and not _has_folder():
        return "the folder in which this runs is gone: change to another"
    return f"the system refuses: {said}"


def _has_folder() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def tell_install(extra: str) -> str:
    """How to install an optional part, as the end of a message: from a clone; no registry has the project.

    Args:
        extra: The part, as pyproject.toml calls it.
    """
    return (
        f'in the folder of the clone: pip install -c {CONSTRAINTS.get(extra, "constraints.txt")} ".[{extra}]"'
    )


def suggest(text: object, options: Iterable[str]) -> str:
    """The end of a message, "; did you mean ...?", or nothing when no option is close."""
    if not isinstance(text, str):
        return ""
    from difflib import get_close_matches  # slow to import, and only errors need it

    folded = {option.casefold(): option for option in options}
    close = get_close_matches(text[:_SHOWN].casefold(), folded, n=3, cutoff=0.75)
    return f"; did you mean {' or '.join(repr(folded[one]) for one in close)}?" if close else ""
