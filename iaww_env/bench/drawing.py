"""Actions that are drawn before the clock starts: legal ones, at random, and no construction is given up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env.config import GameConfig
from iaww_env.random_games import mask_out_discards

SEED = 7

Mask = npt.NDArray[np.int8]
Chooser = Callable[[Mask], int]


def make_chooser(config: GameConfig, seed: int = SEED) -> Chooser:
    """What draws a legal action from a mask, never giving up a construction."""
    kept = mask_out_discards(config.expansions)
    rng = np.random.default_rng(seed)

    def choose(mask: Mask) -> int:
        legal = np.flatnonzero(mask & kept)
        return int(legal[rng.integers(len(legal))])

    return choose


def has_choice(mask: Mask) -> bool:
    """Whether there are two legal actions or more."""
    return int(np.count_nonzero(mask)) > 1


def make_vector(games: int, profile: str, threads: int = 1) -> Any:
    """Versus as a vector environment, with random opponents that give up nothing either."""
    import gymnasium

    options: dict[str, Any] = {"players": 4, "opponents": ["random:nodiscard"], "observation": profile}
    return gymnasium.make_vec("iaww/Versus-v0", games, threads=threads, **options)


def draw_vector(env: Any, steps: int) -> tuple[list[npt.NDArray[np.int64]], int]:
    """The actions of so many steps from `SEED` on, and how many decisions the learners take in them."""
    choose = make_chooser(GameConfig(players=4))
    shown, _ = env.reset(seed=SEED)
    drawn, decisions = [], 0
    for _ in range(steps):
        masks = shown["action_mask"]
        drawn.append(np.array([choose(mask) for mask in masks]))
        decisions += sum(map(has_choice, masks))
        shown = env.step(drawn[-1])[0]
    return drawn, decisions
