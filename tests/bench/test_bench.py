"""`iaww bench`: every row is there, says what it is, and counts what it says; missing libraries say why."""

import dataclasses
import json
import platform
import random
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iaww_env.bench import Comparison, cold, drawing, engine, environments, threads
from iaww_env.bench.compare import BATCH, MARK, ONE_GAME, Compared, measure_rival
from iaww_env.bench.report import SpeedReport, SpeedRow
from iaww_env.bench.rivals import RIVALS, find_rival, make_native_batch, make_parallel
from iaww_env.bots.games import BotGames
from iaww_env.bots.specs import make_agent
from iaww_env.cli.app import main
from iaww_env.cli.exit_codes import REFUSED
from iaww_env.config import GameConfig
from iaww_env.engine.kernels.game import score_row
from iaww_env.engine.new_rows import make_rows
from iaww_env.errors import ConfigError, tell_install
from iaww_env.game import Game
from iaww_env.publish import write_between_marks

# The rows and goals that the project has set itself.
ENVIRONMENT_GOALS = {
    "native batch of 256, compact": 2_000_000,
    "native batch of 256, full": 1_200_000,
    "native batch of 64, compact": 1_600_000,
    "native batch of 1, compact": 700_000,
    "PettingZoo parallel, compact": 300_000,
    "PettingZoo parallel, full": 300_000,
    "PettingZoo AEC, compact": 60_000,
    "PettingZoo AEC, full": 60_000,
    "Gymnasium Versus, compact": 150_000,
    "Gymnasium Versus, full": 150_000,
    "vector Versus of 256, compact": None,
    "vector Versus of 256, full": None,
    "heuristic bot's decisions in a batch": 400_000,
    "native batch of 4,096, compact, one thread": None,
    "native batch of 4,096, compact, two threads": None,
    "vector Versus of 4,096, compact, one thread": None,
    "vector Versus of 4,096, compact, two threads": None,
}
ENGINE_GOALS = {
    "raw playouts, four players": 5_000_000,
    "batch of 256 with mask": 3_000_000,
    "batch of 64 with mask": 1_600_000,
    "batch of 1 with mask": 700_000,
    "copying a game": 2.0,
    "import iaww_env": 0.5,
    "first game, warm cache": 1.0,
}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeats of a few milliseconds."""
    monkeypatch.setattr(environments, "DECISIONS_PER_REPEAT", 1000)
    monkeypatch.setattr(engine, "DECISIONS_PER_REPEAT", 1000)
    monkeypatch.setattr(engine, "PLAYOUT_GAMES", 8)
    monkeypatch.setattr(engine, "run_fresh", lambda *rest: 0.25)  # fresh interpreters and a cold compile


def check_json(report: SpeedReport, path: Path, goals: dict[str, Any]) -> None:
    """What a report wrote: every row with its goal, where and when it was measured."""
    report.save(path)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert {row["name"]: row["goal"] for row in written["rows"]} == goals
    for row in written["rows"]:
        assert row["value"] > 0
        assert row["includes"]
        on_threads = row["name"].endswith((" thread", " threads"))
        units = (
            ("decisions / wall s",) if on_threads else ("decisions / CPU s", "microseconds", "CPU seconds")
        )
        assert row["unit"] in units
        assert ("wall clock" in row["includes"]) == on_threads
    assert platform.python_version() in written["machine"]
    assert datetime.fromisoformat(written["date"]).date() <= datetime.now(UTC).date()
    assert written["command"].startswith("iaww bench ")
    assert written["tools"]["numpy"] == np.__version__


@pytest.mark.usefixtures("quick")
def test_environments_report_every_row(tmp_path: Path) -> None:
    report = environments.measure_environments(repeats=1, games=1)
    check_json(report, tmp_path / "env.json", ENVIRONMENT_GOALS)


@pytest.mark.usefixtures("quick")
def test_engine_reports_every_row(tmp_path: Path) -> None:
    check_json(engine.measure_engine(repeats=1), tmp_path / "engine.json", ENGINE_GOALS)


def test_a_row_without_a_goal_is_never_missed() -> None:
    row = SpeedRow("name", 1.0, "seconds", None, "all")
    assert row.reached
    assert not dataclasses.replace(row, goal=2.0).reached
    report = SpeedReport("title", "command", [row])
    assert "| name | 1 | – | seconds | all |" in report.to_markdown()


def count_choices(games: int) -> float:
    """Decisions with a choice in a game of random legal play without discards, through `Game` alone."""
    rng, decisions = random.Random(3), 0
    for seed in range(games):
        game = Game(GameConfig(players=4), seed=seed)
        while not game.over:
            seat = game.seats_to_act()[0]
            legal = game.legal_actions(seat)
            decisions += len(legal) > 1
            game.step(seat, rng.choice([one for one in legal if game.actions.verb(one) != "discard"]))
    return decisions / games


def test_threads_are_measured_in_turn_and_the_best_counts() -> None:
    called = []

    def make_work(name: str, seconds: list[float]) -> Any:
        def work() -> tuple[int, float]:
            called.append(name)
            return 12, seconds.pop(0)

        return work

    works = [make_work("one", [0.001, 6.0, 4.0, 5.0]), make_work("two", [0.001, 3.0, 2.0, 1.0])]
    assert threads.measure_wall_rates(works, repeats=3) == [3.0, 12.0], "what warms up is not counted"
    assert called == ["one", "two"] * 4


def test_batches_of_threads_play_what_they_count() -> None:
    taken, spent = threads.time_batch(600, 3, 2)()
    assert taken == 1800
    assert spent > 0
    env = drawing.make_vector(520, "compact", 2)
    assert len(env._lanes.threads.parts) == 2
    actions, decisions = drawing.draw_vector(env, 4)
    assert decisions == 4 * 520, "the first picks are choices of every learner"
    assert threads.time_vector(env, actions, decisions)()[0] == decisions


@pytest.mark.parametrize("make", [environments.replay_parallel, environments.replay_aec])
def test_replays_count_every_decision_with_a_choice(make: Any) -> None:
    # Waiting seats and forced decisions would add a third and more, the other seats' would be three quarters.
    assert make("compact", 10)() / 10 == pytest.approx(count_choices(20), rel=0.08)


def test_a_learner_takes_a_quarter_of_the_decisions() -> None:
    assert 4 * environments.replay_single("compact", 20)() / 20 == pytest.approx(count_choices(20), rel=0.08)


def test_the_bot_in_all_seats_plays_the_games_that_were_counted() -> None:
    config, seeds = GameConfig(players=4), range(5, 8)
    bot = make_agent(environments.HEURISTIC)
    rows = make_rows(config, seeds)
    BotGames([bot] * 4).play(rows)
    for row, seed in zip(rows, seeds, strict=True):
        game = Game(config, seed=seed)
        decisions = environments.count_decisions(bot, game)
        assert decisions >= 4 * 4 * 6  # the picks alone: four rounds, four seats, seven cards but the last
        points, places = np.zeros(4, np.int16), np.zeros(4, np.int16)
        score_row(row, points, places)
        assert points.tolist() == game.scores()


# --- Other libraries -----------------------------------------------------------------------------------


def test_own_rows_play_and_count() -> None:
    assert make_native_batch("4 full")() == 8192
    played = make_parallel("compact")
    assert sum(played() for _ in range(10)) / 10 <= 1.05 * count_choices(20)


def test_every_library_has_its_rows() -> None:
    rows = {(rival.library, rival.name) for rival in RIVALS}
    assert len(rows) == len(RIVALS)
    names = {library: {name for key, name in rows if key == library} for library, _ in rows}
    assert names["OpenSpiel"] == {"goofspiel, five players", "hearts", "spades", "skat"}
    assert names["RLCard"] == {"uno", "mahjong"}
    assert {"iaww-env", "PettingZoo classic", "PGX", "Jumanji"} < set(names)
    assert {BATCH, ONE_GAME} <= names["iaww-env"]
    for rival in RIVALS:
        assert find_rival(f"{rival.library}: {rival.name}") is rival


def test_a_missing_library_says_so() -> None:
    rival = dataclasses.replace(RIVALS[-1], package="no-such-package")
    row = measure_rival(rival, 1)
    assert row.value is None
    assert row.reason == f"no-such-package is not installed ({tell_install('bench')})"


def test_a_broken_library_leaves_out_its_row_with_the_reason() -> None:
    broken = dataclasses.replace(RIVALS[-1], package="numpy", library="nobody", name="knows it")
    row = measure_rival(broken, 1)
    assert row.value is None
    assert "StopIteration" in row.reason


def test_a_row_is_measured_in_a_process_of_its_own() -> None:
    row = measure_rival(find_rival("PettingZoo classic: rps, parallel"), 1, 0.01)
    # Its module needs nothing that pettingzoo itself does not; where classic games are missing it says so.
    assert (row.value is not None and row.value > 1000) or "No module named" in row.reason


@pytest.fixture
def comparison() -> Comparison:
    """Four rows with figures that are easy to divide."""
    return Comparison(
        SpeedReport("title", "iaww bench compare --repeats 1"),
        [
            Compared("iaww-env", BATCH, True, "all", 1000.0, "1"),
            Compared("iaww-env", ONE_GAME, False, "all", 100.0, "1"),
            Compared("Slow", "chess", False, "all", 50.0, "2"),
            Compared("Fast", "toy", True, "all", 4000.0, "3"),
            Compared("Gone", "go", True, "all", reason="gone is not installed"),
        ],
    )


def test_ratios_set_like_against_like(comparison: Comparison, tmp_path: Path) -> None:
    comparison.save(tmp_path / "compare.json")
    written = json.loads((tmp_path / "compare.json").read_text(encoding="utf-8"))
    ratios = {row["name"]: (row["ratio_batch"], row["ratio_one_game"]) for row in written["rows"]}
    assert ratios == {
        BATCH: (None, None),
        ONE_GAME: (None, None),
        "chess": (20.0, 2.0),
        "toy": (0.25, None),  # a batch is not set against one game
        "go": (None, None),
    }
    assert platform.python_version() in written["machine"]


def test_the_table_of_the_readme(comparison: Comparison, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- speed -->\nold\n<!-- end of speed -->\nafter\n", encoding="utf-8")
    write_between_marks(readme, MARK, comparison.to_markdown())
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- speed -->\n")
    assert text.endswith("\n<!-- end of speed -->\nafter\n")
    assert "old" not in text
    assert "| Slow 2 | chess | 50 | 20× | 2× | all |" in text
    assert "| Fast 3 | toy | 4,000 | 0.25× | – | all |" in text
    assert "| Gone | go | – | – | – | not measured: gone is not installed |" in text
    assert re.search(r"`iaww bench compare --repeats 1`, \d{4}-\d\d-\d\d, .*Python", text)
    assert "Toy environments, in C or compiled for batches, are faster" in text


def test_a_readme_without_marks_is_left_alone(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("<!-- speed -->\nno end", encoding="utf-8")
    with pytest.raises(ConfigError, match="<!-- end of speed -->"):
        write_between_marks(readme, MARK, "table")
    assert readme.read_text(encoding="utf-8") == "<!-- speed -->\nno end"


def test_the_command_refuses_what_makes_no_sense(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("no marks", encoding="utf-8")
    assert main(["bench", "env", "--into", str(readme)]) == REFUSED
    assert "<!-- environment speed -->" in capsys.readouterr().err
    assert main(["bench", "engine", "--into", str(readme)]) == REFUSED
    assert "<!-- engine speed -->" in capsys.readouterr().err
    assert main(["bench", "compare", "--into", str(readme)]) == REFUSED
    assert "<!-- speed -->" in capsys.readouterr().err
    assert main(["bench", "env", "--repeats", "0"]) == REFUSED


def test_cold_reports_every_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(cold, "measure_cold", lambda work: asked.append(work) or 12.5)
    goals = {name: goal for name, (_, goal, _) in cold.WORKS.items()}
    check_json(cold.measure_all(2), tmp_path / "cold.json", goals)
    assert len(asked) == 2 * len(goals), "the best of two"


def test_compiling_is_measured_in_a_process_without_a_cache() -> None:
    code = (
        "import os; from pathlib import Path; assert not list(Path(os.environ['NUMBA_CACHE_DIR']).iterdir())"
    )
    assert 0 < cold.measure_cold(f"{code}; sum(range(10**7))") < 30
