"""Same seed, same choices, same bytes at every step: in any process, compiled or not, whatever else runs."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from iaww_env.batch import Batch, make_stream
from iaww_env.engine.jit import inlined
from iaww_env.game import Game
from tests.engine.traces import sum_row, trace_elsewhere, trace_game, trace_mode
from tests.modes import MODES
from tests.random_play import play_batch, play_on

GAMES = [(mode, seed) for mode in MODES for seed in (1, 2)]


def trace_here(games: list[tuple[str, int]]) -> list[list[int]]:
    return [trace_mode(mode, seed) for mode, seed in games]


def check_traces(games: list[tuple[str, int]], traces: list[list[int]], others: list[list[int]]) -> None:
    assert len(games) == len(traces) == len(others)
    for name, trace, other in zip(games, traces, others, strict=True):
        same = [one == two for one, two in zip(trace, other, strict=False)]
        assert all(same), f"{name} differs first after {same.index(False)} decisions"
        assert len(trace) == len(other)


def test_traces_tell_games_apart() -> None:
    traces = trace_here(GAMES)
    assert len({tuple(trace) for trace in traces}) == len(GAMES)
    assert all(len(set(trace)) > 100 for trace in traces), "every decision changes the row"


def test_twice_in_one_process() -> None:
    check_traces(GAMES, trace_here(GAMES), trace_here(GAMES))


@pytest.mark.parametrize("other", ["4", "7-ascension", "solo-ascension"])
@pytest.mark.parametrize("mode", MODES)
def test_two_games_taking_turns(mode: str, other: str) -> None:
    """Step by step in turns, each game goes as it goes alone."""
    alone = [trace_game(Game(MODES[name], seed), seed) for name, seed in ((mode, 1), (other, 2))]
    games = [Game(MODES[mode], 1), Game(MODES[other], 2)]
    traces = [[sum_row(game)] for game in games]
    plays = [play_on(games[0], random.Random(1), False), play_on(games[1], random.Random(2), True)]
    turns = random.Random(3)
    while not all(game.over for game in games):
        one = turns.randrange(2)
        if next(plays[one], None) is not None:
            traces[one].append(sum_row(games[one]))
    traces = [trace + game.scores() + game.places() for trace, game in zip(traces, games, strict=True)]
    check_traces([(mode, 1), (other, 2)], alone, traces)


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_in_another_process_with_another_hash_seed(hash_seed: str) -> None:
    check_traces(GAMES, trace_here(GAMES), trace_elsewhere(GAMES, PYTHONHASHSEED=hash_seed))


def test_compiled_and_interpreted() -> None:
    games = [(mode, seed) for mode in MODES for seed in range(4)]
    check_traces(games, trace_here(games), trace_elsewhere(games, NUMBA_DISABLE_JIT="1"))


@pytest.mark.parametrize("seed", [0, 2**32, 2**64 - 1, 2**200])
def test_every_whole_number_is_a_seed_of_its_own(seed: int) -> None:
    assert Game(MODES["3"], seed) == Game(MODES["3"], seed)
    for other in (1, 2**16, 2**32, 2**63, 2**64, 2**128):
        assert Game(MODES["3"], seed) != Game(MODES["3"], seed + other)
    assert Game(MODES["3"], np.uint64(seed) if seed < 2**64 else seed) == Game(MODES["3"], seed)


def test_without_a_seed_games_differ() -> None:
    rows = [Game(MODES["3"]).row.tobytes() for _ in range(4)]
    rows += [row.tobytes() for row in Batch(MODES["3"], 4).states]
    assert len(set(rows)) == 8


# --- Streams outside -------------------------------------------------------------------------------


def play_everything() -> list[Any]:
    """What a user can do that draws cards or actions."""
    game = Game(MODES["4-ascension"], 5)
    batch = play_batch("3", 5, 30)
    solo = play_batch("solo-ascension", 5, 300)
    drawn = [game.redeterminize(1, 9).row, game.redeterminize(1, np.random.default_rng(9)).row]
    arrays = [batch.states, batch.sample_legal(make_stream(4)), solo.states, solo.points, *drawn]
    return [trace_game(game, 5), [array.tobytes() for array in arrays]]


def test_seeding_the_global_streams_has_no_effect() -> None:
    kept = np.random.get_state(), random.getstate()
    try:
        np.random.seed(1)
        random.seed(1)
        first = play_everything()
        np.random.seed(2)
        random.seed(2)
        assert play_everything() == first
    finally:
        np.random.set_state(kept[0])
        random.setstate(kept[1])


def read_global_streams() -> list[Any]:
    _, keys, *rest = np.random.get_state()
    return [keys.tolist(), rest, random.getstate()]


def test_the_global_streams_are_not_touched() -> None:
    before = read_global_streams()
    play_everything()
    Game(MODES["solo"]), Batch(MODES["2"], 2), make_stream()  # seeds from the system
    assert read_global_streams() == before


@inlined
def seed_compiled_stream(seed: int) -> None:
    np.random.seed(seed)


@inlined
def draw_compiled_number() -> int:
    return int(np.random.randint(0, 1 << 30))


def test_the_global_stream_of_compiled_code_has_no_effect_and_is_not_touched() -> None:
    """Kernels have a global stream of their own, which np.random.seed outside does not reach."""
    seed_compiled_stream(1)
    undisturbed = draw_compiled_number()
    seed_compiled_stream(2)
    first = play_everything()
    seed_compiled_stream(1)
    assert play_everything() == first
    assert draw_compiled_number() == undisturbed
