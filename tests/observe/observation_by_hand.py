"""Every piece of an observation worked out again in plain Python, from what the pieces mean.

Slow and without numpy tricks. The numbers are raw; nothing here is shared with the encoder.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from iaww_env import Game
from iaww_env.cards import EMPIRE_IDS, RESOURCES, SIDES, SPACES, empire, kinds, scenarios
from tests.observe.holdings_by_hand import (
    Holdings,
    count_fixed,
    count_kinds,
    count_open,
    count_points,
    count_production,
    count_types,
    list_rates,
    one_hot,
    read_holdings,
)

Raw = dict[str, Any]

# --- What lies where -------------------------------------------------------------------------------


def find_pack(game: Game, seat: int) -> list[int]:
    """The pack that a seat holds in the draft: so many packs have been passed to it."""
    pick, n = int(game.state.pick), game.config.players
    # Packs pass to seat + 1 in odd rounds, to seat - 1 in even ones (ruling 1).
    origin = (seat - pick) % n if game.round % 2 else (seat + pick) % n
    return game.state.packs[origin, : game.state.pack_size].tolist()


def has_held(game: Game, seat: int, other: int) -> bool:
    """Whether the pack that `other` holds was in the seat's hand in this draft."""
    n, pick = game.config.players, int(game.state.pick)
    passed = range(pick + 1)
    # Where the pack of `other` was, so many picks ago.
    return any((other - ago if game.round % 2 else other + ago) % n == seat for ago in passed)


def list_others(game: Game, seat: int) -> list[int]:
    """The other seats from the left."""
    return [(seat + by) % game.config.players for by in range(1, game.config.players)]


# --- The pieces ------------------------------------------------------------------------------------


def describe_table(game: Game) -> Raw:
    """The table, and the configuration."""
    state, config = game.state, game.config
    return {
        "round": one_hot(game.round - 1, 4),
        "phase": one_hot(int(state.phase), 4),
        "step": one_hot(RESOURCES.index(game.phase) if game.phase in RESOURCES else None, 5),
        "pick": int(state.pick),
        "direction": 0 if config.solo else 1 if game.round in (1, 3) else -1,
        "pack_size": int(state.pack_size),
        "players": one_hot(config.players - 1, 7),
        "ascension": int(config.ascension),
        "side": one_hot(SIDES.index(config.empire_side or ""), 6),
    }


def describe_solo(game: Game) -> Raw:
    """What only a solo game has."""
    state, names = game.state, [one.id for one in scenarios()]
    decks = [
        window[game.state.deck_next[d] : game.state.deck_end[d]].tolist()
        for d, window in enumerate((state.base_deck, state.ascension_deck))
    ]
    known = [
        kind
        for deck, shuffled in zip(decks, state.reshuffled.tolist(), strict=True)
        for kind in deck
        if shuffled
    ]
    return {
        "scenario": one_hot(names.index(game.config.scenario) if game.config.scenario else None, 12),
        "sequence": int(state.sequence),
        "dig": one_hot(int(state.dig_deck) - 1, 2),
        "tosses": int(state.tosses),
        "deck_left": [len(deck) for deck in decks],
        "reshuffled": state.reshuffled.tolist(),
        "known_deck": count_kinds(kinds(game.config.expansions), known),
    }


def describe_cards(game: Game, seat: int, own: Holdings) -> Raw:
    """The seat's own cards by kind."""
    pool, drafted = own.pool, list(own.drafted)
    hand = (
        find_pack(game, seat)
        if game.phase == "draft"
        else game.state.packs[0, : game.state.pack_size].tolist()
    )
    picked = int(game.state.picked[seat])
    if picked:
        hand.remove(picked - 1)
        drafted.append(picked - 1)
    oldest = dict(reversed(own.sites))
    missing = [oldest.get(index, [0] * len(SPACES)) for index in range(len(pool))]
    space = own.held - 1 if own.held else own.loose_resource if own.loose else None
    accepts: Counter[int] = Counter()
    for index, open_spaces in own.sites if space is not None else ():
        accepts[index] += open_spaces[space]  # type: ignore[index]  # there is a space to fill
    room = 48 if game.config.solo else 28
    empty = room - len(own.sites)
    return {
        "picked": picked,
        "hand": count_kinds(pool, hand),
        "drafted": count_kinds(pool, drafted),
        "built": own.built,
        "slated": count_kinds(pool, own.slated),
        "left": [sum(one) for one in missing],
        "accepts": [accepts[index] for index in range(len(pool))],
        "missing": missing,
        "site_kind": [index + 1 for index in own.slated] + [0] * empty,
        "site_missing": [one for _, one in own.sites] + [[0] * len(SPACES)] * empty,
    }


def describe_worth(own: Holdings) -> Raw:
    """What cards would score: by imagining them built."""
    now, then = count_points(own), own.imagine(own.slated)
    points_then = count_points(then)
    rates = list_rates(
        [empire(own.empire_id, own.side).points_per, *(card.points_per for card in own.list_built())]
    )
    slated = [own.pool[index] for index in own.slated]
    bonus = [(one.bonus_general, one.bonus_financier, one.bonus_krystallium) for one in slated]
    return {
        "points": now,
        "points_then": points_then,
        "worth": [count_points(own.imagine([k.index])) - now for k in own.pool],
        "worth_then": [count_points(then.imagine([k.index])) - points_then for k in own.pool],
        "point_rate": rates,
        "point_rate_slated": list_rates(card.points_per for card in slated),
        "tokens_slated": [sum(one[i] for one in bonus) for i in range(3)],
        "production": count_production(own),
        "production_then": count_production(then),
    }


