"""Files of results: what is ours is gone on with, what is not is left byte for byte as it is."""

from __future__ import annotations

import dataclasses
import json
import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import iaww_env
from iaww_agents.arena.play.guests import BotShelf
from iaww_agents.arena.play.match import play_match
from iaww_agents.arena.play.result_files import ResultFile, read_results
from iaww_agents.arena.play.results import OK, Result, make_fault
from iaww_agents.arena.play.schedule import Fixture
from iaww_env import GameConfig
from iaww_env.cli.app import main
from iaww_env.errors import ConfigError

HEADER = '{"format":"iaww-matches","format_version":2,"key":"k","version":"0.1.0"}\n'


def make_results(count: int) -> list[Result]:
    config = GameConfig(players=2)
    return [Result(Fixture(n, n, ("greedy", "random"), config), (9, n), (1, 2)) for n in range(count)]


def write_file(path: Path, results: list[Result], key: str = "k") -> bytes:
    with ResultFile(path, key) as file:
        file.append(results)
    return path.read_bytes()


# --- What stands in a file -------------------------------------------------------------------------


def test_a_file_begins_with_its_key_and_has_what_others_need(tmp_path: Path) -> None:
    fixture = Fixture(3, 11, ("greedy", "random"), GameConfig(players=2))
    shelf = BotShelf()
    played = play_match(fixture, lambda seat: shelf.take(fixture.agents, seat))
    path = tmp_path / "games.jsonl"
    write_file(path, [played], "my key")
    about, fields = map(json.loads, path.read_text().splitlines())
    assert about == {
        "format": "iaww-matches",
        "format_version": 2,
        "key": "my key",
        "version": iaww_env.__version__,
    }
    assert fields["format_version"] == 2
    assert fields["agents"] == ["greedy", "random"]
    assert fields["seed"] == 11
    assert fields["points"] == list(played.points)
    assert fields["places"] == list(played.places)
    assert fields["status"] == OK
    assert fields["scenario_won"] is None
    (read,) = read_results(path)
    assert read == dataclasses.replace(played, seconds=round(played.seconds, 3))


def test_a_scenario_says_whether_it_was_won(tmp_path: Path) -> None:
    fixture = Fixture(0, 1, ("greedy",), GameConfig(players=1, scenario="base_sc01"))
    results = [
        dataclasses.replace(Result(dataclasses.replace(fixture, seed=n), (5,), (1,)), scenario_won=won)
        for n, won in enumerate((True, False))
    ]
    broken_off = make_fault(dataclasses.replace(fixture, seed=9), 0, "crash", "why")
    assert broken_off.scenario_won is False
    assert (
        make_fault(Fixture(0, 1, ("greedy",), GameConfig(players=1)), 0, "crash", "why").scenario_won is None
    )
    write_file(tmp_path / "games.jsonl", [*results, broken_off])
    assert list(read_results(tmp_path / "games.jsonl")) == [*results, broken_off]


def test_the_key_of_the_file_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with ResultFile(path) as file:
        drawn = file.key
        file.append(make_results(1))
    assert len(drawn) == 32
    for key in (None, drawn):
        with ResultFile(path, key) as file:
            assert file.key == drawn
            assert len(file.results) == 1
    before = path.read_bytes()
    with pytest.raises(ConfigError, match=f"holds games of the key '{drawn}', not of 'other'"):
        ResultFile(path, "other")
    assert path.read_bytes() == before


def test_an_empty_file_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.touch()
    assert write_file(path, make_results(2)).count(b"\n") == 3


def test_a_last_line_cut_short_is_dropped_from_a_file_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = write_file(path, make_results(3))
    for cut in (1, 30, 150):
        path.write_bytes(whole[:-cut])
        with ResultFile(path) as file:
            assert len(file.results) == 2
            file.append(make_results(3)[2:])
        assert path.read_bytes() == whole
    path.write_bytes(whole + b'{"format":"iaww-match"' + b"x" * 10_000)
    with ResultFile(path) as file:
        assert len(file.results) == 3
    assert path.read_bytes() == whole


