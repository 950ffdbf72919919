"""Saved games in which something was changed, sealed anew: refused, or played to their end.

    python -m tests.soundness.mutated_states 1000 7        so many states, and the seed

Some changes hit a cell blindly; others know the state and keep part of its sums, so that they come far.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections import Counter
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from iaww_env.config import GameConfig
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import SEAT_FIELDS, TABLE_FIELDS, States, StateViews, find_layout
from iaww_env.errors import StateError
from iaww_env.game import Game, make_game
from tests.modes import MODES, WITH_SCENARIOS
from tests.random_play import play_on

CONFIGS = [*MODES.values(), *WITH_SCENARIOS.values()]
LONGEST = 5000  # decisions; no game is nearly as long
FIELD_NAMES = [one.name for one in TABLE_FIELDS]
FIELD_NAMES += [prefix + one.name for one in SEAT_FIELDS for prefix in ("", "seen_")]
FIELD_NAMES += ["packs", "base_deck", "ascension_deck"]

Change = Callable[[random.Random, States, StateViews], None]


def pick_cell(rng: random.Random, window: npt.NDArray[np.int16]) -> tuple[int, ...]:
    return tuple(rng.randrange(length) for length in window.shape)


# --- Blind changes ---------------------------------------------------------------------------------


def overwrite_cell(rng: random.Random, row: States, views: StateViews) -> None:
    row[rng.randrange(len(row))] = rng.randrange(-32768, 32768)


def shift_cell(rng: random.Random, row: States, views: StateViews) -> None:
    row[rng.randrange(fields.PHASE, len(row))] += rng.choice((-1, 1))


def swap_cells(rng: random.Random, row: States, views: StateViews) -> None:
    one, other = rng.randrange(fields.PHASE, len(row)), rng.randrange(fields.PHASE, len(row))
    row[one], row[other] = row[other], row[one]


def roll_cells(rng: random.Random, row: States, views: StateViews) -> None:
    start, length = rng.randrange(fields.PHASE, len(row) - 60), rng.randrange(2, 60)
    row[start : start + length] = np.roll(row[start : start + length], 1)


def overwrite_field(rng: random.Random, row: States, views: StateViews) -> None:
    window = getattr(views, rng.choice(FIELD_NAMES))
    if window.size:
        cell = pick_cell(rng, window)
        other = int(window.flat[rng.randrange(window.size)])
        window[cell] = rng.choice((0, 1, -1, 2, 5, 7, 77, 78, 115, other))


# --- Changes that know the state ---------------------------------------------------------------------


def swap_kinds(rng: random.Random, row: States, views: StateViews) -> None:
    """Two cards of packs, decks and pools change places: often another game that could be."""
    start, end = fields.PACKS_AT, fields.PACKS_AT + views.packs.size
    below = views.base_deck.size + views.ascension_deck.size + 40 * (len(views.packs) == 1)  # decks and pools
    places = [*range(start, end), *range(len(row) - below, len(row))]
    places = [place for place in places if row[place] >= 0]
    one, other = rng.choice(places or [start]), rng.choice(places or [start])
    row[one], row[other] = row[other], row[one]


def draw_stream(rng: random.Random, row: States, views: StateViews) -> None:
    """Another stream, sometimes one that draws nothing."""
    views.rng[:] = rng.choice((0, rng.randrange(-32768, 32768)))


def grant_tokens(rng: random.Random, row: States, views: StateViews) -> None:
    name = rng.choice(("generals", "financiers", "krystallium"))
    getattr(views, name)[rng.randrange(len(views.generals))] = rng.choice((0, 1, 9, 500, 9999, 32767))


def change_clock(rng: random.Random, row: States, views: StateViews) -> None:
    """Phase, round and step: the seats no longer belong to them."""
    name, most = rng.choice((("phase", 3), ("round", 4), ("step", 4), ("pick", 7), ("sequence", 2)))
    getattr(views, name)[...] = rng.randrange(most + 1)


def change_waiting(rng: random.Random, row: States, views: StateViews) -> None:
    """Who has acted, in agreement with how many are pending."""
    n = len(views.generals)
    views.acted[rng.randrange(n)] ^= 1
    views.pending[...] = n - int(views.acted.sum())


def move_built(rng: random.Random, row: States, views: StateViews) -> None:
    """A built card becomes another, summed up by count but not by what it gives."""
    seat = rng.randrange(len(views.generals))
    built = np.flatnonzero(views.built[seat])
    if len(built):
        views.built[seat, rng.choice(built.tolist())] -= 1
        views.built[seat, rng.randrange(views.built.shape[1])] += 1


def fill_site(rng: random.Random, row: States, views: StateViews) -> None:
    """A space of a card under construction is filled by hand, sums included."""
    seat = rng.randrange(len(views.generals))
    n = int(views.n_sites[seat])
    if n:
        site, space = rng.randrange(n), rng.randrange(facts.N_SPACES)
        views.site_missing[seat, site, space] -= 1
        views.site_left[seat, site] -= 1
        views.open[seat, space] -= 1


def loosen_cubes(rng: random.Random, row: States, views: StateViews) -> None:
    seat = rng.randrange(len(views.generals))
    views.loose[seat], views.loose_resource[seat] = rng.randrange(4), rng.randrange(5)


def take_in_hand(rng: random.Random, row: States, views: StateViews) -> None:
    seat = rng.randrange(len(views.generals))
    views.held[seat] = rng.randrange(9)
    views.must_choose[seat] = rng.randrange(2)


def change_dig(rng: random.Random, row: States, views: StateViews) -> None:
    views.dig_deck[...], views.tosses[...] = rng.randrange(3), rng.randrange(3)


CHANGES: tuple[Change, ...] = (
    overwrite_cell, shift_cell, swap_cells, roll_cells, overwrite_field,
    swap_kinds, draw_stream, grant_tokens, change_clock, change_waiting,
    move_built, fill_site, loosen_cubes, take_in_hand, change_dig,
)  # fmt: skip


# --- Trying them -------------------------------------------------------------------------------------


def make_positions(rng: random.Random) -> tuple[GameConfig, States]:
    """A position of a random game of any mode."""
    config = rng.choice(CONFIGS)
    game = Game(config, rng.randrange(1 << 30))
    stop, discards = rng.randrange(500), rng.random() < 0.3
    for played, _ in enumerate(play_on(game, rng, discards)):
        if played >= stop:
            break
    return config, game.row


def try_state(config: GameConfig, row: States, rng: random.Random) -> str:
    """Save and load a row, and play it to its end where it is taken: what became of it."""
    data = make_game(config, row).to_bytes()
    try:
        game = Game.from_bytes(data)
    except StateError:
        return "refused"
    assert game.to_bytes() == data
    for seat in range(config.players):
        assert game.redeterminize(seat, 5).legal_actions(seat) == game.legal_actions(seat)
    for played, _ in enumerate(play_on(game, rng, rng.random() < 0.3)):
        assert played < LONGEST
    assert min(game.scores()) >= 0
    return "played"


def try_states(count: int, seed: int) -> Counter[str]:
    """What became of so many states."""
    rng, found = random.Random(seed), Counter[str]()
    while found.total() < count:
        config, original = make_positions(rng)
        for _ in range(10):
            row = original.copy()
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                # A change may look for what an earlier one has taken away.
                with contextlib.suppress(IndexError, ValueError):
                    rng.choice(CHANGES)(rng, row, find_layout(config).views(row))
            if not np.array_equal(row, original):
                found[try_state(config, row, rng)] += 1
    return found


if __name__ == "__main__":
    found = try_states(int(sys.argv[1]), int(sys.argv[2]))
    print(found["played"], found["refused"])
