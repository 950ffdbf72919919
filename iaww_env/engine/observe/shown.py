"""What a seat is shown at a decision: the mask of its legal actions, and its observation."""

from __future__ import annotations

from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, pasted
from iaww_env.engine.observe.cells import Vector
from iaww_env.engine.observe.pieces import Offsets
from iaww_env.engine.observe.table import encode_seat
from iaww_env.engine.rules.legal import Actions, Mask, list_legal, offers_discards, write_mask


@pasted
def show_decision(
    row: States, seat: int, legal: Actions, n: int, mask: Mask, offsets: Offsets, observation: Vector
) -> None:
    """Write the mask of n legal actions, and the observation where there are offsets for one."""
    write_mask(row, legal, n, mask)
    if len(offsets) > 0:
        encode_seat(row, seat, offsets, observation)


@called
def show_seat(
    row: States, seat: int, asks: int, legal: Actions, mask: Mask, offsets: Offsets, observation: Vector
) -> None:
    """Mask and observation of a seat as the game stands."""
    n = list_legal(row, seat, offers_discards(asks), legal)
    show_decision(row, seat, legal, n, mask, offsets, observation)
