"""What is said while kernels are compiled: after a second, once, by one process; a bar on a terminal."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

from iaww_env import announcing
from iaww_env.announcing import SAID, Announcer, announce_to


class Screen(io.StringIO):
    """An error stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "PATIENCE", 0.05)
    monkeypatch.setattr(announcing, "BEAT", 0.01)


def compile_for(announcer: Announcer, seconds: float) -> None:
    with announcer.announce():
        time.sleep(seconds)


def make_announcer(root: Path | None) -> Announcer:
    made = Announcer()
    made.root = root
    return made


def test_what_is_short_is_not_announced(capsys: pytest.CaptureFixture[str]) -> None:
    compile_for(make_announcer(None), 0.0)
    assert capsys.readouterr().err == ""


def test_many_short_ones_are_a_long_one(capsys: pytest.CaptureFixture[str]) -> None:
    announcer = make_announcer(None)
    for _ in range(12):
        compile_for(announcer, 0.01)
    assert capsys.readouterr().err.count(SAID) == 1


def test_one_line_a_minute(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    announcer = make_announcer(None)
    compile_for(announcer, 0.2)
    compile_for(announcer, 0.2)
    said = capsys.readouterr().err
    assert said.count(SAID) == 1
    assert said.startswith("iaww_env: compiling")
    assert said.count("\n") == 1
    monkeypatch.setattr(announcing, "QUIET", 0.0)
    compile_for(announcer, 0.2)
    assert SAID in capsys.readouterr().err, "a notebook is told again when it compiles something else later"


def test_of_several_processes_one_speaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_for(make_announcer(tmp_path), 0.2)
    compile_for(make_announcer(tmp_path), 0.2)  # as another process of the same command would
    assert capsys.readouterr().err.count(SAID) == 1
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(announcing, "QUIET", 0.0)
    compile_for(make_announcer(tmp_path), 0.2)
    assert capsys.readouterr().err.count(SAID) == 1, "what was said long ago keeps nobody silent"


def test_a_silent_process_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    announcer = make_announcer(None)
    announcer.is_silent = True
    compile_for(announcer, 0.2)
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    compile_for(make_announcer(None), 0.3)
    *_, before, last, end = drawn = screen.getvalue().split("\r")
    assert len(set(drawn)) > 3, "it moves"
    assert drawn[1].startswith(f"{SAID}:   0 s [")
    assert (last, end) == (" " * len(before), ""), "the line is cleared"
    assert "\n" not in screen.getvalue()


def test_a_command_shows_it_in_its_own_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    announcer = Announcer()
    monkeypatch.setattr(announcing, "announcer", announcer)
    with announce_to(told.append):
        compile_for(announcer, 0.2)
    assert told == [SAID, ""]
    assert announcer.show is None
    assert capsys.readouterr().err == ""


def test_an_error_stream_that_is_closed_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    for stream in (closed, None):
        monkeypatch.setattr(sys, "stderr", stream)
        announcer = make_announcer(None)
        compile_for(announcer, 0.2)
        assert announcer._speaks, "it has tried to speak"


def test_an_error_while_compiling_gets_out() -> None:
    announcer = make_announcer(None)
    with pytest.raises(ZeroDivisionError), announcer.announce():
        raise ZeroDivisionError


def test_where_no_thread_can_begin_it_is_compiled_in_silence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(announcing.threading.Thread, "start", refuse)
    done = []
    with make_announcer(None).announce():
        done.append(1)
    assert done
    assert capsys.readouterr().err == ""


def test_a_kernel_within_a_kernel_is_no_news(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    announcer = make_announcer(None)
    announcer.show = told.append
    with announcer.announce():
        compile_for(announcer, 0.2)
    assert told == [SAID, ""]


def test_a_terminal_that_moves_nothing_gets_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "dumb")
    compile_for(make_announcer(None), 0.2)
    assert screen.getvalue().count("\n") == 1
    assert "\r" not in screen.getvalue()
