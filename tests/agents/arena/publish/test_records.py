"""Games of a tournament as records: every game, in the order of the schedule, also one that broke off."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from iaww_agents.arena.play.match import play_match
from iaww_agents.arena.play.results import OK
from iaww_agents.arena.play.schedule import schedule_games
from iaww_agents.arena.play.tournament import run_tournament
from iaww_agents.arena.publish.records import RecordKeeper, record_result
from iaww_env import GameConfig
from iaww_env.bots.games import BotGames, note_move, read_moves
from iaww_env.bots.specs import make_agent
from iaww_env.cli.app import main
from iaww_env.engine.kernels import lanes
from iaww_env.engine.new_rows import make_rows, seed_stream
from iaww_env.errors import ConfigError
from iaww_env.game import Game
from iaww_env.records import read_records, replay, verify_file
from iaww_env.records.form import list_agents
from tests.modes import MODES

GUEST = f"{Path(__file__).parents[1] / 'play' / 'bad_bots.py'}:FirstLegal"


@pytest.mark.parametrize("bots", [("greedy", "random"), ("greedy", "random", GUEST)])
def test_every_game_of_a_tournament_is_recorded_in_order(bots: tuple[str, ...], tmp_path: Path) -> None:
    """Inside kernels and one by one; the results say the same as the records, which verify."""
    keeper = RecordKeeper(tmp_path / "games.jsonl")
    config = GameConfig(players=3)
    played = run_tournament(bots, config, games=6, key="k", keep=keeper.keep, workers=2)
    assert keeper.write() == len(played.results) == 6
    assert verify_file(tmp_path / "games.jsonl").results == 6
    for result, record in zip(played.results, read_records(tmp_path / "games.jsonl"), strict=True):
        assert record["seed"] == result.fixture.seed
        assert record["result"]["scores"] == list(result.points)
        assert record["config"]["empires"] == list(result.empires)
        assert list_agents(record["meta"]) == result.agents
        assert record["meta"]["deal"] == result.fixture.deal
        assert result.moves is None, "moves are not kept where nobody needs them any more"


@pytest.mark.parametrize("mode", ["2", "4-ascension", "solo"])
def test_noting_moves_changes_nothing(mode: str) -> None:
    """The same games with and without; played again, the moves lead to the same rows."""
    config = MODES[mode]
    bots = [make_agent("greedy"), *[make_agent("random")] * (config.players - 1)]
    rows = [make_rows(config, range(8)) for _ in range(2)]
    chances = [[seed_stream(g) for g in range(8)] for _ in range(2)]
    assert BotGames(bots, config).play(rows[0], chances[0]) == []
    moves = BotGames(bots, config).play(rows[1], chances[1], noting=True)
    assert rows[0].tobytes() == rows[1].tobytes()
    assert len(moves) == 8
    for seed, (row, noted) in enumerate(zip(rows[1], moves, strict=True)):
        game = Game(config, seed)
        for seat, action in noted.tolist():
            game.step(seat, action)
        assert game.row.tobytes() == row.tobytes()


def test_more_moves_than_there_is_room_for_are_refused() -> None:
    """Rather than a game without its end; up to there each is kept."""
    lane = np.zeros(lanes.NOTING_LANE, np.int16)
    for number in range(lanes.MOST_NOTED):
        note_move(lane, number % 2, number)
    moves = read_moves(lane)
    assert moves[:, 1].tolist() == list(range(lanes.MOST_NOTED))
    assert moves[:3, 0].tolist() == [0, 1, 0]
    note_move(lane, 0, 5)
    with pytest.raises(RuntimeError, match="more than 8192 moves"):
        read_moves(lane)
    short = np.zeros(lanes.LANE, np.int16)
    note_move(short, 0, 5)
    assert not short.any()


def test_a_game_that_a_bot_broke_off_is_recorded_so_far() -> None:
    (fixture,) = islice(schedule_games(GameConfig(players=2), ["greedy", "random"], "k"), 1)

    class Crashing:
        def __init__(self) -> None:
            self.asked = 0

        def act(self, view: object) -> int:
            self.asked += 1
            if self.asked == 5:
                raise ValueError("no more")
            return int(view.legal_actions()[0])  # type: ignore[attr-defined]

    bot = Crashing()
    result = play_match(fixture, lambda seat: bot if seat == 0 else make_agent("greedy"), noting=True)
    assert result.status != OK
    record = record_result(result)
    assert "result" not in record
    assert record["meta"]["status"] == "crash"
    assert "no more" in record["meta"]["reason"]
    assert len(record["moves"]) >= 8
    assert replay(record).round == 1


def test_games_that_stood_in_the_file_of_results_are_left_out(tmp_path: Path) -> None:
    for recorded in (4, 0):
        keeper = RecordKeeper(tmp_path / f"{recorded}.jsonl")
        options = {
            "games": 4,
            "key": "k",
            "out": tmp_path / "results.jsonl",
            "keep": keeper.keep,
            "workers": 1,
        }
        run_tournament(["greedy"], GameConfig(players=2), **options)
        assert keeper.write() == recorded
    assert not (tmp_path / "0.jsonl").exists()


def test_bots_are_recorded_by_their_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "games.jsonl.gz"
    words = ["greedy", "random", "--players", "2", "--games", "3", "--seed", "7", "--workers", "1"]
    assert main(["record", *words, "--out", str(out)]) == 0
    assert "3 games recorded" in capsys.readouterr().out
    assert [record["seed"] for record in read_records(out)] == [7, 8, 9]
    assert verify_file(out).results == 3


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match=r"notes\.txt"):
        RecordKeeper(tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_bots_are_listed_only_where_they_are_noted() -> None:
    assert list_agents({"agents": ["greedy", "random"]}) == ("greedy", "random")
    for meta in (None, {}, {"agents": 3}, {"agents": ["greedy", 3]}, "greedy"):
        assert list_agents(meta) == ()
