"""Playing Gymnasium environments: tables, options, random choices and traces."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np

import iaww_env
from iaww_env.cards import scenarios
from iaww_env.envs.single.learner import LearnerEnv
from iaww_env.envs.spaces import Observation
from tests.envs.frozen import freeze
from tests.modes import CA

VERSUS_ID = "iaww/Versus-v0"
SOLO_ID = "iaww/Solo-v0"

# Every number of players with both card pools; every solo game.
TABLES: dict[str, tuple[str, dict[str, Any]]] = {str(n): (VERSUS_ID, {"players": n}) for n in range(2, 6)}
TABLES |= {f"{n}-ascension": (VERSUS_ID, {"players": n, "expansions": CA}) for n in range(2, 8)}
TABLES |= {"solo": (SOLO_ID, {}), "solo-ascension": (SOLO_ID, {"expansions": CA})}
TABLES |= {one.id: (SOLO_ID, {"scenario": one.id}) for one in scenarios()}
TABLES |= {"base_sc01-ascension": (SOLO_ID, {"scenario": "base_sc01", "expansions": CA})}

# Options in combinations that differ in all that matters.
WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "compact": {"observation": "compact", "reward": "points_gain", "illegal_action": "replace"},
    "every decision": {"skip_forced": False, "reward": "points"},
}
# The same for tables with opponents.
SEATINGS: dict[str, dict[str, Any]] = {
    "greedy": {"opponents": ["greedy"], "seat": "random"},
    "nodiscard": {"opponents": ["random:nodiscard"], "seat": "rotate", "reward": "rank"},
    "mixed": {"opponents": ["greedy", "random", "greedy"], "seat": 2, "reward": "margin"},
}


def make(table: str, **options: Any) -> LearnerEnv:
    """A single environment, without Gymnasium's wrappers."""
    id, named = TABLES[table]
    env = gymnasium.make(id, **named, **options).unwrapped
    assert isinstance(env, LearnerEnv)
    return env


def make_vec(table: str, num_envs: int, **options: Any) -> Any:
    """The native batch."""
    id, named = TABLES[table]
    return gymnasium.make_vec(id, num_envs, **named, **options)


def choose(mask: np.ndarray, stream: random.Random, illegal: float = 0.0) -> int:
    """A random action; constructions are rarely given up, and now and then it is any number of the table."""
    if stream.random() < illegal:
        return stream.randrange(len(mask))
    legal = np.flatnonzero(mask).tolist()
    table = iaww_env.action_table(() if len(mask) < 700 else CA)
    kept = [action for action in legal if not table.discard <= action < table.use]
    return stream.choice(kept if stream.random() < 0.9 else legal)


def play_on(env: Any, shown: Observation, stream: random.Random) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """From a decision to the end of the game: actions and what each step returned."""
    ended = False
    while not ended:
        action = choose(shown["action_mask"], stream)
        answer = env.step(action)
        yield action, answer
        shown, ended = answer[0], answer[2]


def play_game(env: Any, seed: int | None, **reset: Any) -> list[Any]:
    """What each step of a whole game returned, `reset` first."""
    first = env.reset(seed=seed, **reset)
    return [first, *(answer for _, answer in play_on(env, first[0], random.Random(str(seed))))]


def play_some(env: Any, seed: int, steps: int) -> Observation:
    """Begin a game and play so many steps; what the learner sees then."""
    shown: Observation = env.reset(seed=seed)[0]
    for number, (_, answer) in enumerate(play_on(env, shown, random.Random(seed)), start=1):
        if number == steps:
            return answer[0]
    raise AssertionError("the game ended early")


def trace(env: Any, seed: int, games: int = 2) -> Any:
    """All that was returned in so many games, the later ones without a seed."""
    return freeze([play_game(env, seed if number == 0 else None) for number in range(games)])
