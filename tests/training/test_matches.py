"""Games between networks and the heuristic, and the tables that are made of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from iaww_env.batch import Batch
from iaww_training import compare_discards, compare_profiles
from iaww_training.matches import Mean, choose_heuristic, find_mean, play_lineup

MARKED = "# Title\n\n<!-- {0} -->\nold\n<!-- end of {0} -->\n\nThe rest.\n"


def choose_first(batch: Batch, asked: npt.NDArray[np.bool_]) -> npt.NDArray[np.int16]:
    """A player that takes the first legal action."""
    return batch.masks.argmax(axis=1).astype(np.int16)


def test_points_stand_at_the_place_of_whoever_made_them() -> None:
    """The line-up moves on from game to game; who plays badly has few points wherever it sat."""
    played = play_lineup((choose_heuristic, choose_first, choose_heuristic), 9, 4, "compact")
    assert played.points.shape == played.wins.shape == (9, 3)
    assert (played.points[:, 1] < played.points[:, [0, 2]].min(axis=1)).all()
    assert (played.wins[:, 1] == 0).all()
    assert played.wins.sum(axis=1).tolist() == [1.0] * 9


def test_the_heuristic_is_as_strong_as_in_the_arena() -> None:
    """agents/README.md: 49.2 points in self-play of four, by the arena's own measurement."""
    played = play_lineup((choose_heuristic,) * 4, 300, 5, "compact")
    mean = find_mean(played.points.mean(axis=1))
    assert abs(mean.value - 49.2) < 2 * mean.error + 0.3
    assert 0.4 < mean.error < 1.5


def test_means_have_intervals() -> None:
    assert find_mean([1.0, 3.0] * 50) == Mean(2.0, 1.96 / 10)
    assert str(Mean(2.04, 0.26)) == "2.0 ± 0.3"


def test_profiles_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    guide, out = tmp_path / "guide.md", tmp_path / "runs" / "profiles.jsonl"
    guide.write_text(MARKED.format("profiles"))
    options = [
        "--minutes",
        "0.02",
        "--games",
        "16",
        "--minibatch",
        "64",
        "--test-games",
        "4",
        "--width",
        "16",
    ]
    options += ["--out", str(out), "--variants", "compact", "cards", "--write", "--into", str(guide)]
    assert compare_profiles.main(options) == 0
    text = guide.read_text()
    assert text.startswith("# Title\n")
    assert text.endswith("\nThe rest.\n")
    assert text.count("\n| heuristic | ") == 2
    assert "`python -m iaww_training.compare_profiles --minutes 0.02" in text
    measured = out.read_text()
    assert compare_profiles.main(options) == 0
    assert out.read_text() == measured, "what stands there is not measured again"
    assert capsys.readouterr().out.count("| heuristic | cards |") == 2


def test_discards_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = tmp_path / "guide.md"
    guide.write_text(MARKED.format("discards"))
    options = ["--decisions", "1", "--games", "4", "--folder", str(tmp_path), "--write", "--into", str(guide)]
    assert compare_discards.main(options) == 0
    text = guide.read_text()
    assert text.count("\n| from nothing, ") == 2
    assert {path.name for path in tmp_path.glob("*.npz")} == {
        "from_nothing_with_1.npz",
        "from_nothing_without_1.npz",
    }
    monkeypatch.setattr(compare_discards.selfplay_ppo, "learn", lambda _: pytest.fail("learnt again"))
    assert compare_discards.main(options) == 0
    assert guide.read_text() == text
