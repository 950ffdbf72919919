"""The command line: its commands.

They stand by subject in `records`, `speed` and `matches`; `running` says what becomes of errors. What a
command needs is loaded when it runs, so that help comes at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import tyro

from iaww_env.cli import matches, records, speed
from iaww_env.cli.running import run_command
from iaww_env.cli.warming import warmup

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
    warmup,
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

    def run() -> int:
        return int(app.cli(prog="iaww", description=ABOUT, args=args or ["--help"]))

    return run_command(run, is_program=argv is None)


if __name__ == "__main__":
    sys.exit(main())
