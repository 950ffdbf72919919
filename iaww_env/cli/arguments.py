"""What each command takes, read from its signature: for words in any order, and for completion.

Options such as `--empires` take several words, and a bot may stand behind them. A word belongs to such an
option where it is one of those that the option knows, or nearly; all other words are bots, files or names.
An option that knows no words, such as `--records`, takes all that follow. What is said of such an option in
several places is joined: the parser would keep the last place alone.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from tyro.conf import FlagCreatePairsOff, Positional, arg

from iaww_env.cli.known_words import list_known
from iaww_env.cli.options import GameOptions
from iaww_env.errors import suggest

Command = Callable[..., int]

NO_DEFAULT, REQUIRED = arg(help_behavior_hint=""), arg(help_behavior_hint="(required)")
MANY = -1  # an option that takes as many words as there are
_IS_POSITIONAL = get_args(Positional[int])[1]
_IS_UNPAIRED = get_args(FlagCreatePairsOff[bool])[1]


@dataclasses.dataclass(frozen=True, slots=True)
class Argument:
    """One thing that a command takes.

    Attributes:
        name: As in the signature.
        takes: Words that follow its flag; MANY for any number, 0 where the flag says it all.
        is_positional: Whether it has no flag.
        choices: The only words that it takes, where there are such.
        is_paired: Whether `--no-...` says the contrary, where the flag says it all.
    """

    name: str
    takes: int
    is_positional: bool = False
    choices: tuple[str, ...] = ()
    is_paired: bool = True

    @property
    def flags(self) -> tuple[str, ...]:
        """What names it on the command line."""
        if self.is_positional:
            return ()
        name = self.name.replace("_", "-")
        return (f"--{name}", f"--no-{name}") if self.takes == 0 and self.is_paired else (f"--{name}",)

    @property
    def known(self) -> tuple[str, ...]:
        """Words that it takes; others may do as well where it has no choices."""
        return self.choices or list_known(self.name)


def list_arguments(command: Command) -> list[Argument]:
    """What a command takes, the options about the game among them."""
    found: list[Argument] = []
    for name, kind in get_type_hints(command, include_extras=True).items():
        if name == "return":
            continue
        bare, *marks = get_args(kind) if hasattr(kind, "__metadata__") else (kind,)
        if bare is GameOptions:
            found += [_read_argument(one, said) for one, said in get_type_hints(GameOptions).items()]
        else:
            found.append(_read_argument(name, bare, marks))
    return found


def _read_argument(name: str, kind: Any, marks: Sequence[Any] = ()) -> Argument:
    choices: tuple[str, ...] = ()
    for inner in (kind, *get_args(kind)):
        if get_origin(inner) is Literal:
            choices = get_args(inner)
    takes = 0 if kind is bool else MANY if get_origin(kind) is tuple else 1
    return Argument(name, takes, _IS_POSITIONAL in marks, choices, _IS_UNPAIRED not in marks)


def arrange_words(command: Command, given: Sequence[str]) -> list[str]:
    """The words behind a command with all bots, files or names first, and its options behind them."""
    arguments = list_arguments(command)
    by_flag = {flag: one for one in arguments for flag in one.flags}
    has_bare = any(one.is_positional for one in arguments)
    bare: list[str] = []
    options: list[list[str]] = []  # each with its words
    said: dict[Argument, list[str]] = {}  # those that take many words
    left = list(given)
    while left:
        word = left.pop(0)
        if not _is_flag(word):
            bare.append(word)
            continue
        name, sign, value = word.partition("=")
        option = by_flag.get(name.replace("_", "-"))
        count = 0 if sign or word in ("-h", "--help") else _count_words(option, left, has_bare)
        if option is None or option.takes != MANY:
            options.append([word, *left[:count]])
        else:
            if option not in said:
                options.append(said.setdefault(option, [name]))
            said[option] += [value] if sign else left[:count]
        del left[:count]
    return [*bare, *(word for one in options for word in one)]


def _count_words(option: Argument | None, left: Sequence[str], has_bare: bool) -> int:
    """How many of the words that follow belong to an option.

    All, where the command names nothing else or the option cannot tell its words from others.
    """
    free = next((number for number, word in enumerate(left) if _is_flag(word)), len(left))
    if option is None:  # there is none of this name, which is for the parser to say
        return free
    if option.takes != MANY:
        return min(option.takes, free)
    known = option.known
    if not has_bare or not known:
        return free
    count = min(1, free)
    while count < free and _is_nearly(left[count], known):
        count += 1
    return count


def _is_nearly(word: str, known: Sequence[str]) -> bool:
    """Whether a word is one of these, with options or without, or one of them misspelt; a path is none."""
    return word.partition(":")[0] in known or (word.isidentifier() and bool(suggest(word, known)))


def _is_flag(word: str) -> bool:
    """Whether a word names an option; a negative number is none."""
    return word.startswith("-") and word[1:2] not in ("", *"0123456789.")


def read_about(command: Command, *, is_whole: bool, more: str = "") -> str:
    """What the help says of a command: its first line; or all, with what else there is and its examples."""
    text = inspect.getdoc(command) or ""
    if not is_whole:
        return text.partition("\n")[0]
    about = text.partition("\n\nArgs:")[0].partition("\n\nExamples:")[0] + (f"\n\n{more}" if more else "")
    examples = "\n".join(f"  {line}" for line in list_examples(command))
    return f"{about}\n\nExamples:\n{examples}" if examples else about


def join_lines(command: Command) -> Command:
    """The same command, what it says of each argument on one line: the parser would keep the line breaks."""
    command.__doc__ = re.sub(r"\n {8}(?=\S)", " ", inspect.getdoc(command) or "")
    return hide_empty(command)


def hide_empty(command: Command) -> Command:
    """The same command, whose help shows no default where there is none: "(default: )" says nothing."""
    kinds = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        bare = get_args(kinds[name])[0] if hasattr(kinds[name], "__metadata__") else kinds[name]
        if parameter.default is None or parameter.default == ():
            kinds[name] = Annotated[kinds[name], NO_DEFAULT]
        elif parameter.default is parameter.empty and get_origin(bare) is tuple:
            kinds[name] = Annotated[kinds[name], REQUIRED]
    command.__annotations__ = kinds
    return command


def list_examples(command: Command) -> list[str]:
    """The examples of a command, as one types them."""
    lines = (inspect.getdoc(command) or "").partition("\n\nExamples:")[2].splitlines()
    return [line.strip() for line in lines if line.strip()]
