"""Tianshou 2: its PettingZoo environment over the AEC form, with the masks in `obs.mask`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import iaww_env

pytestmark = pytest.mark.compat
pytest.importorskip("tianshou", reason="tianshou is not installed: extra [compat]")

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

PLAYERS = 3


def make_env() -> Any:
    """A masked action that is played raises an error."""
    return PettingZooEnv(
        iaww_env.aec_env(players=PLAYERS, observation="compact", illegal_action="raise", reward="points_gain")
    )


def make_learner(env: Any) -> Any:
    """A DQN for each seat."""
    size = env.observation_space["observation"].shape
    learners = []
    for _ in range(PLAYERS):
        net = Net(state_shape=size, action_shape=env.action_space.n, hidden_sizes=[32])
        policy = DiscreteQLearningPolicy(
            model=net,
            action_space=env.action_space,
            observation_space=env.observation_space,
            eps_training=0.5,
        )
        learners.append(DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3)))
    return MultiAgentOffPolicyAlgorithm(algorithms=learners, env=env)


def test_dqn_of_every_seat_collects_and_learns() -> None:
    torch.manual_seed(0)
    env = make_env()
    learner = make_learner(env)
    lanes = DummyVectorEnv([make_env, make_env])
    buffer = VectorReplayBuffer(4000, 2)
    collector = Collector(learner, lanes, buffer, exploration_noise=True)
    collector.reset()
    with policy_within_training_step(learner.policy):
        collected = collector.collect(n_episode=2)
    assert collected.n_collected_episodes == 2
    # What was played was legal where it was played, and every seat has played.
    stored = buffer[:]
    masks = np.asarray(stored.obs.mask, bool)
    assert masks[np.arange(len(stored)), stored.act].all()
    assert set(stored.obs.agent_id) == set(env.agents)
    assert stored.rew.shape == (len(stored), PLAYERS)
    before = [weight.detach().clone() for weight in learner.parameters()]
    with policy_within_training_step(learner.policy):
        learner.update(buffer=buffer, sample_size=64)
    after = list(learner.parameters())
    assert any(not torch.equal(one, other) for one, other in zip(before, after, strict=True))


def test_rewards_of_a_game_are_the_points_of_its_seats() -> None:
    env = make_env()
    shown, _ = env.reset(seed=3)
    rng, ended = np.random.default_rng(3), False
    earned = np.zeros(PLAYERS)
    while not ended:
        action = int(rng.choice(np.flatnonzero(shown["mask"])))
        shown, rewards, ended, _, infos = env.step(action)
        earned += rewards
    assert infos["points"] == earned[env.agent_idx[shown["agent_id"]]]
    assert np.flatnonzero(shown["mask"]).tolist() == [env.action_space.n - 1]
