"""Ways to play any sort of environment at random: a seating resets it, steps it and chooses actions."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from iaww_env.testing.comparing import Returned, require

MakeEnv = Callable[[], Any]
STEPS = 3000  # of longer games so many are played


class Seating(Protocol):
    """One way to play an environment."""

    env: Any

    def reset(self, seed: int) -> Returned:
        """Begin a game."""

    def step(self, action: Any) -> Returned:
        """Play an action, or one for each agent."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def choose(self, rng: np.random.Generator) -> Any:
        """A random legal action, or one for each agent."""


def choose_action(space: Any, observation: Any, rng: np.random.Generator) -> int:
    """A random action: a legal one where the observation holds a mask."""
    if isinstance(observation, Mapping) and "action_mask" in observation:
        legal = np.flatnonzero(observation["action_mask"])
        require(len(legal) > 0, "a mask is all zeros: nothing can be played")
        return int(rng.choice(legal))
    if not hasattr(space, "n"):
        raise AssertionError(f"the actions are {space}: only numbered actions (Discrete) can be played here")
    return int(rng.integers(space.n))


class ParallelSeating:
    """PettingZoo: all agents at once."""

    def __init__(self, env: Any) -> None:
        self.env, self._shown = env, dict[str, Any]()

    def reset(self, seed: int) -> Returned:
        """Begin a game."""
        self._shown, infos = self.env.reset(seed=seed)
        return {"observations": self._shown, "infos": infos, "agents": list(self.env.agents)}

    def step(self, action: Any) -> Returned:
        """Play one action of every agent."""
        names = ("observations", "rewards", "terminations", "truncations", "infos")
        returned = dict(zip(names, self.env.step(action), strict=True))
        self._shown = returned["observations"]
        return {**returned, "agents": list(self.env.agents)}

    def is_over(self) -> bool:
        """Whether no agent is left."""
        return not self.env.agents

    def choose(self, rng: np.random.Generator) -> Any:
        """A random legal action for every agent."""
        env = self.env
        return {name: choose_action(env.action_space(name), self._shown[name], rng) for name in env.agents}


class AECSeating:
    """PettingZoo: one agent after the other."""

    def __init__(self, env: Any) -> None:
        self.env = env

    def reset(self, seed: int) -> Returned:
        """Begin a game."""
        self.env.reset(seed=seed)
        return self._look()

    def step(self, action: Any) -> Returned:
        """Play an action of the agent that is asked."""
        self.env.step(action)
        return self._look()

    def _look(self) -> Returned:
        env = self.env
        if not env.agents:
            return {"agents": []}
        names = ("observation", "reward", "termination", "truncation", "info")
        return {
            "agents": list(env.agents),
            "asked": env.agent_selection,
            **dict(zip(names, env.last(), strict=True)),
        }

    def is_over(self) -> bool:
        """Whether no agent is left."""
        return not self.env.agents

    def choose(self, rng: np.random.Generator) -> Any:
        """A random legal action, None of an agent whose game has ended."""
        observation, _, terminated, truncated, _ = self.env.last()
        if terminated or truncated:
            return None
        return choose_action(self.env.action_space(self.env.agent_selection), observation, rng)


class LearnerSeating:
    """Gymnasium: one learner."""

    def __init__(self, env: Any) -> None:
        self.env, self._shown, self._over = env, None, False

    def reset(self, seed: int) -> Returned:
        """Begin a game."""
        self._shown, info = self.env.reset(seed=seed)
        self._over = False
        return {"observation": self._shown, "info": info}

    def step(self, action: Any) -> Returned:
        """Play the learner's action."""
        names = ("observation", "reward", "terminated", "truncated", "info")
        returned = dict(zip(names, self.env.step(action), strict=True))
        self._shown, self._over = (
            returned["observation"],
            bool(returned["terminated"] or returned["truncated"]),
        )
        return returned

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._over

    def choose(self, rng: np.random.Generator) -> Any:
        """A random legal action."""
        return choose_action(self.env.action_space, self._shown, rng)


class VectorSeating:
    """Gymnasium: many learners, whose games begin anew by themselves."""

    def __init__(self, env: Any) -> None:
        self.env, self._shown = env, None

    def reset(self, seed: int) -> Returned:
        """Begin a game in every lane."""
        self._shown, infos = self.env.reset(seed=seed)
        return {"observations": self._shown, "infos": infos}

    def step(self, action: Any) -> Returned:
        """Play an action in every lane."""
        names = ("observations", "rewards", "terminations", "truncations", "infos")
        returned = dict(zip(names, self.env.step(action), strict=True))
        self._shown = returned["observations"]
        return returned

    def is_over(self) -> bool:
        """Never: the next games begin."""
        return False

    def choose(self, rng: np.random.Generator) -> Any:
        """A random legal action for every lane."""
        lanes = range(self.env.num_envs)
        shown = self._shown
        return np.array(
            [choose_action(self.env.single_action_space, take_lane(shown, i), rng) for i in lanes]
        )


def take_lane(shown: Any, lane: int) -> Any:
    """What one lane is shown."""
    if isinstance(shown, Mapping):
        return {name: take_lane(part, lane) for name, part in shown.items()}
    return shown[lane]


def sit_down(env: Any) -> Seating:
    """The way to play an environment, known by its class."""
    import gymnasium
    import pettingzoo
    from gymnasium.vector import VectorEnv

    ways: tuple[tuple[Any, Callable[[Any], Seating]], ...] = (
        (pettingzoo.ParallelEnv, ParallelSeating),
        (pettingzoo.AECEnv, AECSeating),
        (VectorEnv, VectorSeating),
        (gymnasium.Env, LearnerSeating),
    )
    for known, way in ways:
        if isinstance(env, known):
            return way(env)
    raise AssertionError(
        f"{type(env).__name__} is no environment: PettingZoo's ParallelEnv and AECEnv, and Gymnasium's "
        "Env and VectorEnv can be checked"
    )


def play_at_random(seating: Seating, seed: int, steps: int = STEPS) -> tuple[list[Any], list[Returned]]:
    """A random game: its actions, and copies of all that was returned."""
    rng = np.random.default_rng(seed)
    actions: list[Any] = []
    returned = [copy.deepcopy(seating.reset(seed))]
    while not seating.is_over() and len(actions) < steps:
        actions.append(seating.choose(rng))
        returned.append(copy.deepcopy(seating.step(actions[-1])))
    return actions, returned
