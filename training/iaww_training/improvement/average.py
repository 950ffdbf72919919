"""The mean of the weights of networks: `python -m iaww_training.improvement.average NET NET --out mean.npz`.

Networks that learnt from the same one, each a little otherwise, have erred each in its own way: their mean is
often better than any of them. Networks that began apart have no mean that plays.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import tyro

from iaww_agents.networks.files import describe_inputs
from iaww_env.cli.running import run_command
from iaww_env.errors import ConfigError
from iaww_training.network import ScoringNetwork, load_network, save_network


@dataclass(frozen=True, kw_only=True)
class Options:
    """Of which networks."""

    networks: tyro.conf.Positional[tuple[Path, ...]]
    """Files of networks that come of the same one."""
    out: Path
    """Their mean."""


def average(options: Options) -> None:
    """Write the mean of some networks.

    Raises:
        ConfigError: They see different things or are not of one size.
    """
    if not options.networks:
        raise ConfigError("of which networks? Name one or more files")
    networks = [load_network(path) for path in options.networks]
    mean, parts = networks[0], [network.state_dict() for network in networks]
    for path, network in zip(options.networks, networks, strict=True):
        if describe(network) != describe(mean):
            raise ConfigError(f"{path} and {options.networks[0]} are networks of different kinds")
    mean.load_state_dict({name: torch.stack([part[name] for part in parts]).mean(0) for name in parts[0]})
    save_network(mean, options.out)


def describe(network: ScoringNetwork) -> tuple[dict[str, Any], dict[str, torch.Size]]:
    """What networks of one kind have in common: what they see, and the sizes of their layers."""
    sizes = {name: tensor.shape for name, tensor in network.state_dict().items()}
    return describe_inputs(network.inputs), sizes


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    name = "iaww_training.improvement.average"

    def run() -> int:
        options = tyro.cli(Options, args=args, prog=f"python -m {name}", description=__doc__)
        average(options)
        print(f"{options.out}: the mean of {len(options.networks)} networks")
        return 0

    return run_command(run, "average", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
