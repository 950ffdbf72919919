"""The author of a bot that crashes sees where: in `iaww watch`, and in a file beside the results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from iaww_agents.arena.play.channel import MOST_SAID
from iaww_agents.arena.play.crash_files import BEGIN, MOST_KEPT, MOST_TOLD, CrashFile
from iaww_agents.arena.play.faults import MOST_LINES, MOST_TRACE, WIDEST, GuestFault, describe_trace
from iaww_agents.arena.play.guest import tell_crash
from iaww_agents.arena.play.results import CRASH, Result, make_fault
from iaww_agents.arena.play.schedule import Fixture
from iaww_env import GameConfig
from iaww_env.cli.app import main

TWO = GameConfig(players=2)
BOT = """
from iaww_agents import Agent


class Crashes(Agent):
    def __init__(self, early=False):
        if early:
            self.find_plan(0)

    def act(self, view):
        return self.find_plan(view.legal_actions()[0])

    def find_plan(self, action):
        raise ValueError("no \\x1b[2J plan\\x07 here")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot that crashes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.py").write_text(BOT)
    return tmp_path


def hold(games: int, *more: str, bot: str = "bad.py") -> int:
    words = ["tournament", bot, "random:nodiscard", "--players", "2", "--games", str(games), "--workers", "1"]
    return main([*words, *more])


def check_trace(text: str) -> None:
    """It leads to the line that failed, and nothing in it steers a terminal."""
    assert "Traceback (most recent call last):" in text
    assert re.search(r'bad\.py", line \d+, in act\n +return self\.find_plan\(', text)
    assert re.search(r'bad\.py", line \d+, in find_plan\n', text)
    assert "ValueError: no ?[2J plan? here" in text
    assert all(letter.isprintable() or letter == "\n" for letter in text)


# --- What is told --------------------------------------------------------------------------------------


def test_watching_shows_the_traceback(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "bad.py", "greedy", "--players", "2", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    check_trace(err)
    assert "The game broke off (crash): bad.py in seat 0 crashed when it was asked: ValueError" in out
    assert "Traceback" not in out


def test_watching_shows_the_traceback_of_a_bot_that_cannot_be_made(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", "bad.py:Crashes:early", "greedy", "--players", "2"]) == 2
    *trace, line = capsys.readouterr().err.splitlines()
    assert trace[0] == "Traceback (most recent call last):"
    assert any(", in __init__" in one for one in trace)
    assert line.startswith("iaww: the bot 'bad.py:Crashes:early': ValueError")


def test_a_bot_that_cannot_be_made_is_refused_with_where_its_traceback_is(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hold(2, bot="bad.py:Crashes:early") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(
        "iaww: the bot 'bad.py:Crashes:early': ValueError: no ?[2J plan? here (bad.py, line "
    )
    assert line.endswith("when it was made; iaww watch shows the traceback")


def test_a_tournament_keeps_a_few_tracebacks_beside_its_results(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hold(6, "--out", "games.jsonl") == 0
    assert "Tracebacks of crashes stand in games.jsonl.crashes." in capsys.readouterr().out
    kept = Path("games.jsonl.crashes").read_text()
    assert kept.startswith(BEGIN)
    check_trace(kept)
    assert kept.count("Traceback (") == MOST_TOLD
    seeds = re.findall(r"^Repeat it: iaww watch .* --seed (\d+) ", kept, re.MULTILINE)
    assert len(seeds) == MOST_TOLD
    assert "Traceback" not in Path("games.jsonl").read_text()
    assert hold(6, "--out", "games.jsonl") == 0  # all is read from the file: there is nothing new
    assert Path("games.jsonl.crashes").read_text() == kept
    assert hold(8, "--out", "games.jsonl") == 0
    grown = Path("games.jsonl.crashes").read_text()
    assert grown.startswith(kept)
    assert grown.count("Traceback (") == MOST_TOLD + 2


def test_without_a_file_the_report_says_how_to_see_the_traceback(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hold(2) == 0
    assert "iaww watch shows the traceback of a crash" in capsys.readouterr().out
    assert [path.name for path in folder.iterdir() if path.name != "__pycache__"] == ["bad.py"]


def test_without_a_crash_there_is_no_such_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hold(2, "--out", "games.jsonl", bot="random") == 0
    assert "raceback" not in capsys.readouterr().out
    assert not Path("games.jsonl.crashes").exists()


def test_a_file_of_others_is_left_and_refused_before_any_game(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("games.jsonl.crashes").write_text("theirs")
    assert hold(2, "--out", "games.jsonl", bot="random") == 2  # though nobody would crash
    assert "games.jsonl.crashes holds something else" in capsys.readouterr().err
    assert Path("games.jsonl.crashes").read_text() == "theirs"
    assert not Path("games.jsonl").exists()


# --- Its bounds ----------------------------------------------------------------------------------------


def crash(error: BaseException, depth: int) -> BaseException:
    """The error as it was raised that deep."""
    try:
        raise_deep(error, depth)
    except BaseException as caught:
        return caught
    raise AssertionError


def raise_deep(error: BaseException, depth: int) -> None:
    if depth == 0:
        raise error
    return raise_deeper(error, depth - 1)


def raise_deeper(error: BaseException, depth: int) -> None:
    return raise_deep(error, depth)


class Broken(Exception):
    """An error that cannot be told."""

    def __str__(self) -> str:
        raise SystemExit


@pytest.mark.parametrize(
    "error",
    [
        ValueError("x" * 1_000_000),
        ValueError("many\n" * 100_000),
        ValueError("\0\x1b\x9b\u202e" * 5000),
        ValueError("\U0001f600" * 100_000),
        ValueError("\ud800"),
        Broken(),
    ],
    ids=["wide", "long", "steering", "four bytes", "half a letter", "broken"],
)
@pytest.mark.parametrize("depth", [0, 400])
def test_a_traceback_is_bounded_and_steers_nothing(error: BaseException, depth: int) -> None:
    caught = crash(error, depth)
    trace = describe_trace(caught)
    lines = trace.split("\n")
    assert len(trace) <= MOST_TRACE + MOST_LINES
    assert len(lines) <= MOST_LINES + 1
    assert max(map(len, lines)) <= WIDEST
    assert all(map(str.isprintable, lines))
    assert len(tell_crash(caught)[1]) <= MOST_SAID
    assert isinstance(error, Broken) or "in crash" in trace
    assert isinstance(error, Broken) or depth == 0 or "raise_deep" in trace


def test_what_a_guest_tells_is_cleaned_once_more() -> None:
    """It need not come from our own function."""
    fault = GuestFault(CRASH, "why", trace="a\x1b[2J\r\tb\n" * 20 + "x" * 5000 + "\ny\n" * 5000)
    lines = fault.trace.split("\n")
    assert max(map(len, lines)) <= WIDEST
    assert lines[0].split() == ["a?[2J?", "b"]
    assert len(lines) <= MOST_LINES + 1
    assert all(map(str.isprintable, lines))


def test_the_file_does_not_grow_for_ever(tmp_path: Path) -> None:
    def make_crash(seed: int) -> Result:
        return make_fault(
            Fixture(0, seed, ("a", "b"), TWO), 0, CRASH, "why", trace="x" * 7000 + f"end{seed}."
        )

    for seed in range(60):
        CrashFile(tmp_path / "games.jsonl").keep([make_crash(seed)])
    text = (tmp_path / "games.jsonl.crashes").read_text()
    assert text.startswith(BEGIN)
    assert MOST_KEPT < len(text) < MOST_KEPT + 10_000
    assert "end59." in text
    assert "end0." not in text
