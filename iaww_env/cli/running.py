"""How a command ends: with its own answer, or with one line that says why not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from iaww_env.cli.exit_codes import INTERRUPTED, REFUSED, complain
from iaww_env.cli.signals import Stopped, listen_for_signals
from iaww_env.errors import IawwError, describe_os_error


def run_command(run: Callable[[], int], name: str = "iaww", *, is_program: bool = True) -> int:
    """Run a command; returns the exit code.

    Args:
        run: The command; returns its exit code.
        name: Stands before what is wrong.
        is_program: The process ends with it, and nothing shall disturb that.
    """
    if is_program:
        fill_streams()
    try:
        with listen_for_signals(is_program=is_program):
            return run()
    except SystemExit as stop:  # help was shown, or the arguments made no sense
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except IawwError as error:
        return complain(str(error), name=name)
    except BrokenPipeError:  # whoever read the output, as `head` does, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except OSError as error:
        return complain(describe_os_error(error), name=name)
    except Stopped as stop:
        return stop.code
    except KeyboardInterrupt:
        return INTERRUPTED


def fill_streams() -> None:
    """Put nothingness in the place of streams that were closed before the program began, as by `>&-`.

    Python has None there, which everything that reads and prints would have to know; and the next file to be
    opened would get the stream's number, and whatever is printed past Python.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
