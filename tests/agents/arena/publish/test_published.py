"""What is published: tables between their markers, and the README of the bots."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from iaww_agents.arena.measure import budget, leaderboard, strength
from iaww_agents.arena.publish.scripts import LEADERBOARD
from iaww_env.bots.specs import is_ours, list_agents

README = LEADERBOARD.with_name("README.md")


def find_marks(name: str) -> tuple[str, str]:
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


def test_the_leaderboard_is_written_between_its_markers_and_resumes(tmp_path: Path) -> None:
    readme, out = tmp_path / "README.md", tmp_path / "games.jsonl"
    readme.write_text(
        f"before\n{find_marks('leaderboard')[0]}\nyesterday\n{find_marks('leaderboard')[1]}\nafter\n"
    )
    words = ["--agents", "greedy", "random", "--players", "2", "--deals", "3", "--solo-games", "2"]
    words += ["--out", str(out), "--into", str(readme), "--workers", "1", "--write"]
    assert leaderboard.main(words) == 0
    text, games = readme.read_text(), out.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "yesterday" not in text
    for part in ("Ratings, 2 players", "| greedy |", "Solo scenarios", "ascension_sc06"):
        assert part in text
    assert f"`python -m iaww_agents.arena.measure.leaderboard {' '.join(words)}`" in text
    # 4 modes of 3 deals in 2 rotations; 4 standard solo modes and 12 scenarios, 2 games each, 2 bots.
    assert len(games.splitlines()) == 1 + 4 * 3 * 2 + 16 * 2 * 2
    assert leaderboard.main(words) == 0
    assert out.read_text() == games


def test_the_leaderboard_lists_every_mode_that_can_be_played() -> None:
    modes = list(leaderboard.list_modes(leaderboard.Options()))
    assert len(modes) == len(set(modes)) == 4 * 4 + 2 * 2
    assert {config.players for config in modes} == {2, 3, 4, 5, 6, 7}
    assert {config.players for config in modes if not config.ascension} == {2, 3, 4, 5}


def test_the_budget_of_search_is_written_between_its_markers(tmp_path: Path) -> None:
    readme, out = tmp_path / "README.md", tmp_path / "games.jsonl"
    readme.write_text(f"before\n{find_marks('budget')[0]}\n{find_marks('budget')[1]}\nafter\n")
    words = ["--worlds", "1", "2", "--players", "2", "--games", "2", "--opponent", "greedy"]
    words += ["--out", str(out), "--into", str(readme), "--workers", "1", "--write"]
    assert budget.main(words) == 0
    lines = [line for line in readme.read_text().splitlines() if line.startswith("| ")]
    assert [line.split(" | ")[0] for line in lines] == ["| worlds", "| ---", "| 1", "| 2"]
    assert f"`python -m iaww_agents.arena.measure.budget {' '.join(words)}`" in readme.read_text()
    assert len(out.read_text().splitlines()) == 1 + 2 * 2
    games, picture = out.read_text(), tmp_path / "budget.svg"
    assert budget.main([*words, "--plot", str(picture)]) == 0
    assert out.read_text() == games
    assert "<svg" in picture.read_text()


def test_the_strength_of_bots_is_written_between_its_markers(tmp_path: Path) -> None:
    readme, out = tmp_path / "README.md", tmp_path / "games.jsonl"
    readme.write_text(f"before\n{find_marks('strength')[0]}\n{find_marks('strength')[1]}\nafter\n")
    words = ["--bots", "random", "greedy", "--deals", "3", "--out", str(out)]
    words += ["--into", str(readme), "--workers", "1", "--write"]
    assert strength.main(words) == 0
    lines = [line.split(" | ") for line in readme.read_text().splitlines() if line.startswith("| ")]
    assert [line[0] for line in lines] == [
        *("| bot", "| ---", "| random", "| greedy"),
        *("| match", "| ---", "| greedy against 3 x random"),
    ]
    _, *games = [json.loads(line) for line in out.read_text().splitlines()]
    # Each bot alone and in all seats of 4, 3 and 2; one match in 4 rotations.
    assert len(games) == 2 * 4 * 3 + 3 * 4
    for bot, column in (("greedy", 1), ("random", 1), ("greedy", 4)):
        players = 5 - column
        points = [sum(game["points"]) / players for game in games if game["agents"] == [bot] * players]
        row = next(line for line in lines if line[0] == f"| {bot}")
        assert row[column].startswith(f"{sum(points) / 3:.1f} (")
    wins = sum(game["points"][game["agents"].index("greedy")] == max(game["points"]) for game in games[-12:])
    assert lines[-1][1].startswith(f"{100 * wins / 12:.1f}% (")
    assert lines[-1][4] == "12 |"
    again = out.read_text()
    assert strength.main(words) == 0
    assert out.read_text() == again


def test_the_bot_of_the_readme_plays_as_it_stands_there(tmp_path: Path) -> None:
    """The example is taken from the README word by word, with the command that it names."""
    text = README.read_text(encoding="utf-8")
    section = text.split("## Write your own bot in ten lines")[1].split("\n## ")[0]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    command = re.search(r"^iaww (tournament .*my_bot\.py.*)$", section, re.MULTILINE)
    assert code is not None
    assert command is not None
    lines = [line for line in code[1].splitlines() if line.strip()]
    assert len(lines) <= 10
    (tmp_path / "my_bot.py").write_text(code[1])
    words = [sys.executable, "-m", "iaww_env.cli.app", *command[1].split(), "--out", "games.jsonl"]
    root = README.parents[1]
    done = subprocess.run(
        words,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    _, *games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert {game["status"] for game in games} == {"ok"}
    assert "my_bot.py" in done.stdout


def test_the_readme_names_every_bot() -> None:
    text = README.read_text(encoding="utf-8")
    assert [name for name in list_agents() if is_ours(name) and f"`{name}`" not in text] == []
    text = LEADERBOARD.read_text(encoding="utf-8")
    for name in ("strength", "leaderboard", "budget"):
        assert [text.count(mark) for mark in find_marks(name)] == [1, 1]
