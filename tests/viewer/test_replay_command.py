"""`iaww replay`: where its page goes, what it leaves alone, whom it asks to open it, what it refuses."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

import pytest

from iaww_env.cli.app import main
from iaww_env.config import GameConfig
from iaww_env.random_games import record_games
from iaww_env.records import write_records
from iaww_env.viewer.pages import holds_page, write_page


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two games in a folder, and no browser."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    (tmp_path / "games").mkdir()
    path = tmp_path / "games" / "games.jsonl.gz"
    write_records(path, record_games(GameConfig(2), 2, 5, checks=False))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return path


def test_the_page_goes_beside_the_records(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(records), "--game", "2"]) == 0
    page = records.with_name("games-game-2.html")
    out = capsys.readouterr().out.splitlines()
    assert out == [str(page), "there is no browser here: open the page in one of yours"]
    second = list(record_games(GameConfig(2), 2, 5, checks=False))[1]
    assert page.read_text(encoding="utf-8") == write_page(second, 2, "games.jsonl.gz")
    assert main(["replay", str(records), "--game", "2", "--no-open"]) == 0, "ours may be replaced"
    assert capsys.readouterr().out == f"{page}\n"


def test_the_page_goes_where_it_is_told(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--no-open", "--out", "mine.html", str(records)]) == 0
    assert holds_page(Path("mine.html").read_bytes())
    assert os.listdir(records.parent) == [records.name]


def test_the_page_goes_into_this_folder_where_it_may_not_stand_beside(
    records: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != records.parent and allowed(path, mode))
    assert main(["replay", str(records), "--no-open"]) == 0
    assert capsys.readouterr().out == "games-game-1.html\n"
    assert holds_page(Path("games-game-1.html").read_bytes())


def test_files_of_others_stay_as_they_are(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = records.with_name("games-game-1.html")
    page.write_text("<!doctype html>theirs")
    assert main(["replay", str(records)]) == 2
    assert "holds something else" in capsys.readouterr().err
    assert page.read_text() == "<!doctype html>theirs"


@pytest.mark.parametrize("opens", [True, False])
def test_the_browser_is_asked(
    opens: bool, records: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda place: asked.append(place) or opens)
    monkeypatch.setenv("DISPLAY", ":0")
    assert main(["replay", str(records)]) == 0
    assert asked == [records.with_name("games-game-1.html").as_uri()]
    assert ("opened in the browser" in capsys.readouterr().out) == opens
    assert main(["replay", str(records), "--no-open"]) == 0
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--game", "3"], "does not hold 3 games"),
        (["--game", "0"], "games are counted from 1"),
        (["--out", "."], "it is a folder"),
        (["--out", "no/such/page.html"], "there is no folder"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    options: list[str], said: str, records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(records), *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err
    assert os.listdir(records.parent) == [records.name]


def test_broken_records_are_refused_in_a_line(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = next(record_games(GameConfig(2), 1, 5, checks=False))
    for move, said in (([0, "end"], "in the draft a card is picked"), ([0, "fly"], "names no action")):
        path = records.with_name("broken.jsonl")
        write_records(path, [game | {"moves": [move, *game["moves"]]}])
        assert main(["replay", str(path)]) == 2
        err = capsys.readouterr().err
        assert err.startswith("iaww: ")
        assert "move 0" in err
        assert said in err
    assert not list(records.parent.glob("*.html"))
