"""Reading lines from a person: with editing, history and completion where the terminal has them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator


def read_line(prompt: str) -> str:
    """A line; where nobody types at a terminal, what was read is shown behind the prompt.

    Raises:
        EOFError: The input has ended, or was closed before the program began.
    """
    if sys.stdin is None:
        raise EOFError
    typed = input(prompt)
    if not sys.stdin.isatty():
        print(typed)
    return typed


@contextlib.contextmanager
def edit_lines(complete: Callable[[str], list[str]]) -> Iterator[None]:
    """While this lasts, lines can be edited, called back, and completed with Tab.

    Without the module `readline`, or where the input is no terminal, lines are read as they come.

    Args:
        complete: The texts that go on from what was typed.
    """
    try:
        import readline
    except ImportError:  # Windows
        yield
        return
    if sys.stdin is None or not sys.stdin.isatty():
        yield
        return

    def offer(typed: str, number: int) -> str | None:
        return (*complete(typed), None)[number]

    before = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(offer)
    readline.set_completer_delims("\n")  # an action is completed as a whole
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before[0])
        readline.set_completer_delims(before[1])
