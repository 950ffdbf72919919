"""Any sequence of legal choices keeps every invariant, in every mode."""

from __future__ import annotations

import random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from iaww_env import Game, GameConfig, IllegalActionError, rulebook
from iaww_env.cards import EXPANSIONS, SIDES, scenarios
from iaww_env.engine import facts
from iaww_env.game import lend_state
from tests.rules.state_checks import (
    check_account,
    check_bounds,
    check_cards,
    check_cubes,
    check_decision,
    check_lists,
    check_shown,
    check_sites,
    check_state,
    measure_work,
)

TREASURE = 40


def list_modes() -> list[GameConfig]:
    """Every number of players with either card pool and every side, and every scenario."""
    modes = [GameConfig(n, (), side) for n in range(1, 6) for side in SIDES]
    modes += [GameConfig(n, EXPANSIONS, side) for n in range(1, 8) for side in SIDES]
    for one in scenarios():
        modes += [GameConfig(1, EXPANSIONS, scenario=one.id)]
        modes += [] if one.needs_expansion else [GameConfig(1, scenario=one.id)]
    return modes


MODES = list_modes()


def name_mode(config: GameConfig) -> str:
    """A short name for a test."""
    pool = "ascension" if config.ascension else "base"
    return f"{config.scenario or config.players}-{pool}-{config.empire_side}"


class Play:
    """One game: checks what must hold before and after every decision."""

    def __init__(self, config: GameConfig, seed: int, treasure: int) -> None:
        """Begin; every seat holds so many tokens of each sort more."""
        self.game = Game(config, seed=seed)
        self.phases = 0
        check_state(self.game)
        assert self.game.state.shown_points.tolist() == self.game.scores() == [0] * config.players
        state = lend_state(self.game)
        for window in (state.krystallium, state.generals, state.financiers):
            window += treasure
        self.work = self.measure_seats()

    def measure_seats(self) -> list[int]:
        """What each seat has left to do at most."""
        return [measure_work(self.game, seat) for seat in range(self.game.config.players)]

    def step(self, seat: int, action: int) -> None:
        """Play a legal action, and check what it may have changed."""
        game = self.game
        where = (game.round, game.phase, int(game.state.pick))
        game.step(seat, action)
        if where != (game.round, game.phase, int(game.state.pick)):
            check_state(game)
            if where[:2] != (game.round, game.phase):
                check_shown(game)
            self.work = self.measure_seats()
            self.phases += 1
            return
        check_bounds(game)
        check_cards(game)
        check_lists(game)
        check_sites(game, seat)
        check_account(game, seat, game.scores()[seat])
        check_cubes(game, seat)
        check_decision(game, seat)
        work = measure_work(game, seat)
        assert work < self.work[seat], "every decision uses something up"
        self.work[seat] = work


def choose(legal: list[int], game: Game, rng: random.Random, discards: bool) -> int:
    """A legal action; placing and slating come often, so that cards are built."""
    table = game.actions
    wanted = [number for number in legal if table.verb(number) in ("place", "slate")]
    if wanted and rng.random() < 0.6:
        return rng.choice(wanted)
    others = [number for number in legal if not table.discard <= number < table.use]
    return rng.choice(legal if discards else others)


def play_on(play: Play, rng: random.Random, discards: bool, decisions: int | None = None) -> None:
    """Play so many random decisions, or to the end."""
    game = play.game
    while not game.over and decisions != 0:
        seat = rng.choice(game.seats_to_act())
        play.step(seat, choose(game.legal_actions(seat), game, rng, discards))
        decisions = None if decisions is None else decisions - 1


def check_game(
    config: GameConfig, seed: int, start: int, choices: list[int], discards: bool, rich: bool
) -> str:
    """Play `start` random decisions, then the given choices, then to the end; where the choices ended."""
    play = Play(config, seed, TREASURE if rich else 0)
    game, rng = play.game, random.Random(seed)
    play_on(play, rng, discards, start)
    for choice in choices:
        if game.over:
            break
        to_act = game.seats_to_act()
        seat = to_act[choice % len(to_act)]
        legal = game.legal_actions(seat)
        play.step(seat, legal[choice // len(to_act) % len(legal)])
    where = game.phase
    play_on(play, rng, discards)
    # Every phase comes to its end, and there are so many: planning, five steps, and seven picks before them.
    assert game.round == rulebook.ROUNDS
    assert play.phases == rulebook.ROUNDS * (1 + facts.N_RESOURCES + (0 if config.solo else rulebook.PICKS))
    return where


def refuse_others(game: Game, seat: int, rng: random.Random) -> None:
    """Actions that are not legal are refused and change nothing."""
    before = game.to_bytes()
    legal = set(game.legal_actions(seat)) - {game.actions.wait}
    others = [number for number in range(-1, len(game.actions) + 1) if number not in legal]
    for number in [*rng.sample(others, 20), game.actions.wait]:
        with pytest.raises(IllegalActionError):
            game.step(seat, number)
    assert game.to_bytes() == before


ANY_GAME = given(
    config=st.sampled_from(MODES),
    seed=st.integers(0, 2**32 - 1),
    start=st.integers(0, 400),
    choices=st.lists(st.integers(0, 10**6), max_size=60),
    discards=st.booleans(),
    rich=st.booleans(),
)


@settings(max_examples=100)
@ANY_GAME
def test_any_sequence_of_legal_choices_keeps_every_invariant(
    config: GameConfig, seed: int, start: int, choices: list[int], discards: bool, rich: bool
) -> None:
    event(check_game(config, seed, start, choices, discards, rich))


@pytest.mark.slow
@settings(max_examples=5000)
@ANY_GAME
def test_many_more_sequences_keep_every_invariant(
    config: GameConfig, seed: int, start: int, choices: list[int], discards: bool, rich: bool
) -> None:
    event(check_game(config, seed, start, choices, discards, rich))


@pytest.mark.parametrize("config", MODES, ids=name_mode)
def test_every_mode_keeps_every_invariant(config: GameConfig) -> None:
    check_game(config, seed=11, start=0, choices=[], discards=False, rich=True)


@settings(max_examples=50)
@ANY_GAME
def test_only_legal_actions_are_played_and_others_change_nothing(
    config: GameConfig, seed: int, start: int, choices: list[int], discards: bool, rich: bool
) -> None:
    play = Play(config, seed, TREASURE if rich else 0)
    play_on(play, random.Random(seed), discards, start)
    for seat in range(config.players):
        refuse_others(play.game, seat, random.Random(seed))
    if not play.game.over:
        seat = play.game.seats_to_act()[0]
        for number in play.game.legal_actions(seat):
            copy = play.game.clone()
            copy.step(seat, number)
            check_state(copy)
