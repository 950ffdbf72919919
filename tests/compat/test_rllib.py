"""RLlib's new API stack with action masks, in a virtual environment of its own.

RLlib pins an older Gymnasium than the other tests run with. IAWW_RLLIB_PYTHON names the Python of an
environment with `pip install -c constraints-rllib.txt ".[rllib]"`; CONTRIBUTING.md has the whole command.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaww_env
from iaww_env.envs.adapters.rllib import RenamedParallel, make_solo, make_versus

ROOT = Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("IAWW_RLLIB_PYTHON")


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    if not PYTHON:
        pytest.skip("IAWW_RLLIB_PYTHON names no Python with RLlib: see CONTRIBUTING.md")
    script = str(Path(__file__).with_name("rllib_run.py"))
    done = subprocess.run(
        [PYTHON, script],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


@pytest.mark.compat
@pytest.mark.parametrize("name", ["parallel", "versus", "solo"])
def test_masked_ppo_learns(told: dict[str, Any], name: str) -> None:
    assert told[name]["decisions"] >= 512
    assert told[name]["games"] >= 1
    assert told[name]["moved"]


@pytest.mark.compat
def test_it_runs_with_the_gymnasium_that_rllib_pins(told: dict[str, Any]) -> None:
    assert told["gymnasium"] == "1.2.2"


# --- The renaming, which needs no RLlib -----------------------------------------------------------


def test_renamed_table_is_the_parallel_environment() -> None:
    env = iaww_env.parallel_env(players=2)
    renamed = RenamedParallel(iaww_env.parallel_env(players=2))
    shown, _ = env.reset(seed=5)
    other, _ = renamed.reset(seed=5)
    assert renamed.observation_space("seat_0") is renamed.observation_space("seat_0")
    rng = np.random.default_rng(5)
    while env.agents:
        assert renamed.agents == env.agents
        for name in env.agents:
            assert list(other[name]) == ["observations", "action_mask"]
            assert renamed.observation_space(name).contains(other[name])
            np.testing.assert_array_equal(other[name]["observations"], shown[name]["observation"])
            np.testing.assert_array_equal(other[name]["action_mask"], shown[name]["action_mask"])
        actions = {name: int(rng.choice(np.flatnonzero(shown[name]["action_mask"]))) for name in env.agents}
        shown, *rest = env.step(actions)
        other, *same = renamed.step(actions)
        assert rest == same


@pytest.mark.parametrize("make", [make_versus, make_solo])
def test_renamed_learner_keeps_its_space(make: Any) -> None:
    env = make({"observation": "compact"})
    shown, _ = env.reset(seed=1)
    for _ in range(10):
        assert env.observation_space.contains(shown)
        shown, _, ended, _, _ = env.step(int(np.flatnonzero(shown["action_mask"])[0]))
        if ended:
            break
