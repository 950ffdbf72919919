"""What went wrong with a bot, in words that fit into a line of a report."""

from __future__ import annotations

import traceback
from pathlib import Path

from iaww_env.errors import MOST_CHARACTERS, clean_text, quote

MOST_TRACE, MOST_LINES, WIDEST = 8000, 60, 200  # characters and lines of a traceback, and of its lines


class Fault(Exception):
    """A bot has lost the game.

    Attributes:
        seat: Its seat.
        status: "crash", "illegal" or "timeout".
        reason: Why, in words.
        trace: The traceback of a crash, for its author.
    """

    def __init__(self, seat: int, status: str, reason: str, trace: str = "") -> None:
        super().__init__(seat, status, reason)
        self.seat, self.status, self.reason, self.trace = seat, status, clean_text(reason), trace


class GuestFault(Exception):
    """A guest has failed; whoever asked it knows its seat.

    Attributes:
        status: "crash", "illegal" or "timeout".
        reason: Why, in words.
        is_told: Whether the reason stands for itself, and not for what went wrong while it was asked.
        trace: The traceback of a crash, as the guest tells it: bounded, and nothing in it steers a terminal.
    """

    def __init__(self, status: str, reason: str, is_told: bool = True, trace: str = "") -> None:
        super().__init__(status, reason)
        self.status, self.reason, self.is_told = status, clean_text(reason), is_told
        self.trace = clean_trace(trace)


def clean_trace(text: str) -> str:
    """A traceback as a terminal may print it: short lines, few of them, nothing that steers it."""
    lines = [line.expandtabs(4)[:WIDEST] for line in text[:MOST_TRACE].split("\n")]
    if len(lines) > MOST_LINES:  # where it began, and where it ended
        lines = [*lines[: MOST_LINES // 2], "  ...", *lines[-MOST_LINES // 2 :]]
    return "\n".join(map(clean_text, lines)).strip("\n")


def describe_trace(error: BaseException) -> str:
    """The traceback of an error; nothing where that cannot be told."""
    try:
        text = "\n".join(
            line[:WIDEST] for part in traceback.format_exception(error) for line in part.splitlines()
        )
    except BaseException:  # a bot's error may be broken in any way
        return ""
    if len(text) > MOST_TRACE:
        text = f"{text[: MOST_TRACE // 2]}\n  ...\n{text[-MOST_TRACE // 2 + 10 :]}"
    return clean_trace(text)


def describe_error(error: BaseException, with_place: bool = True) -> str:
    """An error in a line: what it says, and the last place it passed."""
    try:
        said = str(error)
    except BaseException:  # a bot's error may itself be broken, in any way
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
