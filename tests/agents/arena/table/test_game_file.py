"""The file of a game at the terminal: written as it goes on, and never in place of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.table.game_file import GameFile, open_game_file
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.game import Game
from iaww_env.records import verify_file
from iaww_env.records.files import find_free

FIXTURE = Fixture(0, 7, ("you", "greedy"), GameConfig(2))


def play_first(file: GameFile, moves: int) -> Game:
    """Play so many first legal moves, each noted."""
    game = Game(FIXTURE.config, FIXTURE.seed)
    for _ in range(moves):
        seat = game.seats_to_act()[0]
        action = game.legal_actions(seat)[0]
        file.note(game, seat, action)
        game.step(seat, action)
    return game


def test_what_was_played_before_a_phase_is_safe_whatever_happens(tmp_path: Path) -> None:
    """Nobody calls `finish`: the terminal was closed, or the power failed."""
    path = tmp_path / "game.jsonl"
    play_first(GameFile(FIXTURE, path, is_named=True), 14 + 9)
    assert verify_file(path).moves == 14  # the draft


def test_a_file_that_appears_in_the_meantime_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    file = GameFile(FIXTURE, path, is_named=True)
    path.write_text("theirs")
    play_first(file, 20)
    with pytest.raises(ConfigError, match="file exists"):
        file.finish()
    assert path.read_text() == "theirs"


def test_names_that_tell_are_fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.strftime", lambda form: "2026-11-19-1432")
    for _ in range(3):
        file = open_game_file(FIXTURE, None)
        play_first(file, 2)
        file.finish()
    names = sorted(one.name for one in (tmp_path / "games").iterdir())
    stem = "iaww-2026-11-19-1432-seed7"
    assert names == [f"{stem}-2.jsonl", f"{stem}-3.jsonl", f"{stem}.jsonl"]
    assert find_free(tmp_path / "new.jsonl") == tmp_path / "new.jsonl"
    (tmp_path / "packed.jsonl.gz").touch()
    assert find_free(tmp_path / "packed.jsonl.gz") == tmp_path / "packed-2.jsonl.gz", "both ends stay"


def test_a_folder_that_cannot_be_written_is_told_before_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").write_text("a file in the way")
    with pytest.raises(ConfigError, match="say --record FILE or --no-record"):
        open_game_file(FIXTURE, None)


def test_a_disk_that_fails_meanwhile_ends_no_game(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    file = GameFile(FIXTURE, tmp_path / "here" / "game.jsonl", is_named=True)
    (tmp_path / "here").rmdir()
    assert play_first(file, 30).round == 1
    with pytest.raises(ConfigError, match="cannot write"):
        file.finish()


def test_what_is_taken_back_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    file = GameFile(FIXTURE, path, is_named=True)
    play_first(file, 16)
    file.take_back(0)
    assert len(file.moves) == 16
    file.take_back(2)
    file.finish()
    assert verify_file(path).moves == 14
