"""`iaww play` as it is typed: whole games, leaving, bots that crash, and what is saved."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from iaww_agents.arena.terminal import play
from iaww_agents.base import make_agent, make_view
from iaww_env.cli.app import main
from iaww_env.config import GameConfig
from iaww_env.records import read_records, replay, verify_file
from tests.agents.arena.table.scripted import Table, play_wisely
from tests.modes import CA, SOLO
from tests.processes import ROOT

MODES = {
    "2": (GameConfig(2), 1),
    "3": (GameConfig(3), 0),
    "4": (GameConfig(4), 3),
    "2-ascension": (GameConfig(2, CA), 0),
    "7-ascension": (GameConfig(7, CA), 4),
    **{name: (config, 0) for name, config in SOLO.items()},
}
CRASHING = """
from iaww_agents import Agent

class Crashes(Agent):
    asked = 0

    def act(self, view):
        self.asked += 1
        if self.asked > 9:
            raise ValueError("out of ideas")
        return view.legal_actions()[0]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str | type[BaseException]) -> None:
    typed = iter(lines)

    def read(prompt: str = "") -> str:
        line = next(typed, EOFError)
        if not isinstance(line, str):
            raise line
        return line

    monkeypatch.setattr("builtins.input", read)


def find_saved(folder: Path) -> dict[str, object]:
    """The one record of the one file that was written."""
    (path,) = [one for one in folder.rglob("*") if one.is_file() and ".jsonl" in one.name]
    verify_file(path)
    (record,) = read_records(path)
    return record


@pytest.mark.parametrize("mode", MODES)
def test_whole_games_are_played_and_saved(mode: str, tmp_path: Path) -> None:
    config, seat = MODES[mode]
    path = tmp_path / "game.jsonl"
    table = Table(config, play_wisely, seat=seat, path=path, width=80)
    result = table.play()
    assert result.status == "ok", result.reason
    table.file.finish()
    assert verify_file(path).results == 1
    record = find_saved(tmp_path)
    assert record["meta"] == {"agents": list(table.fixture.agents)}
    assert replay(record).scores() == list(result.points)
    assert max(len(line) for text in table.shown for line in text.split("\n")) <= 80


