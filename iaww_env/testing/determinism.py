"""The same seed and the same actions give the same bytes."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from iaww_env.testing.comparing import Returned, find_difference, require, require_same
from iaww_env.testing.seatings import STEPS, MakeEnv, Seating, play_at_random, sit_down


def check_determinism(make_env: MakeEnv, seed: int = 1, steps: int = STEPS) -> None:
    """The same seed and the same actions give the same bytes, whatever else is played in the process.

    A game is played at random and compared step by step with the same one in the same environment, with the
    same one in a new environment while another game is played beside it, and with games of other seeds, which
    must begin otherwise. Python's and numpy's global random states must stay as they were.

    Args:
        make_env: Makes an environment.
        seed: Of the game and of the actions.
        steps: Of longer games so many steps are played.
    """
    before = random.getstate(), np.random.get_state()
    env = make_env()
    actions, returned = play_at_random(sit_down(env), seed, steps)
    _replay(sit_down(env), seed, actions, returned, "the same environment, reset with the same seed")
    which = "a new environment with another beside it"
    _replay(sit_down(make_env()), seed, actions, returned, which, make_env)
    after = random.getstate(), np.random.get_state()
    difference = find_difference(list(before), list(after), "state")
    require(difference is None, "the environment draws from the global random state of Python or numpy")
    others = [copy.deepcopy(sit_down(make_env()).reset(other)) for other in range(seed + 1, seed + 4)]
    if all(find_difference(returned[0], other, "") is None for other in others):
        raise AssertionError(f"the seeds {seed} to {seed + 3} all begin with the same observation")


def _replay(
    seating: Seating,
    seed: int,
    actions: Sequence[Any],
    returned: Sequence[Returned],
    which: str,
    make_env: MakeEnv | None = None,
) -> None:
    """Play the same actions again and compare; with `make_env` another game is played beside it."""
    rng = np.random.default_rng(seed + 1)
    beside = None if make_env is None else sit_down(make_env())
    for step, expected in enumerate(returned):
        if beside is not None and (step == 0 or beside.is_over()):
            beside.reset(seed + 1 + step)
        elif beside is not None:
            beside.step(beside.choose(rng))
        found = seating.reset(seed) if step == 0 else seating.step(actions[step - 1])
        require_same(expected, found, f"{which}: at step {step} of seed {seed}")
