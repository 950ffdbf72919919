"""The parallel environment: central state, copies, memory and rendering."""

from __future__ import annotations

import copy
import pickle
import random
import resource
import tracemalloc
from typing import Any

import numpy as np
import pytest

import iaww_env
from iaww_env.cards import kind
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.kernels import parallel as together
from iaww_env.envs.multi.parallel import ParallelGame
from iaww_env.game import lend_state
from tests.envs.frozen import freeze
from tests.envs.multi.table_play import choose_first, make_choice, play_parallel, play_some, start_parallel
from tests.envs.taking_turns import take_turns
from tests.modes import OPTIONS

# --- Central state -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["2", "4", "7-ascension"])
def test_the_central_state_holds_the_table_and_every_seats_own(mode: str) -> None:
    env = iaww_env.parallel_env(**OPTIONS[mode])
    assert env.state_space is env.state_space
    assert np.isfinite(env.state_space.low).all()
    assert np.isfinite(env.state_space.high).all()
    assert (env.state_space.low < env.state_space.high).all()
    for actions, _ in play_parallel(env, 3):
        vector, game = env.state(), env.game
        assert env.state_space.contains(vector)
        assert vector.dtype == np.float32
        sight = env.central.views(vector)
        if actions is None:
            assert (sight.hand * 4).sum(1).tolist() == [
                env.config.hand_base + env.config.hand_ascension
            ] * len(sight.hand)
        for seat in range(env.config.players):
            for name, held in (("hand", game.hand(seat)), ("drafted", game.drafted(seat))):
                if name == "drafted" or game.phase == "draft":
                    assert np.repeat(
                        range(env.config.kinds), (getattr(sight, name)[seat] * 4).astype(int)
                    ).tolist() == sorted(kind(id).index for id in held)
            assert (sight.tokens[seat] * 8).round().tolist() == [
                int(getattr(game.state, name)[seat]) for name in ("generals", "financiers", "krystallium")
            ]
        assert (sight.points * 128).round().tolist() == game.scores()
        assert (sight.gone * 4).tolist() == game.state.discarded.sum(0).tolist()
        assert sight.round.argmax() == game.round - 1
    with pytest.raises(ValueError, match="numbers here"):
        env.central.views(vector[:-1])


def test_the_central_state_is_fresh_and_knows_no_future() -> None:
    env = iaww_env.parallel_env(players=3)
    play_some(env, 4, 20)
    vector = env.state()
    assert not np.shares_memory(vector, env.state())
    lend_state(env.game).base_deck[lend_state(env.game).deck_next[0] :] = env.game.state.base_deck[
        : env.game.state.deck_next[0] - 1 : -1
    ].copy()
    lend_state(env.game).rng[:] = 5
    assert (env.state() == vector).all()
    vector[:] = -1
    assert env.state().max() > 0


# --- Copies, several environments, memory ------------------------------------------------------------


