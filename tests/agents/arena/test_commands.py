"""The commands that need bots, as they are typed."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from iaww_agents.arena.publish.rows import COLUMNS
from iaww_env.cli.app import main
from tests.processes import ROOT

# --- iaww tournament -------------------------------------------------------------------------------


def test_a_tournament_is_played_written_and_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "games.jsonl"
    words = ["tournament", "greedy", "random:nodiscard", "--players", "2", "--games", "10", "--key", "k"]
    words += ["--expansions", "corruption_and_ascension", "--empire-side", "B", "--workers", "1"]
    assert main([*words, "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    for text in ("rating", "greedy", "random:nodiscard", "10 games of 5 deals", "side B"):
        assert text in printed
    about, *games = [json.loads(line) for line in out.read_text().splitlines()]
    assert about["key"] == "k"
    assert len(games) == 10
    assert len({game["seed"] for game in games}) == 5
    assert "The key of all deals is k:" in printed
    assert all(game["config"]["empire_side"] == "B" for game in games)
    assert all({"agents", "points", "places", "seed", "status"} <= game.keys() for game in games)
    assert main([*words, "--out", str(out), "--markdown"]) == 0
    assert "10 of them read from the file" in capsys.readouterr().out
    assert len(out.read_text().splitlines()) == 1 + 10


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tournament", "greedo", "random"], "there is no bot 'greedo'; did you mean"),
        (["tournament", "greedy", "--players", "6"], "corruption_and_ascension"),
        (["tournament", "greedy", "--games", "0"], "play at least one game"),
        (["watch", "greedy", "random", "random", "--players", "4"], "3 bots for 4 seats"),
        (["play", "greedy", "--players", "3", "--seat", "3"], "the seats are 0 to 2"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err.lower() or said in err
    assert err.count("\n") == 1


def test_a_table_of_the_games_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, table = tmp_path / "games.jsonl", tmp_path / "games.csv"
    words = ["tournament", "greedy", "random", "--players", "2", "--games", "4", "--workers", "1"]
    assert main([*words, "--out", str(out), "--csv", str(table)]) == 0
    assert f"{table}: 8 rows written" in capsys.readouterr().out
    rows = list(csv.DictReader(table.read_text().splitlines()))
    games = [json.loads(line) for line in out.read_text().splitlines()[1:]]
    assert sorted((row["seed"], row["seat"], row["bot"], row["points"]) for row in rows) == sorted(
        (str(game["seed"]), str(seat), bot, str(points))
        for game in games
        for seat, (bot, points) in enumerate(zip(game["agents"], game["points"], strict=True))
    )
    first = table.read_bytes()
    assert {(row["deal"], row["turn"]) for row in rows} == {("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")}
    assert main([*words, "--out", str(out), "--csv", str(table)]) == 0
    assert table.read_bytes() == first  # read from the file of results, with the rotations of the deals


def test_a_table_can_go_to_the_standard_output() -> None:
    words = [
        "tournament",
        "random",
        "--players",
        "2",
        "--games",
        "2",
        "--workers",
        "1",
        "--csv",
        "/dev/stdout",
    ]
    command = [sys.executable, "-m", "iaww_env.cli", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == "/dev/stdout: 4 rows written\n"
    head, *rows = done.stdout.splitlines()[-5:]
    assert head == ",".join(COLUMNS)
    assert [row.split(",")[8] for row in rows] == ["random"] * 4


@pytest.mark.parametrize("path", [".", "/", "..", "b/"])
def test_a_folder_is_no_file_of_results(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b").mkdir()
    assert main(["tournament", "greedy", "random", "--players", "2", "--out", path]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "it is a folder" in err
    assert [one.name for one in tmp_path.iterdir()] == ["b"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--out a.svg --plot a.svg", "--out and --plot are one file, a.svg: name two"),
        ("--out a.svg --plot ./b/../a.svg", "--out and --plot are one file"),
        ("--out a --csv a", "--out and --csv are one file"),
        ("--out a --csv link", "--out and --csv are one file"),
        ("--plot a.svg --csv a.svg", "--plot and --csv are one file"),
        ("--out a --csv a.crashes", "--csv and what lies beside --out (crashes) are one file"),
        ("--out a --plot a.lock", "--plot and what lies beside --out (lock) are one file"),
        ("--csv theirs", "theirs holds something else"),
        ("--csv b", "cannot write b: it is a folder"),
        ("--csv .", "cannot write .: it is a folder"),
        ("--csv no/a.csv", "there is no folder"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_anything_is_played(
    options: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from iaww_agents.arena import commands

    def play(*args: object, **options: object) -> None:
        raise AssertionError("it was played")

    monkeypatch.setattr(commands, "run_tournament", play)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / "b").mkdir()
    (tmp_path / "link").symlink_to("a")
    assert main(["tournament", "greedy", "random", "--players", "2", *options.split()]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "link", "theirs"]


def test_a_log_gets_lines_of_progress_and_a_terminal_a_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from iaww_agents.arena import progress

    words = ["tournament", "random", "--players", "2", "--games", "200", "--workers", "1"]
    assert main(words) == 0
    assert capsys.readouterr().err == ""  # a short run
    monkeypatch.setattr(progress, "EVERY", 0.0)
    assert main(words) == 0
    told = capsys.readouterr().err.splitlines()
    assert told
    assert all(re.fullmatch(r"iaww: \d+ of 200 games(, about .* left)?", line) for line in told)
    assert len(set(told)) == len(told)
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    assert main(words) == 0
    assert "iaww: " not in capsys.readouterr().err


def test_a_game_with_drawn_empires_is_repeated_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "random", "random:nodiscard", "--players", "2", "--games", "2", "--workers", "1"]
    assert main([*words, "--empires", "None", "noram_states"]) == 0
    shown = capsys.readouterr().out
    assert "--empires None noram_states" in shown
    repeat = re.search(r"move by move: iaww (.*)", shown)
    assert repeat is not None
    assert main(repeat[1].split()) == 0


def test_help_and_the_commands_of_the_core_do_not_load_bots() -> None:
    code = (
        "import sys; from iaww_env.cli.app import main; main(['tournament', '--help']); main(['version']);"
        "assert not [name for name in sys.modules if name.split('.')[0] == 'iaww_agents']"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--until-decided" in done.stdout


# --- iaww watch ------------------------------------------------------------------------------------


def test_watching_shows_the_game_of_the_tournament(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "games.jsonl"
    main(["tournament", "greedy", "random", "--players", "2", "--games", "2", "--out", str(out)])
    game = json.loads(out.read_text().splitlines()[1])
    capsys.readouterr()
    assert main(["watch", *game["agents"], "--players", "2", "--seed", str(game["seed"])]) == 0
    printed = capsys.readouterr().out
    for seat in range(2):
        line = f"{game['places'][seat]}. seat {seat} ({game['agents'][seat]}): {game['points'][seat]} points"
        assert line in printed
    assert len(re.findall(r"^  seat \d: pick:", printed, re.MULTILINE)) == 4 * 7 * 2
    assert "round 4, exploration" in printed
