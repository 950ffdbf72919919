"""Planning: every drafted card is slated for construction or recycled for one cube."""

from __future__ import annotations

from iaww_env.engine.fields import DRAFTED_AT, LOOSE, LOOSE_RESOURCE, N_DRAFTED, States
from iaww_env.engine.jit import rule
from iaww_env.engine.rules.construction import find_discarded, open_site, recycling_of, settle_surplus
from iaww_env.engine.rules.deal import remove_kind


@rule
def take_drafted(row: States, at: int, kind: int) -> None:
    """A drafted card (solo: a card in hand) leaves the seat's undecided cards."""
    remove_kind(row, at + DRAFTED_AT, int(row[at + N_DRAFTED]), kind)
    row[at + N_DRAFTED] -= 1


@rule
def slate_card(row: States, at: int, kind: int) -> None:
    """Slate a drafted card for construction."""
    take_drafted(row, at, kind)
    open_site(row, at, kind)


@rule
def recycle_card(row: States, at: int, kind: int) -> None:
    """Recycle a drafted card: its cube is loose and must be placed at once (ruling 2)."""
    take_drafted(row, at, kind)
    row[find_discarded(row, at) + kind] += 1
    row[at + LOOSE] += 1
    row[at + LOOSE_RESOURCE] = recycling_of(kind)
    settle_surplus(row, at)
