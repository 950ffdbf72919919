"""Self-play and games of bots on a Ray cluster: two workers learn, and what they learnt is played here.

As in test_rllib.py, IAWW_RLLIB_PYTHON names the Python of an environment with RLlib.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import iaww_env
from iaww_agents.ppo.bot import PpoAgent
from iaww_env.bots.views import make_view

ROOT = Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("IAWW_RLLIB_PYTHON")

pytestmark = pytest.mark.compat


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ray")


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    if not PYTHON:
        pytest.skip("IAWW_RLLIB_PYTHON names no Python with RLlib: see CONTRIBUTING.md")
    places = os.pathsep.join(str(ROOT / place) for place in ("", "agents", "training"))
    done = subprocess.run(
        [PYTHON, str(Path(__file__).with_name("rllib_ppo_run.py")), str(folder)],
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


def test_two_workers_learn_and_a_run_goes_on(told: dict[str, Any]) -> None:
    learnt = told["learnt"]
    assert [line["number"] for line in learnt["lines"]] == [1, 2, 3]
    assert all(line["decisions"] > 500 and line["games"] >= 2 for line in learnt["lines"])
    assert all(0 < line["points"] < 60 for line in learnt["lines"])
    assert learnt["restored"], "it goes on with the weights that were written"
    assert learnt["shared"], "those who play have the weights of who learns"
    assert learnt["moved"]


def test_no_two_games_of_the_workers_are_dealt_alike(told: dict[str, Any]) -> None:
    learnt = told["learnt"]
    assert learnt["deals"] == learnt["different"] >= 8
    assert learnt["streams"] == [[1, 2]] * 2, "after two iterations other deals follow than at the beginning"


def test_what_was_learnt_is_played(told: dict[str, Any], folder: Path) -> None:
    """By the bot, without RLlib and in another number of seats."""
    assert told["learnt"]["moved"]
    bot = PpoAgent(path=str(folder / "run" / "network.npz"))
    config = iaww_env.GameConfig(players=4)
    game = iaww_env.Game(config, 5)
    bot.reset(0, config, 5)
    while not game.over:
        seat = int(game.seats_to_act()[0])
        game.step(seat, bot.act(make_view(game, seat, bot.profile)))
    assert len(game.scores()) == 4


def test_workers_of_a_cluster_write_the_same_files(told: dict[str, Any]) -> None:
    games = told["games"]
    assert games["same"]
    assert games["files"] == ["games-102.npz", "games-70.npz", "games-86.npz"]
    assert games["told"][:2] == [40, 16], "what is there is not played again"
    assert games["told"][-1] == 40
