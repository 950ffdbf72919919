"""New rows: the configuration written into them, and their random streams seeded."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from iaww_env.cards import EMPIRE_IDS, SIDES, scenarios
from iaww_env.engine import fields
from iaww_env.engine.fields import States, find_layout
from iaww_env.errors import ConfigError

if TYPE_CHECKING:
    from iaww_env.config import GameConfig

_SCENARIO_NUMBERS = {one.id: number for number, one in enumerate(scenarios(), start=1)}
_EMPIRE_NUMBERS = {name: number for number, name in enumerate(EMPIRE_IDS, start=1)}


def check_seed(seed: object) -> int:
    """A seed as a whole number from 0; None draws one from the system."""
    if seed is None:
        return secrets.randbits(63)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise ConfigError(f"a seed is a whole number from 0 (or None), not {seed!r}")
    if seed < 0:
        raise ConfigError(f"a seed is a whole number from 0, not {seed}; use {-int(seed)}, for instance")
    return int(seed)


def seed_cells(seed: int) -> npt.NDArray[np.int16]:
    """The random stream of a seed, as it lies in a row."""
    words = np.random.SeedSequence(seed).generate_state(fields.STREAM_CELLS // 2, np.uint32)
    halves = np.empty(fields.STREAM_CELLS, np.uint16)
    halves[0::2] = words & 0xFFFF
    halves[1::2] = words >> 16
    return halves.view(np.int16)


def seed_stream(seed: int) -> npt.NDArray[np.int64]:
    """The same stream as a caller's own, in four words."""
    return np.random.SeedSequence(seed).generate_state(fields.STREAM_CELLS // 2, np.uint32).astype(np.int64)


def make_rows(config: GameConfig, seeds: Iterable[int]) -> States:
    """One row for each seed, not yet set up."""
    seeds = list(seeds)
    layout = find_layout(config)
    states = np.zeros((len(seeds), layout.state_size), np.int16)
    views = layout.views(states)
    for name in ("players", "kinds", "cards", "sites", "seats_at", "seat_size", "seen_at", "decks_at"):
        getattr(views, name)[...] = getattr(layout, name)
    views.side[...] = SIDES.index(str(config.empire_side))
    views.scenario[...] = _SCENARIO_NUMBERS[config.scenario] if config.scenario else 0
    views.hand_base[...] = config.hand_base
    views.hand_ascension[...] = config.hand_ascension
    for seat, empire in enumerate(config.empires or ()):
        views.named_empire[:, seat] = _EMPIRE_NUMBERS[empire] if empire else 0
    for g, seed in enumerate(seeds):
        views.rng[g] = seed_cells(seed)
    return states
