"""Gymnasium environments copied in the middle of a game, and in processes of their own."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from tests.bots.bot_files import IN_BATCHES, OWN_CHANCE, SLOW_GREEDY, write_bot
from tests.envs.frozen import freeze
from tests.envs.single.learner_play import VERSUS_ID, play_on, play_some


@pytest.mark.parametrize(
    "way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"]
)
@pytest.mark.parametrize("bots", ["random", "greedy", "file", "batch"])
def test_copies_go_on_in_the_same_way(way: Any, bots: str, tmp_path: Path) -> None:
    spec = {
        "file": write_bot(tmp_path, "chance", OWN_CHANCE),
        "batch": write_bot(tmp_path, "batches", IN_BATCHES),
    }.get(bots, bots)
    env = gymnasium.make(VERSUS_ID, players=3, opponents=[spec, "random"], seat="random")
    shown = play_some(env, 11, 20)
    other = way(env)
    for one in (env, other):
        one.action_space.seed(1)
    goes_on = [
        freeze([answer for _, answer in play_on(one, shown, random.Random(1))]) for one in (env, other)
    ]
    assert goes_on[0] == goes_on[1]
    assert freeze(env.reset()) == freeze(other.reset())


@pytest.mark.parametrize("context", ["fork", "spawn"])
@pytest.mark.filterwarnings(
    "ignore:This process .* is multi-threaded:DeprecationWarning"
)  # numba's threads, fork
def test_in_processes_of_their_own(context: str, tmp_path: Path) -> None:
    spec = write_bot(tmp_path, "slow", SLOW_GREEDY)
    options: dict[str, Any] = {"players": 3, "opponents": ["greedy", spec], "seat": "random"}
    kinds = (("async", {"context": context}), ("sync", {}))
    both = [
        gymnasium.make_vec(VERSUS_ID, 2, vectorization_mode=kind, vector_kwargs=kw, **options)
        for kind, kw in kinds
    ]
    try:
        shown = [env.reset(seed=3) for env in both]
        for number in range(40):
            assert freeze(shown[0]) == freeze(shown[1])
            actions = [
                int(mask.argmax() if number % 2 else len(mask) - 1 - mask[::-1].argmax())
                for mask in shown[0][0]["action_mask"]
            ]
            shown = [env.step(np.array(actions)) for env in both]
        masks = [np.array(env.call("action_masks")) for env in both]
        assert (masks[0] == masks[1]).all()
    finally:
        for env in both:
            env.close()
