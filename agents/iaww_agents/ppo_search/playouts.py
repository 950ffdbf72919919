"""Sampled worlds, played on by a network after each candidate: many at once, a decision of each at a time.

Each is looked at from a seat of its own, so the worlds of many decisions can go side by side. That seat goes
on as the network scores its actions, the others by the quick rules of the heuristic. At its next picks a
world may be played on in several ways, of which the best counts. A world stops where a round is over: what
the network expects of it, as it begins the next one, is what the candidate is worth there. Those of the last
round go to the end of the game, and are counted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from iaww_agents.heuristic.rules import choose_by_rules, decide_lesser_pick
from iaww_agents.heuristic.weights import Weights, read_weights
from iaww_agents.jit import BOTS, compile_apart
from iaww_agents.networks.forward import Forward
from iaww_agents.networks.inputs import POINT_WORTH, Rows
from iaww_agents.ppo_search.alike import tell_apart
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
from iaww_env.engine.rng import load_stream, next_below, save_stream
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

# Who plays worlds on: the network, the heuristic's quick rules, or the network till a round's cards are
# planned and the rules from there. Of each the first phase that goes by rules.
BY = {"policy": rulebook.OVER, "plans": rulebook.PRODUCTION, "rules": rulebook.DRAFT}
ALWAYS = 1000  # of so many picks of a seat it is said how many are those of the rules
SPREAD = 1.5  # points of lead by which winning is more open for each round that is still to come

NO_ACTION = -1
MOST_AT_ONCE = 4096  # worlds are played on side by side

kernel = compile_apart(__file__, *BOTS)


@called
def foresee(row: States, mover: int, often: int, weights: Weights) -> int:
    """What a seat that goes by rules does: it picks the best card only so often, else the next best as often.

    Where it goes by all of its pack so, it picks any. Chance is the row's own, so it is the same behind all
    candidates.
    """
    if often == ALWAYS or row[fields.PHASE] != rulebook.DRAFT:
        return choose_by_rules(row, mover, weights)
    cards = int(row[fields.PACK_SIZE])
    rank, stream = 0, load_stream(row)
    for _ in range(cards):
        drawn, stream = next_below(stream, ALWAYS)
        if drawn < often:
            break
        rank += 1
    if rank == cards:
        rank, stream = next_below(stream, cards)
    save_stream(row, stream)
    return decide_lesser_pick(row, mover, rank, weights)


@called
def find_decision(
    row: States,
    seat: int,
    own: int,
    others: int,
    last_round: int,
    often: Actions,
    weights: Weights,
    legal: Actions,
) -> tuple[int, int]:
    """Play a world up to the next choice of the network: whose it is, and how many legal actions it has.

    Its choices are those of the seat before the phase `own`, and those of the others before the phase
    `others`; else they go by rules, each seat's best pick as often as `often` says. No legal action where the
    last round is over first: the next one has begun, or the game is over.
    """
    for _ in range(rulebook.MOST_DECISIONS):
        if row[fields.PHASE] == rulebook.OVER or row[fields.ROUND] > last_round:
            break
        mover = find_next_seat(row)
        if row[fields.PHASE] >= (own if mover == seat else others):
            apply_action(row, mover, foresee(row, mover, int(often[mover]), weights))
            continue
        n = list_legal(row, mover, False, legal)
        if n > 1:
            return mover, n
        apply_action(row, mover, int(legal[0]))
    return seat, 0


@kernel
def advance_worlds(
    states: States,
    seats: Seats,
    own: int,
    others: int,
    last_rounds: Seats,
    often: Actions,
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
            movers[g], n = find_decision(row, seats[g], own, others, last_rounds[g], often[g], weights, legal)
            goes_on[g] = n > 0
            count += n > 0
            if n > 0:
                show_decision(row, movers[g], legal, n, masks[g], offsets, observations[g])
    return count


@kernel
def show_seats(
    states: States, seats: Seats, legal: Actions, masks: Mask, offsets: Offsets, observations: Floats
) -> None:
    """Write what seats of games see that go on, as those that have nothing to decide."""
    for g in range(states.shape[0]):
        show_decision(states[g], seats[g], legal, 0, masks[g], offsets, observations[g])


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
        own: By what the seat itself decides: one of `BY`.
        others: By what the other seats do.
        win_bonus: Points that winning is worth beyond the points themselves.
        rivalry: What a point of the best other seat costs.
        depth: At so many next picks of the seat a world is played on in several ways; the best one counts.
        width: They begin with so many actions, those that the network thinks best.
    """

    rounds: int = 1
    own: str = "policy"
    others: str = "rules"
    win_bonus: float = 0.0
    rivalry: float = 0.0
    depth: int = 0
    width: int = 2


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
        no_rivals = self.lookahead.win_bonus == 0 and self.lookahead.rivalry == 0
        self._for_itself = config.solo or no_rivals
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

    def compare(
        self, worlds: States, seat: int, candidates: Actions, often: Actions | None = None
    ) -> Doubles:
        """(candidates, worlds) what each candidate is worth to the seat in each world, in points.

        The worlds are the same for all candidates, their random streams included. `often` says of each seat
        how often its picks are those of the rules, in parts of ALWAYS; always where nothing is said.
        """
        most = self._count_most(worlds, candidates)
        parts = np.array_split(worlds, min(len(worlds), -(-most // MOST_AT_ONCE)))
        found = []
        for part in parts:
            states = np.tile(part, (len(candidates), 1))
            actions = np.repeat(np.asarray(candidates, np.int16), len(part))
            worth = self.try_out(states, np.full(len(states), seat), actions, often)
            found.append(worth.reshape(len(candidates), len(part)))
        return np.concatenate(found, axis=1)

    def _count_most(self, worlds: States, candidates: Actions) -> int:
        """How many worlds there are at most, when each has been played on in all its ways."""
        ahead = self.lookahead
        has_picks = worlds[0, fields.PHASE] == rulebook.DRAFT or ahead.rounds > 1
        return len(worlds) * len(candidates) * (ahead.width**ahead.depth if has_picks else 1)

    def try_out(
        self, states: States, seats: Seats, actions: Actions, often: Actions | None = None
    ) -> Doubles:
        """What an action of a seat is worth to it in each world, in points: in the best way that is tried.

        The worlds are played on.
        """
        worth, origins = np.full(len(states), -np.inf), np.arange(len(states))
        last_rounds = self.find_last_rounds(states)
        for left in reversed(range(self.lookahead.depth + 1)):
            waiting, ways = self.advance(
                states, seats, last_rounds, actions, often, self.lookahead.width if left else 0
            )
            stopped = np.setdiff1d(np.arange(len(states)), waiting)
            ends, whose = states[stopped], seats[stopped]
            np.maximum.at(worth, origins[stopped], self.weigh(ends, whose, self.expect_points(ends, whose)))
            if len(waiting) == 0:
                break
            places, ranks = np.nonzero(ways != NO_ACTION)
            again = waiting[places]
            states, seats, origins = states[again], seats[again], origins[again]
            last_rounds, actions = last_rounds[again], ways[places, ranks]
        return worth

    def play_on(self, states: States, seats: Seats, actions: Actions) -> None:
        """Play an action of a seat in each world, and each world on to where it stops."""
        self.advance(states, seats, self.find_last_rounds(states), actions)

    def find_last_rounds(self, states: States) -> Seats:
        """The last round that is played in worlds, as they are now."""
        return states[:, fields.ROUND].astype(np.int64) + self.lookahead.rounds - 1

    def advance(
        self,
        states: States,
        seats: Seats,
        last_rounds: Seats,
        actions: Actions,
        often: Actions | None = None,
        width: int = 0,
    ) -> tuple[Seats, Actions]:
        """Play an action of a seat in each world, and each world on till its last round is over.

        Where a `width` is given they stop at the seat's next pick already. Which ones do, and for each the
        actions that are best there as the network thinks: (stopped, width), NO_ACTION where there are fewer.
        """
        count = len(states)
        masks = np.zeros((count, self._n_actions), np.int8)
        observations = np.zeros((count, self._table.size), np.float32)
        goes_on, movers, actions = np.ones(count, np.bool_), seats.copy(), actions.copy()
        learnt = BY[self.lookahead.own], BY[self.lookahead.others]
        in_world = np.full((count, self.config.players), ALWAYS if often is None else often, np.int16)
        shown: tuple[Any, ...] = self._legal, masks, self._offsets, observations
        waits = np.zeros(count, np.bool_)
        while advance_worlds(
            states, seats, *learnt, last_rounds, in_world, movers, actions, goes_on, self._weights, *shown
        ):
            if width:
                waits |= goes_on & (movers == seats) & (states[:, fields.PHASE] == rulebook.DRAFT)
                goes_on &= ~waits
            asked = np.flatnonzero(goes_on)
            if len(asked):
                rows = Rows(states[asked], movers[asked])
                actions[asked] = self._rank(observations[asked], masks[asked], rows)[:, 0]
        waiting = np.flatnonzero(waits)
        if len(waiting) == 0:
            return waiting, np.empty((0, width), np.int16)
        rows = Rows(states[waiting], seats[waiting])
        return waiting, self._rank(observations[waiting], masks[waiting], rows, width)

    def _rank(self, observations: Floats, masks: Mask, rows: Rows, width: int = 1) -> Actions:
        """(decisions, width) what the policy thinks best, the best first, NO_ACTION behind the last.

        Decisions that look alike are decided once.
        """
        firsts, places = tell_apart(observations, masks)
        apart = Rows(rows.states[firsts], rows.seats[firsts])
        scores, _ = self.score(observations[firsts], masks[firsts], apart)
        ranked: Actions
        if width == 1:
            ranked = scores.argmax(1).astype(np.int16)[:, None]
        else:
            order = np.argsort(-scores, axis=1, kind="stable")[:, :width].astype(np.int16)
            is_legal = np.take_along_axis(masks[firsts], order, axis=1) > 0
            ranked = np.where(is_legal, order, NO_ACTION)
        return ranked[places]

    def score(self, observations: Floats, masks: Mask, rows: Rows) -> tuple[Floats, Floats]:
        """Scores of actions and values, as the network gives them."""
        return self.forward.score(self._sources, observations, masks, rows)

    def expect_points(self, states: States, seats: Seats) -> Doubles:
        """(worlds, players) points that seats have or can expect in worlds that have stopped.

        Alone it is what the goal says; all but those of `seats` are left out where nothing is asked of them.
        """
        points = np.zeros((len(states), self.config.players))
        count_ends(states, points)
        left = np.flatnonzero(states[:, fields.PHASE] != rulebook.OVER)
        if len(left):
            asked = [seats[left]] if self._for_itself else np.indices((len(left), self.config.players))[1].T
            for ones in asked:
                points[left, ones] = self._expect(states[left], ones)
        return points

    def weigh(self, states: States, seats: Seats, points: Doubles) -> Doubles:
        """What worlds that have stopped are worth to `seats`, by what all seats can expect there."""
        among = np.arange(len(states))
        own = points[among, seats]
        if self._for_itself:
            return own
        others = points.copy()
        others[among, seats] = -np.inf
        ahead, best, ended = self.lookahead, others.max(axis=1), states[:, fields.PHASE] == rulebook.OVER
        rounds = np.where(ended, 0, rulebook.ROUNDS + 1 - states[:, fields.ROUND])
        chance = 1 / (1 + np.exp((best - own) / (CLOSE + SPREAD * rounds)))
        worth: Doubles = own - ahead.rivalry * best + ahead.win_bonus * chance
        return worth

    def _expect(self, states: States, seats: Seats) -> Doubles:
        """Points that the network expects seats to have in the end."""
        masks = np.zeros((len(states), self._n_actions), np.int8)
        observations = np.zeros((len(states), self._table.size), np.float32)
        show_seats(states, seats, self._legal, masks, self._offsets, observations)
        _, values = self.score(observations, masks, Rows(states, seats))
        return values.astype(np.float64) / POINT_WORTH
