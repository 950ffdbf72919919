"""The commands that need bots, as they are typed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from iaww_agents.arena.measure import budget, leaderboard, strength
from iaww_agents.arena.publish.scripts import LEADERBOARD
from iaww_agents.base import make_view
from iaww_agents.human import GameLeft, HumanAgent
from iaww_env import Game, GameConfig
from iaww_env.bots.specs import is_ours, list_agents
from iaww_env.cli.app import main

README = LEADERBOARD.with_name("README.md")


def find_marks(name: str) -> tuple[str, str]:
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    typed = iter(lines)

    def read(prompt: str = "") -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)


# --- iaww tournament -------------------------------------------------------------------------------


def test_a_tournament_is_played_written_and_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "games.jsonl"
    words = ["tournament", "greedy", "random:nodiscard", "--players", "2", "--games", "10", "--seed", "4"]
    words += ["--expansions", "corruption_and_ascension", "--empire-side", "B", "--workers", "1"]
    assert main([*words, "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    for text in ("rating", "greedy", "random:nodiscard", "10 games of 5 deals", "side B"):
        assert text in printed
    games = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(games) == 10
    assert {game["seed"] for game in games} == {4, 5, 6, 7, 8}
    assert all(game["config"]["empire_side"] == "B" for game in games)
    assert all({"agents", "points", "places", "seed", "status"} <= game.keys() for game in games)
    assert main([*words, "--out", str(out), "--markdown"]) == 0
    assert "10 of them read from the file" in capsys.readouterr().out
    assert len(out.read_text().splitlines()) == 10


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
    game = json.loads(out.read_text().splitlines()[0])
    capsys.readouterr()
    assert main(["watch", *game["agents"], "--players", "2", "--seed", str(game["seed"])]) == 0
    printed = capsys.readouterr().out
    for seat in range(2):
        line = f"{game['places'][seat]}. seat {seat} ({game['agents'][seat]}): {game['points'][seat]} points"
        assert line in printed
    assert len(re.findall(r"^  seat \d: pick:", printed, re.MULTILINE)) == 4 * 7 * 2
    assert "round 4, exploration" in printed


# --- iaww play -------------------------------------------------------------------------------------


def test_a_person_plays_by_number_and_by_text_and_leaves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(GameConfig(players=3), seed=8)
    second = game.legal_texts(1)[1]
    type_lines(monkeypatch, "", "zeppelinn", "99", "?", second, "1", "q")
    assert main(["play", "greedy", "--players", "3", "--seat", "1", "--seed", "8"]) == 0
    printed = capsys.readouterr().out
    assert "You are seat 1" in printed
    assert f"  2 {second}" in printed
    assert "there is no number 99: choose from 1 to" in printed
    assert printed.count("You, seat 1") == 4  # three decisions, and once more for the ?
    assert "You have left the game." in printed


def test_a_person_can_play_a_whole_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines(monkeypatch, *["1"] * 2000)
    assert main(["play", "--players", "2", "--seed", "3", "greedy"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^1\. seat \d \((greedy|you)\): -?\d+ points$", printed, re.MULTILINE)


def test_a_person_sees_what_the_seat_sees_and_no_more() -> None:
    """The table is that of the seat, the same whatever the hidden cards are."""
    game = Game(GameConfig(players=3), seed=12)
    shown: list[str] = []
    for drawn in (game, game.redeterminize(1, 1), game.redeterminize(1, 2)):
        lines: list[object] = []
        human = HumanAgent(read=lambda prompt: "1", write=lines.append)
        human.reset(1, game.config, 0)
        human.act(make_view(drawn, 1))
        shown.append("\n".join(map(str, lines)))
    assert shown[0] == shown[1] == shown[2]
    for text in game.hand(1):
        assert text in shown[0]


def test_the_end_of_the_input_leaves_the_game() -> None:
    def read(prompt: str) -> str:
        raise EOFError

    human = HumanAgent(read=read, write=lambda text: None)
    human.reset(0, GameConfig(players=2), 0)
    with pytest.raises(GameLeft):
        human.act(make_view(Game(GameConfig(players=2), seed=1), 0))


# --- The leaderboard and the README ----------------------------------------------------------------


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
    assert len(games.splitlines()) == 4 * 3 * 2 + 16 * 2 * 2
    assert leaderboard.main(words) == 0
    assert out.read_text() == games


def test_the_budget_of_search_is_written_between_its_markers(tmp_path: Path) -> None:
    readme, out = tmp_path / "README.md", tmp_path / "games.jsonl"
    readme.write_text(f"before\n{find_marks('budget')[0]}\n{find_marks('budget')[1]}\nafter\n")
    words = ["--worlds", "1", "2", "--players", "2", "--games", "2", "--opponent", "greedy"]
    words += ["--out", str(out), "--into", str(readme), "--workers", "1", "--write"]
    assert budget.main(words) == 0
    lines = [line for line in readme.read_text().splitlines() if line.startswith("| ")]
    assert [line.split(" | ")[0] for line in lines] == ["| worlds", "| ---", "| 1", "| 2"]
    assert f"`python -m iaww_agents.arena.measure.budget {' '.join(words)}`" in readme.read_text()
    assert len(out.read_text().splitlines()) == 2 * 2
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
    games = [json.loads(line) for line in out.read_text().splitlines()]
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
    games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert {game["status"] for game in games} == {"ok"}
    assert "my_bot.py" in done.stdout


def test_the_readme_names_every_bot() -> None:
    text = README.read_text(encoding="utf-8")
    assert [name for name in list_agents() if is_ours(name) and f"`{name}`" not in text] == []
    text = LEADERBOARD.read_text(encoding="utf-8")
    for name in ("strength", "leaderboard", "budget"):
        assert [text.count(mark) for mark in find_marks(name)] == [1, 1]
