"""Cards: each lies in exactly one place, and a seat has as many as have come to it."""

from __future__ import annotations

import numpy as np

from iaww_env import rulebook
from iaww_env.engine import facts
from iaww_env.soundness.bounds import refuse_unless
from iaww_env.soundness.seats import Blocks, count_cards
from iaww_env.soundness.table import Counts, Table, count_scenario


def check_cards(table: Table, blocks: Blocks) -> None:
    """Each card lies in exactly one place, and a seat has as many as have come to it."""
    config, views = table.config, table.views
    owned = count_cards(blocks)
    lying = np.concatenate([views.packs.ravel(), views.base_deck, views.ascension_deck])
    if config.solo:
        lying = np.concatenate([lying, views.pools.ravel()])
    found = np.bincount(lying[lying >= 0], minlength=config.kinds) + owned[: table.n].sum(axis=0)
    refuse_unless(np.array_equal(found, facts.COPIES[: config.kinds]), "a card lies in two places or in none")
    if config.solo:
        in_play = int((blocks.n_drafted + blocks.n_sites + blocks.n_built)[0]) + table.tossed
        came = rulebook.POOL * table.begun + int(count_scenario(config).sum())
        refuse_unless(in_play <= came, "more cards are in play than have come")
    else:
        check_hands(table, blocks, owned)


def check_hands(table: Table, blocks: Blocks, owned: Counts) -> None:
    """What a seat was dealt in all rounds stays with it, and as last seen it had the same cards."""
    n, dealt = table.n, sum(table.hand)
    drafts = table.round - table.is_draft
    size = dealt * drafts + table.pick
    refuse_unless((owned[:n].sum(axis=1) == size).all(), "a seat has another number of cards than was dealt")
    left_over = (dealt - rulebook.PICKS) * drafts
    refuse_unless((blocks.discarded[:n].sum(axis=1) >= left_over).all(), "cards left over are not discarded")
    if table.is_draft:
        refuse_unless((blocks.n_drafted[:n] == table.pick).all(), "a seat has drafted more or fewer")
    before = owned[:n] - (count_drafted(blocks)[:n] if table.is_draft else 0)
    refuse_unless(np.array_equal(owned[n:], before), "a seat was last seen with other cards")
    kept = (blocks.built[:n] >= blocks.built[n:]) & (blocks.discarded[:n] >= blocks.discarded[n:])
    refuse_unless(kept.all(), "a card that was built or discarded has come back")


def count_drafted(blocks: Blocks) -> Counts:
    """(blocks, kinds) cards drafted and undecided."""
    kinds = np.arange(blocks.built.shape[1])
    return np.asarray((blocks.drafted[:, :, None] == kinds).sum(axis=1))
