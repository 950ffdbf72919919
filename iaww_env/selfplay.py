"""Learning from every seat of a self-play batch.

`Batch` is the self-play environment: each step asks one seat of every game, so no call is spent on a seat
that waits, and every decision of every seat can be learnt from. What a trainer must know is that decisions
which follow each other in a game may be those of different seats:

- the decisions of seat s of a game form one trajectory; the next decision of the *seat* is what follows it;
- `batch.rewards[g, s]`, read after a step, is what seat s earned since it last decided. It is settled when
  the seat decides again (`batch.seats[g] == s`), and for all seats at once where `batch.done[g]`;
- a game that is done ends the trajectory of every seat, also of those that did not decide last.

`SelfPlayRollout` keeps so many steps in arrays and follows these links backwards:

>>> batch = Batch(GameConfig(players=4), 256, seed=1, observation="compact")
>>> rollout = SelfPlayRollout(batch, steps=128)
>>> while not rollout.full:
...     actions, values, log_probs = policy(batch.observations, batch.masks)    # (256,) each
...     rollout.step(actions, values, log_probs)
>>> last = critic(rollout.last_observations())                       # (256, 4), from (256, 4, size)
>>> advantages, returns = rollout.estimate(last, gamma=1.0, lam=0.95)
>>> for part in rollout.minibatches(2048, rng):                      # once for each epoch
...     loss = ppo_loss(part.observations, part.masks, part.actions, part.log_probs, part.advantages)

All arrays are (steps, games), one entry for each decision, and none is left out. `clear` begins the next
rollout, and the games go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from iaww_env.actions import action_table
from iaww_env.batch import Batch, find_offsets, lend_states
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.kernels.batch import show_all_seats
from iaww_env.engine.rewards import POINTS_GAIN
from iaww_env.errors import quote

Floats = npt.NDArray[np.float32]


class Minibatch(NamedTuple):
    """Decisions of a rollout: what was seen, legal and played, and what it was worth. (size, ...) each."""

    observations: Floats
    masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int16]
    values: Floats
    log_probs: Floats
    advantages: Floats
    returns: Floats


class SelfPlayRollout:
    """So many steps of a batch, each decision linked to the next one of the same seat.

    Attributes:
        batch: The batch that is played on.
        observations: (steps, games, size) float32, what the seats saw that decided; with observed=False
            none, and no masks.
        masks: (steps, games, actions) int8, what was legal.
        seats: (steps, games) int16, who decided.
        actions: (steps, games) int16, what was played.
        values: (steps, games) float32, what the critic expected.
        log_probs: (steps, games) float32, logarithms of the probabilities of the actions; 0 where not told.
        advantages: (steps, games) float32, once `estimate` has found them; likewise returns.
        rewards: (steps, games, players) float32, `batch.rewards` after the step.
        done: (steps, games) bool, whether the step ended the game.
        filled: Steps recorded.
    """

    def __init__(self, batch: Batch, steps: int, *, observed: bool = True) -> None:
        """Make room for so many steps.

        Args:
            batch: What is played on.
            steps: Decisions of each game.
            observed: Keep observations and masks; False for trainers that keep them in a form of their own.
        """
        if not isinstance(batch, Batch):
            raise TypeError(f"a rollout plays a Batch, not {quote(batch)}")
        if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or steps < 1:
            raise ValueError(f"steps is a whole number from 1, not {quote(steps)}")
        self.batch = batch
        games, players = batch.num_games, batch.config.players
        self.observed = bool(observed)
        kept = steps if observed else 0
        self.observations = np.zeros((kept, games, find_offsets(batch.config, batch.profile)[1]), np.float32)
        self.masks = np.zeros((kept, games, len(action_table(batch.config.expansions))), np.int8)
        self.seats = np.zeros((steps, games), np.int16)
        self.actions = np.zeros((steps, games), np.int16)
        self.values = np.zeros((steps, games), np.float32)
        self.log_probs = np.zeros((steps, games), np.float32)
        self.advantages = np.zeros((steps, games), np.float32)
        self.returns = np.zeros((steps, games), np.float32)
        self.rewards = np.zeros((steps, games, players), np.float32)
        self.done = np.zeros((steps, games), np.bool_)
        self.filled = 0

    @property
    def full(self) -> bool:
        """Whether all steps are recorded."""
        return self.filled == len(self.seats)

    def clear(self) -> None:
        """Begin the next rollout where the games stand."""
        self.filled = 0

    def step(
        self,
        actions: npt.NDArray[np.integer],
        values: npt.NDArray[np.floating],
        log_probs: npt.NDArray[np.floating] | float = 0.0,
    ) -> None:
        """Record the decisions that the batch asks for, and play them.

        Args:
            actions: (games,) legal actions.
            values: (games,) what the critic expects each deciding seat still to earn.
            log_probs: (games,) logarithms of the probabilities with which the actions were drawn.
        """
        if self.full:
            raise RuntimeError(f"all {self.filled} steps are recorded: clear() begins the next rollout")
        t, batch = self.filled, self.batch
        if self.observed:
            self.observations[t], self.masks[t] = batch.observations, batch.masks
        self.seats[t], self.values[t], self.log_probs[t] = batch.seats, values, log_probs
        batch.step(actions)
        self.actions[t], self.rewards[t], self.done[t] = actions, batch.rewards, batch.done
        self.filled += 1

    def last_observations(self) -> Floats:
        """(games, players, size) what every seat sees now, to value the trajectories that go on."""
        batch = self.batch
        if batch.profile is None:
            raise ValueError(
                "the batch writes no observations: make it with observation='cards', 'compact' or 'full'"
            )
        offsets, size = find_offsets(batch.config, batch.profile)
        seen = np.zeros((batch.num_games, batch.config.players, size), np.float32)
        show_all_seats(lend_states(batch), offsets, seen)
        return seen

    def estimate(
        self, last_values: npt.NDArray[np.floating], gamma: float = 1.0, lam: float = 0.95
    ) -> tuple[Floats, Floats]:
        """Advantages (generalised advantage estimation) and returns, along the decisions of each seat.

        Args:
            last_values: (games, players) what the critic expects of every seat now; not read where the last
                step has ended a game.
            gamma: Discount from one decision of a seat to its next.
            lam: Weight of later estimates, 0 to 1.

        Returns:
            (steps, games) advantages, and the same plus the values.
        """
        n, games = self.filled, np.arange(self.seats.shape[1])
        if np.shape(last_values) != self.rewards.shape[1:]:
            raise ValueError(f"last_values are {self.rewards.shape[1:]} numbers, not {np.shape(last_values)}")
        advantages = np.zeros((n, len(games)), np.float32)
        # Of each seat: value and advantage of its next decision, and what it earned until then.
        value = np.array(last_values, np.float64)
        ahead = np.zeros_like(value)
        earned = self._count_unpaid()
        for t in reversed(range(n)):
            ended = self.done[t]
            value[ended], ahead[ended], earned[ended] = 0, 0, 0
            earned += self.rewards[t]
            seats = self.seats[t]
            step = earned[games, seats] + gamma * value[games, seats] - self.values[t]
            advantages[t] = step + gamma * lam * ahead[games, seats]
            value[games, seats], ahead[games, seats] = self.values[t], advantages[t]
            earned[games, seats] = 0
        self.advantages[:n], self.returns[:n] = advantages, advantages + self.values[:n]
        return advantages, advantages + self.values[:n]

    def minibatches(self, size: int, rng: np.random.Generator) -> Iterator[Minibatch]:
        """All recorded decisions once, in random order, so many at a time; what is left over is dropped.

        A last part that is shorter would weigh its decisions more; one of a single decision has no spread.
        """
        if not self.observed:
            raise ValueError("this rollout keeps no observations: make it with observed=True")
        count = self.filled * self.seats.shape[1]
        if not 0 < size <= count:
            raise ValueError(
                f"a minibatch of {size}: give a number from 1 to {count}, the decisions recorded"
            )
        order = rng.permutation(count)
        flat = [getattr(self, name)[: self.filled] for name in Minibatch._fields]
        flat = [one.reshape(count, *one.shape[2:]) for one in flat]
        for start in range(0, count - size + 1, size):
            chosen = order[start : start + size]
            yield Minibatch(*(one[chosen] for one in flat))

    def _count_unpaid(self) -> npt.NDArray[np.float64]:
        """(games, players) points gained and not paid yet, with the reward `points_gain`; else nothing."""
        batch = self.batch
        unpaid = np.zeros((batch.num_games, batch.config.players))
        if batch._scheme != POINTS_GAIN:
            return unpaid
        players = batch.config.players
        points, places = np.zeros(players, np.int16), np.zeros(players, np.int16)
        for g in range(len(unpaid)):
            kernels.score_row(lend_states(batch)[g], points, places)
            unpaid[g] = points - batch._paid[g]
        return unpaid
