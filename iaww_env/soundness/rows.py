"""Whole rows: fit for their configuration, inside their bounds, and a state of the game."""

from __future__ import annotations

import numpy as np

from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States, find_layout
from iaww_env.engine.new_rows import make_rows
from iaww_env.errors import StateError
from iaww_env.soundness.bounds import check_bounds, refuse_unless
from iaww_env.soundness.cards import check_cards
from iaww_env.soundness.seats import Blocks, check_blocks
from iaww_env.soundness.table import Table


def check_row(config: GameConfig, row: States) -> None:
    """Refuse a row that is no state of this configuration.

    Raises:
        StateError: The first thing found that cannot be.
    """
    fixed = make_rows(config, [0])[0]
    if row.shape != fixed.shape or row.dtype != fixed.dtype:
        raise StateError("the saved game does not fit its configuration: its row has another length")
    if not np.array_equal(row[: fields.PHASE], fixed[: fields.PHASE]):
        raise StateError("the saved game does not fit its configuration: its row says otherwise")
    check_bounds(config, row)
    views = find_layout(config).views(row)
    refuse_unless(views.rng.any(), "a random stream of zeros draws nothing else")
    table, blocks = Table(config, views), Blocks(config, row)
    table.check()
    check_blocks(table, blocks)
    check_cards(table, blocks)


def check_rows(config: GameConfig, rows: States) -> None:
    """The same for many rows; rows in which no game has been set up may stand among them."""
    blank = make_rows(config, [0])[0]
    for row in rows:
        started = row.copy()
        started[fields.RNG : fields.PACKS_AT] = blank[fields.RNG : fields.PACKS_AT]
        if not np.array_equal(started, blank):
            check_row(config, row)
