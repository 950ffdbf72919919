"""Sampled worlds, played on by a network after each candidate: many at once, a decision of each at a time.

The own seat goes on as the network scores its actions, the others by the quick rules of the heuristic. A
world stops where a round is over: what the network expects of it, as it begins the next one, is what the
candidate is worth there. Those of the last round go to the end of the game, and are counted.
"""

from __future__ import annotations

from typing import NamedTuple

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
from iaww_env.engine.rules.goals import value_goal
from iaww_env.engine.rules.knowledge import MOST_PLACES
from iaww_env.engine.rules.legal import Actions, Mask, find_next_seat, list_legal
from iaww_env.engine.rules.scoring import score_seat
from iaww_env.engine.rules.transition import apply_action
from iaww_env.observation import lend_offsets, observation_table

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Goes = npt.NDArray[np.bool_]
Seats = npt.NDArray[np.int64]

SPREAD = 1.5  # points of lead by which winning is more open for each round that is still to come

kernel = compile_apart(__file__, *BOTS)


@called
def find_decision(
    row: States, seat: int, learnt: bool, last_round: int, weights: Weights, legal: Actions
) -> tuple[int, int]:
    """Play a world up to the next choice of the network: whose it is, and how many legal actions it has.

    Its choices are those of the seat, and with `learnt` those of the others too, who else go by rules. No
    legal action where the last round is over first: then the next one has begun, or the game is over.
    """
    for _ in range(rulebook.MOST_DECISIONS):
        if row[fields.PHASE] == rulebook.OVER or row[fields.ROUND] > last_round:
            break
        mover = find_next_seat(row)
        if mover != seat and not learnt:
            apply_action(row, mover, choose_by_rules(row, mover, weights))
            continue
        n = list_legal(row, mover, False, legal)
        if n > 1:
            return mover, n
        apply_action(row, mover, int(legal[0]))
    return seat, 0


@kernel
def advance_worlds(
    states: States,
    seat: int,
    learnt: bool,
    last_round: int,
    movers: Seats,
    actions: Actions,
    goes_on: Goes,
    weights: Weights,
    legal: Actions,
    masks: Mask,
    offsets: Offsets,
    observations: Floats,
) -> int:
    """Play the actions of those who move in the worlds that go on, and each up to the network's next choice.

    How many still go on. Who moves then, masks and observations are written anew for all of these.
    """
    count = 0
    for g in range(states.shape[0]):
        if goes_on[g]:
            row = states[g]
            apply_action(row, movers[g], int(actions[g]))
            movers[g], n = find_decision(row, seat, learnt, last_round, weights, legal)
            goes_on[g] = n > 0
            count += n > 0
            if n > 0:
                show_decision(row, movers[g], legal, n, masks[g], offsets, observations[g])
    return count


@kernel
def show_seats(
    states: States, seats: Seats, legal: Actions, masks: Mask, offsets: Offsets, observations: Floats
) -> None:
    """Write what seats of games see that go on."""
    for g in range(states.shape[0]):
        n = list_legal(states[g], seats[g], False, legal)
        show_decision(states[g], seats[g], legal, n, masks[g], offsets, observations[g])


@kernel
def count_ends(states: States, points: Doubles) -> None:
    """What games that are over are worth to each of their seats: points, and alone what their goal says."""
    for g in range(states.shape[0]):
        if states[g, fields.PHASE] == rulebook.OVER:
            for seat in range(points.shape[1]):
                points[g, seat] = score_seat(states[g], find_seat(states[g], seat))
            if points.shape[1] == 1:
                points[g, 0] = value_goal(states[g])


class Lookahead(NamedTuple):
    """How far worlds are played on, by whom, and what is asked of where they stop.

    Attributes:
        rounds: So many rounds are played on, the one that the decision is of among them.
        learnt: The other seats decide as the network does, in place of the heuristic's rules.
        win_bonus: Points that winning is worth beyond the points themselves.
        rivalry: What a point of the best other seat costs.
    """

    rounds: int = 1
    learnt: bool = False
    win_bonus: float = 0.0
    rivalry: float = 0.0


class Playouts:
    """Worlds of one configuration, played on by one network.

    Attributes:
        forward: The network.
        config: What is played.
        lookahead: How far, by whom, and to what end.
    """

    def __init__(self, forward: Forward, config: GameConfig, lookahead: Lookahead | None = None) -> None:
        """Get ready."""
        self.forward, self.config, self.lookahead = forward, config, lookahead or Lookahead()
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
        goes_on, movers = np.ones(count, np.bool_), np.full(count, seat)
        last_round = int(worlds[0, fields.ROUND]) + self.lookahead.rounds - 1
        shown = self._legal, masks, self._offsets, observations
        learnt = self.lookahead.learnt
        while advance_worlds(
            states, seat, learnt, last_round, movers, actions, goes_on, self._weights, *shown
        ):
            asked = np.flatnonzero(goes_on)
            scores, _ = self.score(observations[asked], masks[asked], Rows(states[asked], movers[asked]))
            actions[asked] = scores.argmax(1)
        return self._judge(states, seat).reshape(len(candidates), len(worlds))

    def score(self, observations: Floats, masks: Mask, rows: Rows) -> tuple[Floats, Floats]:
        """Scores of actions and values, as the network gives them."""
        return self.forward.score(self._sources, observations, masks, rows)

    def _judge(self, states: States, seat: int) -> Doubles:
        """What worlds that have stopped are worth to the seat."""
        players, ahead = self.config.players, self.lookahead
        ended = states[:, fields.PHASE] == rulebook.OVER
        left = np.flatnonzero(~ended)
        points = np.zeros((len(states), players))
        count_ends(states, points)
        for_itself = players == 1 or (ahead.win_bonus == 0 and ahead.rivalry == 0)
        if len(left):
            for one in [seat] if for_itself else range(players):
                points[left, one] = self._expect(states[left], one)
        if for_itself:
            return points[:, seat].copy()
        own, best = points[:, seat], np.delete(points, seat, axis=1).max(axis=1)
        rounds = np.where(ended, 0, rulebook.ROUNDS + 1 - states[:, fields.ROUND])
        chance = 1 / (1 + np.exp((best - own) / (CLOSE + SPREAD * rounds)))
        worth: Doubles = own - ahead.rivalry * best + ahead.win_bonus * chance
        return worth

    def _expect(self, states: States, seat: int) -> Doubles:
        """Points that the network expects a seat to have in the end."""
        masks = np.zeros((len(states), self._n_actions), np.int8)
        observations = np.zeros((len(states), self._table.size), np.float32)
        seats = np.full(len(states), seat)
        show_seats(states, seats, self._legal, masks, self._offsets, observations)
        _, values = self.score(observations, np.zeros_like(masks), Rows(states, seats))
        return values.astype(np.float64) / POINT_WORTH