def test_a_person_types_what_comes_to_mind_and_leaves(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines(monkeypatch, "", "zeppelinn", "99", "?", "HINT", "info zeppelin", "help", "pick:nuc", "q")
    assert main(["play", "greedy", "--players", "3", "--seed", "7"]) == 0
    printed = capsys.readouterr().out
    for text in (
        "You are seat 0",
        "type the number or the beginning of an action, or help",
        "did you mean 'zeppelin'?",
        "there is no number 99 in this phase",
        "You, seat 0: Aztec Empire, 3 pts/discovery",
        "heuristic would play pick:airborne_laboratory",
        "Zeppelin (zeppelin): vehicle, 6 copies, base game",
        "  undo           take your last decision back",
        "  pick:nuclear_plant",
        "You have left the game.",
    ):
        assert text in printed
    (path,) = (folder / "games").iterdir()
    assert re.fullmatch(r"iaww-\d{4}-\d\d-\d\d-\d{4}-seed7\.jsonl", path.name)
    assert f"The game is saved, unfinished, 3 moves. To look at it: iaww replay games/{path.name}" in printed
    record = find_saved(folder)
    assert len(record["moves"]) == 3
    assert "result" not in record
    assert replay(record).state.pick == 1
    assert main(["show", f"games/{path.name}"]) == 0


@pytest.mark.parametrize(("how", "code"), [(KeyboardInterrupt, 130), (EOFError, 0), ("q", 0), ("QUIT", 0)])
def test_however_a_person_leaves_the_game_is_saved(
    how: str | type[BaseException],
    code: int,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    type_lines(monkeypatch, "1", how)
    assert main(["play", "greedy", "--players", "2", "--seed", "3", "--record", "mine.jsonl.gz"]) == code
    assert [one.name for one in folder.iterdir()] == ["mine.jsonl.gz"]
    assert len(find_saved(folder)["moves"]) == 2
    assert "iaww replay mine.jsonl.gz" in capsys.readouterr().out


def test_nothing_is_saved_where_nothing_was_played_or_shall_be(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines(monkeypatch, "hint", "q")
    assert main(["play", "greedy", "--players", "2", "--seed", "3"]) == 0
    type_lines(monkeypatch, "1", "q")
    assert main(["play", "greedy", "--players", "2", "--seed", "3", "--no-record"]) == 0
    assert list(folder.iterdir()) == []
    assert "saved" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--record", "mine.jsonl"], "mine.jsonl exists already, and is left as it is: name a new file"),
        (["--record", "no/mine.jsonl"], "there is no folder"),
        (["--record", "."], "."),
        (["--record", "new.jsonl", "--no-record"], "leave one of them out"),
        (["--hints", "greedo"], "did you mean 'greedy'"),
    ],
)
def test_what_cannot_be_is_refused_before_the_game(
    words: list[str],
    said: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "mine.jsonl").write_text("{}")
    type_lines(monkeypatch, "1")
    assert main(["play", "greedy", "--players", "2", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert [one.name for one in folder.iterdir()] == ["mine.jsonl"]
    assert (folder / "mine.jsonl").read_text() == "{}"


def test_a_bot_that_crashes_loses_nothing_of_the_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "crashing.py").write_text(CRASHING)
    table_lines: list[str] = []

    class Typing(play.HumanAgent):
        def decide(self, view, offers):  # type: ignore[no-untyped-def]
            table_lines.append("asked")
            return view.legal_actions()[0]

    monkeypatch.setattr(play, "HumanAgent", Typing)
    assert main(["play", "crashing.py", "--players", "2", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    assert "The game broke off (crash): crashing.py in seat 1 crashed when it was asked: ValueError" in out
    assert "out of ideas" in err
    record = find_saved(folder)
    assert len(record["moves"]) > 14
    assert "result" not in record
    assert "unfinished" in out
    assert table_lines


def test_a_bot_that_cannot_give_a_hint_costs_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mute.py").write_text(CRASHING.replace("asked > 9", "asked > 1"))
    type_lines(monkeypatch, "hint", "hint", "1", "q")
    assert main(["play", "greedy", "--players", "2", "--seed", "3", "--hints", "mute.py"]) == 0
    out = capsys.readouterr().out
    assert "mute.py would play pick:" in out
    assert "mute.py cannot say: ValueError: out of ideas" in out
    assert len(find_saved(folder)["moves"]) == 2


@pytest.mark.parametrize("bot", ["greedy", "heuristic", "ppo"])
def test_a_hint_is_what_the_bot_plays_from_the_same_view(bot: str) -> None:
    fresh, hints = make_agent(bot), 0

    def type_line(table: Table) -> str:
        nonlocal hints
        if len(table.match.moves) % 9 == 0 and "y/N" not in table.prompts[-1]:
            fresh.reset(table.seat, table.game.config, 1)
            view = make_view(table.game, table.seat, fresh.profile)
            said = f"{bot} would play {view.text(fresh.act(view))}"
            assert table.adviser.advise(table.game, table.seat).said == said
            hints += 1
        return play_wisely(table)

    assert Table(GameConfig(2), type_line, hints=bot).play().status == "ok"
    assert hints > 5


def test_points_at_the_end_are_told_in_parts(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Typing(play.HumanAgent):
        def decide(self, view, offers):  # type: ignore[no-untyped-def]
            bot = make_agent("greedy")
            bot.reset(view.seat, view.config, 0)
            return bot.act(view)

    monkeypatch.setattr(play, "HumanAgent", Typing)
    assert main(["play", "greedy", "--players", "3", "--seed", "5", "--no-record"]) == 0
    out = capsys.readouterr().out
    places = re.findall(r"^(\d)\. seat (\d) \((greedy|you)\): (\d+) points$", out, re.M)
    assert [one[0] for one in places] == ["1", "2", "3"]
    table = out[out.index("\npoints ") :].strip().splitlines()
    assert re.split(r"  +", table[0]) == ["points", "seat 0", "seat 1", "seat 2"]
    ends = [table[0].index(f"seat {seat}") + 6 for seat in range(3)]
    sums = [sum(int(line[end - 6 : end].strip() or 0) for line in table[1:-1]) for end in ends]
    assert table[-1].split()[2:] == list(map(str, sums))
    assert {(int(seat), int(points)) for _, seat, _, points in places} == set(enumerate(sums))


def test_lines_come_from_a_pipe_and_are_shown(tmp_path: Path) -> None:
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "agents")))
    done = subprocess.run(
        [sys.executable, "-m", "iaww_env.cli", "play", "greedy", "--players", "2", "--seed", "3"],
        input="1\nhelp\n",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert "\n> 1\n" in done.stdout
    assert "\n> help\n" in done.stdout
    (path,) = (tmp_path / "games").iterdir()
    assert len(json.loads(path.read_text())["moves"]) == 2
