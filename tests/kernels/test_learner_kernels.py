"""The kernels of environments with a learner: one signature each, and every index within its bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.bot_files import IN_BATCHES, write_bot
from tests.processes import run_python

USE_EVERYTHING = """
import copy, json, pickle, sys
import numpy as np
import iaww_env
from iaww_env.bots.views import make_view
from iaww_env.engine.kernels import learner
from tests.envs.single.learner_play import TABLES, make, make_vec, play_game
from iaww_agents import greedy
from iaww_agents.greedy import GreedyAgent

file = sys.argv[1]
for seed, table in enumerate(TABLES):
    versus_options = {"opponents": [("random", "greedy", file)[seed % 3]], "seat": "random"}
    options = versus_options if table[0] in "234567" else {}
    options["skip_forced"], options["reward"] = seed % 2 == 0, ("points_gain", "rank")[seed % 2]
    options["illegal_action"] = ("replace", "raise", "forfeit")[seed % 3]
    options["observation"] = ("full", "compact", "cards")[seed % 3]
    env = make(table, **options)
    play_game(env, seed)
    play_game(pickle.loads(pickle.dumps(env)), seed)
    play_game(copy.deepcopy(env), seed)
    batch = make_vec(table, 3, autoreset_mode=("SameStep", "NextStep")[seed % 2], **options)
    batch.reset(seed=seed)
    for step in range(150):
        masks = batch.action_masks()
        actions = masks.argmax(axis=1) if step % 3 else masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        batch.step(actions.astype((np.int64, np.int16, np.uint32)[step % 3]))
    game, bot = iaww_env.Game(env.unwrapped.config, seed), GreedyAgent()
    while not game.over:
        seat = game.seats_to_act()[0]
        bot.reset(seat, game.config, 0)
        game.step(seat, bot.act(make_view(game, seat)))
kernels = [one for module in (learner, greedy) for one in vars(module).values() if hasattr(one, "signatures")]
kept = [one for one in kernels if type(one._cache).__name__ == "KernelCache"]
print(json.dumps({one.py_func.__name__: len(one.signatures) for one in kept}))
"""


def use_everything(folder: Path, **environment: str) -> str:
    return run_python("-c", USE_EVERYTHING, write_bot(folder, "in_batches", IN_BATCHES), **environment)


NAMES = ("step_lanes", "find_illegal_lane", "show_masks", "show_waiting", "draw_uniforms")


def test_one_signature_for_each_kernel(tmp_path: Path) -> None:
    """After every table was played in every way: a second one would be compiled anew, for seconds, unseen."""
    printed = use_everything(tmp_path)
    for name in (*NAMES, "choose_greedily", "play_greedily"):
        assert f'"{name}": 1' in printed


@pytest.mark.slow
def test_no_index_is_out_of_bounds(tmp_path: Path) -> None:
    """The same with bounds checked; everything is compiled anew in an empty folder, for minutes."""
    cache = tmp_path / "cache"
    use_everything(tmp_path, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(cache))
    compiled = {path.name.partition("-")[0] for path in cache.rglob("*.nbc")}
    assert {f"learner.{name}" for name in NAMES} <= compiled
    assert {"greedy.choose_greedily", "greedy.play_greedily"} <= compiled
