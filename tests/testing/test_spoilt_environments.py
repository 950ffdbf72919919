"""The checks that users run find the fault in spoilt environments."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.utils import BaseParallelWrapper

import iaww_env
from iaww_env import testing

MakeEnv = Callable[[], Any]


class Wrapper(BaseParallelWrapper):  # type: ignore[misc]  # PettingZoo's has no types
    """A parallel environment; `spoil` may do anything with what a step returns."""

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        observations, infos = super().reset(seed, options)
        self.count = 0
        return self.spoil(observations), infos

    def step(self, actions: Any) -> Any:
        observations, *others = super().step(actions)
        self.count += 1
        return self.spoil(observations), *others

    def spoil(self, observations: Any) -> Any:
        return observations


class Noisy(Wrapper):
    def spoil(self, observations: Any) -> Any:
        observations["seat_0"]["observation"][0] = np.random.default_rng().random()
        return observations


class Unseeded(Wrapper):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        return super().reset(None, options)


class Deaf(Wrapper):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        return super().reset(7, options)


class Shared(Wrapper):
    steps: ClassVar[list[int]] = []

    def spoil(self, observations: Any) -> Any:
        if self.count == 0:
            self.steps.clear()
        self.steps.append(1)
        observations["seat_1"]["observation"][5] = len(self.steps) % 2
        return observations


class Remembering(Wrapper):
    games = 0

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.games += 1
        return super().reset(seed, options)

    def spoil(self, observations: Any) -> Any:
        observations["seat_2"]["observation"][3] = self.games % 2
        return observations


class Gambling(Wrapper):
    def spoil(self, observations: Any) -> Any:
        np.random.random()
        return observations


class GamblingToo(Wrapper):
    def spoil(self, observations: Any) -> Any:
        random.random()
        return observations


def spoil(kind: type[Wrapper]) -> MakeEnv:
    """Makes spoilt environments."""
    return lambda: kind(iaww_env.parallel_env(players=3))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (
            Noisy,
            r"the same environment.* at step 0 of seed 1 observations\['seat_0'\]\['observation'\]\[0\] is",
        ),
        (Unseeded, "the same environment, reset with the same seed: at step 0"),
        (Deaf, "the seeds 1 to 4 all begin with the same observation"),
        (Shared, r"a new environment with another beside it: at step 1 .*'seat_1'"),
        (Remembering, r"the same environment, reset with the same seed: at step 0 .*'seat_2'"),
        (Gambling, "global random state"),
        (GamblingToo, "global random state"),
    ],
)
def test_determinism_finds_the_fault(kind: type[Wrapper], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        testing.check_determinism(spoil(kind))


class Reusing(Wrapper):
    def spoil(self, observations: Any) -> Any:
        kept = vars(self).setdefault("kept", copy.deepcopy(observations))
        for name, shown in observations.items():
            kept[name]["observation"][:] = shown["observation"]
            kept[name]["action_mask"] = shown["action_mask"]
        return {name: dict(shown) for name, shown in kept.items()}


class Outside(Wrapper):
    def spoil(self, observations: Any) -> Any:
        if self.count == 4:
            observations["seat_1"]["observation"][2] = 1.5
        return observations


class Blind(Wrapper):
    def spoil(self, observations: Any) -> Any:
        if self.count == 9:
            observations["seat_2"]["action_mask"][:] = 0
        return observations


class Renewing(Wrapper):
    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(627)


class Forgetting(Wrapper):
    def step(self, actions: Any) -> Any:
        *others, infos = super().step(actions)
        infos.pop("seat_0")
        return *others, infos


class Wide(Wrapper):
    """The mask is of another type than its space says."""

    def spoil(self, observations: Any) -> Any:
        for shown in observations.values():
            shown["action_mask"] = shown["action_mask"].astype(np.int64)
        return observations


class WideSpace(Wide):
    """The mask is as its space says, but not as every library reads it."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        mask = spaces.Box(0, 1, (627,), np.int64)
        self.shown = {
            name: spaces.Dict(
                {"observation": env.observation_space(name)["observation"], "action_mask": mask}
            )
            for name in env.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        return self.shown[agent]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Reusing, r"observations\['seat_0'\]\['observation'\] at step 0 was changed after it was returned"),
        (
            Outside,
            r"seat_1 at step 4 is not in its space: observation: number \(2,\) is 1.5, not from 0.0 to 1.0",
        ),
        (Blind, "(mask|seat_2)"),
        (Renewing, "same space object"),
        (Forgetting, "PettingZoo's check"),
        (Wide, "(mask|space)"),
        (WideSpace, "(mask is int64, not int8|PettingZoo's check)"),
    ],
)
def test_conformance_finds_the_fault(kind: type[Wrapper], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        testing.check_conformance(spoil(kind))


class Learner(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A Gymnasium environment whose rewards are texts."""

    def step(self, action: Any) -> Any:
        observation, _, *others = super().step(action)
        return observation, "much", *others


class Reshaping(gymnasium.ObservationWrapper[Any, Any, Any]):
    """A Gymnasium environment that gives an observation of another length now and then."""

    def observation(self, observation: Any) -> Any:
        if observation["observation"][13] > 0:
            observation["observation"] = observation["observation"][:-1]
        return observation


def test_conformance_finds_faults_of_gymnasium_environments() -> None:
    with pytest.raises(AssertionError, match=r"Gymnasium's check: .*reward"):
        testing.check_conformance(lambda: Learner(iaww_env.SoloEnv()))
    with pytest.raises(AssertionError, match=r"(not in its space|Gymnasium's check)"):
        testing.check_conformance(lambda: Reshaping(iaww_env.VersusEnv(players=2)))
    with pytest.raises(AssertionError, match="str is no environment"):
        testing.check_conformance(lambda: "nothing of the sort")


class Doubling(gymnasium.vector.VectorWrapper):
    """A vector whose arrays are the same ones at every step."""

    def step(self, actions: Any) -> Any:
        observations, *others = super().step(actions)
        kept = vars(self).setdefault("kept", observations)
        kept["observation"][:] = observations["observation"]
        return {**observations, "observation": kept["observation"]}, *others


def test_conformance_finds_reused_arrays_of_a_vector() -> None:
    with pytest.raises(AssertionError, match=r"observations\['observation'\] at step 1 was changed"):
        testing.check_conformance(lambda: Doubling(iaww_env.SoloVectorEnv(2)))


class Clinging(Wrapper):
    """A copy shares the game with the environment it was made of."""

    def __deepcopy__(self, memo: Any) -> Any:
        other = Clinging(self.env)
        other.count = self.count
        return other


class Counting(Wrapper):
    """A pickle forgets how many steps were played."""

    def spoil(self, observations: Any) -> Any:
        observations["seat_0"]["observation"][1] = self.count % 2
        return observations

    def __getstate__(self) -> Any:
        return {**vars(self), "count": 0}

    def __deepcopy__(self, memo: Any) -> Any:
        other = Counting(copy.deepcopy(self.env))
        other.count = self.count
        return other


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Clinging, "the environment of which a deep copy was made at step"),
        (Counting, r"a pickle made at step .*'observation'\]\[1\] is"),
    ],
)
def test_round_trips_find_the_fault(kind: type[Wrapper], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        testing.check_round_trip(spoil(kind))
