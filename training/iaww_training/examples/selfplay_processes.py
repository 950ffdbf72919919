"""PPO by self-play in several processes: the trainer on a page, with gradients that are averaged.

    python -m iaww_training.examples.selfplay_processes --processes 2 --minutes 5

Each process plays games of its own and learns from them; in each step of learning all take the mean of their
gradients (torch.distributed, gloo), so their networks stay the same. What is said and counted is what the
first one does. The same seed and number of processes give the same run where `--decisions` are given.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import tyro
from torch import distributed

from iaww_env.outputs import check_output
from iaww_training.examples import selfplay_ppo
from iaww_training.network import ScoringNetwork, save_network


@dataclass(frozen=True)
class Options(selfplay_ppo.Options):
    """What is learnt, and how; games, steps, minibatch and decisions are those of each process."""

    processes: int = 2  # one for each core that is idle


def average(numbers: list[torch.Tensor]) -> None:
    """Put the mean over all processes in place of each one's own numbers."""
    flat = torch.cat([one.flatten() for one in numbers])
    distributed.all_reduce(flat)
    flat /= distributed.get_world_size()
    for one, mean in zip(numbers, torch.split(flat, [one.numel() for one in numbers]), strict=True):
        one.copy_(mean.view_as(one))


@contextmanager
def meet(options: Options, process: int, meeting: str) -> Iterator[None]:
    """Meet the other processes at a file, and part from them at the end."""
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")  # all are on this machine
    size = options.processes
    distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=process, world_size=size)
    try:
        yield
    finally:
        distributed.destroy_process_group()  # a process that ends with its threads alive is aborted


def learn_beside(options: Options, process: int, meeting: str) -> None:
    """What each process but the first one does; that one hears Ctrl-C, and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with meet(options, process, meeting):
        selfplay_ppo.learn(options, process, average)


def learn(options: Options) -> ScoringNetwork:
    """Learn in several processes, of which this is the first; all have the same network at the end."""
    others = []
    with tempfile.TemporaryDirectory() as folder:
        for process in range(1, options.processes):
            arguments = (options, process, f"{folder}/meeting")
            others.append(multiprocessing.get_context("spawn").Process(target=learn_beside, args=arguments))
            others[-1].start()
        try:
            with meet(options, 0, f"{folder}/meeting"):
                return selfplay_ppo.learn(options, 0, average)
        finally:
            for other in others:
                other.terminate()
                other.join()


def main(args: Sequence[str] | None = None) -> None:
    """Run the script."""
    options = tyro.cli(Options, args=args, description=__doc__)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    check_output(options.out)  # before anybody has waited
    save_network(learn(options), options.out)
    print(f"written: {options.out}\nto play it: iaww tournament greedy ppo:path={options.out}")


if __name__ == "__main__":
    main(sys.argv[1:])
