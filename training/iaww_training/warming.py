"""What `iaww warmup` does for training: the kernels of bots and networks in batches are called once."""

from __future__ import annotations

import numpy as np

from iaww_agents.networks.inputs import PROFILE, make_inputs
from iaww_env.batch import Batch
from iaww_env.config import GameConfig
from iaww_training.decisions import look_at_games
from iaww_training.matches import choose_greedy, choose_heuristic, make_chooser
from iaww_training.network import ScoringNetwork

SEED = 0
SMALL = 8  # numbers of a layer: the network only stands there to be asked


def use_kernels() -> None:
    """Look at two decisions as a network does, and have each sort of player choose."""
    batch, asked = Batch(GameConfig(players=2), 2, SEED, observation=PROFILE), np.ones(2, np.bool_)
    network = ScoringNetwork(make_inputs(advised=True), width=SMALL, depth=SMALL)
    for choose in (choose_greedy, choose_heuristic, make_chooser(network)):
        choose(batch, asked)
    sources = network.inputs.find(batch.config)
    look_at_games(network.inputs, sources, batch, asked).take(np.arange(2))
