"""Playing PettingZoo environments with random legal choices."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import iaww_env
from iaww_env.envs.multi.aec import AECGame
from iaww_env.envs.multi.parallel import ParallelGame
from iaww_env.envs.spaces import Observation

Choose = Callable[[str, Observation], int]
NAMES = ["seat_0", "seat_1", "seat_2", "seat_3"]


def make_choice(env: ParallelGame | AECGame, seed: int) -> Choose:
    """Random legal choices, each agent's from a stream of its own; constructions are rarely given up."""
    streams = {name: random.Random(f"{seed} {name}") for name in env.possible_agents}
    cards, kinds = env.config.cards, env.config.kinds
    discards = range(4 * kinds + cards, 4 * kinds + 2 * cards)

    def choose(agent: str, shown: Observation) -> int:
        legal = np.flatnonzero(shown["action_mask"]).tolist()
        stream = streams[agent]
        kept = [action for action in legal if action not in discards]
        return stream.choice(kept if kept and stream.random() < 0.9 else legal)

    return choose


def play_parallel(env: ParallelGame, seed: int, **reset: Any) -> Iterator[tuple[Any, ...]]:
    """A game to its end: what each step returned, `reset` first (then with actions, else None)."""
    choose = make_choice(env, seed)
    observations, infos = env.reset(seed=seed, **reset)
    yield None, (observations, infos)
    while env.agents:
        actions = {agent: choose(agent, observations[agent]) for agent in env.agents}
        answer = env.step(actions)
        observations = answer[0]
        yield actions, answer


def count_legal(shown: Observation) -> int:
    """How many actions an agent may choose from."""
    return int(shown["action_mask"].sum())


def start_parallel(seed: int = 3, **options: Any) -> tuple[ParallelGame, dict[str, Any]]:
    """An environment in which a game has begun, and what its agents see."""
    env = iaww_env.parallel_env(**options)
    return env, env.reset(seed=seed)[0]


def choose_first(observations: dict[str, Any]) -> dict[str, int]:
    """The legal action with the smallest number, of every agent."""
    return {agent: int(shown["action_mask"].argmax()) for agent, shown in observations.items()}


def play_some(env: ParallelGame, seed: int, steps: int) -> dict[str, Any]:
    """Begin a game and play so many steps; what the agents see then."""
    for number, (_, answer) in enumerate(play_parallel(env, seed)):
        if number == steps:
            return answer[0]
    raise AssertionError("the game ended early")
