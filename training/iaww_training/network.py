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

import numpy as np
import torch
from torch import Tensor, nn

from iaww_agents.networks.advice import CHOSEN, GAIN, N_ADVICE, VALUE
from iaww_agents.networks.files import describe_inputs, read_weights, write_weights
from iaww_agents.networks.inputs import Inputs, Legal
from iaww_env.errors import ConfigError
from iaww_env.observation import card_features

TRUST = {CHOSEN: 4.0, GAIN: 0.5, VALUE: 0.5}  # of a fresh network that is advised: mostly it plays by that
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
        if self.inputs.advised:
            self.heed = nn.Parameter(torch.empty(N_ADVICE))
            self.trust(1.0)

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
        if self.inputs.advised:
            flat = flat + legal.features[:, -N_ADVICE:] @ self.heed
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

    @torch.no_grad()
    def sharpen(self, factor: float) -> None:
        """Multiply all scores: what is drawn from the policy comes closer to what it scores highest."""
        for layer in (self.query, self.bias):
            layer.weight.mul_(factor)
            layer.bias.mul_(factor)
        if self.inputs.advised:
            self.heed.mul_(factor)

    @torch.no_grad()
    def trust(self, share: float) -> None:
        """Go by advice so far: at 1 mostly the heuristic's choice is played, at 0 advice counts nothing."""
        self.heed.copy_(torch.tensor([share * TRUST.get(number, 0.0) for number in range(N_ADVICE)]))

    def load_weights(self, other: ScoringNetwork) -> None:
        """Take over what another network has learnt, of the same card pool or of a smaller one.

        One that is advised trusts the advice as a fresh one does, where the other was not advised.

        Raises:
            ConfigError: It is of another shape, sees other pieces or knows cards that this one does not.
        """
        if self.shape != other.shape:
            raise ConfigError(f"the network to begin with is of another shape: {other.shape}")
        if describe_inputs(self.inputs) == describe_inputs(other.inputs):
            self.load_state_dict(other.state_dict())
        else:
            self.load_state_dict(carry_over(other, self))


@torch.no_grad()
def carry_over(known: ScoringNetwork, into: ScoringNetwork) -> dict[str, Tensor]:
    """Weights for a network of a larger card pool from one of a smaller: cards and pieces keep theirs.

    A card that is new begins with the mean of those that are known; what its facts say is known already.
    Advice that is new counts as in a fresh network.

    Raises:
        ConfigError: The networks see other pieces, or the second one lacks cards of the first.
    """
    old, new = known.inputs, into.inputs
    kinds, more = len(old.facts) - 1, len(new.facts) - 1
    made_with = old.made_with | ({"advised": True} if new.advised else {})
    alike = (old.card_pieces, old.verbs) == (new.card_pieces, new.verbs)
    begins_alike = list(new.pieces)[: len(old.pieces)] == list(old.pieces)
    if not (alike and begins_alike) or made_with != new.made_with or more < kinds:
        raise ConfigError(
            f"a network of the card pool {list(old.expansions)} that sees {old.made_with} cannot begin as "
            f"one of {list(new.expansions)} that sees {new.made_with}"
        )
    weights = {name: tensor.clone() for name, tensor in known.state_dict().items()}
    trunk = torch.zeros_like(into.trunk_1.weight)
    at, to = 0, 0
    for name, size in old.pieces.items():  # in the order of the new ones: advice comes last
        trunk[:, to : to + size] = known.trunk_1.weight[:, at : at + size]
        at, to = at + size, to + new.pieces[name]
    weights["trunk_1.weight"] = trunk
    if new.advised and not old.advised:
        unheard = torch.zeros(into.depth, N_ADVICE)
        weights |= {"of_card.weight": torch.cat([known.of_card.weight, unheard], 1), "heed": into.heed}
    # Facts are shown in parts of the greatest of the card pool.
    shown = [card_features(inputs.expansions) for inputs in (old, new)]
    greatest, greater = (np.maximum(np.abs(features).max(0), 1) for features in shown)
    weights["of_facts.weight"] *= torch.from_numpy((greater / greatest).astype(np.float32))
    cards, nothing = known.of_kind[:kinds], known.of_kind[kinds:]
    weights["of_kind"] = torch.cat([cards, cards.mean(0, keepdim=True).expand(more - kinds, -1), nothing])
    return weights


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
