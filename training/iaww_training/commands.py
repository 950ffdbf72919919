"""What `iaww train` and `iaww imitate` do."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from iaww_agents.networks.inputs import POINT_WORTH, make_inputs
from iaww_env.cli.exit_codes import INTERRUPTED
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.outputs import check_output
from iaww_training.datasets import read_file
from iaww_training.imitation import Library, Pace, measure
from iaww_training.imitation import imitate as learn_by_imitation
from iaww_training.network import ScoringNetwork, load_network, save_network
from iaww_training.ppo.run import Run, open_run
from iaww_training.ppo.settings import ALL, Settings, check_folder, find_preset
from iaww_training.ppo.telling import EVERY, Teller


def train(
    preset: str,
    out: Path | None,
    resume: Path | None,
    modes: Sequence[str],
    games: int | None,
    said: dict[str, Any],
) -> int:
    """Train a network, or several one after the other."""
    if resume is not None:
        return follow(open_run(resume))
    folder = out or Path("runs") / preset
    if preset != "all":
        settings = choose_modes(find_preset(preset, **said), modes, games)
        check_folder(folder)
        return follow(Run(settings, folder))
    if modes or games is not None:
        raise ConfigError("the preset all says which games are played: leave modes and games out")
    for name in ALL:
        part = folder / name
        begun = (part / "settings.json").exists()
        code = follow(open_run(part) if begun else Run(find_preset(name, **said), part))
        if code:
            return code
    return 0


def choose_modes(settings: Settings, modes: Sequence[str], games: int | None) -> Settings:
    """Other kinds of games, or another number of them, than a preset says; one named twice counts twice."""
    chosen = dict(settings.modes)
    if modes:
        each = (games or 256) // len(modes)
        chosen = {mode: each * times for mode, times in Counter(modes).items()}
    elif games is not None:
        total = sum(chosen.values())
        chosen = {mode: max(1, games * count // total) for mode, count in chosen.items()}
    fitting = min(settings.minibatch, settings.steps * sum(chosen.values()) // 4)
    return dataclasses.replace(settings, modes=chosen, minibatch=max(1, fitting))


def follow(run: Run) -> int:
    """Learn to the end, and tell how it goes."""
    with Teller(run) as teller:
        run.learn(teller.tell)
    for line in run.say_what_was_written():
        print(line)
    return 0 if run.stopped is None else getattr(run.stopped, "code", INTERRUPTED)


def make_lines() -> Callable[[float, int, float, float], None]:
    """What tells of imitation on the error stream, a line every so many seconds."""
    told = time.monotonic()

    def tell(done: float, learnt: int, policy: float, value: float) -> None:
        nonlocal told
        if time.monotonic() - told > EVERY:
            told = time.monotonic()
            losses = f"losses {policy:.3f} (policy), {value:.3f} (value)"
            print(f"iaww: {done:4.0%} {learnt:11,} decisions, {losses}", file=sys.stderr, flush=True)

    return tell


def imitate(
    data: Sequence[Path],
    out: Path,
    *,
    start: Path | None,
    minutes: float,
    learning_rate: float,
    value_weight: float,
    width: int,
    plain: bool,
    seed: int,
) -> int:
    """Teach a network what the bots of recorded games played."""
    if minutes <= 0 or learning_rate <= 0:
        raise ConfigError("give minutes and a learning rate above 0")
    torch.set_num_threads(1)
    out.parent.mkdir(parents=True, exist_ok=True)
    check_output(out)
    first = Library(make_inputs(), data, POINT_WORTH).files[0]
    config = GameConfig.from_dict(read_file(first).about["config"])
    if start is None:
        torch.manual_seed(seed)
        network = ScoringNetwork(make_inputs(config.expansions, advised=not plain), width=width)
    else:
        network = load_network(start)
    library = Library(network.inputs, data, POINT_WORTH)
    pace = Pace(minutes, learning_rate=learning_rate, value_weight=value_weight, seed=seed)
    lessons = library.draw(np.random.default_rng(seed))
    learnt = learn_by_imitation(network, lessons, pace, make_lines())
    save_network(network, out)
    print(f"{learnt['decisions']:,} decisions learnt in {learnt['cpu_seconds'] / 60:.1f} CPU minutes")
    for name, lesson in library.test().items():
        found = measure(network, lesson)
        told = f"{found['accuracy']:.1%} told right, {found['explained']:.0%} of the outcome explained"
        print(f"{name}, games not learnt from: {told}")
    print(f"written: {out}\nto play it: iaww tournament greedy ppo:path={out}")
    return 0
