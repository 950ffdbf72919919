"""The command line: what it prints, and what it returns."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import iaww_env
from iaww_env.cli.app import main
from iaww_env.records.files import read_records, write_records
from iaww_env.records.verify import verify_file
from tests.oracle.recorded_games import RECORDED


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Two recorded games of two seats."""
    path = tmp_path / "games.jsonl"
    assert main(["record", "--out", str(path), "--players", "2", "--games", "2", "--seed", "5"]) == 0
    return path


def spoil(path: Path, change: Any) -> Path:
    """A copy in which the second game is changed."""
    games = list(read_records(path))
    change(games[1])
    spoiled = path.with_name("spoiled.jsonl")
    write_records(spoiled, games)
    return spoiled


# --- verify --------------------------------------------------------------------------------------------


def test_verify_prints_what_it_compared(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = list(read_records(records))
    moves = sum(len(game["moves"]) for game in games)
    capsys.readouterr()
    assert main(["verify", str(records)]) == 0
    out, err = capsys.readouterr()
    assert out == f"{records}: 2 games, {moves:,} moves, 96 checks, 2 results: all agree\n"
    assert err == ""


def test_verify_takes_many_files_and_sums_up(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["verify", str(records), str(records)]) == 0
    out = capsys.readouterr().out
    assert out.count("2 games") == 2
    assert "2 files: 4 games" in out
    assert "192 checks" in out


def test_verify_names_the_first_difference(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def change(game: dict[str, Any]) -> None:
        game["checks"][7]["points"] += 1
        game["result"]["scores"][0] += 1

    spoiled = spoil(records, change)
    check = list(read_records(spoiled))[1]["checks"][7]
    capsys.readouterr()
    assert main(["verify", str(records), str(spoiled), str(records)]) == 1
    out, err = capsys.readouterr()
    assert out.count("all agree") == 1  # the file before; the one after is not looked at
    assert err.count("\n") == 1
    found = f"record 2, before move {check['before']}, seat {check['seat']}: points: "
    assert found + f"the record says {check['points']}, the rules give {check['points'] - 1}" in err
    assert str(spoiled) in err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda game: game["moves"].pop(), "not over"),
        (lambda game: game["moves"].append([0, "end"]), "the game is over"),
        (lambda game: game["moves"].insert(0, [0, "end"]), "move 0"),
        (lambda game: game.update(version=2), "version 1"),
        (lambda game: game.pop("deals"), "'deals'"),
        (lambda game: game.update(extra=1), "'extra'"),
        (lambda game: game["moves"].__setitem__(3, [0, "pick:\ud800\nzeppelin"]), "move 3"),
    ],
)
def test_verify_refuses_garbled_records(
    records: Path, change: Any, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoiled = spoil(records, change)
    capsys.readouterr()
    assert main(["verify", str(spoiled)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "record 2" in err
    assert words in err
    assert "Traceback" not in err


def test_verify_refuses_files_that_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_bytes(b"hello\n")
    (tmp_path / "cut.gz").write_bytes(RECORDED.read_bytes()[:500])
    for name in ("empty", "text", "cut.gz", "missing", "."):
        assert main(["verify", str(tmp_path / name)]) == 2, name
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1), name
        assert err.startswith("iaww: ")


def test_verify_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify"]) == 2
    assert "file" in capsys.readouterr().err


# --- record, show, batch, bench, version ------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        ["--players", "7", "--expansions", "corruption_and_ascension", "--empire-side", "B"],
        ["--players", "1"],
        ["--scenario", "base_sc03"],
        ["--scenario", "ascension_sc02", "--expansions", "corruption_and_ascension", "--discards"],
        ["--players", "2", "--empires", "aztec_empire", "noram_states"],
    ],
    ids=lambda options: "-".join(options),
)
def test_record_writes_what_verify_accepts(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    assert main(["record", "--out", str(path), "--games", "2", *options]) == 0
    assert verify_file(path).games == 2
    config = next(read_records(path))["config"]
    if "--empires" in options:
        assert config["empires"] == ["aztec_empire", "noram_states"]
    if "--scenario" in options:
        assert (config["players"], config["scenario"]) == (1, options[1])
    assert main(["verify", str(path)]) == 0


def test_the_same_seed_records_the_same_games(tmp_path: Path) -> None:
    one, other, third = (tmp_path / name for name in ("one", "other", "third"))
    for path, seed in ((one, "3"), (other, "3"), (third, "4")):
        assert main(["record", "--out", str(path), "--players", "2", "--seed", seed, "--no-checks"]) == 0
    assert one.read_bytes() == other.read_bytes() != third.read_bytes()
    assert verify_file(one).checks == 0


def test_show_prints_the_position(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from iaww_env.records.replay import replay

    game = list(read_records(records))[1]
    capsys.readouterr()
    assert main(["show", str(records), "--game", "2", "--move", "30"]) == 0
    out = capsys.readouterr().out
    seat, text = game["moves"][30]
    assert out.startswith(f"game 2, before move 30 of {len(game['moves'])}: seat {seat} plays {text}\n")
    assert str(replay(game, 30)).strip() in out
    assert main(["show", str(records)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("game 1, after all ")
    assert str(replay(next(read_records(records)))).strip() in out


@pytest.mark.parametrize("options", [["--game", "3"], ["--game", "0"], ["--move", "-1"], ["--move", "9999"]])
def test_show_refuses_what_is_not_there(
    records: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["show", str(records), *options]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_batch_prints_points_by_seat_and_throughput(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["batch", "--games", "30", "--players", "3", "--seed", "7"]) == 0
    out, err = capsys.readouterr()
    assert "30 games" in out
    assert "seed 7" in out
    seats = re.findall(r"^\W*([0-6])\W+\d+\.\d\d\W", out, re.MULTILINE)
    assert seats == ["0", "1", "2"]
    assert re.search(r"[\d,]+ decisions in [\d.]+ s of CPU time: [\d,]+ decisions per second", out)
    assert err == ""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--players", "8"], "players is 8"),
        (["--players", "6"], "corruption_and_ascension"),
        (["--scenario", "base_sc99"], "base_sc99"),
        (["--scenario", "ascension_sc01"], "Corruption & Ascension"),
        (["--players", "2", "--empires", "aztec_empire", "aztec_empire"], "distinct"),
        (["--games", "0"], "at least one game"),
        (["--seed", "-1"], "seed"),
        (["--seed", str(10**30)], "give at most 9,223,372,036,854,775,807"),
        (["--seed", str(1 << 63)], "give at most 9,223,372,036,854,775,807"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["batch", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err


def test_the_greatest_seed_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["batch", "--players", "2", "--games", "2", "--seed", str((1 << 63) - 1)]) == 0
    assert f"seed {(1 << 63) - 1}" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version"]) == 0
    assert capsys.readouterr().out == f"iaww-env {iaww_env.__version__}\n"


def test_bench_hands_its_options_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import iaww_env.bench

    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(iaww_env.bench, "run_engine", lambda *options: calls.append(options))
    json, readme = tmp_path / "figures.json", tmp_path / "README.md"
    options = ["--repeats", "2", "--json", str(json), "--into", str(readme)]
    assert main(["bench", "engine", *options]) == 0
    assert calls == [(2, json, readme)]
    assert main(["bench", "engine", "--repeats", "0"]) == 2
    assert main(["bench", "nothing"]) == 2
    assert len(calls) == 1


# --- As a program ------------------------------------------------------------------------------------------


def run_program(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "iaww_env.cli", *args],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=Path(__file__).parents[2],
        check=False,
    )


def test_no_argument_prints_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    for command in ("verify", "batch", "record", "show", "bench", "version"):
        assert command in out


@pytest.mark.parametrize("args", [["nothing"], ["verify", "--nothing"], ["batch", "--games", "many"]])
def test_unknown_arguments_are_refused(args: list[str]) -> None:
    assert main(args) == 2


def test_help_loads_no_rules() -> None:
    code = (
        "import sys; from iaww_env.cli.app import main; main(['--help']); "
        "sys.exit(bool({'numba', 'iaww_env.engine'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=Path(__file__).parents[2], check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_program_verifies_and_reports_through_its_exit_code(records: Path) -> None:
    done = run_program("verify", str(records))
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 games" in done.stdout

    def change(game: dict[str, Any]) -> None:
        game["result"]["places"] = game["result"]["places"][::-1]

    done = run_program("verify", str(spoil(records, change)))
    assert (done.returncode, done.stdout) == (1, "")
    assert "record 2" in done.stderr
    assert "places" in done.stderr
    (records.parent / "text").write_text(json.dumps("nothing"))
    done = run_program("verify", str(records.parent / "text"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
