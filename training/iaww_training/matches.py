"""Games between networks and the heuristic, many side by side, while something is learnt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from iaww_env.batch import Batch, lend_states
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.errors import ConfigError
from iaww_env.random_games import mask_out_discards
from iaww_training.decisions import look_at_games
from iaww_training.experts import HeuristicExpert, choose_greedily
from iaww_training.network import ScoringNetwork

Actions = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float64]
Chooser = Callable[[Batch, npt.NDArray[np.bool_]], Actions]
AT_ONCE = 500


class Mean(NamedTuple):
    """A mean and half the width of its 95 % interval."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.1f} ± {self.error:.1f}"


def find_mean(numbers: Sequence[float] | npt.NDArray[np.floating]) -> Mean:
    """The mean of independent numbers."""
    found = np.asarray(numbers, np.float64)
    return Mean(float(found.mean()), float(1.96 * found.std() / np.sqrt(len(found))))


def choose_heuristic(batch: Batch, asked: npt.NDArray[np.bool_]) -> Actions:
    """What the heuristic plays."""
    return HeuristicExpert(batch).choose(asked)


def choose_greedy(batch: Batch, asked: npt.NDArray[np.bool_]) -> Actions:
    """What greedy plays."""
    actions = np.zeros(batch.num_games, np.int16)
    seats, legal = np.ascontiguousarray(batch.seats), np.zeros(fields.MOST_LEGAL, np.int16)
    choose_greedily(lend_states(batch), seats, asked, legal, actions)
    return actions


def find_bot(name: str) -> Chooser:
    """A bot that plays whole batches.

    Raises:
        ConfigError: There is none of that name.
    """
    bots: dict[str, Chooser] = {"greedy": choose_greedy, "heuristic": choose_heuristic}
    if name not in bots:
        raise ConfigError(f"{name!r} plays no batches: choose from {', '.join(bots)}")
    return bots[name]


def make_chooser(network: ScoringNetwork, *, discards: bool = False) -> Chooser:
    """What a network scores highest; with `discards` it may give up constructions."""

    @torch.no_grad()
    def choose(batch: Batch, asked: npt.NDArray[np.bool_]) -> Actions:
        actions = np.zeros(batch.num_games, np.int16)
        if asked.any():
            allowed = None if discards else batch.masks * mask_out_discards(batch.config.expansions)
            sources = network.inputs.find(batch.config)
            seen = look_at_games(network.inputs, sources, batch, asked, allowed)
            scores, _ = network(*seen.tensors())
            actions[asked] = seen.legal.actions[seen.offsets[:-1] + scores.argmax(1).numpy()]
        return actions

    return choose


class Played(NamedTuple):
    """Finished games: points and share of the win of each place in the line-up. (games, players) each."""

    points: npt.NDArray[np.float64]
    wins: npt.NDArray[np.float64]


def play_lineup(
    lineup: Sequence[Chooser], games: int, seed: int, profile: str, config: GameConfig | None = None
) -> Played:
    """Play so many games, of the base game by default; the line-up moves on by a seat from game to game.

    They stand in an order that does not depend on who plays: with the same seed another line-up meets the
    same deals.
    """
    players, slots = len(lineup), min(AT_ONCE, games)
    batch = Batch(config or GameConfig(players=players), slots, seed, observation=profile)
    left = np.full(slots, games // slots)
    left[: games % slots] += 1
    rotation = np.arange(slots) % players
    games_of: list[list[tuple[Floats, Floats]]] = [[] for _ in range(slots)]
    while left.any():
        who = (batch.seats + rotation) % players
        actions = np.zeros(slots, np.int16)
        for chooser in dict.fromkeys(lineup):
            asked = np.isin(who, [place for place in range(players) if lineup[place] is chooser])
            actions = np.where(asked, chooser(batch, asked), actions)
        batch.step(actions)
        for g in np.flatnonzero((batch.done == 1) & (left > 0)):
            left[g] -= 1
            first = batch.places[g] == 1
            points = batch.points[g].astype(np.float64)
            games_of[g].append((np.roll(points, rotation[g]), np.roll(first / first.sum(), rotation[g])))
    points, wins = (np.array(found) for found in zip(*chain(*games_of), strict=True))
    return Played(points, wins)


def play_among_heuristics(network: ScoringNetwork, config: GameConfig, games: int, seed: int) -> Played:
    """Games of a network, which has the first place of the line-up, with heuristics in all others."""
    lineup = [make_chooser(network), *[choose_heuristic] * (config.players - 1)]
    return play_lineup(lineup, games, seed, network.inputs.profile, config)
