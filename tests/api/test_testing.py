"""The checks that users run: they find nothing in our environments, and the fault in spoilt ones."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.utils import BaseParallelWrapper

import iaww_env
from iaww_env import Game, GameConfig, testing
from iaww_env.cards import EXPANSIONS
from iaww_env.game import make_game
from iaww_env.testing.comparing import find_difference
from tests.api.observed import ALL_MODES, MODES

MakeEnv = Callable[[], Any]
ENVIRONMENTS: dict[str, MakeEnv] = {
    "parallel": lambda: iaww_env.parallel_env(players=3),
    "parallel ascension": lambda: iaww_env.parallel_env(
        players=6, expansions=EXPANSIONS, observation="compact"
    ),
    "aec": lambda: iaww_env.aec_env(players=2),
    "aec, points": lambda: iaww_env.aec_env(players=4, reward="points_gain", skip_forced=False),
    "versus": lambda: iaww_env.VersusEnv(players=3),
    "versus, made": lambda: gymnasium.make("iaww/Versus-v0", players=4, opponents=["greedy"]),
    "solo": lambda: iaww_env.SoloEnv(),
    "scenario": lambda: iaww_env.SoloEnv(scenario="ascension_sc01"),
    "vector": lambda: iaww_env.VersusVectorEnv(3),
    "solo vector": lambda: iaww_env.SoloVectorEnv(2),
}


# --- Nothing is found ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_our_environments_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    testing.check_determinism(ENVIRONMENTS[name], steps=500)
    testing.check_conformance(ENVIRONMENTS[name])
    testing.check_round_trip(ENVIRONMENTS[name], trips=3)
    assert capsys.readouterr().out == "", "the frameworks' checkers are kept quiet"


@pytest.mark.parametrize("mode", MODES)
def test_our_games_pass(mode: str) -> None:
    testing.check_no_leak(MODES[mode], seeds=(3,), draws=1)
    testing.check_round_trip(MODES[mode], trips=3)


def test_a_scenario_passes() -> None:
    testing.check_no_leak(ALL_MODES["base_sc03"], seeds=(1,))
    testing.check_round_trip(lambda: Game(ALL_MODES["base_sc03"], 2))


def test_the_example_in_the_documentation_runs() -> None:
    assert testing.__doc__ is not None
    example = "\n".join(line[4:] for line in testing.__doc__.splitlines() if line.startswith("    "))
    assert example.count("testing.check_") == 4
    exec(example, {"MyWrapper": BaseParallelWrapper, "my_observation": testing.show_all})


def test_text_can_be_checked_for_leaks() -> None:
    from iaww_env.render.text import render_table

    testing.check_no_leak(GameConfig(players=2), observe=render_table, seeds=(1,), draws=1)


# --- Environments with a fault ---------------------------------------------------------------------


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


# --- Games with a fault ----------------------------------------------------------------------------


class SharedGame(Game):
    """Its clones are the game itself."""

    __slots__ = ()

    def clone(self) -> Game:
        return make_game(self.config, self.row)


class StaleGame(Game):
    """Its bytes are those of a game before the last decision."""

    __slots__ = ()

    def to_bytes(self) -> bytes:
        return Game(self.config, 1).to_bytes()


class CheatingGame(Game):
    """Its bytes forget the random stream."""

    __slots__ = ()

    def to_bytes(self) -> bytes:
        other = make_game(self.config, self.row.copy())
        other.state.rng[:] = 0
        return other.to_bytes()


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (SharedGame, "a clone shares its state with the game"),
        (StaleGame, "a pickle of the game is not equal to it"),
        (CheatingGame, "a pickle of the game is not equal to it"),
    ],
)
def test_round_trips_of_games_find_the_fault(kind: type[Game], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        testing.check_round_trip(lambda: kind(GameConfig(players=2), 3))


# --- Leaks -----------------------------------------------------------------------------------------


def see_deck(game: Game, seat: int) -> Any:
    """The next card of the deck."""
    return int(game.state.base_deck[game.state.deck_next[0]])


def see_picks(game: Game, seat: int) -> Any:
    """What the others have picked."""
    return game.state.picked.copy()


def see_others_now(game: Game, seat: int) -> Any:
    """The others as they stand, not as they stood when the phase began."""
    return {"krystallium": game.state.krystallium.copy(), "kind": "text"}


def see_pack_of_neighbour(game: Game, seat: int) -> Any:
    """The pack that comes next."""
    return game.hand((seat + 1) % game.config.players) if game.phase == "draft" else []


def see_pending(game: Game, seat: int) -> Any:
    """How many have not ended the phase."""
    return int(game.state.pending)


def see_stream(game: Game, seat: int) -> Any:
    """The random stream."""
    return game.state.rng.tobytes()


def see_pools(game: Game, seat: int) -> Any:
    """Solo: the kinds in the next pool."""
    return game.state.pools.sum(axis=1)


@pytest.mark.parametrize(
    "observe", [see_deck, see_picks, see_others_now, see_pack_of_neighbour, see_pending, see_stream]
)
@pytest.mark.parametrize("mode", ["3", "6-ascension"])
def test_leaks_are_found(mode: str, observe: testing.Observe) -> None:
    with pytest.raises(AssertionError, match=r"seat \d in round 1, \w+ is shown something it cannot know"):
        testing.check_no_leak(MODES[mode], observe)


@pytest.mark.parametrize("observe", [see_deck, see_pools, see_stream])
def test_leaks_are_found_in_solo(observe: testing.Observe) -> None:
    with pytest.raises(AssertionError, match="seat 0 in round 1, planning is shown something it cannot know"):
        testing.check_no_leak(lambda: Game(GameConfig(players=1), 5), observe)


def test_observing_must_change_nothing_and_say_the_same_twice() -> None:
    def touch(game: Game, seat: int) -> int:
        game.state.generals[seat] += 1
        return 0

    counted: Iterator[int] = iter(range(10**6))
    with pytest.raises(AssertionError, match="seat 0 in round 1, draft: observing changes the game"):
        testing.check_no_leak(GameConfig(players=2), touch)
    with pytest.raises(AssertionError, match="asked twice, what is shown is 0 in one and 1 in the other"):
        testing.check_no_leak(GameConfig(players=2), lambda game, seat: next(counted))


# --- Comparing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        (1, 1.0, "x is int in one and float in the other"),
        ({"a": 1}, {"a": 2}, "x['a'] is 1 in one and 2 in the other"),
        ({"a": 1}, {"b": 1}, "x holds ['a'] in one and ['b'] in the other"),
        ([1, (2, 3)], [1, (2, 4)], "x[1][1] is 3 in one and 4 in the other"),
        ([1], [1, 2], "x has 1 entries in one and 2 in the other"),
        (np.zeros(2), np.zeros(2, np.float32), "x is float64[2] in one and float32[2] in the other"),
        (np.zeros((2, 2)), np.eye(2), "x[0, 0] is 0.0 in one and 1.0 in the other"),
        (np.array([0.0]), np.array([-0.0]), "x differs in its bytes alone (-0.0 or NaN)"),
        (np.array([{}], object), np.array([{"a": 1}], object), "x[0] holds [] in one and ['a'] in the other"),
        ("a", "b", "x is 'a' in one and 'b' in the other"),
        (float("nan"), float("nan"), None),
        ({"a": [np.arange(3), "b", None]}, {"a": [np.arange(3), "b", None]}, None),
    ],
)
def test_differences_are_named(one: Any, two: Any, message: str | None) -> None:
    assert find_difference(one, two, "x") == message
