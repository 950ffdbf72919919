"""The scripts that are meant to be copied run as they stand."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import torch

from iaww_training.network import load_network
from tests.processes import run_python

FOLDER = Path(importlib.util.find_spec("iaww_training.examples").submodule_search_locations[0])  # type: ignore[union-attr, index]
SELF_PLAY = ("-m", "iaww_training.examples.selfplay_ppo", "--players", "2", "--decisions", "1200")
SMALL = ("--games", "16", "--steps", "24", "--minibatch", "128")


def test_the_trainer_on_a_page_is_one() -> None:
    assert len((FOLDER / "selfplay_ppo.py").read_text(encoding="utf-8").splitlines()) < 150


def test_self_play_learns_the_same_from_the_same_seed_and_can_be_played(tmp_path: Path) -> None:
    networks = []
    for name, seed in (("a.pt", "4"), ("b.pt", "4"), ("c.pt", "5")):
        printed = run_python(*SELF_PLAY, *SMALL, "--seed", seed, "--out", str(tmp_path / name))
        networks.append(torch.cat([one.flatten() for one in load_network(tmp_path / name).parameters()]))
    assert torch.equal(networks[0], networks[1])
    assert not torch.equal(networks[0], networks[2])
    command = printed.splitlines()[-1].removeprefix("to play it: iaww ").split()
    options = ("--players", "2", "--games", "4", "--workers", "1")
    report = run_python("-m", "iaww_env.cli", *command, *options)
    assert "NetworkAgent" in report
    assert "crash" not in report


def test_stable_baselines_learns(tmp_path: Path) -> None:
    small = ("--decisions", "2000", "--games", "16", "--steps", "64")
    path = tmp_path / "model.zip"
    printed = run_python("-m", "iaww_training.examples.sb3_maskable_ppo", *small, "--out", str(path))
    assert "total_timesteps" in printed
    assert path.stat().st_size > 100_000
