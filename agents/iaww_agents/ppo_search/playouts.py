"""Sampled worlds, played on by a network after each candidate: many at once, a decision of each at a time.

The own seat goes on as the network scores its actions, the others by the quick rules of the heuristic. A
world stops where a round is over: what the network expects of it, as it begins the next one, is what the
candidate is worth there. Those of the last round go to the end of the game, and are counted.
"""

from __future__ import annotations

from math import exp

import numpy as np
import numpy.typing as npt

from iaww_agents.heuristic.rules import choose_by_rules
from iaww_agents.heuristic.weights import Weights, read_weights
from iaww_agents.jit import BOTS, compile_apart
from iaww_agents.networks.forward import Forward
from iaww_agents.networks.inputs import POINT_WORTH, Rows
from iaww_agents.search.playouts import CLOSE
from iaww_env import rulebook
from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called
from iaww_env.engine.kernels.game import redeterminize_row
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.shown import show_decision
from iaww_env.engine.row import find_seat
from iaww_env.engine.rules.knowledge import MOST_PLACES
from iaww_env.engine.rules.legal import Actions, Mask, find_next_seat, list_legal
from iaww_env.engine.rules.scoring import score_seat
from iaww_env.engine.rules.transition import apply_action
from iaww_env.observation import lend_offsets, observation_table

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Goes = npt.NDArray[np.bool_]

NO_ACTION = -1

kernel = compile_apart(__file__, *BOTS)


@called
def find_own_decision(row: States, seat: int, last_round: int, weights: Weights, legal: Actions) -> int:
    """Play a world up to the seat's next choice; how many legal actions it has then.

    0 where the round is over first: then the next one has begun, or the game is over.
    """
    for _ in range(rulebook.MOST_DECISIONS):
        if row[fields.PHASE] == rulebook.OVER or row[fields.ROUND] > last_round:
            break
        other = find_next_seat(row)
        if other != seat:
            apply_action(row, other, choose_by_rules(row, other, weights))
            continue
        n = list_legal(row, seat, False, legal)
        if n > 1:
            return n
        apply_action(row, seat, int(legal[0]))
    return 0


@kernel
def advance_worlds(
    states: States,
    seat: int,
    actions: Actions,
    goes_on: Goes,
    weights: Weights,
    legal: Actions,
    masks: Mask,
    offsets: Offsets,
    observations: Floats,
) -> int:
    """Play the seat's actions in the worlds that go on, and each up to its next choice; how many still go on.

    Masks and observations of all that were played are written anew: of the seat's next choice, or of how it
    stands as the next round begins.
    """
    count = 0
    for g in range(states.shape[0]):
        if goes_on[g]:
            row = states[g]
            now = int(row[fields.ROUND])
            apply_action(row, seat, int(actions[g]))
            n = find_own_decision(row, seat, now, weights, legal)
            goes_on[g] = n > 0
            count += n > 0
            if row[fields.PHASE] != rulebook.OVER:
                if n == 0:
                    n = list_legal(row, seat, False, legal)
                show_decision(row, seat, legal, n, masks[g], offsets, observations[g])
    return count


@kernel
def value_ends(states: States, seat: int, win_bonus: float, values: Doubles) -> None:
    """What worlds that are over are worth to the seat; those that are not stay as they are.

    That is its points, as the values of networks are, and a bonus that grows smoothly with the lead.
    """
    for g in range(states.shape[0]):
        row = states[g]
        if row[fields.PHASE] == rulebook.OVER:
            own, best = score_seat(row, find_seat(row, seat)), 0
            for other in range(int(row[fields.PLAYERS])):
                if other != seat:
                    best = max(best, score_seat(row, find_seat(row, other)))
            values[g] = own + win_bonus / (1 + exp((best - own) / CLOSE))


class Playouts:
    """Worlds of one configuration, played on by one network.

    Attributes:
        forward: The network.
        config: What is played.
    """

    def __init__(self, forward: Forward, config: GameConfig, win_bonus: float = 0.0) -> None:
        """Get ready; `win_bonus` as in `search`: points that winning is worth at the end of the game."""
        self.forward, self.config, self._win_bonus = forward, config, win_bonus
        self._sources = forward.inputs.find(config)
        self._table = observation_table(config, forward.inputs.profile)
        self._offsets = lend_offsets(self._table)
        self._weights = read_weights(config.solo)
        self._n_actions = len(action_table(config.expansions))
        self._legal = np.empty(fields.MOST_LEGAL, np.int16)
        self._places = np.empty(MOST_PLACES, np.int16)

    def draw_worlds(self, row: States, seat: int, count: int, rng: np.random.Generator) -> States:
        """(count, cells) games that agree with all that the seat knows in a row."""
        worlds = np.repeat(row[None], count, axis=0)
        streams = rng.integers(1, 1 << 32, (count, 4), np.int64)
        for world, stream in zip(worlds, streams, strict=True):
            redeterminize_row(world, seat, stream, self._places)
        return worlds

    def compare(self, worlds: States, seat: int, candidates: Actions) -> Doubles:
        """(candidates, worlds) what each candidate is worth to the seat in each world, in points.

        The worlds are the same for all candidates, their random streams included.
        """
        count = len(candidates) * len(worlds)
        states = np.tile(worlds, (len(candidates), 1))
        actions = np.repeat(np.asarray(candidates, np.int16), len(worlds))
        masks = np.zeros((count, self._n_actions), np.int8)
        observations = np.zeros((count, self._table.size), np.float32)
        goes_on, seats = np.ones(count, np.bool_), np.full(count, seat)
        shown = self._legal, masks, self._offsets, observations
        while advance_worlds(states, seat, actions, goes_on, self._weights, *shown):
            asked = np.flatnonzero(goes_on)
            scores, _ = self.score(observations[asked], masks[asked], Rows(states[asked], seats[asked]))
            actions[asked] = scores.argmax(1)
        return self._judge(states, seats, masks, observations).reshape(len(candidates), len(worlds))

    def score(self, observations: Floats, masks: Mask, rows: Rows) -> tuple[Floats, Floats]:
        """Scores of actions and values, as the network gives them."""
        return self.forward.score(self._sources, observations, masks, rows)

    def _judge(
        self, states: States, seats: npt.NDArray[np.int64], masks: Mask, observations: Floats
    ) -> Doubles:
        """What worlds that have stopped are worth."""
        values = np.zeros(len(states))
        value_ends(states, int(seats[0]), self._win_bonus, values)
        left = np.flatnonzero(states[:, fields.PHASE] != rulebook.OVER)
        if len(left):
            nobody = np.zeros_like(masks[left])  # values alone
            _, expected = self.score(observations[left], nobody, Rows(states[left], seats[left]))
            values[left] = expected / POINT_WORTH
        return values
