"""What is learnt from: each seat's own decisions and result, nothing of others, nothing illegal."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from iaww_agents.networks.inputs import Rows, gather_seen, make_inputs
from iaww_env.game import lend_row
from iaww_env.observation import observation_table
from iaww_training.matches import choose_heuristic
from iaww_training.network import ScoringNetwork
from iaww_training.ppo.settings import find_mode
from iaww_training.ppo.tables import Collected, Ended, Tables

SCALE, GAE = 0.05, 0.9


def make_network(seed: int = 1, pool: tuple[str, ...] = (), advised: bool = False) -> ScoringNetwork:
    torch.manual_seed(seed)
    return ScoringNetwork(make_inputs(pool, advised=advised), width=16, depth=8)


def make_tables(
    modes: dict[str, int], steps: int, mixed: float = 0.0, advised: bool = False, **options: Any
) -> Tables:
    configs = [(find_mode(name), games) for name, games in modes.items()]
    tables = Tables(
        make_inputs(configs[0][0].expansions, advised=advised),
        configs,
        steps,
        7,
        scale=SCALE,
        gae=GAE,
        mixed_share=mixed,
        **options,
    )
    tables.set_opponents([choose_heuristic])
    tables.seat_opponents()
    return tables


class Watched:
    """Keeps what went on at a table: who decided, what was earned, what the critic said."""

    def __init__(self, tables: Tables) -> None:
        self.moves: list[dict[str, Any]] = []
        batch, seated = tables.tables[0].batch, tables.tables[0].seated
        step = batch.step

        def play(actions: npt.NDArray[np.integer]) -> None:
            before = {"seats": batch.seats.copy(), "seated": seated.copy(), "actions": np.array(actions)}
            step(actions)
            points, done = batch.points.copy(), batch.done.copy()
            self.moves.append(before | {"points": points, "done": done})

        batch.step = play  # type: ignore[method-assign]


def follow_slowly(
    moves: list[dict[str, Any]], values: dict[tuple[int, int], float], reward: str
) -> dict[Any, float]:
    """Advantages of all decisions in games that ended, by the definition: sums over a seat's own decisions.

    The reward comes once, at the end: points, or those ahead of the best other seat.
    """
    found: dict[Any, float] = {}
    games, players = moves[0]["points"].shape
    for g in range(games):
        begin = 0
        for t, move in enumerate(moves):
            if not move["done"][g]:
                continue
            for seat in range(players):
                own = [n for n in range(begin, t + 1) if moves[n]["seats"][g] == seat]
                points = move["points"][g].astype(float)
                other = max(np.delete(points, seat)) if reward == "margin" else 0
                paid = SCALE * (points[seat] - other)
                deltas = []
                for place, n in enumerate(own):
                    is_last = place == len(own) - 1
                    ahead = paid if is_last else values[own[place + 1], g]
                    deltas.append(ahead - values[n, g])
                for place, n in enumerate(own):
                    found[n, g] = sum(GAE**later * delta for later, delta in enumerate(deltas[place:]))
            begin = t + 1
    return found


@pytest.mark.parametrize(("mixed", "reward"), [(0.0, "margin"), (1.0, "margin"), (0.0, "points")])
def test_advantages_are_those_of_a_slow_loop_over_each_seat(mixed: float, reward: str) -> None:
    tables = make_tables({"base3": 6}, 420, mixed, reward=reward)
    watched = Watched(tables)
    collected, ended = tables.collect(make_network())
    assert len(ended) >= 6
    mine = [
        (t, g)
        for t, move in enumerate(watched.moves)
        for g in range(6)
        if move["seated"][g, move["seats"][g]] == 0
    ]
    assert len(mine) == len(collected.seen)
    if mixed:
        assert len(mine) < 0.9 * 6 * 420, "the opponent's decisions are not learnt from"
    else:
        assert len(mine) == 6 * 420
    values = {where: float(value) for where, value in zip(mine, collected.values, strict=True)}
    values |= {(t, g): 0.0 for t in range(420) for g in range(6) if (t, g) not in values}
    expected = follow_slowly(watched.moves, values, reward)
    compared = 0
    for where, advantage, result, action in zip(
        mine, collected.advantages, collected.returns, collected.actions, strict=True
    ):
        assert action == watched.moves[where[0]]["actions"][where[1]]
        if where in expected:
            compared += 1
            assert advantage == pytest.approx(expected[where], abs=1e-4)
            assert result == pytest.approx(expected[where] + values[where], abs=1e-4)
    assert compared > 500


@pytest.mark.parametrize("advised", [False, True])
def test_what_goes_on_is_worth_what_its_seat_sees_at_the_end_of_the_rollout(advised: bool) -> None:
    """Each seat by its own eyes: nothing is earned yet, so its last decision returns what it expects."""
    config, tables = find_mode("base3"), make_tables({"base3": 5}, 30, advised=advised)
    network, watched, batch = make_network(advised=advised), Watched(tables), tables.tables[0].batch
    collected, ended = tables.collect(network)
    assert not ended
    table, expected = observation_table(config, "cards"), []
    for g in range(5):
        game = batch.game(g)
        for seat in range(3):
            seen = table.observe(game, seat)[0][None]
            rows = Rows(lend_row(game)[None], np.array([seat]))
            known = gather_seen(network.inputs, tables.sources[0], seen, rows)
            expected.append(float(network.estimate(torch.from_numpy(known)).detach()))
    assert len(set(expected)) > 10
    returns = collected.returns.reshape(30, 5)
    for g in range(5):
        for seat in range(3):
            last = max(t for t, move in enumerate(watched.moves) if move["seats"][g] == seat)
            assert returns[last, g] == pytest.approx(expected[3 * g + seat], abs=1e-5)


def test_a_hand_made_game_teaches_each_seat_its_own_result() -> None:
    """With no discount and full weight of what comes, every decision is worth the end of its own seat."""
    tables = make_tables({"base2": 1}, 400, reward="margin")
    tables.gae = 1.0
    watched = Watched(tables)
    collected, ended = tables.collect(make_network())
    last = next(t for t, move in enumerate(watched.moves) if move["done"][0])
    one, other = ended[0].points
    for t in range(last + 1):
        seat = watched.moves[t]["seats"][0]
        margin = (one - other) if seat == 0 else (other - one)
        assert collected.returns[t] == pytest.approx(SCALE * margin, abs=1e-5)
    assert {int(move["seats"][0]) for move in watched.moves[: last + 1]} == {0, 1}


def test_solo_learns_from_points() -> None:
    tables = make_tables({"basesolo": 2}, 260)
    tables.gae = 1.0
    collected, ended = tables.collect(make_network())
    assert ended
    assert float(collected.returns[0]) == pytest.approx(SCALE * ended[0].points[0], abs=1e-5) or float(
        collected.returns[1]
    ) == pytest.approx(SCALE * ended[0].points[0], abs=1e-5)


def test_log_probabilities_are_those_of_the_policy() -> None:
    network, tables = make_network(), make_tables({"base4": 5, "base2": 4}, 12, 0.4)
    collected, _ = tables.collect(network)
    with torch.no_grad():
        scores, values = network(*collected.seen.tensors())
    log_probs = torch.log_softmax(scores, 1)
    legal = collected.seen.legal
    for n, action in enumerate(collected.actions):
        part = slice(collected.seen.offsets[n], collected.seen.offsets[n + 1])
        (place,) = np.flatnonzero(legal.actions[part] == action)
        assert float(log_probs[n, place]) == pytest.approx(float(collected.log_probs[n]), abs=1e-5)
    np.testing.assert_allclose(values.numpy(), collected.values, atol=1e-5)


def test_actions_are_drawn_as_the_policy_says() -> None:
    """Over many decisions: an action of probability p comes in p of the cases."""
    tables = make_tables({"base4": 64}, 80)
    collected, _ = tables.collect(make_network(3))
    chance = np.exp(collected.log_probs)
    # The expected probability of what is drawn is the sum of squares over the policy.
    with torch.no_grad():
        scores, _ = make_network(3)(*collected.seen.tensors())
    squares = (torch.softmax(scores, 1) ** 2).sum(1).numpy()
    error = (chance - squares).std() / np.sqrt(len(chance))
    assert abs(chance.mean() - squares.mean()) < 4 * error


def test_opponents_take_some_seats_of_some_games() -> None:
    tables = make_tables({"base4": 40, "basesolo": 4}, 400, 0.5)
    seated = tables.tables[0].seated
    assert (seated[:20] > 0).any(1).all(), "in every mixed game an opponent"
    assert (seated[:20] == 0).any(1).all(), "and the learner"
    assert not seated[20:].any()
    assert not tables.tables[1].seated.any(), "alone there is no opponent"
    before = seated.copy()
    _, ended = tables.collect(make_network())
    assert (tables.tables[0].seated != before).any(), "drawn anew when a game begins"
    mixed = [one for one in ended if one.table == 0 and any(one.seated)]
    heuristic = [p for one in mixed for p, who in zip(one.points, one.seated, strict=True) if who]
    learner = [p for one in mixed for p, who in zip(one.points, one.seated, strict=True) if not who]
    assert np.mean(heuristic) > np.mean(learner) + 20, "the heuristic sits where it is said to sit"


@pytest.mark.parametrize("learners", [1, 2, 9])
def test_the_learner_keeps_as_many_seats_as_is_said(learners: int) -> None:
    """In mixed games, where at least one seat is an opponent's."""
    tables = make_tables({"base4": 20}, 300, 0.5, learners=learners)
    _, ended = tables.collect(make_network())
    for seated in (*tables.tables[0].seated[:10].tolist(), *(one.seated for one in ended if any(one.seated))):
        assert list(seated).count(0) == min(learners, 3)


