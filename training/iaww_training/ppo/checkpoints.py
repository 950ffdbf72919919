"""Where a run stands, so that it goes on as if it had never stopped: weights, optimizer, games and draws."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from iaww_env.errors import ConfigError
from iaww_env.outputs import write_whole
from iaww_training.network import ScoringNetwork
from iaww_training.ppo.algorithm import SelfPlayPPO

POWER = 8  # the weight of an update in the mean grows with this power of its number
GAMES = ("_states", "_turns", "masks", "observations", "rewards")  # of a batch: all that moves
VERSION = 2
Weights = dict[str, torch.Tensor]


def write_checkpoint(
    path: Path, model: SelfPlayPPO, mean: Weights, snapshots: list[Weights], notes: object
) -> None:
    """Write where a run stands; a file that cannot be written leaves the last one as it was."""
    tables = model.tables
    assert tables is not None
    held = {
        "version": VERSION,
        "decisions": model.num_timesteps,
        "updates": model._n_updates,
        "network": model.policy.network.state_dict(),
        "mean": mean,
        "optimizer": model.policy.optimizer.state_dict(),
        "snapshots": snapshots,
        "rng": json.dumps(tables.rng.bit_generator.state),
        "games": [
            {name: torch.from_numpy(np.array(getattr(table.batch, name))) for name in GAMES}
            | {"seated": torch.from_numpy(table.seated.copy())}
            for table in tables.tables
        ],
        "notes": json.dumps(notes),
    }
    buffer = io.BytesIO()
    torch.save(held, buffer)
    write_whole(path, buffer.getvalue())


def read_checkpoint(path: Path, model: SelfPlayPPO) -> tuple[Weights, list[Weights], Any]:
    """Go on from where a run stood; gives its mean, snapshots and notes. Nothing in the file is run.

    Raises:
        ConfigError: The file holds no such thing, or one of another run.
    """
    tables = model.tables
    assert tables is not None
    try:
        held = torch.load(io.BytesIO(path.read_bytes()), weights_only=True)
        if held["version"] != VERSION:
            raise ValueError("it was written by another version")
        model.policy.network.load_state_dict(held["network"])
        model.policy.optimizer.load_state_dict(held["optimizer"])
        model.num_timesteps, model._n_updates = held["decisions"], held["updates"]
        tables.rng.bit_generator.state = json.loads(held["rng"])
        for table, games in zip(tables.tables, held["games"], strict=True):
            state = table.batch.__getstate__()
            for name in GAMES:
                found = games[name].numpy()
                if found.shape != state[name].shape or found.dtype != state[name].dtype:
                    raise ValueError("its games are others")
                state[name] = np.ascontiguousarray(found)
            table.batch.__setstate__(state)
            table.seated[:] = games["seated"].numpy()
        return dict(held["mean"]), list(held["snapshots"]), json.loads(held["notes"])
    except OSError:
        raise
    except Exception as error:  # whatever else a file can hold
        raise ConfigError(f"{path} holds no run that can be gone on with: {error}") from error


def copy_weights(network: ScoringNetwork) -> Weights:
    """The weights as they are now."""
    return {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}


def add_to_mean(mean: Weights, network: ScoringNetwork, number: int) -> None:
    """Add the weights behind an update, counted from 0, to the mean, in which later ones weigh more.

    Most of it are those of the last tenth of the updates so far. A single update is a step in a direction
    that is mostly noise; in the mean of many it cancels out.
    """
    share = (POWER + 1) / (number + POWER + 1)
    for name, tensor in network.state_dict().items():
        mean[name].lerp_(tensor, share)
