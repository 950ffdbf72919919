"""Games of a policy, and what each seat saw right behind each of its decisions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from iaww_agents.jit import compile_apart
from iaww_agents.networks.forward import Forward
from iaww_agents.networks.inputs import POINT_WORTH, Rows, gather_seen
from iaww_env import rulebook
from iaww_env.actions import action_table
from iaww_env.batch import Batch, lend_states
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.shown import show_decision
from iaww_env.engine.row import copy_cells
from iaww_env.engine.rules.legal import Actions, Mask
from iaww_env.engine.rules.transition import apply_action
from iaww_env.observation import lend_offsets, observation_table
from iaww_training.experts import HeuristicExpert, seat_network
from iaww_training.imitation import REWARD, choose_reward

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

kernel = compile_apart(__file__)


class Positions(NamedTuple):
    """Positions behind decisions, in the order in which they came: (positions, ...) each.

    Attributes:
        known: What the seat knew there, as networks see it.
        owner: Which seat of which game; the same number for all positions of one seat.
        rounds: The round of the decision.
        phases: Its phase.
        ends: What the game brought the seat in the end, as networks learn it.
    """

    known: Floats
    owner: Numbers
    rounds: Numbers
    phases: Numbers
    ends: Floats


@kernel
def show_behind(
    states: States,
    seats: npt.NDArray[np.int64],
    actions: npt.NDArray[np.int64],
    scratch: States,
    legal: Actions,
    mask: Mask,
    offsets: Offsets,
    observations: Floats,
) -> None:
    """Play an action in a copy of each game, and show its seat what it sees then."""
    for g in range(states.shape[0]):
        copy_cells(states[g], scratch[g])
        apply_action(scratch[g], int(seats[g]), int(actions[g]))
        show_decision(scratch[g], int(seats[g]), legal, 0, mask, offsets, observations[g])


class Watcher:
    """Games of one configuration, played by a policy side by side."""

    def __init__(self, policy: Forward, config: GameConfig, *, stray: float, temperature: float) -> None:
        """Get ready.

        Args:
            policy: The network that plays.
            config: What is played.
            stray: Share of its decisions that are drawn from all that is legal.
            temperature: Of the draw from its policy otherwise; 0 plays what it scores highest.
        """
        self._policy, self._config, self._stray, self._temperature = policy, config, stray, temperature
        self._sources = policy.inputs.find(config)
        table = observation_table(config, policy.inputs.profile)
        self._size, self._offsets = table.size, lend_offsets(table)
        self._legal = np.empty(fields.MOST_LEGAL, np.int16)
        self._mask = np.zeros(len(action_table(config.expansions)), np.int8)

    def play(self, games: int, seed: int) -> Positions:
        """Play so many games once; in every second one the policy has one seat, the heuristic the others."""
        config, rng = self._config, np.random.default_rng(seed)
        reward = choose_reward(config, REWARD)
        profile = self._policy.inputs.profile
        batch = Batch(config, games, seed, observation=profile, reward=reward, discards=False)
        mine = seat_network(games, config.players, rng)
        expert, goes_on = HeuristicExpert(batch), np.ones(games, np.bool_)
        ends, parts = np.zeros((games, config.players), np.float32), []
        while goes_on.any():
            own = goes_on & mine[np.arange(games), batch.seats]
            actions = expert.choose(goes_on & ~own).astype(np.int64)
            asked = np.flatnonzero(own)
            if len(asked):
                actions[asked] = self._draw(batch, asked, rng)
                parts.append(self._look_behind(batch, asked, actions[asked]))
            over = np.flatnonzero(~goes_on)  # another has begun there, which nobody looks at
            actions[over] = batch.masks[over].argmax(1)
            batch.step(actions.astype(np.int16))
            ended = goes_on & (batch.done != 0)
            ends[ended] = POINT_WORTH * batch.rewards[ended]
            goes_on &= ~ended
        known, owner, rounds, phases = (np.concatenate([part[n] for part in parts]) for n in range(4))
        return Positions(known, owner, rounds, phases, ends.reshape(-1)[owner])

    def _draw(self, batch: Batch, asked: Numbers, rng: np.random.Generator) -> Numbers:
        """What the policy plays."""
        masks = batch.masks[asked]
        rows = Rows(lend_states(batch)[asked], batch.seats[asked])
        scores, _ = self._policy.score(self._sources, batch.observations[asked], masks, rows)
        drawn: Numbers = (scores + self._temperature * rng.gumbel(size=scores.shape)).argmax(1)
        strays = rng.random(len(asked)) < self._stray
        drawn[strays] = (masks[strays] * rng.random(masks[strays].shape)).argmax(1)
        return drawn

    def _look_behind(
        self, batch: Batch, asked: Numbers, actions: Numbers
    ) -> tuple[Floats, Numbers, Numbers, Numbers]:
        """What is known behind the decisions, whose it is, and round and phase of the decision."""
        states, seats = lend_states(batch)[asked], batch.seats[asked].astype(np.int64)
        scratch, observations = np.empty_like(states), np.zeros((len(asked), self._size), np.float32)
        show_behind(states, seats, actions, scratch, self._legal, self._mask, self._offsets, observations)
        left = scratch[:, fields.PHASE] != rulebook.OVER  # else there is nothing to expect any more
        rows = Rows(scratch[left], seats[left])
        known = gather_seen(self._policy.inputs, self._sources, observations[left], rows)
        owner = asked[left] * self._config.players + seats[left]
        about = [states[left, field].astype(np.int64) for field in (fields.ROUND, fields.PHASE)]
        return known, owner, about[0], about[1]
