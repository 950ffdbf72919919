"""The scripts that are meant to be copied run as they stand."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import torch

from iaww_training.examples import selfplay_ppo, selfplay_processes
from iaww_training.network import ScoringNetwork, load_network, save_network
from tests.processes import run_python

FOLDER = Path(importlib.util.find_spec("iaww_training.examples").submodule_search_locations[0])  # type: ignore[union-attr, index]
SIZES = {"players": 2, "decisions": 1200, "games": 16, "steps": 24, "minibatch": 128}
SMALL = selfplay_ppo.Options(**SIZES)  # type: ignore[arg-type]
SEVERAL = selfplay_processes.Options(**SIZES)  # type: ignore[arg-type]


def flatten(network: ScoringNetwork) -> torch.Tensor:
    """The weights of a network, all in one row."""
    return torch.cat([one.detach().flatten() for one in network.parameters()])


def learn_and_save(process: int, folder: Path) -> None:
    """One of two processes that learn beside each other; at the end it looks at what `average` makes."""
    own = [torch.full((2, 3), float(process)), torch.tensor([4.0 * process])]
    with selfplay_processes.meet(SEVERAL, process, str(folder / "meeting")):
        network = selfplay_ppo.learn(SEVERAL, process, selfplay_processes.average)
        selfplay_processes.average(own)
    save_network(network, folder / f"{process}.npz")
    assert [one.tolist() for one in own] == [[[0.5] * 3] * 2, [2.0]]


def test_the_trainer_on_a_page_is_one() -> None:
    assert len((FOLDER / "selfplay_ppo.py").read_text(encoding="utf-8").splitlines()) <= 170


def test_self_play_learns_the_same_from_the_same_seed() -> None:
    one, again, other = (flatten(selfplay_ppo.learn(replace(SMALL, seed=seed))) for seed in (4, 4, 5))
    assert torch.equal(one, again)
    assert not torch.equal(one, other)


def test_self_play_goes_on_from_a_network(tmp_path: Path) -> None:
    """A small step of learning away from what it began with, and not from fresh weights."""
    begun = selfplay_ppo.learn(replace(SMALL, seed=4))
    save_network(begun, tmp_path / "a.npz")
    gone_on = selfplay_ppo.learn(replace(SMALL, seed=5, start=tmp_path / "a.npz", learning_rate=1e-9))
    assert 0 < (flatten(begun) - flatten(gone_on)).abs().max() < 1e-6


def test_the_script_writes_what_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    options = [f"--{name}={value}" for name, value in SIZES.items()]
    printed = run_python("-m", "iaww_training.examples.selfplay_ppo", *options, "--out", str(path))
    assert f"ppo:path={path}" in printed
    assert torch.equal(flatten(load_network(path)), flatten(selfplay_ppo.learn(SMALL)))
    bot = f"iaww_agents.ppo.bot:PpoAgent:path={path}"
    options = ["--players", "2", "--games", "4", "--workers", "1"]
    report = run_python("-m", "iaww_env.cli", "tournament", "greedy", bot, *options)
    assert "PpoAgent" in report
    assert "crash" not in report


def test_processes_learn_one_network_from_games_of_their_own(tmp_path: Path) -> None:
    """All hold the same at the end, another run gives it again, and it is not what one alone learns."""
    processes = [get_context("spawn").Process(target=learn_and_save, args=(n, tmp_path)) for n in (0, 1)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    one, other = (flatten(load_network(tmp_path / f"{n}.npz")) for n in (0, 1))
    assert torch.equal(one, other)
    assert torch.equal(one, flatten(selfplay_processes.learn(SEVERAL)))
    assert not torch.equal(one, flatten(selfplay_ppo.learn(SMALL)))


def test_stable_baselines_learns(tmp_path: Path) -> None:
    small = ("--decisions", "2000", "--games", "16", "--steps", "64")
    path = tmp_path / "model.zip"
    printed = run_python("-m", "iaww_training.examples.sb3_maskable_ppo", *small, "--out", str(path))
    assert "total_timesteps" in printed
    assert path.stat().st_size > 100_000
