"""What lets a shell complete: a script that holds every word, so that no key press has to wait for Python.

The parser's own scripts complete options alone, and neither bots nor files; so this one is written here,
from the same signatures. zsh reads it through its emulation of bash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from shlex import quote

from iaww_env.cli.arguments import MANY, Argument, Command, list_arguments

FOR_ZSH = (
    "(( ${+functions[compdef]} )) || { autoload -U +X compinit && compinit; }\n"
    "autoload -U +X bashcompinit && bashcompinit\n"
)
# `last` is the option typed last, `behind` how many words stand between it and the one that is completed.
# Where nothing is offered, `-o default` has the shell complete names of files.
SCRIPT = """\
# Written by: iaww completion {shell}
{begin}_iaww() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" last="" behind=0 offered="" i
  for ((i = COMP_CWORD - 1; i > 1; i--)); do
    case "${{COMP_WORDS[i]}}" in
      -*) last="${{COMP_WORDS[i]}}"; behind=$((COMP_CWORD - i - 1)); break ;;
    esac
  done
  if [ "$COMP_CWORD" -le 1 ]; then
    offered="{commands}"
  else
    case "$current:$behind ${{COMP_WORDS[1]}} $last" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}}
complete -o default -F _iaww iaww
"""
# The shell reads what is offered once more: a word that could mean something to it is not offered.
PLAIN = re.compile(r"[\w.:+-]+")


def write_completion(commands: Mapping[str, Command], shell: str) -> str:
    """The script for a shell, `bash` or `zsh`."""
    cases = [case for name, command in commands.items() for case in _list_cases(name, command)]
    return SCRIPT.format(
        shell=shell,
        begin=FOR_ZSH if shell == "zsh" else "",
        commands=" ".join([*commands, "--help", "--version"]),
        cases="\n".join(
            f"      {pattern}) offered={quote(' '.join(filter(PLAIN.fullmatch, offered)))} ;;"
            for pattern, offered in cases
        ),
    )


def _list_cases(name: str, command: Command) -> list[tuple[str, list[str]]]:
    """What is offered where: patterns of the script, the first that fits counts."""
    arguments = list_arguments(command)
    bare = [word for one in arguments if one.is_positional for word in one.known]
    flags = [flag for one in arguments for flag in one.flags]
    cases = [(f'-*" {name} "*', [*flags, "--help"])]
    for option in arguments:
        if option.flags and option.takes:
            cases.append(_make_case(name, option, bare))
    return [*cases, (f'*" {name} "*', bare)]


def _make_case(name: str, option: Argument, bare: list[str]) -> tuple[str, list[str]]:
    (flag,) = option.flags
    if option.takes == MANY:  # what stands behind it may belong to it, or not
        return f'*" {name} {flag}"', [*option.known, *bare]
    return f'*":0 {name} {flag}"', list(option.known)
