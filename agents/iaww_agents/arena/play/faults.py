"""What went wrong with a bot, in words that fit into a line of a report."""

from __future__ import annotations

import traceback
from pathlib import Path

from iaww_env.errors import quote

MOST_CHARACTERS = 500  # of a reason


class Fault(Exception):
    """A bot has lost the game.

    Attributes:
        seat: Its seat.
        status: "crash", "illegal" or "timeout".
        reason: Why, in words.
    """

    def __init__(self, seat: int, status: str, reason: str) -> None:
        super().__init__(seat, status, reason)
        self.seat, self.status, self.reason = seat, status, clean_text(reason)


class GuestFault(Exception):
    """A guest has failed; whoever asked it knows its seat.

    Attributes:
        status: "crash", "illegal" or "timeout".
        reason: Why, in words.
        is_told: Whether the reason stands for itself, and not for what went wrong while it was asked.
    """

    def __init__(self, status: str, reason: str, is_told: bool = True) -> None:
        super().__init__(status, reason)
        self.status, self.reason, self.is_told = status, clean_text(reason), is_told


def clean_text(text: str) -> str:
    """A bot's own words as a report may print them: one line, nothing that steers a terminal."""
    short = text[:MOST_CHARACTERS]
    return "".join(letter if letter.isprintable() else "?" for letter in short)


def describe_error(error: BaseException, with_place: bool = True) -> str:
    """An error in a line: what it says, and the last place it passed."""
    try:
        said = str(error)
    except Exception:  # a bot's error may itself be broken
        said = "?"
    said = " ".join(said[:MOST_CHARACTERS].split())
    if not with_place:
        return said
    line = f"{type(error).__name__}: {said}"[: MOST_CHARACTERS // 2]
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return line + where


def explain_no_number(answer: object) -> str:
    """What is wrong with an answer that is no action."""
    return f"answered {quote(answer)} ({type(answer).__name__}): an action is a whole number"
