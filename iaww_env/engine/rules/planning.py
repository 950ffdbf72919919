"""Planning: every drafted card is slated for construction or recycled for one cube."""

from __future__ import annotations

from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined
from iaww_env.engine.row import find_discarded, remove_kind
from iaww_env.engine.rules.construction import open_site, recycling_of, settle_surplus


@inlined
def take_drafted(row: States, at: int, kind: int) -> None:
    """A drafted card (solo: a card in hand) leaves the seat's undecided cards."""
    remove_kind(row, at + fields.DRAFTED, int(row[at + fields.N_DRAFTED]), kind)
    row[at + fields.N_DRAFTED] -= 1


@inlined
def slate_card(row: States, at: int, kind: int) -> None:
    """Slate a drafted card for construction."""
    take_drafted(row, at, kind)
    open_site(row, at, kind)


@inlined
def recycle_card(row: States, at: int, kind: int) -> None:
    """Recycle a drafted card: its cube is loose and must be placed at once (ruling 2)."""
    take_drafted(row, at, kind)
    row[find_discarded(row, at) + kind] += 1
    row[at + fields.LOOSE] += 1
    row[at + fields.LOOSE_RESOURCE] = recycling_of(kind)
    settle_surplus(row, at)
