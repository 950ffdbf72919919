"""Streams that were closed before the program began, and names of files that no stream takes as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from iaww_env.cli.app import main
from iaww_env.cli.running import fill_streams
from iaww_env.envs.rendering import has_colour
from tests.processes import ROOT

PATHS = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "agents")))}


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed by a shell")
def test_a_game_without_input_or_output_is_left(closed: str, tmp_path: Path) -> None:
    played = '"$0" -m iaww_env.cli play greedy --players 2 --no-record'
    done = subprocess.run(
        ["sh", "-c", f"{played} {closed}", sys.executable],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | PATHS,
        timeout=300,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert ("You have left the game." in done.stdout) == (">&-" not in closed)


def test_closed_streams_lead_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = sys.stderr
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stdout", None)
    assert not has_colour(), "also where no command runs"
    fill_streams()
    with sys.stdin as nobody, sys.stdout as nowhere:
        print("lost")
        assert nobody.read() == ""
        assert nowhere.name == os.devnull
        assert sys.stderr is kept


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are Unicode here")
def test_a_file_may_have_any_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / os.fsdecode(b"\xff\xfe.jsonl")
    for words in (
        ["record", "--players", "2", "--out", str(path)],
        ["verify", str(path)],
        ["show", str(path)],
        ["replay", str(path), "--no-open"],
    ):
        assert main(words) == 0
    assert r"\udcff\udcfe-game-1.html" in capsys.readouterr().out.splitlines()[-1]
    page = path.with_name(os.fsdecode(b"\xff\xfe-game-1.html")).read_text(encoding="utf-8")
    assert r"game 1 of '\udcff\udcfe.jsonl'" in page
    assert main(["show", str(path), "--game", "3"]) == 2
    assert r"\udcff\udcfe.jsonl' does not hold 3 games" in capsys.readouterr().err
