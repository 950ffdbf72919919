"""Commands that write files: those of others stay as they are, and what fails names the file in a line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from iaww_env.cli.app import main
from iaww_env.errors import describe_os_error
from iaww_env.records import verify_file
from tests.processes import ROOT

MARKS = "<!-- engine -->\n<!-- end of engine -->\n"


def refuse(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What is said where a command is refused: one line."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("iaww: ")
    return err


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (".", "it is a folder"),
        ("missing/games.jsonl", "there is no folder"),
        ("theirs", "holds something else than is written here"),
        ("theirs.gz", "holds something else than is written here"),
        ("read_only", "it may not be written"),
        ("/dev/full", "no space left on device"),
        ("x" * 5000, "file name too long"),
    ],
)
def test_records_go_nowhere_else(
    name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for other in ("theirs", "theirs.gz", "read_only"):
        (tmp_path / other).write_text("theirs")
    (tmp_path / "read_only").chmod(0o444)
    said = refuse(["record", "--out", str(tmp_path / name), "--players", "2"], capsys)
    assert why in said
    assert len(name) > 300 or str(tmp_path / name) in said
    assert {path.read_text() for path in tmp_path.iterdir()} == {"theirs"}


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_records_take_the_place_of_records_where_that_is_said(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    for games in ("3", "1", "2"):
        assert main(["record", "--out", str(path), "--players", "2", "--games", games, "--replace"]) == 0
        assert verify_file(path).games == int(games)
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
@pytest.mark.parametrize(
    "words", [["record", "--out"], ["record", "greedy", "--out"], ["tournament", "greedy", "--record"]]
)
def test_games_that_are_kept_are_not_lost(
    words: list[str], name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.touch()  # an empty file holds nothing to be lost
    command = [*words, str(path), "--players", "2", "--games", "2"]
    assert main(command) == 0
    before = path.read_bytes()
    capsys.readouterr()
    said = refuse(command, capsys)
    assert f"{path} holds games already" in said
    assert "--replace" in said
    assert path.read_bytes() == before
    assert main([*command[:-1], "4", "--replace"]) == 0
    assert verify_file(path).games == 4


def test_what_is_not_ours_is_not_replaced_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = tmp_path / "games.jsonl"
    theirs.write_text("theirs")
    said = refuse(["record", "--out", str(theirs), "--replace"], capsys)
    assert "holds something else" in said
    assert theirs.read_text() == "theirs"


def test_a_file_that_nobody_named_is_a_new_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for games in ("1", "2", "3"):
        assert main(["record", "--players", "2", "--games", games]) == 0
    assert {path.name: verify_file(path).games for path in tmp_path.iterdir()} == {
        "games.jsonl": 1,
        "games-2.jsonl": 2,
        "games-3.jsonl": 3,
    }
    assert "games-3.jsonl: 3 games recorded" in capsys.readouterr().out
    assert main(["record", "--players", "2", "--games", "4", "--replace"]) == 0
    assert verify_file("games.jsonl").games == 4


def test_records_can_go_to_the_standard_output(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "iaww_env.cli", "record", "--out", "/dev/stdout", "--players", "2"]
    for told in (subprocess.PIPE, (tmp_path / "games.jsonl").open("wb")):
        done = subprocess.run(command, stdout=told, stderr=subprocess.PIPE, cwd=ROOT, check=True)
        assert done.stderr == b"/dev/stdout: 1 game recorded\n"
        if done.stdout:
            (tmp_path / "piped.jsonl").write_bytes(done.stdout)
    told.close()  # type: ignore[union-attr]
    assert verify_file(tmp_path / "games.jsonl").games == 1
    assert (tmp_path / "piped.jsonl").read_bytes() == (tmp_path / "games.jsonl").read_bytes()


@pytest.mark.parametrize("words", [["verify"], ["show"]])
def test_a_file_that_is_missing_is_named(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    said = refuse([*words, "no/such.jsonl"], capsys)
    assert "no/such.jsonl: no such file or directory" in said
    assert "Errno" not in said


def test_a_folder_that_is_gone_is_said_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    with pytest.raises(FileNotFoundError) as error:
        os.getcwd()
    assert "the folder in which this runs is gone" in describe_os_error(error.value)
    monkeypatch.chdir(ROOT)
    assert describe_os_error(OSError(5, "Input/output error")) == "the system refuses: input/output error"


def test_tables_are_refused_before_anybody_has_waited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import iaww_env.bench.engine

    def measure(repeats: int) -> None:
        raise AssertionError("measured")

    monkeypatch.setattr(iaww_env.bench.engine, "measure_engine", measure)
    theirs, readme = tmp_path / "theirs.json", tmp_path / "README.md"
    theirs.write_text('{"weights": 1}')
    readme.write_text("no marks")
    for option, path, why in (
        ("--json", theirs, "holds something else"),
        ("--json", tmp_path, "it is a folder"),
        ("--json", tmp_path / "no" / "such", "there is no folder"),
        ("--into", readme, "must hold one line"),
        ("--into", tmp_path / "missing.md", "no such file"),
        ("--into", tmp_path, "it is a folder"),
    ):
        said = refuse(["bench", "engine", option, str(path)], capsys)
        assert str(path) in said
        assert why in said
    assert theirs.read_text() == '{"weights": 1}'
    assert readme.read_text() == "no marks"


@pytest.mark.parametrize("name", ["budget", "strength", "leaderboard", "guests"])
def test_scripts_of_the_arena_look_at_their_files_first(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import importlib

    script = importlib.import_module(f"iaww_agents.arena.measure.{name}")
    page, theirs = tmp_path / "page.md", tmp_path / "theirs.json"
    page.write_text("no marks")
    theirs.write_text('{"weights": 1}')
    assert script.main(["--write", "--into", str(page)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{name}: {page} must hold one line")
    if name != "guests":
        assert script.main(["--out", str(theirs), "--workers", "1"]) == 2
        assert f"{theirs} is no file of results" in capsys.readouterr().err
        assert script.main(["--out", str(tmp_path / "new.jsonl"), "--workers", "-1"]) == 2
        assert "give at least 1" in capsys.readouterr().err
    assert theirs.read_text() == '{"weights": 1}'
    assert not (tmp_path / "new.jsonl").exists()
