"""The commands that learn: what they print, what they answer with, and what they refuse."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from iaww_env.cli.app import main
from iaww_training.ppo import settings
from iaww_training.ppo.run import Run
from iaww_training.ppo.settings import Settings
from tests.training.ppo.small_runs import SMALL

TINY = Settings(**SMALL | {"decisions": 700, "evaluations": 1})


@pytest.fixture(autouse=True)
def presets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Presets of a few hundred decisions, and a folder of one's own."""
    ascension = dataclasses.replace(TINY, modes={"ca2": 24})
    for name in settings.PRESETS:
        monkeypatch.setitem(settings.PRESETS, name, ascension if name == "ca" else TINY)
    monkeypatch.chdir(tmp_path)


def test_a_run_says_what_it_wrote_and_what_to_type(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--preset", "base4", "--seed", "3"]) == 0
    shown = capsys.readouterr()
    assert "written: runs/base4/" in shown.out
    command = shown.out.splitlines()[-1].removeprefix("to play it: iaww ").split()
    assert main([*command, "--games", "2"]) == 0
    assert "of wins and" in shown.err
    assert main(["train", "--preset", "base4"]) == 2
    assert "holds a run" in capsys.readouterr().err
    assert main(["train", "--resume", "runs/base4"]) == 0, "a run that is over has nothing left to do"


def test_what_is_said_goes_above_the_preset(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "--modes", "base3", "basesolo", "base3", "--games", "30", "--learning-rate", "0.01"]
    assert main([*words, "--bots", "greedy", "--out", "mine", "--decisions", "400", "--discards"]) == 0
    held = Settings.from_json((Path("mine") / "settings.json").read_text())
    assert held.modes == {"base3": 20, "basesolo": 10}
    assert (held.learning_rate, held.learning_rate_end) == (0.01, 0.001)
    assert (held.bots, held.decisions, held.discards) == (("greedy",), 400, True)


def test_all_trains_one_after_the_other_and_stops_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    learn, begun = Run.learn, []

    def stop(self: Run, say: Any) -> None:
        begun.append(self.folder.name)
        if len(begun) == 1:
            self.stopped = KeyboardInterrupt()
            self.write()
        else:
            learn(self, say)

    monkeypatch.setattr(Run, "learn", stop)
    assert main(["train", "--preset", "all"]) == 130
    assert begun == ["base"], "the second does not begin"
    assert main(["train", "--preset", "all"]) == 0
    assert begun == ["base", "base", "ca"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--preset", "al"], "al"),
        (["--modes", "base9"], "no mode"),
        (["--preset", "all", "--games", "8"], "leave modes and games out"),
        (["--resume", "nowhere"], "holds no run"),
        (["--resume", "nowhere", "--seed", "3"], "nothing else is said"),
        (["--start", "nowhere.npz"], "nowhere.npz"),
        (["--bots", "nobody"], "nobody"),
    ],
)
def test_bad_input_is_refused_in_words(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *words]) == 2
    shown = capsys.readouterr()
    assert said in shown.err + shown.out


def test_learning_without_its_libraries_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name="torch")

    monkeypatch.setattr("iaww_env.cli.learning.importlib.import_module", fail)
    assert main(["train"]) == 2
    assert 'pip install -c constraints.txt ".[train]"' in capsys.readouterr().err


def test_imitation_refuses_what_it_cannot_learn_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["imitate", "nowhere"]) == 2
    assert "no files of games" in capsys.readouterr().err
    assert main(["selfplay", "heuristic", "--players", "2", "--games", "3", "--out", "games"]) == 0
    assert main(["imitate", "games", "--minutes", "0"]) == 2
    assert "above 0" in capsys.readouterr().err
