"""Inside a phase the order in which the seats are asked changes nothing: not a byte, not a legal action."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iaww_env.game import Game
from tests.modes import MODES, VERSUS
from tests.random_play import choose_action, play_on

PHASES_IN_A_GAME = 4 * (7 + 1 + 5)  # picks, planning, production steps

Plans = list[list[int]]


def plan_seat(game: Game, seat: int, rng: random.Random, discards: bool) -> list[int]:
    """What a seat does from here until it has ended the phase, while nobody else acts."""
    alone = game.clone()
    plan = []
    while not alone.state.acted[seat]:
        plan.append(choose_action(alone, seat, rng, discards))
        alone.step(seat, plan[-1])
    return plan


def plan_phase(game: Game, rng: random.Random, discards: bool) -> Plans:
    """The choices of every seat for the phase that begins."""
    assert game.seats_to_act() == list(range(game.config.players)), "a phase begins with everybody"
    return [plan_seat(game, seat, rng, discards) for seat in range(game.config.players)]


def list_order(plans: Plans) -> list[int]:
    """Seats as often as they decide: one seat after the other."""
    return [seat for seat, plan in enumerate(plans) for _ in plan]


def play_order(game: Game, plans: Plans, order: list[int]) -> Game:
    """Play the choices in this order of seats, on a copy."""
    played = game.clone()
    left = [list(plan) for plan in plans]
    for seat in order:
        played.step(seat, left[seat].pop(0))
    return played


def record_legal(game: Game, plans: Plans) -> list[list[list[int]]]:
    """What each seat may do before each of its choices, and once it has ended, while nobody else acts."""
    legal: list[list[list[int]]] = []
    for seat, plan in enumerate(plans):
        alone = game.clone()
        legal.append([])
        for action in plan:
            legal[seat].append(alone.legal_actions(seat))
            alone.step(seat, action)
        legal[seat].append([alone.actions.wait])
        assert alone.legal_actions(seat) == legal[seat][-1]
    return legal


def check_legal(game: Game, plans: Plans, order: list[int]) -> None:
    """At every moment every seat may do what it could do if the others did nothing."""
    legal = record_legal(game, plans)
    played = game.clone()
    done = [0] * len(plans)
    seen = {name: getattr(game.state, name).copy() for name in dir(game.state) if name.startswith("seen_")}
    for seat in order:
        for other in range(len(plans)):
            assert played.legal_actions(other) == legal[other][done[other]]
        for name, window in seen.items():
            assert (getattr(played.state, name) == window).all(), "others are seen as the phase began"
        assert (seat in played.seats_to_act()) == (done[seat] < len(plans[seat]))
        played.step(seat, plans[seat][done[seat]])
        done[seat] += 1


@pytest.mark.parametrize("discards", [False, True])
@pytest.mark.parametrize("mode", VERSUS)
def test_whole_games_in_any_order(mode: str, discards: bool) -> None:
    rng = random.Random(f"{mode} {discards}")
    game = Game(MODES[mode], rng.randrange(10**6))
    phases = 0
    while not game.over:
        plans = plan_phase(game, rng, discards)
        in_turn = list_order(plans)
        expected = play_order(game, plans, in_turn)
        for order in (in_turn[::-1], rng.sample(in_turn, len(in_turn)), rng.sample(in_turn, len(in_turn))):
            assert play_order(game, plans, order).row.tobytes() == expected.row.tobytes()
        check_legal(game, plans, order)
        game = expected
        phases += 1
    assert phases == PHASES_IN_A_GAME


@settings(deadline=None, max_examples=150, derandomize=True)
@given(
    mode=st.sampled_from(sorted(VERSUS)),
    seed=st.integers(0, 2**32),
    phase=st.integers(0, PHASES_IN_A_GAME - 1),
    discards=st.booleans(),
    data=st.data(),
)
def test_one_phase_in_any_order(
    mode: str, seed: int, phase: int, discards: bool, data: st.DataObject
) -> None:
    rng = random.Random(seed)
    game = Game(MODES[mode], seed)
    for _ in range(phase):
        plans = plan_phase(game, rng, discards)
        game = play_order(game, plans, list_order(plans))
    plans = plan_phase(game, rng, discards)
    in_turn = list_order(plans)
    order = data.draw(st.permutations(in_turn), label="order of seats")
    assert play_order(game, plans, order) == play_order(game, plans, in_turn)
    check_legal(game, plans, order)


@pytest.mark.parametrize("mode", VERSUS)
def test_whole_games_do_not_depend_on_who_is_asked_first(mode: str) -> None:
    """Each seat draws from a stream of its own; only the order of asking differs, through the whole game."""

    def play(ask: random.Random | None) -> bytes:
        game = Game(MODES[mode], 11)
        streams = [random.Random(f"{mode} {seat}") for seat in range(game.config.players)]
        while not game.over:
            seats = game.seats_to_act()
            seat = ask.choice(seats) if ask else seats[0]
            game.step(seat, choose_action(game, seat, streams[seat], discards=True))
        return game.row.tobytes()

    in_order = play(None)
    assert all(play(random.Random(number)) == in_order for number in range(3))


def test_the_games_of_these_tests_hold_every_sort_of_decision() -> None:
    """Without tokens, characters, cubes and discards the tests above would prove little."""
    verbs = set()
    for seed in range(6):
        game = Game(MODES["4-ascension"], seed)
        for _, action in play_on(game, random.Random(seed), discards=seed % 2 == 0):
            verbs.add(game.actions.verb(action))
    assert verbs == {"pick", "slate", "recycle", "place", "discard", "use", "to_empire", "choose", "end"}
