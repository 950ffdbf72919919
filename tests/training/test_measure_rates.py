"""Rates of the trainers: what starting costs is left out, and numbers of several processes are added."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from iaww_env.errors import ConfigError
from iaww_training import measure_rates


def test_starting_is_left_out_and_processes_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twenty seconds to start, a thousand decisions a second by the clock and half as many of CPU time."""

    def take_time(typed: Sequence[str], decisions: int, folder: Path) -> tuple[float, float]:
        return 20 + decisions / 1000, 30 + decisions / 500

    monkeypatch.setattr(measure_rates, "time_command", take_time)
    guide = tmp_path / "guide.md"
    guide.write_text("<!-- rates -->\nold\n<!-- end of rates -->\n")
    assert measure_rates.main(["--write", "--into", str(guide)]) == 0
    text = guide.read_text()
    assert "| the trainer on a page | 1,000 | 500 |" in text
    assert "| the trainer on a page, two processes | 2,000 | 1,000 |" in text
    assert text.count("\n| ") == 1 + len(measure_rates.WAYS)
    assert "old" not in text
    assert "1,000 500" in capsys.readouterr().err


def test_a_trainer_is_timed_as_a_command_of_its_own(tmp_path: Path) -> None:
    clock, cpu = measure_rates.time_command(("iaww_training.examples.selfplay_ppo", "--help"), 1, tmp_path)
    assert clock > 0.2
    assert cpu > 0.2
    with pytest.raises(ConfigError, match="failed"):
        measure_rates.time_command(("iaww_training.nothing",), 1, tmp_path)