# --- What is not ours ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"weights":1}', "is no file of results"),
        (b'{"weights":1}\n', "is no file of results"),
        (b"one line\nand another", "is no file of results"),
        (b"\n", "is no file of results"),
        (b"\0\xff\xfe", "is no file of results"),
        (b"[" * 5000, "is no file of results"),
        (b"[]\n", "is no file of results"),
        (b'{"format": "iaww-record"}\n', "is no file of results"),
        (HEADER.strip().encode(), "is no file of results"),
        (b'{"format":"iaww-match","format_version":1}\n', "as another version of iaww-env writes them"),
        (HEADER.replace("2", "3", 1).encode(), "as another version of iaww-env writes them"),
        (HEADER.replace('"k"', "7").encode(), "has no key"),
        (HEADER.replace('"k"', "null").encode(), "has no key"),
        (HEADER.encode() + b"{}\n" + b"torn", "line 2 is no result of a game"),
        (HEADER.encode() + b"\n", "line 2 is no result of a game"),
    ],
)
def test_other_files_are_refused_and_left_as_they_are(
    content: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "w.json"
    path.write_bytes(content)
    assert main(["tournament", "greedy", "random", "--players", "2", "--games", "2", "--out", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err
    assert str(path) in err
    assert "name another file" in err
    assert path.read_bytes() == content


def change(**changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda fields: fields | changes


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (change(format_version=1), "this is no iaww-match of version 2"),
        (change(more=1), "missing or unknown: 'more'"),
        (lambda fields: {n: v for n, v in fields.items() if n != "scenario_won"}, "'scenario_won'"),
        (change(points=[1]), "one entry for each of 2 seats"),
        (change(points=[1, "2"]), "one entry for each of 2 seats"),
        (change(status="fine"), "the status is 'fine'"),
        (change(offender=2), "the offender is 2"),
        (change(scenario_won=True), "where a scenario is played, and only there"),
        (change(scenario_won=1), "scenario_won is 1"),
        (change(seed="1"), "seed is '1'"),
        (change(config={"players": 9}), "players"),
    ],
)
def test_lines_that_we_do_not_write_are_refused(spoil: Any, words: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    head, line = write_file(path, make_results(1)).splitlines()
    path.write_bytes(head + b"\n" + json.dumps(spoil(json.loads(line))).encode() + b"\n")
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="line 2 is no result of a game") as error:
        ResultFile(path)
    assert words in str(error.value)
    assert path.read_bytes() == before


PLACES = [
    (".", "it is a folder"),
    ("missing/games", "there is no folder"),
    ("read_only", "it may not be written"),
    ("x" * 5000, "file name too long"),
]


@pytest.mark.parametrize(
    ("option", "name", "why"),
    [
        ("--out", "/dev/full", "is no ordinary file"),
        ("--out", "/dev/stdout", "is no ordinary file"),
        ("--plot", "ratings.txt", "a plot cannot be a file '.txt': choose from svg, png"),
        ("--plot", "theirs.svg", "holds something else than is written here"),
        *(("--out", *place) for place in PLACES),
        *(("--plot", *place) for place in PLACES),
    ],
)
def test_places_that_cannot_be_written_are_refused_before_any_game(
    option: str, name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if option == "--plot":
        pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install matplotlib")
    (tmp_path / "read_only").write_text(HEADER)
    (tmp_path / "read_only").chmod(0o444)
    (tmp_path / "theirs.svg").write_text("theirs")
    words = ["tournament", "greedy", "random", "--players", "2", "--games", "1000000"]
    assert main([*words, option, str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert why in err
    assert (tmp_path / "read_only").read_text() == HEADER
    assert (tmp_path / "theirs.svg").read_text() == "theirs"
    assert sorted(os.listdir(tmp_path)) == ["read_only", "theirs.svg"]


# --- Writing fails ---------------------------------------------------------------------------------


def test_a_full_disk_leaves_whole_lines_to_go_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, limits = tmp_path / "games.jsonl", resource.getrlimit(resource.RLIMIT_FSIZE)
    words = ["tournament", "greedy", "random", "--players", "2", "--games", "400", "--workers", "1"]
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        assert main([*words, "--out", str(path)]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"cannot write {path}: file too large; the " in err
    assert path.read_bytes().endswith(b"}\n")
    played = len(list(read_results(path)))
    assert 0 < played < 400
    assert main([*words, "--out", str(path)]) == 0
    assert f"{played} of them read from the file" in capsys.readouterr().out
    assert len(list(read_results(path))) == 400


def test_nothing_is_left_of_a_tournament_that_cannot_begin(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert main(["tournament", "greedy", "gredy", "--players", "2", "--out", str(path)]) == 2
    assert main(["tournament", "greedy", "--players", "2", "--workers", "-1", "--out", str(path)]) == 2
    assert not path.exists()


# --- One writer ------------------------------------------------------------------------------------


def test_a_second_writer_is_told_who_holds_the_file(tmp_path: Path) -> None:
    path, link = tmp_path / "games.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(path.name)
    with ResultFile(path, "k") as file:
        file.append(make_results(1))
        for name in (path, link):
            with pytest.raises(ConfigError, match=f"being written by process {os.getpid()} on .*, since 2"):
                ResultFile(name, "k")
        file.append(make_results(2)[1:])
        note = tmp_path / "games.jsonl.writer"
        signed = note.read_text()
        note.write_text("garbled")
        with pytest.raises(ConfigError, match="being written by another process"):
            ResultFile(path, "k")
        note.write_text(signed)
    with ResultFile(link) as file:
        assert len(file.results) == 2
    assert sorted(os.listdir(tmp_path)) == ["games.jsonl", "games.jsonl.lock", "link.jsonl"]


def test_a_tail_that_is_no_game_of_ours_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with ResultFile(path):
        pass
    ours = path.read_bytes()
    path.write_bytes(ours + b"my thesis")
    with pytest.raises(ConfigError, match="something else than a game cut short"):
        ResultFile(path)
    assert path.read_bytes() == ours + b"my thesis"
    path.write_bytes(ours + b'{"format":"iaww-match","form')
    with ResultFile(path):
        pass
    assert path.read_bytes() == ours


@pytest.mark.parametrize("is_link", [False, True])
def test_what_lies_where_the_writer_signs_is_left_as_it_is(is_link: bool, tmp_path: Path) -> None:
    path, note, other = (tmp_path / name for name in ("games.jsonl", "games.jsonl.writer", "notes"))
    (other if is_link else note).write_text("my notes")
    if is_link:
        note.symlink_to(other)
    with pytest.raises(ConfigError, match=r"games.jsonl.writer.* holds something else"):
        ResultFile(path)
    assert note.read_text() == "my notes"
    assert note.is_symlink() == is_link
    note.unlink()
    with ResultFile(path):  # the lock was given back
        assert note.exists()
    assert not note.exists()


def test_a_link_that_leads_nowhere_yet_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(target)
    with pytest.raises(KeyError), ResultFile(link):
        raise KeyError
    assert link.is_symlink()
    assert not target.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("points", [10**400, 3]),
        ("points", [1 << 62, 3]),
        ("places", [0, 0]),
        ("places", [-5, 10**30]),
        ("seconds", float("nan")),
        ("seed", -(10**40)),
        ("offender", 1),
    ],
)
def test_numbers_that_no_game_brings_are_refused(name: str, value: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_file(path, make_results(1))
    head, line = path.read_text().splitlines()
    spoilt = f"{head}\n{json.dumps(json.loads(line) | {name: value})}\n"
    path.write_text(spoilt)
    with pytest.raises(ConfigError, match="line 2 is no result"):
        ResultFile(path)
    assert path.read_text() == spoilt
