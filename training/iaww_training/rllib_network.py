"""The scoring network as a module of RLlib: what it learns is written and played as that of any trainer."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from iaww_agents.networks.inputs import gather_seen, make_inputs
from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_training.decisions import look
from iaww_training.network import NOWHERE, ScoringNetwork

OWN = "network."  # before the names of the network's weights


class ScoringModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]  # Ray is left out of the check
    """A policy over all actions that computes the legal ones alone, and a value.

    Its `model_config` holds `players`, `width` and `depth`. Observations are those of the profile `cards`.
    """

    network: ScoringNetwork

    def setup(self) -> None:
        """Make the network with fresh weights."""
        config = GameConfig(self.model_config["players"])
        self.network = make_network(self.model_config)
        self.sources = self.network.inputs.find(config)
        self.n_actions = len(action_table(config.expansions))
        self.action_dist_cls = TorchCategorical

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Tensor]:
        """What it would play; for the workers that play."""
        return {Columns.ACTION_DIST_INPUTS: self._ask(batch)[0]}

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Tensor]:
        """The same, and the values: RLlib hands what is called embeddings to `compute_values`."""
        logits, values = self._ask(batch)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """Values: (decisions,)."""
        if embeddings is not None:
            return embeddings
        observations = read_array(batch[Columns.OBS]["observations"], np.float32)
        known = gather_seen(self.network.inputs, self.sources, observations)
        return self.network.estimate(torch.from_numpy(known))

    def _ask(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor]:
        """Scores of all actions, NOWHERE where they are illegal, and values."""
        shown = batch[Columns.OBS]
        observations = read_array(shown["observations"], np.float32)
        masks = read_array(shown["action_mask"], np.int8)
        known, legal = look(self.network.inputs, self.sources, observations, masks).tensors()
        scores, values = self.network(known, legal)
        logits = scores.new_full((len(known), self.n_actions), NOWHERE)
        places = (legal.rows, legal.actions.long())
        return logits.index_put(places, scores[legal.rows, legal.places]), values


def read_array(tensor: Tensor, kind: type[Any]) -> npt.NDArray[Any]:
    """A tensor as the kernels take it."""
    return np.ascontiguousarray(tensor.numpy(), kind)


def make_network(model_config: dict[str, Any]) -> ScoringNetwork:
    """A network with fresh weights."""
    return ScoringNetwork(make_inputs(), width=model_config["width"], depth=model_config["depth"])


def take_weights(model_config: dict[str, Any], weights: dict[str, Any]) -> ScoringNetwork:
    """The network of a module's weights."""
    network = make_network(model_config)
    own = {name.removeprefix(OWN): value for name, value in weights.items() if name.startswith(OWN)}
    network.load_state_dict({name: torch.as_tensor(value) for name, value in own.items()})
    return network
