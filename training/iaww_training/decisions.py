"""Decisions to learn from, as networks see them, and parts of them as tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from iaww_agents.jit import compile_apart
from iaww_agents.networks.inputs import Inputs, Legal, Rows, Sources, gather
from iaww_env.batch import Batch, lend_states
from iaww_training.network import LegalTensors, to_tensors

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int32]

kernel = compile_apart(__file__)


class Seen:
    """What was seen in so many decisions: what the seats knew, and the legal actions one after the other.

    Attributes:
        known: (decisions, size) what the seat knew.
        legal: The legal actions of all.
        offsets: (decisions + 1,) where those of each decision begin.
    """

    def __init__(self, known: Floats, legal: Legal) -> None:
        """Find where the legal actions of each decision begin."""
        self.known, self.legal = known, legal
        self.offsets = np.zeros(len(known) + 1, np.int64)
        np.cumsum(np.bincount(legal.rows, minlength=len(known)), out=self.offsets[1:])

    def __len__(self) -> int:
        """Decisions."""
        return len(self.known)

    def take(self, chosen: npt.NDArray[np.int64]) -> tuple[Tensor, LegalTensors]:
        """Some of the decisions, in the order in which they are named, for a network."""
        counts = self.offsets[chosen + 1] - self.offsets[chosen]
        total = int(counts.sum())
        listed = np.empty((5, total), np.int32)
        features = np.empty((total, self.legal.features.shape[1]), np.float32)
        own = self.legal
        take_legal(chosen, self.offsets, *own[1:], listed, features)
        rows, places, actions, verbs, kinds = listed
        taken = Legal(rows, places, actions, verbs, kinds, features)
        return torch.from_numpy(self.known[chosen]), to_tensors(taken)

    def tensors(self) -> tuple[Tensor, LegalTensors]:
        """All of them, for a network."""
        return torch.from_numpy(self.known), to_tensors(self.legal)


@kernel
def take_legal(
    chosen: npt.NDArray[np.int64],
    offsets: npt.NDArray[np.int64],
    places: Numbers,
    actions: Numbers,
    verbs: Numbers,
    kinds: Numbers,
    features: Floats,
    listed: npt.NDArray[np.int32],
    taken: Floats,
) -> None:
    """Copy the legal actions of the chosen decisions behind each other."""
    at = 0
    for row in range(chosen.shape[0]):
        for n in range(offsets[chosen[row]], offsets[chosen[row] + 1]):
            listed[0, at], listed[1, at], listed[2, at] = row, places[n], actions[n]
            listed[3, at], listed[4, at] = verbs[n], kinds[n]
            for number in range(features.shape[1]):
                taken[at, number] = features[n, number]
            at += 1


def look(
    inputs: Inputs,
    sources: Sources,
    observations: Floats,
    masks: npt.NDArray[np.int8],
    rows: Rows | None = None,
) -> Seen:
    """What networks see of so many observations and masks; where they are advised, of their games too."""
    return Seen(*gather(inputs, sources, observations, masks, rows))


def look_at_games(
    inputs: Inputs,
    sources: Sources,
    batch: Batch,
    asked: npt.NDArray[np.bool_],
    masks: npt.NDArray[np.int8] | None = None,
) -> Seen:
    """What networks see of the games of a batch that ask; `masks` in place of its own."""
    shown = (batch.masks if masks is None else masks)[asked]
    rows = None if sources.adviser is None else Rows(lend_states(batch)[asked], batch.seats[asked])
    return look(inputs, sources, batch.observations[asked], shown, rows)


def join(parts: Sequence[Seen]) -> Seen:
    """Decisions of several kinds of games behind each other."""
    if len(parts) == 1:
        return parts[0]
    first = np.cumsum([0, *(len(part) for part in parts[:-1])], dtype=np.int32)
    rows = [part.legal.rows + start for part, start in zip(parts, first, strict=True)]
    flat = [np.concatenate([part.legal[n] for part in parts]) for n in range(1, len(Legal._fields))]
    return Seen(np.concatenate([part.known for part in parts]), Legal(np.concatenate(rows), *flat))


def cut(count: int, size: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.int64]]:
    """Numbers of decisions in random order, so many at a time; what is left over is dropped.

    A last part that is shorter would weigh its decisions more; one of a single decision has no spread.
    """
    order = rng.permutation(count)
    for start in range(0, count - size + 1, size):
        yield order[start : start + size]
