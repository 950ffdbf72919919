"""A tournament that is killed or interrupted at any moment: no game is lost or repeated, nothing runs on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from iaww_agents.arena.play.result_files import read_results
from tests.agents.arena.play.watched_processes import (
    WITH_CHILD,
    Program,
    adopt_orphans,
    find_strays,
    list_children,
    read_games,
    strip_read,
)
from tests.processes import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what runs is read from Linux's /proc")

QUICK = (
    "greedy",
    "random:nodiscard",
    "random",
    "--players",
    "3",
    "--key",
    "k",
    "--workers",
    "2",
    "--markdown",
)


@pytest.fixture
def before() -> Iterator[set[int]]:
    """What ran before; what has lost its parent comes here."""
    with adopt_orphans():
        yield set(list_children())


def go_on_until_killed(program: Program, moments: random.Random) -> bool:
    """Kill a tournament as it starts, or shortly after it has written; False where it was done."""
    if moments.random() < 0.3:
        time.sleep(moments.uniform(0, 4))
    else:
        size = program.size()
        program.wait_until(lambda: program.size() > size)
        time.sleep(moments.uniform(0, 0.05))
    was_done = program.process.poll() is not None
    program.process.send_signal(signal.SIGKILL)
    program.end()
    return not was_done


def kill_again_and_again(kills: int, games: int, words: tuple[str, ...], folder: Path) -> None:
    """Kill a tournament so often, let it end, and compare it with one that was never killed."""
    moments, done, out = random.Random(5), 0, folder / "killed.jsonl"
    words = (*words, "--games", str(games))
    for _ in range(3 * kills):
        done += go_on_until_killed(Program(out, *words, folder=folder), moments)
        if done == kills:
            break
    print(f"{done} kills; {len(out.read_text().splitlines()) - 1} of {games} games stood in the file")
    killed = Program(out, *words, folder=folder)
    assert killed.end() == 0, killed.read()
    report = killed.read()[0]
    whole = Program(folder / "whole.jsonl", *words, folder=folder)
    assert whole.end() == 0, whole.read()
    found, wanted = (sorted(map(repr, read_games(one.out))) for one in (killed, whole))
    assert done == kills
    assert len(set(found)) == len(found)
    assert found == wanted
    assert strip_read(report) == strip_read(whole.read()[0])


def test_a_killed_tournament_goes_on_without_losing_or_repeating_a_game(
    tmp_path: Path, before: set[int]
) -> None:
    kill_again_and_again(2, 2000, QUICK, tmp_path)
    assert find_strays(before) == []


@pytest.mark.slow
def test_a_tournament_killed_twenty_times_ends_the_same(tmp_path: Path, before: set[int]) -> None:
    kill_again_and_again(20, 15_000, QUICK, tmp_path)
    assert find_strays(before) == []


@pytest.mark.slow
def test_a_tournament_with_a_bot_of_others_killed_twenty_times_ends_the_same(
    tmp_path: Path, before: set[int]
) -> None:
    bot = tmp_path / "with_child.py"
    bot.write_text(WITH_CHILD)
    words = (str(bot), "greedy", "--players", "2", "--key", "k", "--workers", "2", "--markdown")
    kill_again_and_again(20, 400, words, tmp_path)
    assert find_strays(before) == []


# --- Ctrl-C and SIGTERM ----------------------------------------------------------------------------


def interrupt(program: Program, number: int, turn: int, moments: random.Random) -> tuple[int, bool]:
    """Interrupt a tournament as it starts or while it plays; its exit code, and whether it was at it."""
    if turn % 3:
        size = program.size()
        program.wait_until(lambda: program.size() > size + 1000)
        time.sleep(moments.uniform(0, 0.2))
    else:
        assert program.wait_until(program.hears)
        time.sleep(moments.uniform(0, 4))
    plays = program.process.poll() is None
    if plays and turn % 2:
        os.killpg(program.process.pid, number)
    else:
        program.process.send_signal(number)
    return program.end(), plays


def check_interrupted(
    count: int, number: int, words: tuple[str, ...], folder: Path, before: set[int]
) -> None:
    """At so many moments: the exit code of the signal, a file to go on with, no word, nothing runs on."""
    moments, out, stopped = random.Random(6), folder / "stopped.jsonl", 0
    for turn in range(count):
        program = Program(out, *words, folder=folder)
        code, plays = interrupt(program, number, turn, moments)
        said, errors = program.read()
        assert (code, errors) == ((128 + number, "") if plays else (0, "")), (turn, code, said, errors)
        stopped += plays
        if out.exists():
            list(read_results(out))
        assert find_strays(before) == [], turn
        assert not out.with_name(f"{out.name}.writer").exists()
    games = len(list(read_results(out))) if out.exists() else 0
    print(f"{stopped} of {count} were stopped; {games} games stood in the file")
    assert stopped > count // 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_tournament_and_all_its_processes(
    number: int, tmp_path: Path, before: set[int]
) -> None:
    check_interrupted(2, number, (*QUICK, "--games", "30000"), tmp_path, before)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_tournament_at_fifteen_moments(number: int, tmp_path: Path, before: set[int]) -> None:
    check_interrupted(15, number, (*QUICK, "--games", "30000"), tmp_path, before)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_bots_of_others_at_fifteen_moments(
    number: int, tmp_path: Path, before: set[int]
) -> None:
    bot = tmp_path / "with_child.py"
    bot.write_text(WITH_CHILD)
    words = (str(bot), "greedy", "--players", "2", "--key", "k", "--workers", "2", "--games", "3000")
    check_interrupted(15, number, words, tmp_path, before)


TYPED = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execv(sys.executable, sys.argv[1:])"
)


def test_ctrl_c_leaves_the_terminal_as_it_was(tmp_path: Path, before: set[int]) -> None:
    keeper, terminal = os.openpty()
    held = termios.tcgetattr(terminal)
    words = ["-m", "iaww_env.cli", "tournament", *QUICK, "--games", "30000"]
    command = [sys.executable, "-c", TYPED, sys.executable, *words]
    program = subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, cwd=ROOT, start_new_session=True
    )
    shown = b""
    while b"/30" not in shown:  # the bar counts games
        shown += os.read(keeper, 4096)
    os.write(keeper, b"\x03")
    os.set_blocking(keeper, False)
    while program.poll() is None:
        shown += read_shown(keeper)
    shown += read_shown(keeper)
    assert program.returncode == 130
    assert b"Traceback" not in shown
    hidden, back = shown.rfind(b"\x1b[?25l"), shown.rfind(b"\x1b[?25h")
    assert 0 <= hidden < back  # the cursor
    assert termios.tcgetattr(terminal) == held
    assert find_strays(before) == []
    os.close(keeper)
    os.close(terminal)


def read_shown(keeper: int) -> bytes:
    """What has been shown since, if anything."""
    time.sleep(0.01)
    try:
        return os.read(keeper, 1 << 16)
    except OSError:
        return b""


# --- Two writers -----------------------------------------------------------------------------------


def test_a_second_writer_is_told_who_writes_and_harms_nothing(tmp_path: Path, before: set[int]) -> None:
    out = tmp_path / "games.jsonl"
    (tmp_path / "second").mkdir()
    words = (*QUICK, "--games", "30000")
    first = Program(out, *words, folder=tmp_path)
    assert first.wait_until(lambda: first.size() > 1000)
    second = Program(out, *words, folder=tmp_path / "second")
    assert second.end() == 2
    said, errors = second.read()
    assert said == ""
    assert errors.count("\n") == 1
    assert f"{out} is being written by process {first.process.pid} on " in errors
    assert ", since 2" in errors
    first.process.send_signal(signal.SIGKILL)
    first.end()
    games = read_games_whole(out)
    third = Program(out, *QUICK, "--games", "3", folder=tmp_path)  # a killed holder does not block
    assert third.end() == 0, third.read()
    assert read_games(out)[: len(games)] == games
    assert find_strays(before) == []


def read_games_whole(out: Path) -> list[dict[str, object]]:
    """The games of a file whose last line may be cut short."""
    whole = out.with_name("whole.jsonl")
    data = out.read_bytes()
    whole.write_bytes(data[: data.rfind(b"\n") + 1])
    return read_games(whole)