def describe_own(game: Game, seat: int, own: Holdings) -> Raw:
    """The seat itself."""
    made = [max(0, amount) for amount in count_production(own)]
    to_come = range(5)
    if game.phase in RESOURCES or game.over:
        to_come = range(5 if game.over else RESOURCES.index(game.phase) + 1, 5)
    built = [index for index, n in enumerate(own.built) for _ in range(n)]
    return {
        "empire": one_hot(EMPIRE_IDS.index(own.empire_id), 7),
        "acted": int(game.state.acted[seat]),
        "held": one_hot(own.held - 1, 8),
        "loose": [own.loose * int(r == own.loose_resource) for r in range(5)],
        "must_choose": own.must_choose,
        "tokens": [own.generals, own.financiers, own.krystallium],
        "empire_cubes": own.empire_cubes,
        "coming": [made[r] if r in to_come else 0 for r in range(5)],
        "types_built": count_types(own, built),
        "types_slated": count_types(own, own.slated),
        "open": count_open(own),
        **describe_cards(game, seat, own),
        **describe_worth(own),
    }


def describe_rivals(game: Game, seat: int, own: Holdings, others: list[Holdings]) -> Raw:
    """Production against that of the others."""
    made = [[max(0, amount) for amount in count_production(other)] for other in others]
    most = [max((one[r] for one in made), default=0) for r in range(5)]
    ahead = []
    for resource, amount in enumerate(count_production(own)):
        least = next(m for m in range(1, 999) if takes_supremacy(m, [one[resource] for one in made]))
        ahead.append(max(0, amount) - least)
    return {
        "supremacy": ahead,
        "most_production": most,
        "sum_production": [sum(one[r] for one in made) for r in range(5)],
    }


def takes_supremacy(made: int, others: list[int]) -> bool:
    """Whether a seat that makes so much has the supremacy (rulings 8, 9 and 13)."""
    if not others:
        return made >= 5
    higher = sum(other >= made for other in others)
    return higher == 0 or (higher == 1 and len(others) >= 5)


def describe_other(game: Game, seat: int, i: int, other: int, them: Holdings) -> Raw:
    """One of the other seats (full)."""
    room = 28 - len(them.sites)
    built = [index for index, n in enumerate(them.built) for _ in range(n)]
    drafting = game.phase == "draft"
    pack = find_pack(game, other) if drafting else []
    known = drafting and has_held(game, seat, other)
    return {
        "empire": one_hot(EMPIRE_IDS.index(them.empire_id), 7),
        "loose": [them.loose * int(r == them.loose_resource) for r in range(5)],
        "must_choose": them.must_choose,
        "tokens": [them.generals, them.financiers, them.krystallium],
        "empire_cubes": them.empire_cubes,
        "production": count_production(them),
        "types_built": count_types(them, built),
        "types_slated": count_types(them, them.slated),
        "production_slated": count_fixed(them),
        "point_rate": list_rates(
            [empire(them.empire_id, them.side).points_per, *(c.points_per for c in them.list_built())]
        ),
        "points": count_points(them),
        "open": count_open(them),
        "drafted": count_kinds(them.pool, them.drafted),
        "built": them.built,
        "slated": count_kinds(them.pool, them.slated),
        "site_kind": [index + 1 for index in them.slated] + [0] * room,
        "site_missing": [one for _, one in them.sites] + [[0] * len(SPACES)] * room,
        "pack_ascension": sum(them.pool[index].deck == "ascension" for index in pack),
        "pack_known": int(known),
        "pack": count_kinds(them.pool, pack if known else []),
    }


def describe_sums(game: Game, others: list[Holdings], each: list[Raw]) -> Raw:
    """The other seats summed up, and what the next one collects (compact, cards)."""

    def total(name: str) -> list[int]:
        return [sum(column) for column in zip(*(one[name] for one in each), strict=True)]

    points = [one["points"] for one in each]
    receiver = each[0] if game.round in (1, 3) else each[-1]
    return {
        "sum_types_built": total("types_built"),
        "sum_tokens": total("tokens"),
        "sum_types_slated": total("types_slated"),
        "sum_production_slated": total("production_slated"),
        "most_points": max(points),
        "sum_points": sum(points),
        "next_types": [a + b for a, b in zip(receiver["types_built"], receiver["types_slated"], strict=True)],
        "next_production": receiver["production"],
        "next_production_slated": receiver["production_slated"],
        "next_point_rate": receiver["point_rate"],
        "next_open": receiver["open"],
    }


def describe_observation(game: Game, seat: int) -> Raw:
    """The raw numbers of every piece of every profile, by name."""
    own = read_holdings(game, seat, seen=False)
    seats = list_others(game, seat)
    others = [read_holdings(game, other, seen=game.phase != "draft") for other in seats]
    each = [describe_other(game, seat, i, *pair) for i, pair in enumerate(zip(seats, others, strict=True))]
    raw = describe_table(game) | describe_own(game, seat, own) | describe_rivals(game, seat, own, others)
    raw["gone"] = [sum(column) for column in zip(*(one.discarded for one in (own, *others)), strict=True)]
    if game.config.solo:
        return raw | describe_solo(game)
    for name in each[0]:
        plain = name in ("pack_ascension", "pack_known", "pack")
        raw[name if plain else f"other_{name}"] = [one[name] for one in each]
    return raw | describe_sums(game, others, each)
