"""A file of results says which bot played: who goes on with it is told where that bot has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from iaww_agents.arena.play.result_files import read_results
from iaww_agents.arena.play.results import Result
from iaww_agents.arena.play.schedule import Fixture
from iaww_env import GameConfig
from iaww_env.bots.sources import digest_source
from iaww_env.cli.app import main
from iaww_env.errors import ConfigError

BOT = """
from iaww_agents import Agent


class First(Agent):
    def act(self, view):
        return view.legal_actions()[0]
"""


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A file of two games that a bot of one's own has played, in a folder with that bot."""
    monkeypatch.chdir(tmp_path)
    Path("my_bot.py").write_text(BOT)
    assert go_on(2) == 0
    assert capsys.readouterr().err == ""
    return tmp_path / "games.jsonl"


def go_on(games: int, *more: str) -> int:
    words = ["tournament", "my_bot.py", "random:nodiscard", "--players", "2", "--workers", "1"]
    return main([*words, "--games", str(games), "--out", "games.jsonl", *more])


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    header = path.read_text().splitlines()[0]
    path.write_text("\n".join([header, *map(json.dumps, lines), ""]))


def test_every_game_says_from_which_file_a_bot_of_others_played(played: Path) -> None:
    digest = digest_source("my_bot.py")
    for line in read_lines(played):
        assert line["sources"] == [digest if bot == "my_bot.py" else None for bot in line["agents"]]
    assert [list(result.sources) for result in read_results(played)] == [
        line["sources"] for line in read_lines(played)
    ]


def test_a_bot_that_has_not_changed_is_gone_on_with_silently(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert go_on(4) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "has changed" not in out
    assert len(read_lines(played)) == 4


def test_a_bot_that_has_changed_is_warned_of(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("my_bot.py").write_text(BOT + "# better\n")
    assert go_on(4) == 0
    out, err = capsys.readouterr()
    assert err.startswith(
        "iaww: the file of my_bot.py has changed since 2 of its games in the file of results"
    )
    assert err.count("\n") == 1
    assert "has changed since 2 of its games" in out  # whoever reads the report knows it too
    assert {tuple(sorted(filter(None, line["sources"]))) for line in read_lines(played)[2:]} == {
        (digest_source("my_bot.py"),)
    }
    Path("my_bot.py").write_text(BOT)
    assert go_on(4) == 0
    assert "since 2 of its games" in capsys.readouterr().err  # now it is the later ones


def test_lines_of_before_say_nothing_of_files_and_are_read(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = read_lines(played)
    del first["sources"]
    second["sources"] = [None, None]  # nobody could tell from which file it played
    write_lines(played, [first, second])
    Path("my_bot.py").write_text(BOT + "# better\n")
    assert go_on(2) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "2 of them read from the file" in out
    assert [result.sources for result in read_results(played)] == [(), (None, None)]


def test_games_of_our_bots_alone_say_nothing_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["tournament", "random", "random:nodiscard", "--players", "2", "--games", "2", "--workers", "1"]
    assert main([*words, "--out", "games.jsonl"]) == 0
    assert ["sources" in line for line in read_lines(Path("games.jsonl"))] == [False, False]


@pytest.mark.parametrize(
    "sources",
    [None, "abc", [], [None], [None, 3], [None, "a b"], [None, "\x1b"], [None, "a" * 65], [None] * 3],
    ids=str,
)
def test_digests_that_cannot_be_are_refused(sources: Any) -> None:
    result = Result(Fixture(0, 1, ("a", "b"), GameConfig(players=2)), (3, 2), (1, 2), sources=(None, "a1"))
    assert Result.from_dict(result.to_dict()) == result
    with pytest.raises(ConfigError, match="sources is "):
        Result.from_dict(result.to_dict() | {"sources": sources})
