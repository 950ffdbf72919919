"""Threads that share rows: every share once, nothing half done, and none left behind."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from iaww_env import Batch, make_stream
from iaww_env.threads import LEAST_PART, Threads, cut_rows
from tests.processes import run_python

ROWS = 4 * LEAST_PART


def count_threads() -> int:
    """Threads of ours in this process."""
    return sum(one.name.startswith("iaww_env") for one in threading.enumerate())


def await_threads(count: int) -> bool:
    """Whether there are so many before long: a thread takes a moment to end."""
    end = time.monotonic() + 20
    while count_threads() != count and time.monotonic() < end:
        time.sleep(0.01)
    return count_threads() == count


@pytest.mark.parametrize(("rows", "count"), [(10, 2), (10, 3), (3, 3), (1027, 4)])
def test_parts_hold_every_row_once(rows: int, count: int) -> None:
    parts = cut_rows(rows, count)
    assert [row for part in parts for row in range(rows)[part]] == list(range(rows))
    sizes = [part.stop - part.start for part in parts]
    assert len(parts) == count
    assert max(sizes) - min(sizes) <= 1


def test_no_part_is_smaller_than_what_is_worth_waking_a_thread_for() -> None:
    assert Threads(4, 2 * LEAST_PART - 1).parts == []
    assert Threads(1, 100 * LEAST_PART).parts == []
    assert [len(Threads(8, n * LEAST_PART).parts) for n in (2, 3, 8, 20)] == [2, 3, 8, 8]


def test_answers_come_in_the_order_of_the_shares() -> None:
    def wait_and_square(number: int) -> int:
        time.sleep(0.002 * (number % 3))
        return number * number

    threads = Threads(3, ROWS)
    for count in (1, 2, 3, 40):
        assert threads.run(wait_and_square, [(n,) for n in range(count)]) == [n * n for n in range(count)]


def test_shares_are_worked_on_at_the_same_time() -> None:
    meeting = threading.Barrier(3, timeout=30)
    assert sorted(Threads(3, ROWS).run(meeting.wait, [(), (), ()])) == [0, 1, 2]


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_an_error_comes_when_everybody_is_done(bad: int) -> None:
    meeting, done = threading.Barrier(3, timeout=30), []

    def fail_or_work(number: int) -> None:
        meeting.wait()
        if number == bad:
            raise LookupError(f"share {number}")
        time.sleep(0.05)
        done.append(number)

    threads = Threads(3, ROWS)
    with pytest.raises(LookupError, match=f"share {bad}"):
        threads.run(fail_or_work, [(0,), (1,), (2,)])
    assert sorted(done) == sorted({0, 1, 2} - {bad})
    assert threads.run(abs, [(-1,), (-2,)]) == [1, 2], "and all goes on"


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt here, also where the tests run in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_waits_for_everybody() -> None:
    """It comes to the caller, who has nothing left to do, while another thread is still at work."""
    caller, begun, done = threading.get_ident(), threading.Barrier(2, timeout=30), []

    def work() -> None:
        begun.wait()
        if threading.get_ident() != caller:
            time.sleep(0.1)  # the caller waits by now
            signal.pthread_kill(caller, signal.SIGINT)
            time.sleep(0.1)
            done.append(True)

    threads = Threads(2, ROWS)
    with pytest.raises(KeyboardInterrupt):
        threads.run(work, [(), ()])
    assert done == [True]
    assert threads.run(abs, [(-1,), (-2,)]) == [1, 2], "and all goes on"


def step_until_interrupted(batch: Batch, actions: Any) -> None:
    """One step, and Ctrl-C in the middle of it, or soon behind it."""
    caller = threading.get_ident()
    threading.Timer(0.002, signal.pthread_kill, (caller, signal.SIGINT)).start()
    batch.step(actions)
    time.sleep(30)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_leaves_no_step_half_done() -> None:
    options: dict[str, Any] = {"players": 2, "observation": None}
    batch = Batch(None, 16 * LEAST_PART, 5, threads=2, **options)
    twin = Batch(None, 16 * LEAST_PART, 5, **options)
    stream = make_stream(1)
    for _ in range(8):
        actions = twin.sample_legal(stream).copy()
        before = twin.states.tobytes()
        with pytest.raises(KeyboardInterrupt):
            step_until_interrupted(batch, actions)
        if batch.states.tobytes() == before:  # it came before anything was played
            batch.step(actions)
        twin.step(actions)
        assert batch.states.tobytes() == twin.states.tobytes()
        assert batch.masks.tobytes() == twin.masks.tobytes()


# --- None is left behind -------------------------------------------------------------------------------


def make_batch() -> Batch:
    batch = Batch(None, 2 * LEAST_PART, 5, players=2, observation=None, threads=2)
    batch.step(batch.sample_legal(make_stream(1)))
    return batch


def test_threads_end_with_their_batch() -> None:
    gc.collect()
    assert await_threads(0)
    batches = [make_batch() for _ in range(3)]
    assert count_threads() == 3, "one beside the caller's for each"
    batches.pop()
    gc.collect()
    assert await_threads(2)
    batches.clear()
    gc.collect()
    assert await_threads(0)


def test_nothing_is_begun_before_there_is_something_to_share() -> None:
    gc.collect()
    assert await_threads(0)
    batch = Batch(None, 2 * LEAST_PART, 5, players=2, observation=None, threads=2)
    assert count_threads() == 0
    batch.step(batch.sample_legal(make_stream(1)))
    assert count_threads() == 1


def step_and_tell(batch: Batch, answer: Any) -> None:
    batch.step(batch.sample_legal(make_stream(2)))
    answer.put((batch.states.tobytes(), count_threads()))


@pytest.mark.parametrize("context", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # that is the test
def test_a_batch_goes_on_in_another_process(context: str) -> None:
    """A forked process has the batch and none of the threads that shared it: it begins its own."""
    batch, processes = make_batch(), multiprocessing.get_context(context)
    answer = processes.Queue()
    other = processes.Process(target=step_and_tell, args=(batch, answer), daemon=True)
    other.start()
    found, begun = answer.get(timeout=120)
    other.join(30)
    assert (other.exitcode, begun) == (0, 1)
    batch.step(batch.sample_legal(make_stream(2)))
    assert found == batch.states.tobytes()


AT_THE_END = """
import atexit, threading
from iaww_env import Batch, make_stream
from tests.game.test_threads import make_batch

