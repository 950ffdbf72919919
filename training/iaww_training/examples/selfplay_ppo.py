"""PPO by self-play in one file: every seat of many games learns, with one network.

    python -m iaww_training.examples.selfplay_ppo --minutes 5

Begin with `learn`. The environment is `iaww_env.Batch`, which asks one seat of every game in each step;
`SelfPlayRollout` links the decisions of each seat and estimates advantages; the network scores the legal
actions. Change what you like: it is meant to be copied.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from torch import nn

import iaww_env
from iaww_env.outputs import check_output
from iaww_training.network import ScoringNetwork, list_legal, load_network, save_network

BOT = "iaww tournament greedy iaww_training.network_agent:NetworkAgent"


@dataclass(frozen=True)
class Options:
    """What is learnt, and how."""

    players: int = 4
    minutes: float = 5.0
    decisions: int | None = None  # instead of minutes: the same seed then gives the same run
    discards: bool = False  # giving up constructions is left out: see training/README.md
    observation: str = "cards"
    reward: str = "margin"
    reward_scale: float = 0.05  # so that values are about 1: margins are some 20 points
    games: int = 256
    steps: int = 64
    epochs: int = 3
    minibatch: int = 2048
    learning_rate: float = 7e-4  # falls to a tenth
    entropy: float = 0.02  # falls to a tenth
    clip: float = 0.2
    gae: float = 0.95
    seed: int = 1
    threads: int = 1  # of torch; more only where cores are idle
    start: Path | None = None  # a network to go on with
    out: Path = Path("runs/selfplay.pt")


def choose(network: ScoringNetwork, batch: iaww_env.Batch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """An action for every game, drawn from the policy; its log-probability; and the value of the position."""
    with torch.no_grad():
        legal = list_legal(torch.from_numpy(batch.masks))
        scores, values = network(torch.from_numpy(batch.observations), legal)
        log_probs = torch.log_softmax(scores, 1)
        drawn = torch.multinomial(log_probs.exp(), 1)
    return (
        legal.actions.gather(1, drawn)[:, 0].numpy(),
        log_probs.gather(1, drawn)[:, 0].numpy(),
        values.numpy(),
    )


def value_seats(network: ScoringNetwork, seen: np.ndarray) -> np.ndarray:
    """What every seat of every game may still expect: (games, players)."""
    with torch.no_grad():
        return (
            network.estimate(torch.from_numpy(seen.reshape(-1, seen.shape[-1])))
            .reshape(seen.shape[:2])
            .numpy()
        )


def find_loss(
    network: ScoringNetwork, part: iaww_env.selfplay.Minibatch, options: Options, entropy: float
) -> torch.Tensor:
    """PPO's loss of a minibatch: clipped policy gain, squared error of the value, and entropy."""
    legal = list_legal(torch.from_numpy(part.masks))
    scores, values = network(torch.from_numpy(part.observations), legal)
    log_probs = torch.log_softmax(scores, 1)
    played = (legal.actions == torch.from_numpy(part.actions.astype(np.int64))[:, None]) & legal.is_action
    advantages = torch.from_numpy(part.advantages)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    ratio = (log_probs[played] - torch.from_numpy(part.log_probs)).exp()
    gain = torch.min(ratio * advantages, ratio.clamp(1 - options.clip, 1 + options.clip) * advantages)
    error = nn.functional.mse_loss(values, torch.from_numpy(part.returns))
    spread = -(log_probs.exp() * log_probs.masked_fill(~legal.is_action, 0)).sum(1)
    return -gain.mean() + 0.5 * error - entropy * spread.mean()


def learn(options: Options) -> ScoringNetwork:
    """Play and learn until the time is over; prints a line now and then."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    batch = iaww_env.Batch(
        players=options.players, num_games=options.games, seed=options.seed, observation=options.observation,
        reward=options.reward, discards=options.discards,
    )  # fmt: skip
    table = iaww_env.observation_table(batch.config, options.observation)
    network = ScoringNetwork(table) if options.start is None else load_network(options.start, table)
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate, eps=1e-5)
    rollout = iaww_env.SelfPlayRollout(batch, options.steps)
    begun, learnt, points, said = time.monotonic(), 0, [], 0.0
    try:
        while (done := find_progress(options, learnt, time.monotonic() - begun)) < 1:
            fall = 1 - 0.9 * done
            optimizer.param_groups[0]["lr"] = options.learning_rate * fall
            rollout.clear()
            while not rollout.full:
                actions, log_probs, values = choose(network, batch)
                rollout.step(actions, values, log_probs)
                points += batch.points[batch.done == 1].ravel().tolist()
            rollout.rewards *= options.reward_scale
            rollout.estimate(value_seats(network, rollout.last_observations()), lam=options.gae)
            for _ in range(options.epochs):
                for part in rollout.minibatches(options.minibatch, rng):
                    loss = find_loss(network, part, options, options.entropy * fall)
                    optimizer.zero_grad()
                    loss.backward()  # type: ignore[no-untyped-call]
                    nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                    optimizer.step()
            learnt += options.games * options.steps
            if time.monotonic() - said > 10 and points:
                said = time.monotonic()
                rate = learnt / (said - begun)
                mean = np.mean(points[-4000:])
                print(f"{learnt:11,} decisions, {rate:7,.0f} a second, {mean:5.1f} points", flush=True)
    except KeyboardInterrupt:
        print("stopped: what was learnt until now is kept")
    return network


def find_progress(options: Options, learnt: int, seconds: float) -> float:
    """How much of the run is over, from 0 to 1."""
    return seconds / (60 * options.minutes) if options.decisions is None else learnt / options.decisions


if __name__ == "__main__":
    chosen = tyro.cli(Options, description=__doc__)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    check_output(chosen.out)  # before anybody has waited
    save_network(learn(chosen), chosen.out)
    print(f"written: {chosen.out}\nto play it: {BOT}:path={chosen.out}")
