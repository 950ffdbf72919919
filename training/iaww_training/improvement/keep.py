"""What a network is to stay as: positions of its own games, with how it scores and values them.

What is learnt of some decisions changes what a network does in all others, for it has one trunk. Where
nothing new is known it is drawn back to how it was.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from iaww_agents.networks.inputs import Legal
from iaww_env import rulebook
from iaww_env.batch import Batch, lend_states
from iaww_env.engine import fields
from iaww_training.decisions import Seen, join, look_at_games
from iaww_training.experts import HeuristicExpert, seat_network
from iaww_training.network import NOWHERE, ScoringNetwork
from iaww_training.ppo.settings import find_mode

AT_ONCE = 256
SHARE = 0.25  # of the decisions of a game are kept
TEMPERATURE = 0.5  # of the policy's draws
FIRST_SEED, MOST_GAMES = 60_000_000, 1_000_000  # where those of a seed begin, and how many there are at most


class Kept(NamedTuple):
    """Positions, and what a network makes of them; (positions, ...) each.

    Attributes:
        seen: What is seen.
        scores: (positions, most legal) its scores of the legal actions; NOWHERE behind the last.
        values: Its values.
        holds: Whether its scores are to stay, or its value alone.
    """

    seen: Seen
    scores: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    holds: npt.NDArray[np.bool_]


def keep_positions(
    network: ScoringNetwork, modes: Sequence[str], free: Collection[str], count: int, seed: int = 1
) -> Kept | None:
    """So many positions of games of these modes; None where there are to be none.

    Args:
        network: Who plays, and is kept.
        modes: Kinds of games, as `iaww train` names them; as many positions of each.
        free: Phases in which scores need not stay as they are.
        count: Positions in all.
        seed: Of the games.
    """
    each = -(-count // len(modes))
    parts = [keep_games(network, mode, free, each, seed) for mode in modes] if count else []
    if not parts:
        return None
    arrays = [np.concatenate([part[n] for part in parts]) for n in range(1, len(Kept._fields))]
    return Kept(join([part.seen for part in parts]), *arrays)


@torch.no_grad()
def keep_games(network: ScoringNetwork, mode: str, free: Collection[str], count: int, seed: int) -> Kept:
    """Positions of one kind of game: the network in all seats, or in every second game in one of them."""
    config, rng = find_mode(mode), np.random.default_rng(seed)
    batch = Batch(
        config, AT_ONCE, FIRST_SEED + MOST_GAMES * seed, observation=network.inputs.profile, discards=False
    )
    sources, expert = network.inputs.find(config), HeuristicExpert(batch)
    mine = seat_network(AT_ONCE, config.players, rng)
    is_free = np.isin(rulebook.PHASES, list(free))
    parts: list[Kept] = []
    found = 0
    while found < count:
        asked = mine[np.arange(AT_ONCE), batch.seats]
        actions = expert.choose(~asked)
        if asked.any():
            seen = look_at_games(network.inputs, sources, batch, asked)
            scores, values = (tensor.numpy() for tensor in network(*seen.tensors()))
            drawn = (scores + TEMPERATURE * rng.gumbel(size=scores.shape)).argmax(1)
            actions[asked] = seen.legal.actions[seen.offsets[:-1] + drawn]
            places = np.flatnonzero(rng.random(len(seen)) < SHARE)
            phases = lend_states(batch)[asked, fields.PHASE][places]
            wide = np.full((len(places), fields.MOST_LEGAL), NOWHERE, np.float32)
            wide[:, : scores.shape[1]] = scores[places]
            if len(places):
                parts.append(Kept(take(seen, places), wide, values[places], ~is_free[phases]))
            found += len(places)
        batch.step(actions)
    arrays = [np.concatenate([part[n] for part in parts])[:count] for n in range(1, len(Kept._fields))]
    return Kept(take(join([part.seen for part in parts]), np.arange(count)), *arrays)


def take(seen: Seen, places: npt.NDArray[np.int64]) -> Seen:
    """Some of the decisions."""
    known, legal = seen.take(places)
    rows, at, actions, verbs, kinds, features = (tensor.numpy() for tensor in legal[:-1])
    return Seen(
        known.numpy(), Legal(rows.astype(np.int32), at.astype(np.int32), actions, verbs, kinds, features)
    )


def find_change(network: ScoringNetwork, kept: Kept, chosen: npt.NDArray[np.int64]) -> torch.Tensor:
    """How far a network has left what is kept of some positions.

    The mean divergence of its policy, where that is to stay, and the mean square of the change of its values.
    """
    scores, values = network(*kept.seen.take(chosen))
    before = torch.from_numpy(kept.scores[chosen, : scores.shape[1]])
    logs, now = torch.log_softmax(before, 1), torch.log_softmax(scores, 1)
    divergence = (logs.exp() * (logs - now)).sum(1)
    held = torch.from_numpy(kept.holds[chosen])
    apart: torch.Tensor = (divergence * held).mean()
    return apart + torch.nn.functional.mse_loss(values, torch.from_numpy(kept.values[chosen]))
