"""`iaww warmup`: after it nothing is compiled any more."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from iaww_env.bots.specs import is_ours, list_agents
from iaww_env.warmup import list_works
from tests.processes import run_python

# What only measurements call.
LEFT_OUT = {"iaww_env.engine.kernels.batch.play_out"}

USE_ALL = """
import json
from iaww_env.warmup import list_works
from tests.kernels.every_kernel import list_kernels
from iaww_agents import greedy
from iaww_agents.heuristic import bot
from iaww_agents.search import playouts
from iaww_agents.ppo_search import playouts as advised_playouts
from iaww_agents.analysis import trace
from iaww_agents.networks import advice, forward, inputs
from iaww_training import decisions, experts
from iaww_env.bots import games
if __name__ == "__main__":
    for work in list_works().values():
        work()
    kernels = list_kernels()
    others = (advised_playouts, trace, advice, forward, inputs, decisions, experts)
    for module in (greedy, bot, playouts, games, *others):
        for one in vars(module).values():
            if type(getattr(one, "_cache", None)).__name__ == "KernelCache":
                kernels[f"{one.py_func.__module__}.{one.py_func.__name__}"] = one
    print(json.dumps([sorted(kernels), sorted(name for name, one in kernels.items() if not one.signatures)]))
"""


def test_the_works_reach_every_kernel() -> None:
    known, unused = json.loads(run_python("-c", USE_ALL))
    assert len(known) > 25
    assert set(unused) == LEFT_OUT


def test_every_bot_of_ours_is_a_work() -> None:
    assert {f"bot {name}" for name in list_agents() if is_ours(name)} <= set(list_works())


@pytest.mark.slow  # about 100 CPU seconds
def test_nothing_is_compiled_after_a_warmup(tmp_path: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)}
    printed = run_python("-m", "iaww_env.cli", "warmup", "--workers", str(os.cpu_count() or 1), **cache)
    assert "ready, after" in printed
    before = {path.name for path in tmp_path.rglob("*.nbc")}
    run_python(
        "-m", "iaww_env.cli", "tournament", "heuristic", "greedy", "--players", "2", "--games", "8", **cache
    )
    run_python("-m", "iaww_env.cli", "batch", "--games", "100", **cache)
    run_python("-m", "iaww_env.cli", "analyze", "heuristic", "--players", "2", "--games", "4", **cache)
    learn = ["--games", "16", "--decisions", "4000", "--evaluations", "1", "--out", str(tmp_path / "run")]
    run_python("-m", "iaww_env.cli", "train", *learn, **cache)
    run_python(
        "-c", "import iaww_env as i; i.VersusEnv().reset(seed=1); i.parallel_env().reset(seed=1)", **cache
    )
    assert {path.name for path in tmp_path.rglob("*.nbc")} == before
