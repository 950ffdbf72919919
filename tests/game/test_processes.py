"""Work in several processes: every answer comes, and nobody is left behind."""

from __future__ import annotations

import multiprocessing
import os
import time

import pytest

from iaww_env.processes import share_work


def square(number: int) -> int:
    if number == 13:
        raise ValueError("unlucky")
    return number * number


def sleep_long(_: int) -> int:
    time.sleep(600)
    return 0


def die(_: int) -> int:
    os._exit(7)


def check_nobody_is_left() -> None:
    deadline = time.monotonic() + 20
    while multiprocessing.active_children() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert multiprocessing.active_children() == []


def test_every_answer_comes() -> None:
    assert sorted(share_work(square, range(6), 2)) == [0, 1, 4, 9, 16, 25]
    assert list(share_work(square, [])) == []
    check_nobody_is_left()


def test_an_error_of_a_work_gets_out() -> None:
    with pytest.raises(ValueError, match="unlucky"):
        list(share_work(square, [13, 1], 1))
    check_nobody_is_left()


def test_whoever_stops_asking_leaves_nobody_behind() -> None:
    """As Ctrl-C does: the exception comes where the answers are waited for."""
    answers = share_work(square, range(50), 2)
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    check_nobody_is_left()


def test_ctrl_c_ends_processes_in_the_middle_of_their_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("iaww_env.processes.as_completed", interrupt)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(share_work(sleep_long, [1, 2], 2))
    check_nobody_is_left()
    assert time.monotonic() - begun < 60


def test_a_process_that_dies_is_no_silence() -> None:
    with pytest.raises(RuntimeError):
        list(share_work(die, [1, 2], 1))
    check_nobody_is_left()
