"""`iaww show`: a position as everybody or as one seat sees it, as text or as a picture; what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from iaww_env.cli.app import main
from iaww_env.cli.exit_codes import REFUSED
from iaww_env.config import GameConfig
from iaww_env.random_games import record_games
from iaww_env.records import replay, write_records
from iaww_env.viewer.raster import game_to_picture


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Two games of three seats."""
    path = tmp_path / "games.jsonl"
    write_records(path, record_games(GameConfig(3), 2, 5, checks=False))
    return path


def test_a_seat_is_shown_what_it_sees(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = replay(next(iter(record_games(GameConfig(3), 1, 5, checks=False))), 0)
    hidden = set(game.hand(1)) - set(game.hand(0))
    assert hidden
    assert main(["show", str(records), "--move", "0"]) == 0
    everything = capsys.readouterr().out
    assert main(["show", str(records), "--move", "0", "--seat", "0"]) == 0
    seen = capsys.readouterr().out
    assert "You, seat 0" in seen
    assert [card for card in hidden if card in seen] == []
    assert [card for card in hidden if card not in everything] == []


def test_a_seat_is_not_told_what_others_are_about_to_choose(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pick of the draft is secret (ruling 1): the heading keeps it as the table does."""
    moves = next(iter(record_games(GameConfig(3), 1, 5, checks=False)))["moves"]
    for number in (0, 1, 2, 40):
        mover, text = moves[number]
        for viewer in (None, 0, 1, 2):
            words = [] if viewer is None else ["--seat", str(viewer)]
            assert main(["show", str(records), "--move", str(number), *words]) == 0
            heading = capsys.readouterr().out.splitlines()[0].partition(": ")[2]
            told = f"plays {text}" if viewer in (None, mover) else "decides, not seen"
            assert heading == f"seat {mover} {told}"


def test_a_picture_is_the_drawing_without_the_ground_below(records: Path) -> None:
    place = records.with_name("table.png")
    for seat in (None, 2):
        words = [] if seat is None else ["--seat", str(seat)]
        assert (
            main(["show", str(records), "--game", "2", "--move", "9", "--picture", str(place), *words]) == 0
        )
        with Image.open(place) as drawn:
            found = np.array(drawn)
        game = replay(list(record_games(GameConfig(3), 2, 5, checks=False))[1], 9)
        whole = game_to_picture(game, seat)
        assert found.tobytes() == whole[: len(found)].tobytes()
        assert (whole[len(found) :] == whole[-1, -1]).all(), "nothing is cut off"
        assert len(found) < len(whole)


def test_files_of_others_and_seats_that_there_are_not_are_refused(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = records.read_bytes()
    assert main(["show", str(records), "--picture", str(records)]) == REFUSED
    assert "holds something else than is written here" in capsys.readouterr().err
    assert records.read_bytes() == before
    assert main(["show", str(records), "--seat", "3"]) == REFUSED
    assert "--seat is 3: the game has the seats 0 to 2" in capsys.readouterr().err


def test_who_played_is_told_where_the_record_says_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "named.jsonl"
    record = next(iter(record_games(GameConfig(3), 1, 5, checks=False)))
    write_records(path, [record | {"meta": {"agents": ["ppo", "you", "greedy"]}}])
    assert main(["show", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "played by: seat 0 ppo, seat 1 a person, seat 2 greedy" in shown
    scores = record["result"]["scores"]
    winner = scores.index(max(scores))
    assert f"seat {winner} ({['ppo', 'a person', 'greedy'][winner]}) wins" in shown
    pictures = [path.with_name(name) for name in ("named.png", "bare.png")]
    assert main(["show", str(path), "--picture", str(pictures[0])]) == 0
    write_records(path, [record])
    assert main(["show", str(path), "--picture", str(pictures[1])]) == 0
    assert pictures[0].read_bytes() != pictures[1].read_bytes()
