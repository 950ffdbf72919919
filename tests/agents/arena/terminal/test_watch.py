"""`iaww watch --record`: what bots play is written down, whole or as far as it came."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from iaww_agents.arena.terminal import watch
from iaww_env.cli.app import main
from iaww_env.records import read_records, replay, verify_file
from tests.agents.arena.terminal.test_play import CRASHING


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crashing.py").write_text(CRASHING)
    return tmp_path


def test_a_game_that_is_watched_is_recorded(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["watch", "greedy", "random:nodiscard", "--players", "2", "--seed", "7"]
    assert main([*words, "--record", "game.jsonl"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("\nThe game is saved. To look at it: iaww replay game.jsonl\n")
    assert verify_file("game.jsonl").results == 1
    (record,) = read_records("game.jsonl")
    assert record["seed"] == 7
    assert record["meta"] == {"agents": ["greedy", "random:nodiscard"]}
    told = re.findall(r"^  seat (\d): (\S+)$", out, re.M)
    assert told == [(str(seat), text) for seat, text in record["moves"]]
    for seat, points in enumerate(record["result"]["scores"]):
        assert re.search(rf"^\d\. seat {seat} \(.*\): {points} points$", out, re.M)
    assert re.search(rf"^in all +{' +'.join(map(str, record['result']['scores']))}$", out, re.M)
    # Once more: what stands there stays.
    before = (folder / "game.jsonl").read_bytes()
    assert main([*words, "--record", "game.jsonl"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert (folder / "game.jsonl").read_bytes() == before


def test_nothing_is_written_unless_asked_for(folder: Path) -> None:
    assert main(["watch", "greedy", "--players", "1", "--seed", "7"]) == 0
    assert [one.name for one in folder.iterdir()] == ["crashing.py"]


def test_a_game_that_breaks_off_is_recorded_up_to_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", "greedy", "crashing.py", "--players", "2", "--record", "game.jsonl"]) == 0
    out = capsys.readouterr().out
    assert "The game broke off (crash): crashing.py in seat 1" in out
    (record,) = read_records("game.jsonl")
    assert verify_file("game.jsonl").results == 0
    told = re.findall(r"^  seat (\d): (\S+)$", out, re.M)
    assert told == [(str(seat), text) for seat, text in record["moves"]]
    assert replay(record).round == 1


def test_a_game_that_is_interrupted_is_recorded_up_to_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    naps = []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 9:
            raise KeyboardInterrupt

    monkeypatch.setattr(watch.time, "sleep", sleep)
    words = ["watch", "greedy", "--players", "2", "--delay", "1", "--record", "game.jsonl"]
    assert main(words) == 130
    assert "unfinished, 8 moves" in capsys.readouterr().out
    assert verify_file("game.jsonl").moves == 8


def test_a_record_goes_to_a_stream_once(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "greedy", "--players", "2", "--seed", "7", "--record", "/dev/stdout"]) == 0
    out, err = capfd.readouterr()
    records = [json.loads(line) for line in out.splitlines() if line.startswith('{"format"')]
    assert len(records) == 1
    assert "The game is saved" in err
