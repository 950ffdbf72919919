"""What the help shows: headings that make sense, and examples that all run as they stand."""

from __future__ import annotations

import dataclasses
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import iaww_env
from iaww_env.cli.app import COMMANDS, main
from tests.processes import ROOT

BOT = re.search(
    r"```python\n(.*?)```", (ROOT / "agents" / "README.md").read_text(encoding="utf-8"), re.DOTALL
)


# Commands that say what is played.
GAMES = ("batch", "record", "tournament", "play", "watch", "analyze", "selfplay", "evaluate")


def show_help(*command: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main([*command, "--help"]) == 0
    return capsys.readouterr().out


def find_examples(shown: str) -> list[str]:
    """The examples of a help text, as one types them."""
    _, _, behind = shown.partition("\nExamples:\n")
    lines = behind.partition("\n\n")[0].splitlines()
    return [line.strip() for line in lines if line.strip()]


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What examples speak of: a file of records, a bot of one's own."""
    folder = tmp_path_factory.mktemp("things")
    assert main(["record", "--out", str(folder / "games.jsonl"), "--players", "2", "--games", "2"]) == 0
    assert BOT is not None
    (folder / "my_bot.py").write_text(BOT[1])
    return folder


@pytest.fixture
def folder(things: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own with such things, in which a command runs."""
    shutil.copytree(things, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_of_the_help_runs(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import iaww_env.bench

    measured: list[object] = []
    monkeypatch.setattr(iaww_env.bench, "run_engine", lambda *options: measured.append(options))
    monkeypatch.setattr("builtins.input", lambda prompt="": "q")
    if command == "play":  # whoever plays on a page leaves at once too
        from iaww_agents.arena.browser import play, session

        monkeypatch.setattr(play, "open_address", lambda address: True)
        monkeypatch.setattr(session.Session, "await_request", lambda self: session.Request(session.LEAVE))
    if command == "train":  # minutes of learning likewise
        from iaww_training.ppo import settings

        few = {"decisions": 4000, "imitated": 4000, "evaluations": 1, "evaluate_games": 4}
        quick = dataclasses.replace(settings.PRESETS["quick"], **few, modes={"base4": 64})
        monkeypatch.setitem(settings.PRESETS, "quick", quick)
    if command == "imitate":
        assert main(["selfplay", "heuristic", "--players", "2", "--games", "20"]) == 0
    examples = find_examples(show_help(command, capsys=capsys))
    assert 1 <= len(examples) <= 4
    for example in examples:
        _, *words = shlex.split(example)
        if words[0] == "$(iaww completion bash)":
            run_in_bash(example)
        elif words[0] == "$(iaww completion zsh)":
            assert main(words[0].strip("$()").split()[1:]) == 0
        else:
            assert example.split()[:2] == ["iaww", command]
            assert main(words) == 0, example
    assert len(measured) == (command == "bench")  # minutes of measuring are left to who wants them


def run_in_bash(line: str) -> str:
    """What a line does in a shell that has our command."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    with_command = f'iaww() {{ {shlex.quote(sys.executable)} -m iaww_env.cli "$@"; }}\n{line}'
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [bash, "-ec", with_command], capture_output=True, text=True, env=environment, check=False, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_headings_say_each_word_once(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = show_help(*command.split(), capsys=capsys)
    heads = re.findall(r"^ (\S.*?) *\n -{9}", shown, re.MULTILINE)
    assert "options" in heads
    assert set(heads) <= {"options", "game options", "positional arguments", "subcommands"}
    assert ("game options" in heads) == (command in GAMES)


def test_the_help_of_the_program_has_a_line_for_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    shown = show_help(capsys=capsys)
    assert "Examples" not in shown
    for command in COMMANDS:
        assert len(re.findall(rf"• {command} ", shown)) == 1
    assert "--version" in shown


def test_what_is_said_of_an_argument_is_broken_by_the_terminal_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    shown = show_help("tournament", capsys=capsys)
    assert "path/to/bot.py. One that is named twice takes twice the seats." in shown


def test_the_version_is_an_option_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"iaww-env {iaww_env.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_no_default_is_told_where_there_is_none(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = show_help(command, capsys=capsys)
    assert "default: )" not in shown
    assert "default: None" not in shown


def test_defaults_that_there_are_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    shown = " ".join(show_help("tournament", capsys=capsys).split())
    assert "(default: 1000)" in shown
    assert "(required)" in show_help("show", capsys=capsys)


def test_the_help_of_training_tells_what_each_preset_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from iaww_training.ppo import settings

    odd = dataclasses.replace(settings.PRESETS["quick"], decisions=7_654_321, evaluations=17)
    monkeypatch.setitem(settings.PRESETS, "quick", odd)
    monkeypatch.setenv("COLUMNS", "250")
    shown = show_help("train", capsys=capsys)
    for name, one in settings.PRESETS.items():
        (line,) = re.findall(rf"^ *│? *{name} +(\d.*decisions.*)$", shown, re.MULTILINE)
        for number in (
            f"{one.decisions:,} decisions",
            f"{one.learning_rate:g}",
            f"evaluations {one.evaluations}",
        ):
            assert number in line


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("foo", "`iaww --help` lists them"), ("tournamnt", "did you mean 'tournament'?"), ("plai", "'play'")],
)
def test_a_command_that_is_not_there_is_said_so(
    typed: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([typed, "--games", "3"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"iaww: there is no command {typed!r}")
    assert hint in err
