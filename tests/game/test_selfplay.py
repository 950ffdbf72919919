"""Rollouts of a self-play batch: every decision recorded, each linked to the next of its own seat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from iaww_env import Batch, GameConfig, SelfPlayRollout
from iaww_env.batch import make_stream
from iaww_env.observation import observation_table
from tests.modes import CA

GAMMA, LAM = 0.9, 0.8


def play_rollout(
    config: GameConfig, games: int, steps: int, reward: str = "outcome", **options: Any
) -> tuple[SelfPlayRollout, np.ndarray]:
    """A rollout of random legal play with values out of the air, and the last values."""
    batch = Batch(config, games, 5, observation="compact", reward=reward, **options)
    words, rng = make_stream(3), np.random.default_rng(4)
    rollout = SelfPlayRollout(batch, steps)
    while not rollout.full:
        actions = batch.sample_legal(words, discards=False)
        rollout.step(actions, rng.normal(size=games))
    return rollout, rng.normal(size=(games, config.players))


def follow_seat(rollout: SelfPlayRollout, g: int, seat: int) -> list[list[tuple[int, bool]]]:
    """The games of one seat of one lane: when it decided, and whether the game was played to its end."""
    games: list[list[tuple[int, bool]]] = [[]]
    for t in range(rollout.filled):
        if rollout.seats[t, g] == seat:
            games[-1].append((t, False))
        if rollout.done[t, g]:
            games[-1] = [(step, True) for step, _ in games[-1]]
            games.append([])
    return games


def estimate_slowly(rollout: SelfPlayRollout, last: np.ndarray, unpaid: np.ndarray) -> np.ndarray:
    """Advantages by the textbook, one trajectory after the other."""
    advantages = np.full(rollout.seats.shape, np.nan)
    for g in range(rollout.seats.shape[1]):
        for seat in range(rollout.rewards.shape[2]):
            for steps in follow_seat(rollout, g, seat):
                add_trajectory(rollout, g, seat, steps, last, unpaid, advantages)
    return advantages


def add_trajectory(
    rollout: SelfPlayRollout,
    g: int,
    seat: int,
    steps: list[tuple[int, bool]],
    last: np.ndarray,
    unpaid: np.ndarray,
    advantages: np.ndarray,
) -> None:
    times = [t for t, _ in steps]
    for number, t in reversed(list(enumerate(times))):
        is_last, ended = number + 1 == len(times), steps[number][1]
        end = rollout.filled if is_last else times[number + 1]
        if is_last and ended:
            end = t + int(rollout.done[t:, g].argmax()) + 1
        earned = rollout.rewards[t:end, g, seat].sum()
        following = 0.0 if is_last else advantages[times[number + 1], g]
        value = rollout.values[times[number + 1], g] if not is_last else (0.0 if ended else last[g, seat])
        if is_last and not ended:
            earned += unpaid[g, seat]
        delta = earned + GAMMA * value - rollout.values[t, g]
        advantages[t, g] = delta + GAMMA * LAM * following


@pytest.mark.parametrize("reward", ["outcome", "points", "points_gain"])
@pytest.mark.parametrize(
    ("config", "steps"),
    [
        (GameConfig(players=2), 300),
        (GameConfig(players=4), 600),
        (GameConfig(6, CA), 1000),
        (GameConfig(1), 180),
    ],
    ids=["2", "4", "6-ascension", "solo"],
)
def test_advantages_are_those_of_each_seats_own_trajectory(
    config: GameConfig, steps: int, reward: str
) -> None:
    rollout, last = play_rollout(config, 3, steps, reward)
    assert rollout.done.sum() >= 2, "games end within the rollout, and games are left open"
    batch = rollout.batch
    unpaid = np.zeros(last.shape)
    if reward == "points_gain":
        paid = np.zeros(last.shape)
        for t in range(steps):
            paid = np.where(rollout.done[t][:, None], 0, paid + rollout.rewards[t])
        unpaid = np.array([batch.game(g).scores() for g in range(3)]) - paid
        assert unpaid.any() or config.players != 4, "something is left to be paid in one case"
    advantages, returns = rollout.estimate(last, GAMMA, LAM)
    np.testing.assert_allclose(advantages, estimate_slowly(rollout, last, unpaid), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(returns, advantages + rollout.values)


def test_without_discount_every_return_is_what_the_seat_got_in_the_end() -> None:
    """With lambda 1 the return of each decision of a finished game is the outcome of its seat."""
    rollout, last = play_rollout(GameConfig(players=3), 4, 500)
    _, returns = rollout.estimate(last, 1.0, 1.0)
    checked = 0
    for g in range(4):
        ends = np.flatnonzero(rollout.done[:, g])
        for t in range(rollout.filled):
            end = ends[ends >= t]
            expected = (
                rollout.rewards[end[0], g, rollout.seats[t, g]] if len(end) else last[g, rollout.seats[t, g]]
            )
            assert returns[t, g] == pytest.approx(expected, abs=1e-4)
            checked += len(end) > 0
    assert checked > 1000


def test_what_is_recorded_is_what_the_batch_asked() -> None:
    config = GameConfig(players=3)
    batch, twin = (Batch(config, 2, 5, observation="full") for _ in range(2))
    rollout, words = SelfPlayRollout(batch, 40), make_stream(3)
    for t in range(40):
        actions = twin.sample_legal(words).copy()
        for name in ("observations", "masks", "seats"):
            assert (getattr(twin, name) == getattr(batch, name)).all()
        seen, mask, seats = twin.observations.copy(), twin.masks.copy(), twin.seats.copy()
        rollout.step(actions, np.full(2, t))
        twin.step(actions)
        assert (rollout.observations[t] == seen).all()
        assert (rollout.masks[t] == mask).all()
        assert (rollout.seats[t] == seats).all()
        assert (rollout.actions[t] == actions).all()
        assert (rollout.rewards[t] == twin.rewards).all()
        assert (rollout.values[t] == t).all()
    with pytest.raises(RuntimeError, match="clear"):
        rollout.step(actions, np.zeros(2))
    rollout.clear()
    rollout.step(batch.masks.argmax(axis=1), np.zeros(2))
    assert rollout.filled == 1


@pytest.mark.parametrize("profile", ["full", "compact", "cards"])
def test_last_observations_are_those_of_all_seats(profile: str) -> None:
    config = GameConfig(players=3)
    batch = Batch(config, 2, 5, observation=profile)
    rollout, words = SelfPlayRollout(batch, 50), make_stream(1)
    while not rollout.full:
        rollout.step(batch.sample_legal(words), np.zeros(2))
    seen = rollout.last_observations()
    table = observation_table(config, profile)
    for g in range(2):
        assert (seen[g, batch.seats[g]] == batch.observations[g]).all()
        for seat in range(3):
            assert (seen[g, seat] == table.observe(batch.game(g), seat)[0]).all()


def test_a_batch_without_observations_says_so() -> None:
    rollout = SelfPlayRollout(Batch(players=2, num_games=2, seed=1, observation=None), 3)
    with pytest.raises(ValueError, match="observation="):
        rollout.last_observations()


def test_minibatches_hold_every_decision_once_with_what_belongs_to_it() -> None:
    batch = Batch(players=2, num_games=6, seed=5, observation="compact", reward="points")
    rollout, stream, rng = SelfPlayRollout(batch, 20), make_stream(1), np.random.default_rng(2)
    while not rollout.full:
        actions = batch.sample_legal(stream)
        rollout.step(actions, rng.random(6), -rng.random(6))
    advantages, returns = rollout.estimate(np.zeros((6, 2)))
    assert rollout.advantages.tobytes() == advantages.tobytes()
    parts = list(rollout.minibatches(30, rng))
    assert [len(part.actions) for part in parts] == [30] * 4
    # The logarithms are all different, and so tell which decision each row of a part is.
    places = {value: place for place, value in np.ndenumerate(rollout.log_probs)}
    seen = []
    for part in parts:
        for i, value in enumerate(part.log_probs):
            t, g = places[value]
            seen.append((t, g))
            assert (part.observations[i] == rollout.observations[t, g]).all()
            assert (part.masks[i] == rollout.masks[t, g]).all()
            assert part.masks[i, part.actions[i]] == 1
            found = (part.actions[i], part.values[i], part.advantages[i], part.returns[i])
            assert found == (rollout.actions[t, g], rollout.values[t, g], advantages[t, g], returns[t, g])
    assert len(set(seen)) == 120


def test_a_short_rest_is_dropped_and_orders_differ() -> None:
    batch = Batch(players=2, num_games=3, seed=5, observation="compact")
    rollout, stream, rng = SelfPlayRollout(batch, 10), make_stream(1), np.random.default_rng(2)
    for step in range(7):
        rollout.step(batch.sample_legal(stream), np.zeros(3), np.full(3, step))
    rollout.estimate(np.zeros((3, 2)))
    first, second = (list(rollout.minibatches(8, rng)) for _ in range(2))
    assert [len(part.actions) for part in first] == [8, 8]
    assert first[0].log_probs.tolist() != second[0].log_probs.tolist()
    assert max(part.log_probs.max() for part in first) <= 6, "steps that were not recorded stay out"
    for size in (0, -1, 22):
        with pytest.raises(ValueError, match="minibatch"):
            next(rollout.minibatches(size, rng))
