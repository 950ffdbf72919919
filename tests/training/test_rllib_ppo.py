"""What self-play on a cluster refuses before anything begins; tests/compat has it learn."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest

from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, tell_install
from iaww_training import datasets, rllib_ppo
from iaww_training.rllib_ppo import Options, open_folder


def test_without_ray_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert rllib_ppo.main(["--checkpoint", str(tmp_path / "run")]) == 2
    err = capsys.readouterr().err
    assert tell_install("rllib") in err
    assert err.count("\n") == 1
    assert not (tmp_path / "run").exists()
    options = datasets.Options("greedy", GameConfig(4), games=1, folder=tmp_path, backend="ray")
    with pytest.raises(ConfigError, match="needs Ray; in the folder of the clone: pip install"):
        list(datasets.write_games(options))


@pytest.mark.parametrize(
    "wrong", [{"env_runners": -1}, {"iterations": 0}, {"players": 1}, {"players": 9}, {"resume": True}]
)
def test_what_cannot_be_learnt_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError):
        Options(**wrong)  # type: ignore[arg-type]


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    options = Options(checkpoint=tmp_path / "run")
    more = dataclasses.replace(options, resume=True, env_runners=5, iterations=7)
    with pytest.raises(ConfigError, match="holds no run"):
        open_folder(more)
    assert open_folder(options) is None
    assert open_folder(options) is None, "nothing was reached yet"
    for number in (9, 12):
        (tmp_path / "run" / f"checkpoint-{number:06}").mkdir()
    with pytest.raises(ConfigError, match="is not empty"):
        open_folder(options)
    found = open_folder(more)
    assert rllib_ppo.read_number(found) == 12
    with pytest.raises(ConfigError, match="begun with another players, width"):
        open_folder(dataclasses.replace(more, players=2, width=32))