@pytest.mark.parametrize("copy_env", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("illegal_action", ["forfeit", "replace"])
def test_a_copy_goes_on_as_the_original_does(copy_env: Any, illegal_action: str) -> None:
    env = iaww_env.parallel_env(
        players=3, reward="points_gain", illegal_action=illegal_action, render_mode="ansi"
    )
    assert env.central.size == len(env.state_space.low)
    bare = copy_env(env)
    assert freeze(bare.reset(seed=3)) == freeze(env.reset(seed=3))
    observations = play_some(env, 6, 60)
    twin = copy_env(env)
    before = env.game.to_bytes()
    choose, twin_choose = make_choice(env, 9), make_choice(env, 9)
    twin_observations = copy.deepcopy(observations)
    if illegal_action == "replace":  # the stream of replacements is copied too
        bad = dict.fromkeys(env.agents, -1)
        twin_observations = twin.step(bad)[0]
        assert env.game.to_bytes() == before, "the original stands still"
        observations = env.step(bad)[0]
        assert env.game == twin.game
    while env.agents:
        one = env.step({agent: choose(agent, observations[agent]) for agent in env.agents})
        two = twin.step({agent: twin_choose(agent, twin_observations[agent]) for agent in twin.agents})
        assert freeze(one) == freeze(two)
        assert (env.state() == twin.state()).all()
        assert env.render() == twin.render()
        observations, twin_observations = one[0], two[0]
    assert copy_env(env).agents == []
    assert freeze(env.reset()) == freeze(twin.reset())
    assert len(getattr(together.step_together, "signatures", [1])) == 1, (
        "a copy must not compile kernels anew"
    )
    assert len(getattr(kernels.show_one_seat, "signatures", [1])) == 1


def test_two_environments_do_not_disturb_each_other() -> None:
    modes = ("3", "3", "6-ascension")
    alone = [list(map(freeze, play_parallel(iaww_env.parallel_env(**OPTIONS[mode]), 2))) for mode in modes]
    games = [play_parallel(iaww_env.parallel_env(**OPTIONS[mode]), 2) for mode in modes]
    mixed = take_turns([map(freeze, game) for game in games], random.Random(0))
    assert mixed == alone


def test_no_global_random_state_is_touched() -> None:
    random.seed(1), np.random.seed(1)
    before = random.getstate(), freeze(np.random.get_state())
    env = iaww_env.parallel_env(players=2, illegal_action="replace")
    env.reset()
    while env.agents:
        env.step(dict.fromkeys(env.agents, -1))
    assert (random.getstate(), freeze(np.random.get_state())) == before


def play_games(env: ParallelGame, games: int) -> None:
    """Games of replaced actions: the environment itself plays."""
    for _ in range(games):
        env.reset()
        while env.agents:
            env.step(dict.fromkeys(env.agents, -1))
        env.state()


def test_memory_stays_flat() -> None:
    env = iaww_env.parallel_env(players=4, observation="compact", illegal_action="replace")
    play_games(env, 3)
    tracemalloc.start()
    try:
        play_games(env, 1)
        before = tracemalloc.get_traced_memory()[0]
        play_games(env, 12)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 10_000, "12 games of some 80 steps: 10 bytes a step at most"


@pytest.mark.slow
@pytest.mark.parametrize("factory", ["parallel", "aec"])
def test_memory_stays_flat_over_ten_thousand_games(factory: str) -> None:
    env: Any = getattr(iaww_env, f"{factory}_env")(players=2, observation="compact", illegal_action="replace")

    def play(games: int) -> int:
        for _ in range(games):
            env.reset()
            while env.agents:
                if factory == "parallel":
                    env.step({"seat_0": -1, "seat_1": -1})
                else:
                    env.last()
                    env.step(None if env.terminations[env.agent_selection] else -1)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = play(500)
    assert play(10_000) - before < 4_000, "kilobytes"


# --- Rendering ---------------------------------------------------------------------------------------


def test_render_gives_the_table_with_every_seat() -> None:
    env, observations = start_parallel(players=3, render_mode="ansi")
    text = env.render()
    assert isinstance(text, str)
    assert text == str(env.game)
    assert all(card in text for seat in range(3) for card in env.game.hand(seat))
    env.step(choose_first(observations))
    assert env.render() != text
    env.close()
    env.close()
    assert env.step(choose_first(env.reset()[0])), "an environment may be used on after close"


def test_human_rendering_prints_each_position(capsys: pytest.CaptureFixture[str]) -> None:
    env = iaww_env.parallel_env(players=2, render_mode="human")
    observations, _ = env.reset(seed=1)
    assert capsys.readouterr().out == f"{env.game}\n"
    env.step(choose_first(observations))
    assert capsys.readouterr().out == f"{env.game}\n"
    assert env.render() is None
    assert capsys.readouterr().out == f"{env.game}\n"


def test_rendering_without_a_mode_warns() -> None:
    env, _ = start_parallel()
    with pytest.warns(UserWarning, match="without render_mode"):
        assert env.render() is None
