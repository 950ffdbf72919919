"""What an observation says is what its pieces mean, within their bounds, and the same each time."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from iaww_env import Batch, ConfigError, Game, GameConfig
from iaww_env.batch import lend_states, make_stream
from iaww_env.cards import EMPIRE_IDS, EXPANSIONS, RESOURCES, SIDES, SPACES, TYPES, empire, empires, kinds
from iaww_env.engine import fields
from iaww_env.engine.fields import find_layout
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.observe import pieces
from iaww_env.engine.observe.pieces import PIECES, PROFILES
from iaww_env.engine.rules.legal import ASK_ALL
from iaww_env.game import lend_row
from iaww_env.observation import (
    CARD_FEATURES,
    ObservationTable,
    card_features,
    lend_offsets,
    observation_table,
    raw_views,
    views,
)
from tests.modes import SIZES, VERSUS, WITH_SCENARIOS
from tests.observe.eager_play import visit_positions
from tests.observe.observation_by_hand import describe_observation
from tests.observe.showings import read_windows

TREASURE = 30
GUARD = 64


# --- Every number ----------------------------------------------------------------------------------


def check_numbers(game: Game, seat: int) -> None:
    """Every number of every profile is the raw number worked out by hand, times its scale."""
    raw = describe_observation(game, seat)
    for profile in PROFILES:
        table = observation_table(game.config, profile)
        vector, mask = table.observe(game, seat)
        assert np.array_equal(mask, game.action_mask(seat))
        for piece in table.pieces:
            expected = np.array(raw[piece.name], np.float64).reshape(piece.shape) * piece.scale
            found = vector[piece.start : piece.end].reshape(piece.shape)
            assert np.array_equal(found, expected), f"{profile} {piece.name} of seat {seat}"


@pytest.mark.parametrize("treasure", [0, TREASURE])
@pytest.mark.parametrize("mode", SIZES)
def test_every_number_is_what_its_piece_means(mode: str, treasure: int) -> None:
    config = SIZES[mode]
    rng = random.Random(mode)
    for game in visit_positions(config, 5, often=12 / (120 * config.players), treasure=treasure):
        check_numbers(game, rng.randrange(config.players))


@pytest.mark.parametrize("mode", sorted(WITH_SCENARIOS.keys() - SIZES.keys()))
def test_every_number_in_scenarios(mode: str) -> None:
    for game in visit_positions(WITH_SCENARIOS[mode], 1, often=0.02):
        check_numbers(game, 0)


@pytest.mark.parametrize("side", SIDES)
def test_every_number_with_every_empire(side: str) -> None:
    for first in range(0, len(EMPIRE_IDS), 2):
        named = tuple(EMPIRE_IDS[(first + seat) % len(EMPIRE_IDS)] for seat in range(2))
        game = Game(GameConfig(2, EXPANSIONS, side, named), 3)
        check_numbers(game, 0)


@pytest.mark.parametrize("mode", ["1", "1-ascension", "ascension_sc02"])
def test_every_number_when_decks_are_reshuffled(mode: str) -> None:
    reshuffled = 0
    for game in visit_positions(WITH_SCENARIOS[mode], 2, often=0.2, eager="dig"):
        if game.state.reshuffled.any():
            check_numbers(game, 0)
            reshuffled += 1
    assert reshuffled > 3


def list_nonzero(game: Game) -> set[tuple[str, str]]:
    """Profile and name of the pieces that hold something for some seat."""
    found = set()
    for profile in PROFILES:
        table = observation_table(game.config, profile)
        for seat in range(game.config.players):
            vector, _ = table.observe(game, seat)
            found |= {(profile, p.name) for p in table.pieces if vector[p.start : p.end].any()}
    return found


def test_every_piece_is_somewhere_something_else_than_zero() -> None:
    """Else a piece could be left out of the encoder, and nobody would notice."""
    found = set()
    for mode, eager in (("1", "dig"), ("ascension_sc01", ""), ("3-ascension", "")):
        for game in visit_positions(WITH_SCENARIOS[mode], 2, often=0.3, treasure=3, eager=eager):
            found |= list_nonzero(game)
    assert found == {(profile, piece.name) for piece in PIECES for profile in piece.profiles}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("mode", ["1-ascension", "4", "7-ascension"])
def test_a_batch_shows_what_a_single_game_shows(mode: str, profile: str) -> None:
    config = SIZES[mode]
    batch, words = Batch(config, 3, 8, observation=profile), make_stream(1)
    table = observation_table(config, profile)
    for step in range(300):
        batch.step(batch.sample_legal(words, discards=False))
        if step % 10 == 0:
            for g in range(3):
                observation, mask = table.observe(batch.game(g), int(batch.seats[g]))
                assert observation.tobytes() == batch.observations[g].tobytes()
                assert mask.tobytes() == batch.masks[g].tobytes()


# --- Bounds ----------------------------------------------------------------------------------------


def play_batches(config: GameConfig, profile: str) -> Iterator[npt.NDArray[np.float32]]:
    """Observations of long random play, with and without discards and treasures."""
    for discards in (False, True):
        batch, words = Batch(config, 32, 3, observation=profile), make_stream(5)
        if not discards:
            state = find_layout(config).views(lend_states(batch))
            for window in (state.krystallium, state.generals, state.financiers):
                window += TREASURE
        for _ in range(240):
            batch.step(batch.sample_legal(words, discards=discards))
            yield batch.observations


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("mode", SIZES)
def test_every_number_is_within_its_bounds(mode: str, profile: str) -> None:
    table = observation_table(SIZES[mode], profile)
    least, most = np.full(table.size, np.inf), np.full(table.size, -np.inf)
    for observations in play_batches(SIZES[mode], profile):
        assert observations.dtype == np.float32
        least, most = np.minimum(least, observations.min(axis=0)), np.maximum(most, observations.max(axis=0))
    assert np.isfinite(least).all()
    assert np.isfinite(most).all()
    for piece in table.pieces:
        at = slice(piece.start, piece.end)
        assert (table.low[at] <= least[at]).all(), piece.name
        assert (most[at] <= table.high[at]).all(), piece.name


def list_highest() -> dict[str, float]:
    """The greatest raw number of each piece in random games of several modes."""
    highest = dict.fromkeys((piece.name for piece in PIECES), 0.0)
    for mode in ("1-ascension", "2-ascension", "7-ascension"):
        for seed in range(2):
            for game in visit_positions(SIZES[mode], seed, often=0.1, eager="dig" if seed else "choose"):
                for profile in PROFILES:
                    seat = seed % game.config.players
                    for name, raw in vars(read_windows(game, seat, profile)).items():
                        highest[name] = max(highest[name], float(raw.max()))
    return highest


def test_small_pieces_reach_their_bounds() -> None:
    """Numbers that count up to six reach their highest: no bound of a small piece is loose."""
    highest = list_highest()
    small = {piece.name: int(np.max(piece.high)) for piece in PIECES if np.max(piece.high) <= 6}
    assert len(small) > 20
    del small["dig"], small["scenario"]
    assert {name: highest[name] for name in small} == small


def list_best(amounts: npt.NDArray[np.int64], copies: npt.NDArray[np.int64], most: int) -> int:
    """The sum of the greatest amounts of so many physical cards."""
    return int(np.sort(np.repeat(amounts, copies))[::-1][:most].clip(0).sum())


def test_bounds_of_what_a_seat_makes_and_needs_follow_from_the_cards() -> None:
    """No seat ever has more than 48 cards; the bounds are the sums over the best 48, or hardly more."""
    pool = kinds(EXPANSIONS)
    copies = np.array([card.copies for card in pool])
    of_type = {name: min(48, sum(card.copies for card in pool if card.type == name)) for name in TYPES}
    made, corrupted = [], []
    for r, resource in enumerate(RESOURCES):
        amounts = np.array([card.production[r] for card in pool])
        best = list_best(amounts, copies, 48) + max(empire(one, "A").production[r] for one in EMPIRE_IDS)
        per_type = {name: 0 for name in TYPES}
        for card in pool:
            if card.production_per and card.production_per[0] == resource:
                per_type[card.production_per[1]] += card.copies * of_type[card.production_per[1]]
        made.append(best + max(per_type.values()))
        lows = [empire(one, side).production[r] for one in EMPIRE_IDS for side in SIDES]
        corrupted.append(int((amounts.clip(max=0) * copies).sum()) + min(0, *lows))
    piece = {piece.name: piece for piece in PIECES}
    assert max(made) <= piece["production"].high <= 1.05 * max(made)  # type: ignore[operator]
    assert min(corrupted) == piece["production"].low
    spaces = [list_best(np.array([card.cost[s] for card in pool]), copies, 48) for s in range(len(SPACES))]
    assert piece["open"].high == max(spaces)
    rates = Counter[str]()
    for card in pool:
        if card.points_per and card.points_per[2] is None:
            rates[card.points_per[1]] += card.points_per[0] * card.copies
    most = max(one.points_per[0] for side in SIDES for one in empires(side, EXPANSIONS) if one.points_per)
    assert piece["point_rate"].high == max(rates.values()) + most


def test_bounds_by_kind_are_those_of_the_cards() -> None:
    """A count by kind goes up to the copies of that kind, missing spaces up to its cost."""
    for expansions in ((), EXPANSIONS):
        table = observation_table(GameConfig(3, expansions), "full")
        compact = observation_table(GameConfig(3, expansions), "compact")
        high = table.views(table.high)
        for kind in kinds(expansions):
            for name in ("gone", "hand", "drafted", "built", "slated"):
                assert getattr(high, name)[kind.index] * 4 == kind.copies
            assert (high.other_built[:, kind.index] * 4).tolist() == [kind.copies] * 2
            assert (high.missing[kind.index] * 4).tolist() == [max(1, cost) for cost in kind.cost]
            assert compact.views(compact.high).left[kind.index] * 8 == sum(kind.cost)


def test_scales_are_powers_of_two() -> None:
    """So that raw numbers come back exactly."""
    assert (np.frexp(pieces.SCALES)[0] == 0.5).all()


# --- The same each time ----------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("mode", ["1", "1-ascension", "2", "5", "7-ascension"])
def test_looking_changes_nothing_and_shows_the_same(mode: str, profile: str) -> None:
    """Whatever lies in the buffers is overwritten, what lies around them is not touched."""
    table = observation_table(SIZES[mode], profile)
    rng = np.random.default_rng(1)
    for game in visit_positions(SIZES[mode], 4, often=0.05):
        row = game.row.tobytes()
        for seat in range(game.config.players):
            wide = rng.normal(size=table.size + 2 * GUARD).astype(np.float32)
            masks = rng.integers(2, 9, len(game.actions) + 2 * GUARD, np.int8)
            before = wide.copy(), masks.copy()
            room = np.empty(fields.MOST_LEGAL, np.int16)
            shown, mask = wide[GUARD:-GUARD], masks[GUARD:-GUARD]
            offsets = lend_offsets(table)
            kernels.show_one_seat(lend_row(game), seat, ASK_ALL, room, mask, offsets, shown)
            observation, own_mask = table.observe(game, seat)
            assert observation.tobytes() == shown.tobytes()
            assert own_mask.tobytes() == mask.tobytes()
            assert set(mask.tolist()) <= {0, 1}
            for array, old in zip((wide, masks), before, strict=True):
                assert np.array_equal(array[:GUARD], old[:GUARD])
                assert np.array_equal(array[-GUARD:], old[-GUARD:])
        assert game.row.tobytes() == row
        same = game.clone()
        assert table.observe(same, 0)[0].tobytes() == table.observe(game, 0)[0].tobytes()


def test_arrays_are_fresh() -> None:
    table, game = observation_table(VERSUS["3"]), Game(VERSUS["3"], 1)
    one, two = table.observe(game, 0), table.observe(game, 0)
    assert not any(np.shares_memory(*pair) for pair in zip(one, two, strict=True))
    assert [array.dtype for array in one] == [np.float32, np.int8]


# --- Tables, windows and features ------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("mode", SIZES)
def test_pieces_fill_the_vector(mode: str, profile: str) -> None:
    table = observation_table(SIZES[mode], profile)
    assert table is observation_table(SIZES[mode], profile)
    ends = [0, *(piece.end for piece in table.pieces)]
    assert [piece.start for piece in table.pieces] == ends[:-1]
    assert ends[-1] == table.size == len(table.low) == len(table.high)
    assert all(piece.end - piece.start == np.prod(piece.shape) for piece in table.pieces)
    assert (table.low < table.high).all(), "checkers warn where both bounds are the same"


def test_windows_write_through() -> None:
    config = VERSUS["3"]
    table = observation_table(config)
    vectors = np.zeros((2, 5, table.size), np.float32)
    named = table.views(vectors)
    named.other_built[1, 2, 0, 7] = 1
    piece = next(one for one in table.pieces if one.name == "other_built")
    assert np.flatnonzero(vectors[1, 2]).tolist() == [piece.start + 7]
    assert named.pick.shape == (2, 5)
    assert views(vectors, config).missing.shape == (2, 5, 78, 8)
    with pytest.raises(ValueError, match="numbers, not 7"):
        table.views(np.zeros(7))
    with pytest.raises(ConfigError, match="full, compact"):
        ObservationTable(config, "tiny")


# --- Raw numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["4", "1"])
def test_raw_numbers_are_those_worked_out_by_hand(mode: str) -> None:
    config = SIZES[mode]
    for game in visit_positions(config, 2, often=8 / (120 * config.players)):
        by_hand = describe_observation(game, 0)
        for profile in PROFILES:
            vector, _ = observation_table(config, profile).observe(game, 0)
            raw = raw_views(vector, config, profile)
            assert set(vars(raw)) == set(vars(views(vector, config, profile)))
            for name, numbers in vars(raw).items():
                assert numbers.ravel().tolist() == np.array(by_hand[name]).ravel().tolist(), name


@pytest.mark.parametrize("profile", PROFILES)
def test_raw_numbers_times_the_scale_are_the_observation(profile: str) -> None:
    table = observation_table(VERSUS["3"], profile)
    batch = Batch(VERSUS["3"], 6, 1, observation=profile)
    stream = make_stream(2)
    for _ in range(60):
        batch.step(batch.sample_legal(stream, discards=False))
    shown, kept = batch.observations.reshape(2, 3, table.size), batch.observations.copy()
    raw, windows = table.raw_views(shown), table.views(shown)
    for piece in table.pieces:
        numbers, window = getattr(raw, piece.name), getattr(windows, piece.name)
        assert numbers.dtype == np.int32
        assert numbers.shape == (2, 3, *piece.shape) == window.shape
        assert (numbers * np.float32(piece.scale) == window).all()
        numbers[...] = 99
    assert (batch.observations == kept).all(), "raw numbers stand in arrays of their own"


@pytest.mark.parametrize("wrong", [0.3, np.nan, np.inf])
def test_numbers_that_are_no_observation_have_no_raw_numbers(wrong: float) -> None:
    table = observation_table(VERSUS["3"])
    vector, _ = table.observe(Game(VERSUS["3"], 1), 0)
    table.views(vector).production[2] = wrong
    with pytest.raises(ValueError, match="those of production here are not"):
        table.raw_views(vector)
    with pytest.raises(ValueError, match="numbers, not 7"):
        table.raw_views(np.zeros(7))


@pytest.mark.parametrize("expansions", [(), EXPANSIONS])
def test_card_features_are_the_facts(expansions: tuple[str, ...]) -> None:
    features = card_features(expansions)
    column = {name: features[:, i] for i, name in enumerate(CARD_FEATURES)}
    pool = kinds(expansions)
    assert features.shape == (len(pool), len(CARD_FEATURES))
    assert not features.flags.writeable
    for kind in pool:
        facts = {f"type_{kind.type}": 1, f"recycling_{kind.recycling}": 1, "copies": kind.copies}
        facts |= {f"cost_{space}": n for space, n in zip(SPACES, kind.cost, strict=True)}
        facts |= {f"production_{name}": n for name, n in zip(RESOURCES, kind.production, strict=True)}
        facts |= {"bonus_general": kind.bonus_general, "bonus_financier": kind.bonus_financier}
        facts |= {"bonus_krystallium": kind.bonus_krystallium, "points": kind.points}
        facts |= {"ascension": int(kind.deck == "ascension")}
        if kind.production_per:
            facts["per_type_{}_{}".format(*kind.production_per)] = 1
        if kind.points_per:
            points, first, second = kind.points_per
            facts |= {f"points_per_{first}": points} if second is None else {}
            facts |= {f"duo_with_{name}": points for name in (first, second) if second is not None}
        found = {name: column[name][kind.index] for name in CARD_FEATURES}
        assert {name: n for name, n in found.items() if n} == {name: n for name, n in facts.items() if n}


def test_features_tell_all_kinds_apart_but_twins() -> None:
    """Kinds with the same features are the same to a player."""
    features, pool = card_features(EXPANSIONS), kinds(EXPANSIONS)
    same = Counter(row.tobytes() for row in features)
    for row, kind in zip(features, pool, strict=True):
        if same[row.tobytes()] > 1:
            twins = [other for other, line in zip(pool, features, strict=True) if (line == row).all()]
            facts = {(one.cost, one.production, one.points, one.points_per, one.recycling) for one in twins}
            assert len(facts) == 1, kind.id
