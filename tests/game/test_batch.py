"""A batch is nothing but its games side by side: each lane goes as the single game of its seed."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from iaww_env.batch import Batch, lend_states, make_stream
from iaww_env.config import GameConfig
from iaww_env.engine.fields import find_layout
from iaww_env.engine.kernels import batch as kernels
from iaww_env.errors import ConfigError, IllegalActionError
from iaww_env.game import Game, lend_row, make_game
from tests.chi_square import find_chi_square, limit_chi_square
from tests.modes import MODES
from tests.random_play import play_batch
from tests.wrong_actions import NO_THREE_ACTIONS

FIRST_SEED = 40
# Three games or so.
STEPS = {"2": 500, "4": 1000, "7-ascension": 1700, "solo": 320, "solo-ascension-sc01": 320}


class Lane:
    """One game played on a plain row with the single-game kernels, begun anew when it is over."""

    def __init__(self, config: GameConfig, seed: int, skip_forced: bool) -> None:
        self.game = Game(config, seed)
        self.skip_forced = skip_forced
        self.done, self.points, self.places = 0, [0] * config.players, [0] * config.players
        self.ask()

    def ask(self) -> None:
        """Find the seat that decides; play what is forced; begin anew after the end."""
        while True:
            if self.game.over:
                self.done, self.points, self.places = 1, self.game.scores(), self.game.places()
                kernels.begin_rows(lend_row(self.game)[None])
            self.seat = self.game.seats_to_act()[0]
            self.legal = self.game.legal_actions(self.seat)
            if len(self.legal) > 1 or not self.skip_forced:
                return
            self.game.step(self.seat, self.legal[0])

    def step(self, action: int) -> None:
        self.done = 0
        self.game.step(self.seat, action)
        self.ask()


def check_lane(batch: Batch, g: int, lane: Lane) -> None:
    assert batch.states[g].tobytes() == lane.game.row.tobytes()
    assert batch.seats[g] == lane.seat
    assert np.flatnonzero(batch.masks[g]).tolist() == lane.legal
    assert (batch.masks[g] >= 0).all()
    assert (batch.masks[g] <= 1).all()
    assert batch.done[g] == lane.done
    assert batch.points[g].tolist() == lane.points
    assert batch.places[g].tolist() == lane.places


def check_same_lane(batch: Batch, g: int, single: Batch) -> None:
    for name in ("states", "seats", "masks", "done", "points", "places"):
        assert getattr(batch, name)[g].tobytes() == getattr(single, name)[0].tobytes(), name


@pytest.mark.parametrize("skip_forced", [True, False])
@pytest.mark.parametrize("mode", STEPS)
def test_each_lane_goes_as_the_single_game_of_its_seed(mode: str, skip_forced: bool) -> None:
    """Through several automatic beginnings, with a batch of one and with a plain row beside it."""
    config, n = MODES[mode], 5
    batch = Batch(config, n, FIRST_SEED, skip_forced=skip_forced)
    singles = [Batch(config, 1, FIRST_SEED + g, skip_forced=skip_forced) for g in range(n)]
    lanes = [Lane(config, FIRST_SEED + g, skip_forced) for g in range(n)]
    streams = [random.Random(g) for g in range(n)]
    ended = 0
    for _ in range(STEPS[mode]):
        for g in range(n):
            check_lane(batch, g, lanes[g])
            check_same_lane(batch, g, singles[g])
        actions = np.array([rng.choice(lane.legal) for rng, lane in zip(streams, lanes, strict=True)])
        batch.step(actions)
        for single, lane, action in zip(singles, lanes, actions.tolist(), strict=True):
            single.step(np.array([action]))
            lane.step(action)
        ended += int(batch.done.sum())
    assert ended >= 2 * n


def test_seeds_may_be_named_one_by_one() -> None:
    for seeds in ([3, 1, 4], (3, 1, 4), np.array([3, 1, 4])):
        batch = Batch(MODES["3"], 3, seeds)
        assert [batch.game(g) for g in range(3)] == [Batch(MODES["3"], 1, seed).game(0) for seed in (3, 1, 4)]


@pytest.mark.parametrize("mode", MODES)
def test_only_real_decisions_are_asked(mode: str) -> None:
    words = make_stream(1)
    forced = 0
    for skip_forced in (True, False):
        batch = Batch(MODES[mode], 8, 2, skip_forced=skip_forced)
        for _ in range(150):
            legal = batch.masks.sum(axis=1)
            forced += int((legal == 1).sum())
            assert (legal >= 1 + skip_forced).all()
            assert not batch.masks[:, batch.game(0).actions.wait].any()
            batch.step(batch.sample_legal(words))
        assert (forced > 0) == (not skip_forced)


def find_addresses(batch: Batch) -> list[tuple[int, int]]:
    arrays = [getattr(batch, name) for name in ("states", "seats", "masks", "done", "points", "places")]
    return [(id(array), array.__array_interface__["data"][0]) for array in arrays]


def test_arrays_are_made_once() -> None:
    batch = Batch(MODES["2"], 4, 1)
    before = find_addresses(batch)
    words = make_stream(1)
    for _ in range(300):
        batch.step(batch.sample_legal(words, discards=False))
    assert find_addresses(batch) == before
    assert batch.points.any()


def test_a_game_of_a_batch_goes_its_own_way() -> None:
    batch = play_batch("4", 3, 50)
    game = batch.game(1)
    before = batch.states.copy()
    game.step(int(batch.seats[1]), int(np.flatnonzero(batch.masks[1])[0]))
    assert (batch.states == before).all()
    own_way = game.clone()
    words = make_stream(1)
    for _ in range(5):
        batch.step(batch.sample_legal(words, discards=False))
    assert game == own_way
    assert (batch.states[1] != before[1]).any()


def test_windows_show_all_games() -> None:
    batch = play_batch("4", 3, 120)
    for g in range(3):
        assert batch.state.krystallium[g].tolist() == batch.game(g).state.krystallium.tolist()
        assert (batch.state.built[g] == batch.game(g).state.built).all()
    find_layout(batch.config).views(lend_states(batch)).krystallium[2, 1] = 77
    assert batch.game(2).state.krystallium[1] == 77


# --- Random legal actions --------------------------------------------------------------------------


def test_sampled_actions_are_legal_and_repeat() -> None:
    batch = Batch(MODES["4-ascension"], 16, 3)
    table, lanes = batch.game(0).actions, np.arange(16)
    words, same = make_stream(5), make_stream(5)
    discards = 0
    for step in range(300):
        with_discards = step % 2 == 0
        actions = batch.sample_legal(words, discards=with_discards).copy()
        assert (batch.sample_legal(same, discards=with_discards) == actions).all()
        assert batch.masks[lanes, actions].all()
        given_up = ((actions >= table.discard) & (actions < table.use)).sum()
        assert with_discards or not given_up
        discards += given_up
        batch.step(actions)
    assert discards > 0
    assert (words == same).all()
    assert (words != make_stream(5)).any()


@pytest.mark.parametrize("discards", [True, False])
def test_sampled_actions_are_uniform(discards: bool) -> None:
    """500 draws for each legal action of one position: chi-square with a fixed stream."""
    batch, table = Batch(MODES["3"], 1, 6), Game(MODES["3"]).actions
    given_up = (np.arange(len(table)) >= table.discard) & (np.arange(len(table)) < table.use)
    words = make_stream(1)
    while (batch.masks[0] * given_up).sum() < 2 or (batch.masks[0] * ~given_up).sum() < 4:
        batch.step(batch.sample_legal(words, discards=False))
    kept = np.flatnonzero(batch.masks[0] * (~given_up | discards)).tolist()
    draws = 500 * len(kept)
    counts = np.zeros(len(table))
    for _ in range(draws):
        counts[batch.sample_legal(words, discards=discards)[0]] += 1
    assert counts.sum() == counts[kept].sum() == draws
    assert find_chi_square(counts[kept], 500) < limit_chi_square(len(kept) - 1, spare=5)


# What lies behind the first is ours as well: a kernel that takes it reads and writes behind its end.
BAD_STREAMS = [np.ones(9, np.int64)[:3], np.ones((2, 2), np.int64), np.ones(4), [1, 2, 3, 4], None]


@pytest.mark.parametrize("words", BAD_STREAMS, ids=["three", "square", "floats", "list", "none"])
@pytest.mark.parametrize("used", [False, True])
def test_streams_of_another_form_are_refused(words: Any, used: bool) -> None:
    batch = Batch(MODES["2"], 3, 1)
    if used:
        batch.sample_legal(make_stream(1))
    with pytest.raises(TypeError, match=r"a stream is an? .*: see make_stream"):
        batch.sample_legal(words)


# All 0 draws nothing but 0 for ever; words of more than 32 bits are none, whatever their lower half says.
NO_WORDS = [
    [0, 0, 0, 0],
    [1 << 32, 0, 0, 0],
    [0, 1 << 40, 3 << 35, 1 << 62],
    [1, 2, 3, -1],
    [-(2**63), 0, 0, 0],
]
NO_WORDS += [[1, 2, 1 << 32, 4]]


@pytest.mark.parametrize("discards", [True, False])
@pytest.mark.parametrize("words", NO_WORDS, ids=str)
def test_streams_that_cannot_draw_are_refused_at_every_call(words: list[int], discards: bool) -> None:
    batch, stream = play_batch("4", 1, 60), make_stream(5)
    good = stream.copy()
    drawn = batch.sample_legal(good, discards=discards).copy()
    with pytest.raises(ValueError, match="four words from 0 to"):
        batch.sample_legal(np.array(words, np.int64), discards=discards)
    # The array that was good before, spoilt: the very object has passed all checks.
    batch.sample_legal(stream.copy(), discards=discards)
    spoilt = make_stream(6)
    batch.sample_legal(spoilt, discards=discards)
    spoilt[:] = words
    with pytest.raises(ValueError, match="four words from 0 to"):
        batch.sample_legal(spoilt, discards=discards)
    assert spoilt.tolist() == words, "nothing was drawn"
    assert (batch.sample_legal(stream, discards=discards) == drawn).all()


def test_every_stream_that_can_draw_is_taken() -> None:
    batch = play_batch("4", 1, 60)
    for words in ([0, 0, 0, 1], [1 << 31, 0, 0, 0], [2**32 - 1] * 4):
        stream = np.array(words, np.int64)
        batch.step(batch.sample_legal(stream, discards=False))
        assert stream.tolist() != words


# --- Bad input -------------------------------------------------------------------------------------


def copy_everything(batch: Batch) -> list[bytes]:
    return [value.tobytes() for _, value in sorted(vars(batch).items()) if isinstance(value, np.ndarray)]


@pytest.mark.parametrize("illegal", [-1, -(2**15), -(2**40), 2**15, 2**16, 2**31, 2**40, 2**63 - 1, 5000])
@pytest.mark.parametrize("lane", [0, 2, 4])
def test_one_number_outside_the_table_stops_all_games(lane: int, illegal: int) -> None:
    batch = play_batch("4", 7, 60, num_games=5)
    actions = batch.sample_legal(make_stream(2)).astype(np.int64)
    before = copy_everything(batch)
    actions[lane] = illegal
    with pytest.raises(IllegalActionError, match=f"game {lane}") as caught:
        batch.step(actions)
    assert (caught.value.seat, caught.value.action) == (batch.seats[lane], illegal)
    assert copy_everything(batch) == before


@pytest.mark.parametrize("by", [2**16, -(2**16), 2**32, -(2**32), 2**48])
def test_numbers_are_not_cut_until_they_are_legal(by: int) -> None:
    batch = play_batch("4", 7, 60, num_games=5)
    actions = batch.sample_legal(make_stream(2)).astype(np.int64)
    before = copy_everything(batch)
    actions[3] += by
    with pytest.raises(IllegalActionError, match="game 3"):
        batch.step(actions)
    assert copy_everything(batch) == before


@pytest.mark.parametrize("mode", ["4", "7-ascension", "solo-ascension"])
def test_one_illegal_action_stops_all_games(mode: str) -> None:
    """Every number of the table that is not legal, in one lane, the others legal."""
    rng = random.Random(mode)
    for steps in (0, 31, 90):
        batch = play_batch(mode, 7, steps, num_games=4)
        legal = batch.sample_legal(make_stream(2)).copy()
        before = copy_everything(batch)
        for illegal in np.flatnonzero(batch.masks[lane := rng.randrange(4)] == 0).tolist():
            actions = legal.copy()
            actions[lane] = illegal
            with pytest.raises(IllegalActionError) as caught:
                batch.step(actions)
            assert caught.value.action == illegal
        assert copy_everything(batch) == before
        batch.step(legal)
        assert copy_everything(batch) != before


@pytest.mark.parametrize(
    "actions",
    [
        *NO_THREE_ACTIONS,
        "abc",
        [0, float("nan"), 0],
        [0, float("inf"), 0],
        ["1", "2", "3"],
        [0, 0, 2**70],
        [0, 0, 2**63],
        [1j, 0, 0],
        {0, 1, 2},
    ],
    ids=repr,
)
def test_actions_of_another_form_are_refused(actions: Any) -> None:
    batch = play_batch("2", 7, 20)
    before = copy_everything(batch)
    with pytest.raises((TypeError, ValueError)) as caught:
        batch.step(actions)
    assert "3 whole numbers" in str(caught.value)
    assert copy_everything(batch) == before


@pytest.mark.parametrize(
    "kind", [np.int16, np.int32, np.int64, np.uint16, np.uint32, np.uint64, list, "strided"]
)
def test_whole_numbers_of_every_type_are_taken(kind: Any) -> None:
    batch, other = play_batch("3", 7, 40), play_batch("3", 7, 40)
    actions = batch.sample_legal(make_stream(2)).copy()
    other.step(actions)
    if kind is list:
        batch.step(actions.tolist())
    elif kind == "strided":
        batch.step(np.repeat(actions, 2)[::2])
    else:
        batch.step(actions.astype(kind))
    assert batch.states.tobytes() == other.states.tobytes()


@pytest.mark.parametrize("num_games", [0, -1, 1.0, "3", None, True, [2]])
def test_numbers_of_games_that_cannot_be(num_games: Any) -> None:
    with pytest.raises(ConfigError, match="num_games"):
        Batch(MODES["2"], num_games, 1)


@pytest.mark.parametrize(
    "seed", [-1, 1.5, "abc", True, [1, 2], [1, 2, -3], [1, 2, 3.0], {1, 2, 3}, np.array(5.0)]
)
def test_seeds_that_cannot_be(seed: Any) -> None:
    with pytest.raises(ConfigError, match="seed"):
        Batch(MODES["2"], 3, seed)


@pytest.mark.parametrize("config", ["4", 4, {"players": 4}])
def test_configurations_of_another_form_are_refused(config: Any) -> None:
    with pytest.raises(ConfigError, match="GameConfig"):
        Batch(config, 2, 1)


def test_the_default_is_a_base_game_of_four() -> None:
    batch = Batch(num_games=2, seed=3)
    assert batch.config == GameConfig(players=4)
    assert make_game(batch.config, batch.states[0].copy()) == batch.game(0)
