"""Stable-Baselines3: MaskablePPO for one seat against bots, on many games at once.

    python -m iaww_training.examples.sb3_maskable_ppo --decisions 200000

The other seats belong to the environment, so all is as in any single-agent task. Self-play learns more from
the same games: see `selfplay_ppo.py` beside this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
import tyro
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecMonitor

from iaww_env.envs.adapters.sb3 import SB3VecEnv
from iaww_env.outputs import check_output


@dataclass(frozen=True)
class Options:
    """What is learnt, and how."""

    decisions: int = 200_000
    players: int = 2
    opponents: tuple[str, ...] = ("greedy",)
    discards: bool = False  # giving up constructions is left out: see training/README.md
    games: int = 64
    steps: int = 128
    learning_rate: float = 5e-4
    seed: int = 1
    threads: int = 1  # of torch: more only where cores are idle
    out: Path = Path("runs/sb3_versus.zip")


class ObservationAlone(BaseFeaturesExtractor):  # type: ignore[misc]  # SB3 is left out of the check
    """What the network sees: the observation, without the mask that stands beside it."""

    def __init__(self, space: spaces.Dict) -> None:
        """Pass the vector on as it is."""
        super().__init__(space, spaces.flatdim(space["observation"]))

    def forward(self, observations: dict[str, torch.Tensor]) -> torch.Tensor:
        """The vector."""
        return observations["observation"]


def learn(options: Options) -> MaskablePPO:
    """Train, with SB3's own log of rewards and speed."""
    torch.set_num_threads(options.threads)
    venv = SB3VecEnv(
        "iaww/Versus-v0", options.games, players=options.players, opponents=options.opponents,
        observation="compact", reward="points_gain", discards=options.discards, seat="rotate",
    )  # fmt: skip
    model = MaskablePPO(
        "MultiInputPolicy", VecMonitor(venv), seed=options.seed, verbose=1, gamma=1.0,
        n_steps=options.steps, batch_size=1024, n_epochs=3, learning_rate=options.learning_rate,
        ent_coef=0.01, policy_kwargs={"features_extractor_class": ObservationAlone, "net_arch": [256, 256]},
    )  # fmt: skip
    return model.learn(options.decisions)


if __name__ == "__main__":
    chosen = tyro.cli(Options, description=__doc__)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    check_output(chosen.out)  # before anybody has waited
    learn(chosen).save(chosen.out)
    print(f"{chosen.out}: written; MaskablePPO.load(...).predict(observation, action_masks=mask)")
