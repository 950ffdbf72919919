"""The state tensor: every cell of a row belongs to one declared field, and windows look at the row itself."""

from __future__ import annotations

import random
from math import prod

import numpy as np
import pytest

from iaww_env import rulebook
from iaww_env.cards import kinds
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import SEAT_FIELDS, TABLE_FIELDS, Field, find_layout
from iaww_env.engine.new_rows import make_rows
from iaww_env.game import Game
from tests.modes import CA, MODES, VERSUS
from tests.random_play import play_on, play_some

SITE_PARTS = ("site_kind", "site_card", "site_twin", "site_left", "site_missing")


def list_windows(config: GameConfig) -> list[str]:
    """The windows that together cover a row, in the order of the row."""
    seats = [field.name for field in SEAT_FIELDS]
    names = [field.name for field in TABLE_FIELDS] + ["packs"] + seats + [f"seen_{name}" for name in seats]
    return [*names, "base_deck", "ascension_deck", *(["pools"] if config.solo else [])]


def size_of(config: GameConfig, field: Field) -> int:
    """Cells of a field, counted from the configuration alone."""
    # A seat slates seven cards a round; solo: forty from pools, and a scenario's cards beside them.
    sites = fields.SITES_SOLO if config.solo else 4 * 7
    sizes = {"kinds": config.kinds, "cards": config.cards, "players": config.players, "sites": sites}
    return prod(sizes[dim] if isinstance(dim, str) else dim for dim in field.shape)


@pytest.mark.parametrize("mode", MODES)
def test_every_cell_belongs_to_one_field(mode: str) -> None:
    config = MODES[mode]
    row = np.zeros(find_layout(config).state_size, np.int16)
    views = find_layout(config).views(row)
    for number, name in enumerate(list_windows(config), start=1):
        window = getattr(views, name)
        assert not window.any(), f"{name} lies over another field"
        window[...] = number
        assert (row == number).sum() == window.size, f"{name} lies over itself"
    assert row.all(), "a cell belongs to no field"


@pytest.mark.parametrize("mode", MODES)
def test_windows_show_and_change_the_row(mode: str) -> None:
    states = np.zeros((3, 2, find_layout(MODES[mode]).state_size), np.int16)
    views = find_layout(MODES[mode]).views(states)
    assert set(list_windows(MODES[mode])) <= set(dir(views))
    for name in dir(views):
        window = getattr(views, name)
        assert window.shape[:2] == (3, 2)
        assert window.dtype == np.int16
        assert np.shares_memory(window, states) or window.size == 0
        window[1, 0] = 7
        assert (states[1, 0] == 7).sum() == prod(window.shape[2:]), name
        assert not states[0].any()
        assert not states[1, 1].any()
        states[1, 0] = 0
        assert not window.any()


def test_parts_of_a_construction_are_windows_into_it() -> None:
    game = play_some("4", 3, 200)
    state, width = game.state, game.state.site.shape[-1]
    parts = [getattr(state, name) for name in SITE_PARTS]
    assert sum(part.shape[2] if part.ndim == 3 else 1 for part in parts) == width
    rebuilt = np.concatenate([part if part.ndim == 3 else part[..., None] for part in parts], axis=2)
    assert (rebuilt == state.site).all()
    assert (state.n_sites > 0).any()


@pytest.mark.parametrize("mode", MODES)
def test_sizes_follow_from_the_configuration(mode: str) -> None:
    config, found = MODES[mode], find_layout(MODES[mode])
    seat = sum(size_of(config, field) for field in SEAT_FIELDS)
    table = sum(size_of(config, field) for field in TABLE_FIELDS)
    assert found.seat_size == seat
    packs, pools = config.players * fields.PACK, 40 if config.solo else 0
    assert found.state_size == table + packs + 2 * config.players * seat + config.cards + pools
    assert find_layout(GameConfig.from_dict(config.to_dict())) is found