def test_seats_of_opponents_that_are_gone_are_the_learners() -> None:
    tables = make_tables({"base4": 8}, 8, 1.0)
    tables.tables[0].seated[:] = 1
    tables.set_opponents([])
    assert not tables.tables[0].seated.any()
    collected, _ = tables.collect(make_network())
    assert len(collected.seen) == 8 * 8


def play_many(decisions: int) -> int:
    """So many decisions in all kinds of games, none of them illegal: a batch refuses those."""
    made = 0
    modes = [{"base4": 96, "base2": 64, "basesolo": 32, "base5": 64}, {"ca4": 128, "ca7": 96, "casolo": 32}]
    for mode in modes:
        pool = find_mode(next(iter(mode))).expansions
        for discards in (False, True):
            tables = make_tables(mode, 32, 0.2, discards=discards)
            network = make_network(pool=pool)
            part = 0
            while part < decisions // 4:
                collected, _ = tables.collect(network)
                part += check_collected(collected)
            made += part
    return made


def check_collected(collected: Collected) -> int:
    legal, offsets = collected.seen.legal, collected.seen.offsets
    is_played = legal.actions == np.repeat(collected.actions, np.diff(offsets))
    assert np.add.reduceat(is_played, offsets[:-1]).tolist() == [1] * len(collected.actions)
    assert np.isfinite(collected.log_probs).all()
    return len(collected.actions)


def test_nothing_illegal_is_played() -> None:
    assert play_many(60_000) >= 60_000


@pytest.mark.slow
def test_nothing_illegal_is_played_in_a_million_decisions() -> None:
    assert play_many(1_000_000) >= 1_000_000


def test_no_discards_means_none() -> None:
    tables = make_tables({"base4": 32}, 100)
    collected, _ = tables.collect(make_network())
    verbs = make_inputs().verbs
    listed = {verbs[verb] for verb in np.unique(collected.seen.legal.verbs)}
    assert "slate" in listed
    assert not {one for one in listed if "discard" in one}
    other, _ = make_tables({"base4": 32}, 100, discards=True).collect(make_network())
    assert "discard" in {verbs[verb] for verb in np.unique(other.seen.legal.verbs)}


def test_who_ended_where_is_told() -> None:
    tables = make_tables({"base2": 8}, 300)
    _, ended = tables.collect(make_network())
    assert ended
    for one in ended:
        assert isinstance(one, Ended)
        best = max(one.points)
        assert sum(one.wins) == pytest.approx(1)
        assert all(points == best for points, won in zip(one.points, one.wins, strict=True) if won)
