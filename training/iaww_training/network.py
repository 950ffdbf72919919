"""A policy that scores the legal actions, and a value: the network of all trainers here.

An action is a verb and, mostly, a kind of card. Its score is the product of two vectors: what the seat looks
for with this verb (from all it knows), and what this action is (facts of the kind, what the observation says
of that kind, the verb). So what is learnt of one card serves all others, and only legal actions are scored.
One network plays a card pool with any number of players. What it sees is made by `iaww_agents.networks`,
which plays the same weights without PyTorch.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn

from iaww_agents.networks.files import describe_inputs, read_weights, write_weights
from iaww_agents.networks.inputs import Inputs, Legal
from iaww_env.errors import ConfigError

NOWHERE = -1e9  # the score of a place in the list that holds no action


class LegalTensors(NamedTuple):
    """What `Legal` holds, as tensors, and the most legal actions of a decision."""

    rows: Tensor
    places: Tensor
    actions: Tensor
    verbs: Tensor
    kinds: Tensor
    features: Tensor
    most: int


def to_tensors(legal: Legal) -> LegalTensors:
    """Legal actions as tensors over the same memory."""
    rows, places, actions, verbs, kinds, features = (torch.from_numpy(array) for array in legal)
    return LegalTensors(rows.long(), places.long(), actions, verbs, kinds, features, legal.most)


class ScoringNetwork(nn.Module):
    """Scores of legal actions and a value, for one card pool."""

    facts: Tensor

    def __init__(self, inputs: Inputs, *, width: int = 256, depth: int = 64) -> None:
        """Make a network with fresh weights.

        Args:
            inputs: What it sees.
            width: Numbers of each hidden layer of the trunk.
            depth: Numbers that stand for an action.
        """
        super().__init__()
        self.inputs = inputs
        self.shape = {"width": width, "depth": depth}
        n_verbs, n_kinds = len(self.inputs.verbs), len(self.inputs.facts)
        self.depth, self.asking, self.n_kinds = depth, self.inputs.asking, n_kinds
        self.register_buffer("facts", torch.from_numpy(self.inputs.facts), persistent=False)
        self.trunk_1 = nn.Linear(self.inputs.size, width)
        self.trunk_2 = nn.Linear(width, width)
        self.query = nn.Linear(width, self.asking * depth)
        self.bias = nn.Linear(width, n_verbs)
        self.value = nn.Linear(width, 1)
        self.of_facts = nn.Linear(self.facts.shape[1], depth)
        self.of_kind = nn.Parameter(torch.randn(n_kinds, depth))
        self.of_verb = nn.Parameter(torch.randn(n_verbs, depth))
        self.of_card = nn.Linear(self.inputs.n_features, depth, bias=False)

    def forward(self, seen: Tensor, legal: LegalTensors) -> tuple[Tensor, Tensor]:
        """Scores of the legal actions, NOWHERE behind the end of a list, and values: (n, most), (n,)."""
        state = self.look(seen)
        # What an action is, but for what the observation says of its kind: a row to each verb and kind.
        fixed = (self.of_facts(self.facts) + self.of_kind)[None] + self.of_verb[:, None]
        chosen = legal.verbs * self.n_kinds + legal.kinds
        actions = torch.relu(fixed.flatten(0, 1).index_select(0, chosen) + self.of_card(legal.features))
        asked = legal.rows * self.asking + legal.verbs.clamp(max=self.asking - 1)
        queries = self.query(state).view(-1, self.depth).index_select(0, asked)
        fits = (queries * actions).sum(-1) * self.depth**-0.5
        bias = self.bias(state).view(-1).index_select(0, legal.rows * len(self.of_verb) + legal.verbs)
        flat = fits * (legal.verbs < self.asking) + bias
        scores = flat.new_full((len(seen), legal.most), NOWHERE)
        scores = scores.index_put((legal.rows, legal.places), flat)
        return scores, self.value(state)[:, 0]

    def look(self, seen: Tensor) -> Tensor:
        """The trunk: what is made of what a seat knows."""
        return torch.relu(self.trunk_2(torch.relu(self.trunk_1(seen))))

    def estimate(self, seen: Tensor) -> Tensor:
        """Values alone: (n,)."""
        value: Tensor = self.value(self.look(seen))[:, 0]
        return value

    def load_weights(self, other: ScoringNetwork) -> None:
        """Take over the weights of a network of the same shape.

        Raises:
            ConfigError: It has another.
        """
        if self.shape != other.shape or describe_inputs(self.inputs) != describe_inputs(other.inputs):
            about = {**other.shape, "expansions": other.inputs.expansions, **other.inputs.made_with}
            raise ConfigError(
                f"the network to begin with is of another shape, or sees something else: {about}"
            )
        self.load_state_dict(other.state_dict())


# --- Files -----------------------------------------------------------------------------------------


def save_network(network: ScoringNetwork, path: Path) -> None:
    """Write a network for the bot `ppo`, and to go on with."""
    write_weights(path, network.inputs, {name: t.numpy() for name, t in network.state_dict().items()})


def load_network(path: Path) -> ScoringNetwork:
    """A network from its file. Nothing in the file is run.

    Raises:
        ConfigError: The file cannot be read, or holds no network of this version.
    """
    weights, inputs = read_weights(path)
    width, depth = len(weights["trunk_2.bias"]), weights["of_kind"].shape[1]
    network = ScoringNetwork(inputs, width=width, depth=depth)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
    return network
