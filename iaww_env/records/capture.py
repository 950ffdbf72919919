"""What a record takes from a game: the cards dealt, how a seat stands, and the result."""

from __future__ import annotations

from typing import Any

from iaww_env import rulebook
from iaww_env.cards import SPACES, kinds
from iaww_env.config import GameConfig
from iaww_env.engine.fields import States
from iaww_env.game import Game, lend_state
from iaww_env.records.form import HOLDINGS, sort_sites


def is_untouched(game: Game) -> bool:
    """Whether all cards that a record must hold still lie where they were dealt."""
    state = game.state
    if game.round != 1:
        return False
    if game.config.solo:
        return bool(
            state.phase == rulebook.PLANNING and state.sequence == 1 and state.n_drafted[0] == rulebook.POOL
        )
    return bool(state.phase == rulebook.DRAFT and state.pick == 0 and not state.acted.any())


def list_deals(game: Game) -> list[list[list[str]]]:
    """What each seat is dealt, `[round][seat]`, of an untouched game: the first deal is in the packs."""
    config, state = game.config, game.state
    decks = [iter(deck) for deck in list_decks(game)]
    counts = (config.hand_base, config.hand_ascension)
    deals = [[pack[: int(state.pack_size)].tolist() for pack in state.packs]]
    for _ in range(rulebook.ROUNDS - 1):
        deal = []
        for _ in range(config.players):  # base cards first, as the engine takes them off the decks
            deal.append([next(deck) for deck, count in zip(decks, counts, strict=True) for _ in range(count)])
        deals.append(deal)
    return [[_name_kinds(config, hand) for hand in deal] for deal in deals]


def list_pools(game: Game) -> list[list[str]]:
    """The eight pools of an untouched solo game: the first is in hand already."""
    later: list[list[int]] = game.state.pools[1:].tolist()
    return [game.drafted(0), *(_name_kinds(game.config, pool) for pool in later)]


def list_decks(game: Game) -> tuple[list[int], list[int]]:
    """The kinds left in the base and in the ascension deck, the next card first."""
    state = game.state
    base, ascension = (
        deck[int(state.deck_next[number]) : int(state.deck_end[number])].tolist()
        for number, deck in enumerate((state.base_deck, state.ascension_deck))
    )
    return base, ascension


def _name_kinds(config: GameConfig, indices: list[int]) -> list[str]:
    table = kinds(config.expansions)
    return [table[index].id for index in indices]


def hide_chance(game: Game) -> States:
    """The row without what a record does not hold; equal for a game and its replay.

    Left out are the random stream, the order of the decks, and whether the empires were named or drawn.
    """
    bare = game.clone()
    state = lend_state(bare)
    state.rng[...] = 0
    state.named_empire[...] = 0
    state.base_deck.sort()
    state.ascension_deck.sort()
    return bare.row


def describe_seat(game: Game, seat: int) -> dict[str, Any]:
    """How a seat stands, in the fields of a check."""
    state = game.state
    return {
        "round": game.round,
        "phase": game.phase,
        **{name: int(getattr(state, name)[seat]) for name in HOLDINGS},
        "under_construction": _describe_sites(game, seat),
        "built": game.built(seat),
        "net_production": state.production[seat].tolist(),
        "points": game.scores()[seat],
    }


def _describe_sites(game: Game, seat: int) -> list[dict[str, Any]]:
    """Cards under construction, each with what is still missing."""
    size = int(game.state.n_sites[seat])
    names = _name_kinds(game.config, game.state.site_kind[seat, :size].tolist())
    open_spaces: list[list[int]] = game.state.site_missing[seat, :size].tolist()
    sites = []
    for name, counts in zip(names, open_spaces, strict=True):
        missing = {space: count for space, count in zip(SPACES, counts, strict=True) if count}
        sites.append({"card": name, "missing": missing})
    return sort_sites(sites)


def describe_result(game: Game) -> dict[str, Any]:
    """The result of a game that is over; in solo with the title, or with the scenario's outcome."""
    result: dict[str, Any] = {"scores": game.scores(), "places": game.places(), "winners": game.winners()}
    if game.config.solo:
        if game.config.scenario is None:
            result["title"] = game.title()
        else:
            result |= {"scenario_won": game.scenario_won(), "medal": game.medal()}
    return result
