"""AgileRL's convention, masks in the infos; and its PPO and IPPO, where AgileRL is installed.

AgileRL asks for versions that the other libraries exclude, so it has a virtual environment of its own;
CONTRIBUTING.md says how to make it.
"""

from __future__ import annotations

import random
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np
import pytest

import iaww_env
from iaww_env.envs.adapters.agilerl import LearnerMasksInInfos, MasksInInfos

needs_agilerl = pytest.mark.skipif(
    find_spec("agilerl") is None, reason="agilerl is not installed: CONTRIBUTING.md says how"
)
playing = pytest.mark.compat
quietly = pytest.mark.filterwarnings("default")  # AgileRL uses what it deprecates itself
SMALL = {
    "encoder_config": {"hidden_size": [32]},
    "head_config": {"hidden_size": [32]},
    "latent_dim": 32,
}


def make_solo() -> LearnerMasksInInfos:
    """A masked action that is played raises an error."""
    return LearnerMasksInInfos(iaww_env.SoloEnv(observation="compact", illegal_action="raise"))


def test_masks_of_the_table_stand_in_the_infos() -> None:
    env = iaww_env.parallel_env(players=3)
    wrapped = MasksInInfos(iaww_env.parallel_env(players=3))
    shown, _ = env.reset(seed=5)
    vectors, infos = wrapped.reset(seed=5)
    assert wrapped.observation_space("seat_1") is wrapped.observation_space("seat_1")
    stream = random.Random(5)
    while True:
        for name in env.possible_agents:
            assert wrapped.observation_space(name).contains(vectors[name])
            np.testing.assert_array_equal(vectors[name], shown[name]["observation"])
            np.testing.assert_array_equal(infos[name].pop("action_mask"), shown[name]["action_mask"])
        if not env.agents:
            break
        actions = {
            name: stream.choice(np.flatnonzero(shown[name]["action_mask"]).tolist()) for name in env.agents
        }
        shown, *rest, told = env.step(actions)
        vectors, *same, infos = wrapped.step(actions)
        assert rest == same
        assert {name: set(info) - {"action_mask"} for name, info in infos.items()} == {
            name: set(info) for name, info in told.items()
        }
    assert wrapped.agents == []


def test_masks_as_lists_are_the_same_masks() -> None:
    arrays = MasksInInfos(iaww_env.parallel_env(players=2)).reset(seed=4)[1]
    lists = MasksInInfos(iaww_env.parallel_env(players=2), as_lists=True).reset(seed=4)[1]
    for name, info in lists.items():
        assert info == {"action_mask": arrays[name]["action_mask"].tolist()}
        assert type(info["action_mask"][0]) is int


def test_masks_of_a_learner_are_gathered_by_a_vector_environment() -> None:
    lanes = gymnasium.vector.SyncVectorEnv([make_solo, make_solo])
    vectors, infos = lanes.reset(seed=3)
    rng, ended = np.random.default_rng(3), 0
    while ended < 2:
        assert infos["action_mask"].shape == (2, lanes.single_action_space.n)
        assert vectors.shape == (2, *lanes.single_observation_space.shape)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        vectors, _, terminated, _, infos = lanes.step(actions)
        ended += int(terminated.sum())


def weights_of(modules: Any) -> list[np.ndarray]:
    return [weight.detach().numpy().copy() for module in modules for weight in module.parameters()]


def check_moved(before: list[np.ndarray], after: list[np.ndarray]) -> None:
    assert any((one != other).any() for one, other in zip(before, after, strict=True))
    assert all(np.isfinite(weight).all() for weight in after)


@playing
@needs_agilerl
@quietly
def test_ppo_learns_on_solo() -> None:
    from agilerl.algorithms import PPO
    from agilerl.rollouts.on_policy import collect_rollouts

    lanes = gymnasium.vector.SyncVectorEnv([make_solo, make_solo])
    agent = PPO(
        lanes.single_observation_space,
        lanes.single_action_space,
        net_config=SMALL,
        batch_size=64,
        learn_step=256,
        update_epochs=1,
        num_envs=2,
    )
    before = weights_of([agent.actor])
    collect_rollouts(agent, lanes)
    agent.learn()
    check_moved(before, weights_of([agent.actor]))


@playing
@needs_agilerl
@quietly
def test_ippo_plays_the_table_by_the_masks() -> None:
    from agilerl.algorithms import IPPO

    table = iaww_env.parallel_env(players=2, observation="compact", illegal_action="raise")
    env = MasksInInfos(table, as_lists=True)
    names = env.possible_agents
    agent = IPPO(
        [env.observation_space(name) for name in names],
        [env.action_space(name) for name in names],
        agent_ids=names,
        net_config=SMALL,
        batch_size=32,
        update_epochs=1,
    )
    vectors, infos = env.reset(seed=1)
    kept: list[list[dict[str, Any]]] = [[] for _ in range(6)]
    ended = False
    while not ended:
        actions, *judged = agent.get_action(vectors, infos=infos)
        played = {name: int(actions[name].item()) for name in names}
        following, rewards, terminated, _, infos = env.step(played)
        ended = all(terminated.values())
        dones = {name: np.array([float(ended)]) for name in names}
        log_probs, _, values = judged
        step = (vectors, actions, log_probs, {n: np.array([rewards[n]]) for n in names}, dones, values)
        for column, value in zip(kept, step, strict=True):
            column.append(value)
        vectors = following
    assert len(kept[0]) >= 28  # four rounds of seven picks, and more
    before = weights_of(agent.actors.values())
    experiences = [{n: [one[n] for one in column] for n in names} for column in kept]
    experiences += [vectors, dones]
    agent.learn(tuple(experiences))
    check_moved(before, weights_of(agent.actors.values()))
