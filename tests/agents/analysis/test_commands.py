"""`iaww analyze` tells how its games and tables are had again: at the terminal and on its page."""

from __future__ import annotations

import html
import re
import shlex
from datetime import UTC, datetime
from pathlib import Path

import pytest

import iaww_env
from iaww_env.cli.app import main

pytest.importorskip("pandas", reason='tables need pip install -c constraints.txt ".[analysis]"')

WORDS = ["analyze", "greedy", "random", "--players", "2", "--games", "4", "--workers", "1", "--form", "csv"]


def find_command(shown: str) -> list[str]:
    """The words of the command that is told, behind the name of the program."""
    (line,) = [line for line in shown.splitlines() if "again: iaww analyze" in line]
    return shlex.split(line.partition("again: iaww ")[2])


def read_tables(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_drawn_key_is_told_and_gives_the_same_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, other = (tmp_path / name for name in ("first", "second", "other"))
    page = tmp_path / "page.html"
    sideways = ["--expansions", "corruption_and_ascension", "--empire-side", "B"]
    before = datetime.now(UTC).strftime("%Y-%m-%d")
    assert main([*WORDS, *sideways, "--out", str(first), "--html", str(page)]) == 0
    command = find_command(capsys.readouterr().out)
    assert main([*command, "--form", "csv", "--out", str(second)]) == 0
    assert main([*WORDS, *sideways, "--out", str(other)]) == 0
    assert read_tables(first) == read_tables(second) != read_tables(other)
    shown = html.unescape(page.read_text(encoding="utf-8"))
    assert f"with iaww-env {iaww_env.__version__} by: {shlex.join(['iaww', *command])}" in shown
    (day,) = re.findall(r"Made on (\S+) with", shown)
    assert day in (before, datetime.now(UTC).strftime("%Y-%m-%d"))


def test_tables_of_records_name_their_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my games.jsonl"
    assert main(["record", "--players", "2", "--games", "2", "--out", str(file)]) == 0
    assert main(["analyze", "--records", str(file)]) == 0
    assert find_command(capsys.readouterr().out) == ["analyze", "--records", str(file)]
