"""A policy that scores the legal actions, and a value: the network of all trainers here.

An action is a verb and, mostly, a kind of card. Its score is the product of two vectors: what the seat looks
for with this verb (from all it sees), and what this action is (facts of the kind, what the observation says
of that kind, the verb). So what is learnt of one card serves all others, and only legal actions are scored.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from iaww_env.actions import ActionTable, action_table
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.observation import ObservationTable, card_features, observation_table
from iaww_env.outputs import write_whole

NOWHERE = -1e9  # the score of a place in the list that holds no action


class Legal(NamedTuple):
    """The legal actions of so many decisions, each list filled up to the longest."""

    actions: Tensor  # (decisions, most) int64
    is_action: Tensor  # (decisions, most) bool


def list_legal(masks: Tensor) -> Legal:
    """The legal actions of (decisions, actions) masks as lists."""
    rows, actions = masks.nonzero(as_tuple=True)
    counts = torch.bincount(rows, minlength=len(masks))
    first = torch.cumsum(counts, 0) - counts
    place = torch.arange(len(rows), device=masks.device) - first[rows]
    listed = torch.zeros((len(masks), int(counts.max())), dtype=torch.int64, device=masks.device)
    listed[rows, place] = actions
    is_action = torch.arange(listed.shape[1], device=masks.device) < counts[:, None]
    return Legal(listed, is_action)


class ScoringNetwork(nn.Module):
    """Scores of legal actions and a value, for one card pool and profile, whatever the number of players."""

    seen: Tensor
    verb_of: Tensor
    kind_of: Tensor
    facts: Tensor
    places: Tensor

    def __init__(
        self, table: ObservationTable, *, width: int = 256, depth: int = 64, without: Sequence[str] = ()
    ) -> None:
        """Make a network with fresh weights.

        Args:
            table: What it sees.
            width: Numbers of each hidden layer of the trunk.
            depth: Numbers that stand for an action.
            without: Pieces that it shall not see.
        """
        super().__init__()
        self.shape = {"width": width, "depth": depth, "without": tuple(without)}
        self.table = table
        unseen = sorted(set(without) - {piece.name for piece in table.pieces})
        if unseen:
            raise ValueError(f"{', '.join(unseen)}: no pieces of {table.profile}")
        pieces = [piece for piece in table.pieces if piece.name not in without]
        seen = np.concatenate([np.arange(piece.start, piece.end) for piece in pieces])
        self._sees_all = len(seen) == table.size
        self.register_buffer("seen", torch.from_numpy(seen), persistent=False)
        verbs, kinds, n_asking = number_actions(table)
        self.register_buffer("verb_of", torch.from_numpy(verbs), persistent=False)
        self.register_buffer("kind_of", torch.from_numpy(kinds), persistent=False)
        features = card_features(table.config.expansions)
        facts = np.pad(features / np.maximum(np.abs(features).max(0), 1), ((0, 1), (0, 0)))
        self.register_buffer("facts", torch.from_numpy(facts.astype(np.float32)), persistent=False)
        places = find_card_places(table, [piece.name for piece in pieces])
        self.register_buffer("places", torch.from_numpy(places), persistent=False)
        n_verbs, n_kinds = int(verbs.max()) + 1, len(features)
        self.trunk = nn.Sequential(nn.Linear(len(seen), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.query = nn.Linear(width, n_asking * depth)
        self.bias = nn.Linear(width, n_verbs)
        self.of_facts = nn.Linear(facts.shape[1], depth)
        self.of_kind = nn.Embedding(n_kinds + 1, depth)
        self.of_verb = nn.Embedding(n_verbs, depth)
        self.of_card = nn.Linear(places.shape[1], depth, bias=False)
        self.value = nn.Linear(width, 1)
        self.depth, self.n_asking = depth, n_asking

    def forward(self, observations: Tensor, legal: Legal) -> tuple[Tensor, Tensor]:
        """Scores of the legal actions, NOWHERE behind the end of a list, and values: (n, most), (n,)."""
        state = self._look(observations)
        verbs, kinds = self.verb_of[legal.actions], self.kind_of[legal.actions]
        n, most = kinds.shape
        # A column of zeros behind the observation stands for what is no card.
        padded = nn.functional.pad(observations, (0, 1))
        of_card = padded.gather(1, self.places[kinds].reshape(n, -1)).reshape(n, most, -1)
        fixed = self.of_facts(self.facts) + self.of_kind.weight
        actions = torch.relu(fixed[kinds] + self.of_verb(verbs) + self.of_card(of_card))
        queries = self.query(state).reshape(n, self.n_asking, self.depth)
        asking = verbs.clamp(max=self.n_asking - 1)[:, :, None].expand(-1, -1, self.depth)
        fits = (queries.gather(1, asking) * actions).sum(-1) * self.depth**-0.5
        scores = fits * (verbs < self.n_asking) + self.bias(state).gather(1, verbs)
        return scores.masked_fill(~legal.is_action, NOWHERE), self.value(state)[:, 0]

    def estimate(self, observations: Tensor) -> Tensor:
        """Values alone: (n,)."""
        value: Tensor = self.value(self._look(observations))[:, 0]
        return value

    def _look(self, observations: Tensor) -> Tensor:
        state: Tensor = self.trunk(observations if self._sees_all else observations[:, self.seen])
        return state


def number_actions(table: ObservationTable) -> tuple[np.ndarray, np.ndarray, int]:
    """Verb and kind of each action, and how many verbs name kinds: they come first.

    An action that names no kind is a verb of its own, and its kind is the number behind the last one.
    """
    actions = action_table(table.config.expansions)
    named: dict[str, int] = {}
    kinds = []
    for number in range(len(actions)):
        kind = actions.kind(number)
        kinds.append(actions.kinds if kind is None else kind.index)
        if kind is not None:
            named.setdefault(name_verb(actions, number), len(named))
    n_asking = len(named)
    verbs = [named.setdefault(name_verb(actions, number), len(named)) for number in range(len(actions))]
    return np.array(verbs), np.array(kinds), n_asking


def name_verb(actions: ActionTable, number: int) -> str:
    """The verb of an action; a younger copy has its own, for it lacks other spaces than are shown by kind."""
    if actions.kind(number) is None:
        return actions.to_text(number)
    return f"{actions.verb(number)}{' younger' if (actions.copy(number) or 1) > 1 else ''}"


def find_card_places(table: ObservationTable, names: Sequence[str]) -> np.ndarray:
    """Where an observation says something of each kind: (kinds + 1, numbers); behind its end for no kind."""
    kinds = table.config.kinds
    columns = []
    for piece in table.pieces:
        if piece.name in names and piece.shape[:1] == (kinds,):
            columns.append(np.arange(piece.start, piece.end).reshape(kinds, -1))
    places = np.concatenate(columns, axis=1)
    return np.concatenate([places, np.full((1, places.shape[1]), table.size)])


# --- Files -----------------------------------------------------------------------------------------


def save_network(network: ScoringNetwork, path: Path) -> None:
    """Write a network with what is needed to make it again."""
    config = network.table.config
    held = {"config": config.to_dict(), "profile": network.table.profile, "shape": network.shape}
    buffer = io.BytesIO()
    torch.save(held | {"weights": network.state_dict()}, buffer)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, buffer.getvalue())


def load_network(path: Path, table: ObservationTable | None = None) -> ScoringNetwork:
    """A network from its file. Nothing in the file is run.

    Args:
        path: The file.
        table: What the network shall see; by default what it has learnt with.

    Raises:
        ConfigError: The file holds no network of ours, or one for other observations.
        OSError: It cannot be read.
    """
    content = io.BytesIO(path.read_bytes())
    try:
        held = torch.load(content, map_location="cpu", weights_only=True)
        known = observation_table(GameConfig.from_dict(held["config"]), held["profile"])
        if table is not None and (known.config.kinds, known.pieces) != (table.config.kinds, table.pieces):
            raise ValueError(f"it has learnt {known.config} in the profile {known.profile}")
        table = table or known
        network = ScoringNetwork(table, **held["shape"])
        network.load_state_dict(held["weights"])
    except Exception as error:  # whatever else a file can hold
        raise ConfigError(f"{path} holds no network that can be used here: {error}") from error
    return network
