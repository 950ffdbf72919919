"""PPO by self-play in one file: every seat of many games learns, with one network.

    python -m iaww_training.examples.selfplay_ppo --minutes 5

Begin with `learn`. The environment is `iaww_env.Batch`, which asks one seat of every game in each step;
`SelfPlayRollout` links the decisions of each seat and estimates advantages; the network scores the legal
actions. Change what you like: it is meant to be copied. `selfplay_processes` runs it on several cores.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import tyro
from torch import nn

import iaww_env
from iaww_agents.networks.inputs import gather_seen, make_inputs
from iaww_env.outputs import check_output
from iaww_training.decisions import Seen, cut, join, look
from iaww_training.network import ScoringNetwork, load_network, save_network


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
    out: Path = Path("runs/selfplay.npz")


class Decisions(NamedTuple):
    """A rollout: what was seen, played and how likely that was, and what came of it. (decisions,) each."""

    seen: Seen
    actions: np.ndarray
    log_probs: np.ndarray
    advantages: np.ndarray
    returns: np.ndarray


def choose(network: ScoringNetwork, seen: Seen) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """An action for every game, drawn from the policy; the value of the position; and its log-probability."""
    scores, values = network(*seen.tensors())
    log_probs = torch.log_softmax(scores, 1)
    places = torch.multinomial(log_probs.exp(), 1)
    actions = seen.legal.actions[seen.offsets[:-1] + places[:, 0].numpy()]
    return actions, values.numpy(), log_probs.gather(1, places)[:, 0].numpy()


@torch.no_grad()
def play(
    network: ScoringNetwork, rollout: iaww_env.SelfPlayRollout, options: Options
) -> tuple[Decisions, list[int]]:
    """Play so many steps; all decisions, and the points of the seats of games that have ended."""
    batch, inputs, seen, points = rollout.batch, network.inputs, [], []
    sources = inputs.find(batch.config)
    rollout.clear()
    while not rollout.full:
        seen.append(look(inputs, sources, batch.observations, batch.masks))
        rollout.step(*choose(network, seen[-1]))
        points += batch.points[batch.done == 1].ravel().tolist()
    rollout.rewards *= options.reward_scale
    last = rollout.last_observations()  # of every seat of every game: what may it still expect?
    known = gather_seen(inputs, sources, last.reshape(-1, last.shape[-1]))
    values = network.estimate(torch.from_numpy(known)).numpy().reshape(last.shape[:2])
    advantages, returns = rollout.estimate(values, lam=options.gae)
    flat = (rollout.actions, rollout.log_probs, advantages, returns)
    return Decisions(join(seen), *(one.reshape(-1) for one in flat)), points


def find_loss(
    network: ScoringNetwork, made: Decisions, chosen: np.ndarray, options: Options, entropy: float
) -> torch.Tensor:
    """PPO's loss of a minibatch: clipped policy gain, squared error of the value, and entropy."""
    known, legal = made.seen.take(chosen)
    actions, before, advantages, returns = (torch.from_numpy(one[chosen]) for one in made[1:])
    scores, values = network(known, legal)
    log_probs = torch.log_softmax(scores, 1)
    places = legal.places[legal.actions == actions.index_select(0, legal.rows)]
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    ratio = (log_probs.gather(1, places[:, None])[:, 0] - before).exp()
    gain = torch.min(ratio * advantages, ratio.clamp(1 - options.clip, 1 + options.clip) * advantages)
    spread = -(log_probs.exp() * log_probs).sum(1)  # what is not legal has probability 0
    return -gain.mean() + 0.5 * nn.functional.mse_loss(values, returns) - entropy * spread.mean()


def learn(
    options: Options, process: int = 0, average: Callable[[list[torch.Tensor]], None] = lambda numbers: None
) -> ScoringNetwork:
    """Play and learn until the time is over. Of several processes, the first says how far it is.

    Each process plays games of its own; `average` puts the mean over all in place of each one's own numbers.
    """
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)  # all processes begin with the same weights
    # Only `full` sees games of other numbers of seats in another form.
    players = (options.players,) if options.observation == "full" else (2, 1)
    inputs = make_inputs((), options.observation, players)
    network = ScoringNetwork(inputs) if options.start is None else load_network(options.start)
    own_seed = options.seed + 1_000_000 * process  # of games and draws
    torch.manual_seed(own_seed)
    rng = np.random.default_rng(own_seed)
    batch = iaww_env.Batch(
        players=options.players, num_games=options.games, seed=own_seed, observation=network.inputs.profile,
        reward=options.reward, discards=options.discards,
    )  # fmt: skip
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate, eps=1e-5, fused=True)
    rollout = iaww_env.SelfPlayRollout(batch, options.steps, observed=False)
    points: list[int] = []
    begun, learnt, said, done = time.monotonic(), 0, 0.0, torch.zeros(1)
    try:
        while done < 1:  # how much of the run is over
            fall = 1 - 0.9 * float(done)
            optimizer.param_groups[0]["lr"] = options.learning_rate * fall
            made, ended = play(network, rollout, options)
            for _ in range(options.epochs):
                for chosen in cut(len(made.seen), options.minibatch, rng):
                    loss = find_loss(network, made, chosen, options, options.entropy * fall)
                    optimizer.zero_grad()
                    loss.backward()  # type: ignore[no-untyped-call]
                    average([one.grad for one in network.parameters() if one.grad is not None])
                    nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                    optimizer.step()
            learnt += len(made.seen)
            points = (points + ended)[-4000:]
            now = time.monotonic()
            if now - said > 10 and points and process == 0:
                rate, said = learnt / (now - begun), now
                print(
                    f"{learnt:11,} decisions, {rate:7,.0f} a second, {np.mean(points):5.1f} points",
                    flush=True,
                )
            by_time, by_count = (now - begun) / (60 * options.minutes), learnt / (options.decisions or 1)
            done[0] = by_time if options.decisions is None else by_count
            average([done])  # so that all processes end at once
    except KeyboardInterrupt:
        print("stopped: what was learnt until now is kept")
    return network


if __name__ == "__main__":
    chosen = tyro.cli(Options, description=__doc__)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    check_output(chosen.out)  # before anybody has waited
    save_network(learn(chosen), chosen.out)
    print(f"written: {chosen.out}\nto play it: iaww tournament greedy ppo:path={chosen.out}")
