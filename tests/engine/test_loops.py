"""No loop of a kernel goes on for ever: it would be deaf to Ctrl-C."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import ROOT

PLACES = ("iaww_env/engine", "agents/iaww_agents")
MARKS = {"inlined", "called", "pasted", "kernel"}
SECONDS = 60

# --- What stands in the source ---------------------------------------------------------------------

# What a loop compares by, and how its number must move on to come to the other side.
TOWARDS = {ast.Lt: ast.Add, ast.LtE: ast.Add, ast.Gt: ast.Sub, ast.GtE: ast.Sub}


def list_kernels(folder: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function of a folder that is compiled."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(part, ast.FunctionDef):
                marks = {ast.unparse(mark).partition("(")[0] for mark in part.decorator_list}
                if marks & MARKS:
                    yield f"{path.relative_to(ROOT)}: {part.name}", part


def counts_to_an_end(loop: ast.While) -> bool:
    """Whether the loop first compares a number with an end, and each turn moves it towards that end."""
    test = loop.test.values[0] if isinstance(loop.test, ast.BoolOp) else loop.test
    if isinstance(loop.test, ast.BoolOp) and not isinstance(loop.test.op, ast.And):
        return False
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name)):
        return False
    number, end, by = test.left.id, test.comparators[0], TOWARDS.get(type(test.ops[0]))
    moves = [
        part.op
        for part in loop.body
        if isinstance(part, ast.AugAssign)
        and isinstance(part.target, ast.Name)
        and part.target.id == number
        and not (isinstance(part.value, ast.UnaryOp) or ast.unparse(part.value) == "0")
    ]
    written = {
        name.id
        for part in loop.body
        for name in ast.walk(part)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store) and name.id != number
    }
    is_fixed = isinstance(end, ast.Attribute) or (isinstance(end, ast.Name) and end.id not in written)
    return is_fixed and [type(move) for move in moves] == [by]


def find_endless(function: ast.FunctionDef) -> list[str]:
    """The loops of a function that nothing bounds."""
    loops = [part for part in ast.walk(function) if isinstance(part, ast.While)]
    return [ast.unparse(loop.test) for loop in loops if not counts_to_an_end(loop)]


@pytest.mark.parametrize("folder", PLACES)
def test_every_loop_of_a_kernel_has_an_end(folder: str) -> None:
    kernels = dict(list_kernels(folder))
    assert len(kernels) > 50
    assert {name: loops for name, function in kernels.items() if (loops := find_endless(function))} == {}


@pytest.mark.parametrize(
    "loop",
    [
        "while True:\n  i += 1",
        "while row[i] != kind:\n  i += 1",
        "while row[PHASE] != OVER:\n  play(row)",
        "while i < end:\n  play(row)",
        "while i < end:\n  i -= 1",
        "while i < end:\n  i += 0",
        "while i < end:\n  if row[i]:\n    i += 1",
        "while i < end or row[i]:\n  i += 1",
        "while i < end:\n  i += 1\n  end += 1",
        "while i < row[0]:\n  i += 1",
        "while (product & MASK) < unfair:\n  product = draw()",
    ],
)
def test_a_loop_without_an_end_is_noticed(loop: str) -> None:
    function = ast.parse("def rule():\n " + loop.replace("\n", "\n "))
    assert find_endless(function.body[0])  # type: ignore[arg-type]


# --- What happens where nothing should -------------------------------------------------------------

# In a process of its own, interpreted: what never comes to its end is stopped from outside.
STANDING_STREAM = """
import numpy as np
from iaww_env.engine.rng import draw_below, shuffle_part
for words in ([0, 0, 0, 0], [2**40, 0, 0, 0], [2**32, 2**33, 2**34, 2**35], [-(2**63), 0, 0, 0]):
    for bound in (1, 5, 150, 3 << 29):
        assert 0 <= draw_below(np.array(words, np.int64), bound) < bound
row = np.arange(9, dtype=np.int16)
shuffle_part(row, 0, 9, (0, 0, 0, 0))
assert sorted(row.tolist()) == list(range(9))
"""

GAMES_WITHOUT_END = """
import numpy as np
from iaww_env import Game, GameConfig
from iaww_env.batch import make_stream
from iaww_env.engine import fields
from iaww_env.engine.kernels import batch, lanes, learner, parallel
row, legal = Game(GameConfig(players=2), seed=1).row, np.zeros(fields.MOST_LEGAL, np.int16)
stream = np.ones(lanes.STREAM, np.int64)
for module in (batch, lanes, parallel):
    module.apply_action = lambda row, seat, action: None
    module.list_legal = lambda row, seat, discards, legal: 1
assert batch.find_decision(row, 0, legal) == (0, 0)
batch.play_out(row[None], True, make_stream(1), legal, np.zeros(2, np.int64))
parallel.play_forced(row, 0, legal)
lane = np.zeros(lanes.LANE, np.int16)
codes = np.full(2, lanes.RANDOM, np.int16)
lanes.find_asked(row, lane, stream, codes, 0)
assert (lane[lanes.STAGE], lane[lanes.COUNT]) == (lanes.FOUND, 0)
learner.continue_lane = lambda *rest: None
lane[lanes.STAGE], lane[lanes.COUNT], lane[lanes.ASKED] = lanes.BEGIN, 0, 1
nothing, none = np.zeros((1, 0), np.float32), np.zeros(0, np.int64)
settings = np.zeros(lanes.SETTINGS, np.int64)
settings[lanes.SAME_STEP] = 1
learner.encode_seat = learner.show_decision = lambda *rest: None
masks = np.zeros((1, 500), np.int8)
rest = (none, masks, nothing, nothing, np.zeros(1))
learner.step_lanes(learner.STEP, row[None], legal[:1], settings, codes, lane[None], stream[None], *rest)
"""

BOTS_WITHOUT_END = """
import numpy as np
from iaww_agents.heuristic import plan
from iaww_agents.heuristic.weights import change_weights
from iaww_agents.search import playouts
from iaww_env import Game, GameConfig
row = Game(GameConfig(players=2), seed=1).row
weights = change_weights(False, {})
for module in (plan, playouts):
    module.apply_action = lambda row, seat, action: None
plan.choose_by_rules = lambda row, seat, weights: 0
plan.project_action(row, 0, plan.NONE, weights, row.copy())
playouts.weigh_plan = lambda *rest: (0, False)
playouts.play_world(row, 0, True, weights, 1.0, row.copy())
"""


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(STANDING_STREAM, id="streams"),
        pytest.param(GAMES_WITHOUT_END, id="games"),
        pytest.param(BOTS_WITHOUT_END, id="bots"),
    ],
)
def test_what_never_ends_is_stopped(script: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(
        command,
        cwd=Path(ROOT),
        env=environment | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
