"""The scripts of training write over what they wrote themselves, and over nothing else."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from iaww_agents.heuristic.weights import read_weights
from iaww_training import learn_biases, tune_heuristic


@pytest.mark.parametrize("script", [learn_biases, tune_heuristic], ids=["learn_biases", "tune_heuristic"])
@pytest.mark.parametrize(
    "content", ["notes\n", '{"weights": 1}', "[1]", "{}", '{"deny": "x"}', '{"deny": NaN}', "kind,\n"]
)
def test_files_of_others_are_refused_at_once(
    script: object, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "theirs"
    path.write_text(content)
    assert script.main(["--out", str(path)]) == 2  # type: ignore[attr-defined]
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert str(path) in err
    assert path.read_text() == content
    assert script.main(["--out", str(tmp_path / "no" / "such")]) == 2  # type: ignore[attr-defined]
    assert "there is no folder" in capsys.readouterr().err


def test_biases_are_written_over_biases(tmp_path: Path) -> None:
    path = tmp_path / "kinds.csv"
    for _ in range(2):
        learn_biases.write_biases(path, read_weights(False), read_weights(True))
    with path.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) > 100
