"""The table of what `quick` comes to: runs of several seeds, their spread, and games at their end."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from iaww_training import measure_quick
from iaww_training.ppo import settings

FEW = {"modes": {"base4": 16}, "minibatch": 128, "steps": 32, "width": 16, "evaluate_games": 4}


def test_runs_of_several_seeds_are_made_once_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    presets = {"quick": dataclasses.replace(settings.PRESETS["quick"], **FEW)}
    monkeypatch.setattr(settings, "PRESETS", presets)
    guide = tmp_path / "guide.md"
    guide.write_text("<!-- quick -->\nyesterday\n<!-- end of quick -->\n")
    words = ["--seeds", "2", "--games", "4", "--decisions", "1200", "--folder", str(tmp_path / "runs")]
    assert measure_quick.main([*words, "--write", "--into", str(guide)]) == 0
    text = guide.read_text()
    assert "yesterday" not in text
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
    assert [row[0] for row in rows[:2]] == ["| decisions", "| 0"]
    assert [row[0] for row in rows[-3:]] == ["| seed", "| 1", "| 2"]
    lines = [
        [json.loads(line) for line in (tmp_path / "runs" / seed / "metrics.jsonl").read_text().splitlines()]
        for seed in ("1", "2")
    ]
    first = [next(line for line in run if line["kind"] == "measure")["greedy_points"] for run in lines]
    half = 12.706 * abs(first[0] - first[1]) / 2
    assert rows[1][2] == f"{sum(first) / 2:.1f} ± {half:.1f}"
    kept = (tmp_path / "runs" / "1" / "network.npz").read_bytes()
    capsys.readouterr()
    assert measure_quick.main(words) == 0
    assert capsys.readouterr().out.split("`python")[0] in text, "nothing is learnt anew"
    assert (tmp_path / "runs" / "1" / "network.npz").read_bytes() == kept


def test_one_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure_quick.main(["--seeds", "1", "--folder", str(tmp_path)]) != 0
    assert "one run tells nothing of others" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