batch = make_batch()
def play_on():
    before = batch.states.copy()
    batch.step(batch.sample_legal(make_stream(3)))
    print("played" if (before != batch.states).any(axis=1).all() else "stood still")
atexit.register(play_on)
del play_on
print("ends")
"""


def test_a_batch_can_be_stepped_while_the_interpreter_ends() -> None:
    assert run_python("-c", AT_THE_END) == "ends\nplayed\n"


def refuse(pool: ThreadPoolExecutor, work: Callable[[], None]) -> None:
    raise RuntimeError("can't start new thread")


def take_and_refuse(pool: ThreadPoolExecutor, work: Callable[[], None]) -> None:
    """What really happens where a system has no threads left: the work lies in the queue all the same."""
    threading.Thread(target=work, daemon=True).start()
    raise RuntimeError("can't start new thread")


@pytest.mark.parametrize("submit", [refuse, take_and_refuse])
def test_where_no_thread_can_be_had_the_caller_does_it_all(
    submit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ThreadPoolExecutor, "submit", submit)
    done = []

    def work(number: int) -> int:
        time.sleep(0.002)
        done.append(number)
        return number

    threads = Threads(4, ROWS)
    for _ in range(5):
        done.clear()
        assert threads.run(work, [(n,) for n in range(6)]) == list(range(6))
        assert sorted(done) == list(range(6))
    monkeypatch.undo()
    assert threads.run(work, [(1,), (2,)]) == [1, 2]
