"""The Python of the README and the guide runs as it stands, and their commands exist."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from iaww_agents.arena.measure.standings import compare_agents
from iaww_agents.arena.play.tournament import run_tournament
from iaww_agents.arena.publish.front import CARDS, SPEED, make_ladder, make_rates
from iaww_agents.arena.publish.scripts import LEADERBOARD
from iaww_env.cli.app import COMMANDS as APP
from iaww_env.cli.app import main
from iaww_env.config import GameConfig
from iaww_env.publish import read_between_marks

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Lines of a shell in the guides for users, in their order: a later one may need what an earlier one wrote.
GUIDES = ("README.md", "iaww_env/GUIDE.md", "agents/README.md", "training/README.md")
# What installs is what `.ci/run` does; what asks a shell to complete words is tested in tests/cli.
ELSEWHERE = ("python3 -m venv", "eval ")
# The same with less to do.
LESS = (
    (r"--games \d+", "--games 8"),
    (r"--minutes \S+", "--decisions 2000 --games 16 --steps 32 --minibatch 128"),
    (r"--preset quick", "--preset quick --games 64 --decisions 4000 --evaluations 0"),
    (r"--decisions 200000", "--decisions 2000 --games 16"),
)
GUIDE = (ROOT / "iaww_env" / "GUIDE.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README + GUIDE, re.DOTALL)
COMMANDS = sorted(set(re.findall(r"`iaww ([a-z]+)", README + GUIDE)))


def test_there_is_something_to_run() -> None:
    assert len(BLOCKS) >= 4
    assert {"batch", "bench", "verify"} <= set(COMMANDS)


@pytest.mark.parametrize("block", range(len(BLOCKS)))
def test_a_python_block_runs(block: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS[block], f"README block {block}", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert "usage" in capsys.readouterr().out


def list_commands(guide: str) -> list[str]:
    """The lines of a guide that a user types, without comments."""
    blocks = re.findall(r"```bash\n(.*?)```", (ROOT / guide).read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.partition(" #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith(ELSEWHERE)]


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_of_a_guide_runs(guide: str, tmp_path: Path) -> None:
    commands = list_commands(guide)
    assert commands or guide == "agents/README.md"
    for command in commands:
        for more, less in LESS:
            command = re.sub(more, less, command)
        words = shlex.split(command)
        run = {"iaww": ["-m", "iaww_env.cli"], "python": []}[words[0]]
        done = subprocess.run(
            [sys.executable, *run, *words[1:]],
            cwd=tmp_path,
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "agents", ROOT / "training")))},
            input="q\n",
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert done.stdout


def test_the_bot_in_ten_lines_beats_random_play(tmp_path: Path) -> None:
    """With every number of players it must at least be asked; here it is measured with two."""
    guide = (ROOT / "agents" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(from iaww_agents import Agent.*?)```", guide, re.DOTALL)
    assert found is not None
    code = [line for line in found[1].splitlines() if line.strip()]
    assert len(code) <= 12, "ten lines, and what they import"
    bot = tmp_path / "my_bot.py"
    bot.write_text(found[1])
    bots = [str(bot), "random:nodiscard"]
    played = run_tournament(bots, GameConfig(players=2), games=30, key="k", workers=1)
    assert all(result.status == "ok" for result in played.results)
    ahead = compare_agents(played.results, bots)[bots[0], bots[1]].ahead
    assert ahead.low > 0.5


def test_every_command_is_in_the_guide() -> None:
    told = set(re.findall(r"\biaww ([a-z]+)", GUIDE.partition("## Command line")[2]))
    assert set(APP) - {"version"} - told == set()


def test_every_extra_is_in_the_guide() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    told = GUIDE.partition("## Optional parts")[2]
    assert re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE) == list(extras)


def test_the_front_page_says_how_far_five_minutes_of_training_go() -> None:
    """The worst and the best of the runs that the table of `quick` shows."""
    table = read_between_marks(ROOT / "training" / "README.md", "quick").partition("minutes of learning")[2]
    wins = [float(row) for row in re.findall(r"^\| \d+ \| ([\d.]+) ±", table, re.MULTILINE)]
    assert len(wins) == 5
    assert f"({min(wins):.0f} to {max(wins):.0f} % of wins against three of them, with five seeds" in README


def test_the_main_command_can_be_typed_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second time its games take the place of the first, and so does the page."""
    line = next(
        one for one in read_between_marks(ROOT / "README.md", "main command").splitlines() if "&&" in one
    )
    parts = [shlex.split(part) for part in line.split("&&")]
    commands = [part[1:] for part in parts if part[0] == "iaww"]
    assert [command[0] for command in commands] == ["tournament", "replay"]
    monkeypatch.chdir(tmp_path)
    written = []
    for _ in range(2):
        for command in commands:
            fewer = [
                "8" if word == "200" else "greedy" if word in ("heuristic", "ppo") else word
                for word in command
            ]
            assert main([*fewer, *(["--no-open"] if command[0] == "replay" else [])]) == 0
        written.append({path.name: path.read_bytes() for path in tmp_path.iterdir()})
    assert set(written[0]) == set(written[1]) == {"games.jsonl", "games-game-1.html"}
    assert written[0] != written[1], "other deals"
    capsys.readouterr()


def test_the_front_page_says_what_the_large_tables_say() -> None:
    assert read_between_marks(ROOT / "README.md", "ladder") == make_ladder(LEADERBOARD, CARDS)
    assert read_between_marks(ROOT / "README.md", "speed in short") == make_rates(SPEED)


@pytest.mark.parametrize("guide", [*GUIDES, "iaww_env/SPEED.md", "agents/LEADERBOARD.md"])
def test_no_table_is_missing(guide: str) -> None:
    """Tables that scripts write between marks: each is there, and says how it was made."""
    text = (ROOT / guide).read_text(encoding="utf-8")
    for mark in re.findall(r"<!-- end of ([\w ]+) -->", text):
        if "command" not in mark and mark != "tour":
            inside = text.partition(f"<!-- {mark} -->")[2].partition(f"<!-- end of {mark} -->")[0]
            assert "\n|" in inside, mark
            assert re.search(r"`(iaww|python -m) .*\d{4}-\d\d-\d\d|on \d{4}-\d\d-\d\d", inside, re.DOTALL), (
                mark
            )
