"""The heuristic: a real player made of values, for every mode.

It values a card by the points it can expect to make (its own, rates and duos with what is built and slated,
its bonus), by its engine over the rounds left, and by the cubes it takes: `values.py` holds these values,
`rules.py` the rules built on them. Before it slates or recycles in a case that is not clear, it plays its own
cards through to the end: `plan.py`. `weights/heuristic.csv` holds the weights, with a column for games of two
and more and one for solo; `weights/kinds.csv` what each kind is worth beyond its figures. `tune_heuristic`
and `learn_biases` in the package `iaww_training` are how they were found. With `check=0` it plays by the
quick rules alone, many times faster.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from iaww_agents.base import KernelAgent, View
from iaww_agents.heuristic.plan import choose_heuristic
from iaww_agents.heuristic.values import NAMES, Weights
from iaww_agents.jit import kernel
from iaww_env.cards import EXPANSIONS, kinds
from iaww_env.config import GameConfig
from iaww_env.engine.fields import PLAYERS, ROUNDS, States
from iaww_env.engine.kernels.lanes import ASKED, Codes, Lane, Settings, Streams, answer_lane, awaits_bot
from iaww_env.errors import ConfigError, suggest

FOLDER = Path(__file__).resolve().parent / "weights"


@lru_cache(maxsize=2)
def _read_column(column: str) -> tuple[float, ...]:
    with (FOLDER / "heuristic.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    weights = [float(rows[name][column]) for name in NAMES]
    with (FOLDER / "kinds.csv").open(encoding="utf-8", newline="") as file:
        biases = {row["kind"]: row for row in csv.DictReader(file)}
    for verb in ("pick", "slate"):
        for number in range(1, ROUNDS + 1):
            weights += [float(biases[kind.id][f"{column}_{verb}_{number}"]) for kind in kinds(EXPANSIONS)]
    return tuple(weights)


def read_weights(solo: bool) -> Weights:
    """The weights of a mode as a fresh array: in the order of NAMES, then the biases of kinds."""
    return np.array(_read_column("solo" if solo else "table"))


def change_weights(solo: bool, changes: Mapping[str, float]) -> Weights:
    """The weights of a mode with some changed."""
    weights = read_weights(solo)
    for name, value in changes.items():
        if name not in NAMES:
            raise ConfigError(f"the heuristic has no weight {name!r}{suggest(name, NAMES)}")
        weights[NAMES.index(name)] = value
    return weights


@kernel
def choose_by_values(row: States, seat: int, weights: Weights, room: States) -> int:
    """The action of a seat that owes a decision; `room` is a spare row."""
    return choose_heuristic(row, seat, weights, room)


@kernel
def play_by_values(
    code: int,
    states: States,
    settings: Settings,
    codes: Codes,
    lanes: Lane,
    streams: Streams,
    weights: Weights,
    room: States,
) -> None:
    """Play every lane that waits for this bot until it waits for somebody else."""
    for g in range(states.shape[0]):
        row, lane = states[g], lanes[g]
        while awaits_bot(row, lane, codes, code):
            action = choose_heuristic(row, int(lane[ASKED]), weights, room)
            answer_lane(row, lane, streams[g], codes, settings, action)


class HeuristicAgent(KernelAgent):
    """Plays by the values of cards; it leaves nothing to chance, and weights can be changed by name."""

    def __init__(self, **weights: float) -> None:
        """Make the bot, e.g. `HeuristicAgent(deny=0)`, or by spec `heuristic:deny=0`."""
        self._changes = {name: float(value) for name, value in weights.items()}
        self._weights = {solo: change_weights(solo, self._changes) for solo in (False, True)}
        self._seat = 0
        self._rng = np.random.default_rng(0)

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat."""
        self._seat = seat

    def act(self, view: View) -> int:
        """Choose by the values; a drawn game will do, since nothing that is hidden counts."""
        row = view.sample_game(self._rng).row
        return choose_by_values(row, self._seat, self._weights[view.config.solo], np.empty_like(row))

    def play_lanes(
        self,
        code: int,
        states: npt.NDArray[np.int16],
        settings: npt.NDArray[np.int64],
        codes: npt.NDArray[np.int16],
        lanes: npt.NDArray[np.int16],
        streams: npt.NDArray[np.int64],
    ) -> None:
        """Play the lanes that wait for it."""
        weights = self._weights[bool(states[0, PLAYERS] == 1)]
        play_by_values(code, states, settings, codes, lanes, streams, weights, np.empty_like(states[0]))
