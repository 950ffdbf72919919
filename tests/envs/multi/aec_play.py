"""Playing the seat-by-seat environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import iaww_env
from iaww_env.envs.multi.aec import AECGame


def start_aec(seed: int = 3, **options: Any) -> AECGame:
    """An environment in which a game has begun."""
    env = iaww_env.aec_env(**options)
    env.reset(seed=seed)
    return env


def get_legal(env: AECGame) -> int:
    """A legal action of the agent that is asked."""
    shown = env.last()[0]
    assert shown is not None
    return int(shown["action_mask"].argmax())


def play_aec(env: AECGame, choose: Callable[..., int], watch: Callable[..., None] = lambda *_: None) -> None:
    """Play on to the end, the last words included."""
    for agent in env.agent_iter():
        shown, reward, terminated, truncated, info = env.last()
        watch(agent, shown, reward, terminated, truncated, info)
        env.step(None if terminated else choose(agent, shown))
