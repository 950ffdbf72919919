"""The command line: its commands.

They stand by subject in `records`, `speed`, `lookup`, `matches`, `studies` and `learning`; `arguments` lets
words come in any order, and `running` says what becomes of errors. What a command needs is loaded when it
runs, so that help comes at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Literal

from tyro.conf import Positional
from tyro.extras import SubcommandApp

from iaww_env.cli import learning, lookup, matches, records, speed, studies
from iaww_env.cli.arguments import Command, arrange_words, join_lines, read_about
from iaww_env.cli.exit_codes import complain
from iaww_env.cli.running import run_command
from iaww_env.cli.warming import warmup
from iaww_env.errors import quote, suggest

ABOUT = """It's a Wonderful World as a reinforcement-learning environment.

What a command takes is told by `iaww COMMAND --help`, with examples; `iaww --version` prints the version."""


def version() -> int:
    """Print the version.

    Examples:
        iaww version
    """
    import iaww_env

    print(f"iaww-env {iaww_env.__version__}")
    return 0


def completion(shell: Positional[Literal["bash", "zsh"]]) -> int:
    """Print what lets a shell complete commands, options, bots, empires, sides and scenarios.

    Put the line of the example that is for your shell into its start-up file, such as ~/.bashrc.

    Args:
        shell: The shell.

    Examples:
        eval "$(iaww completion bash)"
        eval "$(iaww completion zsh)"
    """
    from iaww_env.cli.completion import write_completion

    print(write_completion(COMMANDS, shell), end="")
    return 0


COMMANDS: dict[str, Command] = {
    command.__name__: join_lines(command)
    for command in (
        records.verify,
        speed.batch,
        warmup,
        records.record,
        records.show,
        records.replay,
        lookup.cards,
        lookup.spec,
        speed.bench,
        matches.tournament,
        matches.play,
        matches.watch,
        studies.analyze,
        learning.train,
        learning.imitate,
        learning.selfplay,
        learning.evaluate,
        completion,
        version,
    )
}
# What the help of a command also tells, worked out when it is asked for.
MORE = {"train": learning.describe_presets}
# Other words for a command: what people type, and what tyro's own programs know.
ALSO = {"--version": "version", "--tyro-print-completion": "completion"}


def make_app(asked: str = "") -> SubcommandApp:
    """The parser; it tells all of the command that is asked for, and of the others what they are."""
    app = SubcommandApp()
    for name, command in COMMANDS.items():
        more = MORE[name]() if name == asked and name in MORE else ""
        app.command(help=read_about(command, is_whole=name == asked, more=more))(command)
    return app


def refuse_unknown(word: str) -> int:
    """Say that there is no such command, and which was meant; returns the exit code."""
    hint = suggest(word, COMMANDS) or "; `iaww --help` lists them"
    return complain(f"there is no command {quote(word)}{hint}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    args = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    asked = ALSO.get(args[0], args[0])
    if asked not in COMMANDS and not asked.startswith("-"):
        return refuse_unknown(asked)
    if asked in COMMANDS:
        args = [asked, *arrange_words(COMMANDS[asked], args[1:])]

    def run() -> int:
        return int(make_app(asked).cli(prog="iaww", description=ABOUT, args=args))

    return run_command(run, is_program=argv is None)


if __name__ == "__main__":
    sys.exit(main())