def test_rooms_are_large_enough() -> None:
    """The largest hand, the most cards under construction, the longest list of legal actions."""
    configs = [*MODES.values()]
    assert max(config.hand_base + config.hand_ascension for config in configs) <= fields.PACK
    assert 4 * 2 * 5 + 5 <= fields.SITES_SOLO, "eight pools of five and the cards of a scenario"
    assert fields.SITES_MULTI == 4 * 7
    assert rulebook.POOLS == rulebook.ROUNDS * rulebook.SEQUENCES == 8
    # Each drafted card (slate, recycle), a place and a discard for each card under construction, eight uses,
    # one cube to the empire card, two choices or digs, the end.
    assert fields.MOST_LEGAL >= 2 * fields.MOST_DRAFTED + 2 * fields.SITES_SOLO + 8 + 1 + 2 + 2 + 1
    assert max(kind.copies for kind in kinds(CA)) <= next(f.high for f in SEAT_FIELDS if f.name == "built")


@pytest.mark.parametrize("mode", MODES)
def test_rows_are_small(mode: str) -> None:
    """A game fits the fastest cache of a processor (32 kB), and offsets fit the cells that hold them."""
    found = find_layout(MODES[mode])
    assert 2 * found.state_size <= 32 * 1024
    assert found.state_size <= np.iinfo(np.int16).max


def test_larger_tables_and_pools_have_larger_rows() -> None:
    for expansions in ((), CA):
        sizes = [find_layout(c).state_size for c in VERSUS.values() if c.expansions == expansions]
        assert sizes == sorted(set(sizes))
    assert find_layout(MODES["4"]).state_size < find_layout(MODES["4-ascension"]).state_size
    assert find_layout(MODES["solo"]) is find_layout(MODES["solo-sc01"])


@pytest.mark.parametrize("mode", MODES)
def test_a_row_tells_its_own_sizes(mode: str) -> None:
    config, found = MODES[mode], find_layout(MODES[mode])
    for views in (found.views(make_rows(config, [1])[0]), Game(config, 1).state):
        for name in ("players", "kinds", "cards", "sites", "seats_at", "seat_size", "seen_at", "decks_at"):
            assert getattr(views, name) == getattr(found, name)
        assert (views.hand_base, views.hand_ascension) == (config.hand_base, config.hand_ascension)


@pytest.mark.parametrize("field", [*TABLE_FIELDS, *SEAT_FIELDS], ids=lambda field: field.name)
def test_the_constants_of_the_kernels_are_where_the_windows_begin(field: Field) -> None:
    if field.name in ("built", "discarded"):
        return  # they lie behind a field whose length differs: kernels compute where
    found = find_layout(MODES["4"])
    row = np.zeros(found.state_size, np.int16)
    window = getattr(found.views(row), field.name)
    start = getattr(fields, field.name.upper())
    if field in SEAT_FIELDS:
        window = window[2:3]
        start += found.seats_at + 2 * found.seat_size
    window[...] = 1
    assert np.flatnonzero(row)[0] == start


@pytest.mark.parametrize("mode", MODES)
def test_values_stay_within_the_declared_bounds(mode: str) -> None:
    bounds = {field.name: (field.low, field.high) for field in (*TABLE_FIELDS, *SEAT_FIELDS)}
    bounds |= {f"seen_{field.name}": (field.low, field.high) for field in SEAT_FIELDS}
    bounds |= dict.fromkeys(("packs", "base_deck", "ascension_deck", "pools"), (-1, MODES[mode].kinds - 1))
    for seed in (1, 2):
        game = Game(MODES[mode], seed)
        for played, _ in enumerate(play_on(game, random.Random(seed), discards=seed == 2)):
            if played % 6 and not game.over:
                continue
            for name in list_windows(MODES[mode]):
                window = getattr(game.state, name)
                low, high = bounds[name]
                assert window.size == 0 or low <= window.min() <= window.max() <= high, name


def test_unknown_fields_are_named() -> None:
    state = Game(seed=1).state
    with pytest.raises(AttributeError, match="no field 'krystalium'"):
        _ = state.krystalium
    assert not hasattr(state, "pools"), "pools are for solo games"


def test_field_names_are_said_once() -> None:
    names = [field.name for field in (*TABLE_FIELDS, *SEAT_FIELDS)]
    assert len(set(names)) == len(names)
    assert all(field.meaning and field.low <= field.high for field in (*TABLE_FIELDS, *SEAT_FIELDS))
