"""Lines of progress for logs: now and then, never for what is done soon."""

from __future__ import annotations

import pytest

from iaww_agents.arena.progress import EVERY, ProgressLines, describe_time


class FakeClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def tell_all(told: list[tuple[float, int]], total: int) -> list[str]:
    """The lines that come of so many games being done at such times."""
    lines: list[str] = []
    clock = FakeClock()
    progress = ProgressLines(lines.append, clock)
    for now, done in told:
        clock.now = 1000.0 + now
        progress.tell(done, total)
    return lines


def test_a_short_run_prints_nothing() -> None:
    assert tell_all([(0.0, 0), (EVERY - 0.1, 99), (EVERY - 0.01, 100)], 100) == []


def test_the_end_is_told_by_the_report_alone() -> None:
    assert tell_all([(0.0, 0), (10 * EVERY, 100)], 100) == []


def test_lines_come_now_and_then_with_the_time_that_is_left() -> None:
    every_second = [(float(second), second * 10) for second in range(100)]
    assert tell_all(every_second, 4000) == [
        "300 of 4,000 games, about 6 min left",
        "600 of 4,000 games, about 6 min left",
        "900 of 4,000 games, about 5 min left",
    ]


def test_games_that_stood_in_the_file_do_not_count_for_the_pace() -> None:
    assert tell_all([(0.0, 1000), (60.0, 1060)], 1120) == ["1,060 of 1,120 games, about 1 min left"]
    assert tell_all([(0.0, 1000), (40.0, 1000)], 1120) == ["1,000 of 1,120 games"]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "0 s"), (59.4, "59 s"), (61, "1 min"), (59 * 60, "59 min"), (3 * 3600 + 299, "3 h 05 min")],
)
def test_time_is_said_as_one_says_it(seconds: float, said: str) -> None:
    assert describe_time(seconds) == said
