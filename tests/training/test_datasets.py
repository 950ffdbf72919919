"""Games of bots as data: what is written comes back as it was played."""

from __future__ import annotations

from pathlib import Path

import pytest

import iaww_env
from iaww_env.cli.app import main
from iaww_env.errors import ConfigError
from iaww_training import datasets
from iaww_training.datasets import (
    NO_ACTION,
    Options,
    count_points,
    play_game,
    play_games,
    read_games,
    write_card,
    write_file,
)

TABLE = iaww_env.GameConfig(players=2)


def play_forced(game: iaww_env.Game) -> None:
    """Play what is forced: a batch does not ask for it."""
    while len(game.seats_to_act()) and len(game.legal_actions(game.seats_to_act()[0])) == 1:
        seat = game.seats_to_act()[0]
        game.step(seat, game.legal_actions(seat)[0])


def test_a_game_is_that_of_the_bot() -> None:
    """Decision by decision the same as the bot plays when it is asked in a game of that seed."""
    played = play_game(TABLE, "greedy", 7)
    assert played == play_game(TABLE, "greedy", 7)
    assert played != play_game(TABLE, "greedy", 8)
    game = iaww_env.Game(TABLE, 7)
    for action in played:
        play_forced(game)
        game.step(game.seats_to_act()[0], action)
    while not game.over:  # what is forced at the end is not asked
        (action,) = game.legal_actions(game.seats_to_act()[0])
        game.step(game.seats_to_act()[0], action)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    for seeds in ((3, 4), (5,)):
        write_file(TABLE, "greedy", tmp_path, seeds)
    about, seeds, actions = read_games(tmp_path)
    assert about["bot"] == "greedy"
    assert iaww_env.GameConfig.from_dict(about["config"]) == TABLE
    assert seeds.tolist() == [3, 4, 5]
    for seed, row in zip(seeds, actions, strict=True):
        assert row[row != NO_ACTION].tolist() == play_game(TABLE, "greedy", int(seed))


def test_what_is_there_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert write_file(TABLE, "greedy", tmp_path, (1, 2)) == 2
    monkeypatch.setattr(datasets, "play_game", lambda *_: pytest.fail("played again"))
    assert write_file(TABLE, "greedy", tmp_path, (1, 2)) == 2


def test_several_processes_write_all(tmp_path: Path) -> None:
    options = Options("greedy", TABLE, games=18, first=50, folder=tmp_path / "new", workers=2)
    assert sorted(datasets.write_games(options))[-1] == 18
    _, seeds, _ = read_games(options.folder)
    assert seeds.tolist() == list(range(50, 68))


def test_games_of_the_heuristic_side_by_side_are_those_it_plays_when_asked() -> None:
    """It plays whole files in a batch; a game is the same as decision by decision."""
    for config in (TABLE, iaww_env.GameConfig(players=1)):
        together = play_games(config, "heuristic", [3, 4, 5])
        assert together == [play_game(config, "heuristic", seed) for seed in (3, 4, 5)]


def test_a_card_says_what_is_there(tmp_path: Path) -> None:
    for seeds in ((3, 4), (5,)):
        write_file(TABLE, "greedy", tmp_path, seeds)
    points, decisions = [], 0
    for seed in (3, 4, 5):
        game = iaww_env.Game(TABLE, seed)
        for action in play_game(TABLE, "greedy", seed):
            decisions += 1
            play_forced(game)
            game.step(game.seats_to_act()[0], action)
        play_forced(game)
        points += game.scores()
    found = count_points(read_games(tmp_path))
    assert found.ravel().tolist() == points
    card = write_card(tmp_path, "a command")
    assert (tmp_path / "CARD.md").read_text() == card
    assert f"3 games, {decisions:,} decisions; seeds from 3 to 5" in card
    assert f"Points of a seat: {sum(points) / len(points):.1f}" in card
    assert "`a command`" in card


def test_the_command_writes_games_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["selfplay", "heuristic", "--players", "2", "--out", str(tmp_path / "games"), "--workers", "1"]
    assert main([*words, "--games", "16"]) == 0
    before = (tmp_path / "games" / "games-1000000.npz").read_bytes()
    assert main([*words, "--games", "18"]) == 0
    assert (tmp_path / "games" / "games-1000000.npz").read_bytes() == before
    assert len(read_games(tmp_path / "games").seeds) == 18
    assert "18 games" in capsys.readouterr().out
    assert (
        main(["selfplay", "greedy", "--players", "2", "--out", str(tmp_path / "games"), "--games", "1"]) == 2
    )
    assert "take another folder" in capsys.readouterr().err


def test_what_holds_no_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no files"):
        read_games(tmp_path)
    write_file(TABLE, "greedy", tmp_path, (1,))
    write_file(TABLE, "random:nodiscard", tmp_path, (2,))
    with pytest.raises(ConfigError, match="take another folder"):
        write_file(TABLE, "greedy", tmp_path, (2,))
    with pytest.raises(ConfigError, match="others in its folder"):
        read_games(tmp_path)
    whole = (tmp_path / "games-1.npz").read_bytes()
    flipped = [whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(0, len(whole), 41)]
    refused = 0
    for content in (b"", b"no games", whole[: len(whole) // 2], *flipped):
        (tmp_path / "games-2.npz").write_bytes(content)
        try:
            read_games(tmp_path)
        except ConfigError:
            refused += 1
    assert refused > len(flipped) // 2, "what is neither checked by zip nor read is let through"


def test_a_file_that_is_too_short_is_made_again(tmp_path: Path) -> None:
    write_file(TABLE, "greedy", tmp_path, (1,))
    assert write_file(TABLE, "greedy", tmp_path, (1, 2)) == 2
    assert read_games(tmp_path).seeds.tolist() == [1, 2]
