"""The command line: its commands, and what becomes of errors.

The commands stand by subject in `records`, `speed` and `matches`. What a command needs is loaded when it
runs, so that help comes at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import tyro

from iaww_env.cli import matches, records, speed
from iaww_env.cli.exit_codes import INTERRUPTED, REFUSED, complain
from iaww_env.cli.signals import Stopped, listen_for_signals
from iaww_env.errors import IawwError, describe_os_error

ABOUT = "It's a Wonderful World as a reinforcement-learning environment."


def version() -> int:
    """Print the version."""
    import iaww_env

    print(f"iaww-env {iaww_env.__version__}")
    return 0


app = tyro.extras.SubcommandApp()
for _command in (
    records.verify,
    speed.batch,
    records.record,
    records.show,
    speed.bench,
    version,
    matches.tournament,
    matches.play,
    matches.watch,
):
    app.command(_command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        with listen_for_signals():
            code = app.cli(prog="iaww", description=ABOUT, args=args or ["--help"])
    except SystemExit as stop:  # help was shown, or the arguments made no sense
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except IawwError as error:
        return complain(str(error))
    except BrokenPipeError:  # whoever read the output, as `head` does, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except OSError as error:
        return complain(describe_os_error(error))
    except Stopped as stop:
        return stop.code
    except KeyboardInterrupt:
        return INTERRUPTED
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
