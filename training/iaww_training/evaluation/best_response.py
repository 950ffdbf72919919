"""A best response: one seat learns by PPO against an agent that stays as it is, in all other seats.

It learns its points, in which a network that plays already has values to go on with.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from iaww_agents.networks.files import describe_inputs
from iaww_agents.networks.inputs import make_inputs
from iaww_agents.ppo import bot as ppo
from iaww_env.bots.specs import find_factory
from iaww_env.config import GameConfig
from iaww_training.evaluation.frozen import FrozenAgent
from iaww_training.network import ScoringNetwork, load_network, save_network
from iaww_training.ppo.algorithm import SelfPlayPPO
from iaww_training.ppo.settings import Settings
from iaww_training.ppo.tables import Ended, Tables

GAMES = 64  # side by side
STEPS = 64  # of each between two updates
PARTS = 16  # minibatches of an update: many small ones, for a budget that is mostly short
AFRESH = Settings(learning_rate=1e-3, learning_rate_end=2e-4, entropy=0.01)
# From weights that play already: small steps, and little to explore, or what they know is lost at once.
FROM_WEIGHTS = Settings(learning_rate=2e-4, learning_rate_end=2e-5, entropy=0.005, entropy_end=0.001)

NETWORK = "network.npz"


@dataclass(frozen=True, slots=True)
class Budget:
    """When a response has learnt enough: at the first of these ends.

    Attributes:
        minutes: None for no end.
        decisions: Of the response; None for no end.
    """

    minutes: float | None
    decisions: int | None

    def find_done(self, seconds: float, decisions: int) -> float:
        """How much of it is used up, from 0 to 1."""
        done = [0.0]
        if self.minutes is not None:
            done.append(seconds / (60 * self.minutes))
        if self.decisions is not None:
            done.append(decisions / self.decisions)
        return min(1.0, max(done))


@dataclass(frozen=True, slots=True)
class Learnt:
    """A response as it stands at its end: how long it learnt, and the file of the network it began with."""

    decisions: int
    minutes: float
    began_with: str


def find_weights(spec: str, config: GameConfig) -> tuple[Path, ScoringNetwork] | None:
    """The network that an agent plays, where it plays one that a response can begin with."""
    made, options = find_factory(spec)
    if made is not ppo.PpoAgent:
        return None
    path = Path(options.get("path") or ppo.find_shipped(config))
    network = load_network(path)
    usual = make_inputs(config.expansions, advised=network.inputs.advised)
    return (path, network) if describe_inputs(network.inputs) == describe_inputs(usual) else None


def make_model(agent: str, config: GameConfig, seed: int) -> tuple[SelfPlayPPO, str]:
    """A model at tables where it has one seat in each game; and the file it begins with, or nothing."""
    known = find_weights(agent, config)
    inputs = make_inputs(config.expansions, advised=True) if known is None else known[1].inputs
    settings = AFRESH if known is None else FROM_WEIGHTS
    shape = {"width": settings.width, "depth": settings.depth} if known is None else known[1].shape
    tables = Tables(
        inputs,
        [(config, GAMES)],
        STEPS,
        seed,
        scale=settings.scale,
        gae=settings.gae,
        mixed_share=1.0,
        learners=1,
    )
    tables.set_opponents([FrozenAgent(agent, config, seed)])
    tables.seat_opponents()
    model = SelfPlayPPO(
        tables=tables,
        expansions=config.expansions,
        learning_rate=lambda left: (
            settings.learning_rate_end + (settings.learning_rate - settings.learning_rate_end) * left
        ),
        entropy_end=settings.entropy_end,
        ent_coef=settings.entropy,
        n_epochs=settings.epochs,
        batch_size=GAMES * STEPS // config.players // PARTS,
        gamma=1.0,
        gae_lambda=settings.gae,
        clip_range=settings.clip,
        vf_coef=settings.value_weight,
        seed=seed,
        device="cpu",
        policy_kwargs={
            "expansions": config.expansions,
            **shape,
            "advised": inputs.advised,
            "optimizer_kwargs": {"eps": 1e-5, "fused": True},
        },
    )
    if known is not None:
        model.policy.network.load_weights(known[1])
    return model, "" if known is None else str(known[0])


def learn_response(
    agent: str,
    config: GameConfig,
    folder: Path,
    budget: Budget,
    *,
    seed: int,
    say: Callable[[float, int, float], object] | None = None,
) -> Learnt:
    """Learn a response to an agent, and write its network into a folder.

    Args:
        agent: Spec of the agent.
        config: What is played.
        folder: Where the network goes.
        budget: How long it learns.
        seed: Of weights, games and draws; the games that measure it have others.
        say: Told after each update how much of the budget is used up, the decisions learnt, and the share
            of wins in the last games.
    """
    from stable_baselines3.common.logger import configure

    torch.set_num_threads(1)
    model, began_with = make_model(agent, config, seed)
    model.set_logger(configure(None, []))
    began, done, won = time.monotonic(), 0.0, 0.0
    while done < 1:
        ended = model.play()
        done = budget.find_done(time.monotonic() - began, model.num_timesteps)
        model._current_progress_remaining = 1 - done
        model.train()
        won = count_wins(ended, won)
        if say is not None:
            say(done, model.num_timesteps, won)
    save_network(model.policy.network, folder / NETWORK)
    return Learnt(model.num_timesteps, (time.monotonic() - began) / 60, began_with)


def count_wins(ended: list[Ended], before: float) -> float:
    """The learner's share of wins in games that have ended; what it was before, where none has."""
    won = [win for one in ended for win, who in zip(one.wins, one.seated, strict=True) if who == 0]
    return sum(won) / len(won) if won else before
