"""Ways to play any sort of environment at random, and to compare what it returns."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

Sight = dict[str, Any]
"""All that an environment has returned at a step, by name."""


class Seating(Protocol):
    """One way to play an environment."""

    env: Any

    def reset(self, seed: int) -> Sight:
        """Begin a game."""

    def step(self, action: Any) -> Sight:
        """Play an action, or one for each agent."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def choose(self, rng: np.random.Generator) -> Any:
        """A random legal action, or one for each agent."""


def require(condition: bool, message: str) -> None:
    """Raise AssertionError unless something holds; unlike `assert`, also under `python -O`."""
    if not condition:
        raise AssertionError(message)


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

    def reset(self, seed: int) -> Sight:
        """Begin a game."""
        self._shown, infos = self.env.reset(seed=seed)
        return {"observations": self._shown, "infos": infos, "agents": list(self.env.agents)}

    def step(self, action: Any) -> Sight:
        """Play one action of every agent."""
        names = ("observations", "rewards", "terminations", "truncations", "infos")
        sight = dict(zip(names, self.env.step(action), strict=True))
        self._shown = sight["observations"]
        return {**sight, "agents": list(self.env.agents)}

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

    def reset(self, seed: int) -> Sight:
        """Begin a game."""
        self.env.reset(seed=seed)
        return self._look()

    def step(self, action: Any) -> Sight:
        """Play an action of the agent that is asked."""
        self.env.step(action)
        return self._look()

    def _look(self) -> Sight:
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

    def reset(self, seed: int) -> Sight:
        """Begin a game."""
        self._shown, info = self.env.reset(seed=seed)
        self._over = False
        return {"observation": self._shown, "info": info}

    def step(self, action: Any) -> Sight:
        """Play the learner's action."""
        names = ("observation", "reward", "terminated", "truncated", "info")
        sight = dict(zip(names, self.env.step(action), strict=True))
        self._shown, self._over = sight["observation"], bool(sight["terminated"] or sight["truncated"])
        return sight

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

    def reset(self, seed: int) -> Sight:
        """Begin a game in every lane."""
        self._shown, infos = self.env.reset(seed=seed)
        return {"observations": self._shown, "infos": infos}

    def step(self, action: Any) -> Sight:
        """Play an action in every lane."""
        names = ("observations", "rewards", "terminations", "truncations", "infos")
        sight = dict(zip(names, self.env.step(action), strict=True))
        self._shown = sight["observations"]
        return sight

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


# --- Comparing -------------------------------------------------------------------------------------


def find_difference(one: Any, two: Any, where: str) -> str | None:
    """Where two returned values differ in type, shape or any byte, in words; None where they do not."""
    if type(one) is not type(two):
        return f"{where} is {type(one).__name__} in one and {type(two).__name__} in the other"
    if isinstance(one, Mapping):
        if list(one) != list(two):
            return f"{where} holds {list(one)} in one and {list(two)} in the other"
        return next(filter(None, (find_difference(one[k], two[k], f"{where}[{k!r}]") for k in one)), None)
    if isinstance(one, Sequence) and not isinstance(one, str | bytes):
        if len(one) != len(two):
            return f"{where} has {len(one)} entries in one and {len(two)} in the other"
        pairs = enumerate(zip(one, two, strict=True))
        return next(filter(None, (find_difference(a, b, f"{where}[{i}]") for i, (a, b) in pairs)), None)
    if isinstance(one, np.ndarray):
        return _compare_arrays(one, two, where)
    if one is two or one == two or (one != one and two != two):
        return None
    return f"{where} is {one!r} in one and {two!r} in the other"


def _compare_arrays(one: Any, two: Any, where: str) -> str | None:
    if one.dtype != two.dtype or one.shape != two.shape:
        return f"{where} is {one.dtype}{list(one.shape)} in one and {two.dtype}{list(two.shape)} in the other"
    if one.dtype == object:
        return find_difference(one.tolist(), two.tolist(), where)
    if one.tobytes() == two.tobytes():
        return None
    differing = np.argwhere(one != two)
    if not len(differing):
        return f"{where} differs in its bytes alone (-0.0 or NaN)"
    at = tuple(differing[0].tolist())
    place = ", ".join(str(i) for i in at)
    return f"{where}[{place}] is {one[at]} in one and {two[at]} in the other"


def keep(sight: Sight) -> Sight:
    """A deep copy of what was returned, for later."""
    return copy.deepcopy(sight)


def list_arrays(value: Any, where: str = "") -> list[tuple[str, Any]]:
    """Every array in a returned value, and where it stands."""
    if isinstance(value, np.ndarray):
        return [(where, value)]
    if isinstance(value, Mapping):
        return [
            found
            for k, part in value.items()
            for found in list_arrays(part, f"{where}[{k!r}]" if where else k)
        ]
    if isinstance(value, list | tuple):
        return [found for i, part in enumerate(value) for found in list_arrays(part, f"{where}[{i}]")]
    return []
