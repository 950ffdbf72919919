"""What must hold in every state of every game, counted afresh from the card table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from iaww_env import Game, GameConfig
from iaww_env.cards import EMPIRE_IDS, RESOURCES, SIDES, SPACES, TYPES, Empire, PointsPer, empire, kinds
from iaww_env.engine.fields import SEAT_FIELDS, TABLE_FIELDS, find_layout

THINGS = (*TYPES, "general", "financier")


# --- Bounds ----------------------------------------------------------------------------------------


@cache
def find_bounds(config: GameConfig) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """The least and the greatest row: what the table of fields allows in each cell."""
    layout = find_layout(config)
    low = np.full(layout.state_size, -1, np.int16)  # packs, decks and pools: a kind, or none
    high = np.full(layout.state_size, layout.kinds - 1, np.int16)
    for row, bound in ((low, "low"), (high, "high")):
        views = layout.views(row)
        for field in TABLE_FIELDS:
            getattr(views, field.name)[...] = getattr(field, bound)
        for field in SEAT_FIELDS:
            getattr(views, field.name)[...] = getattr(field, bound)
            getattr(views, f"seen_{field.name}")[...] = getattr(field, bound)
    return low, high


def check_bounds(game: Game) -> None:
    """Every cell is within the bounds of its field."""
    low, high = find_bounds(game.config)
    outside = np.flatnonzero((game.row < low) | (game.row > high))
    assert outside.size == 0, f"cells out of bounds: {outside.tolist()}"


# --- Cards -----------------------------------------------------------------------------------------


def check_cards(game: Game) -> None:
    """Every card is in exactly one place."""
    state, n = game.state, game.config.kinds
    places = [state.packs, state.base_deck, state.ascension_deck, state.drafted]
    places += [state.pools] if game.config.solo else []
    places += [state.site_kind[seat, : state.n_sites[seat]] for seat in range(game.config.players)]
    lying = np.concatenate([place.ravel() for place in places])
    found = np.bincount(lying[lying >= 0], minlength=n)
    found += state.built.sum(axis=0) + state.discarded.sum(axis=0)
    assert found.tolist() == [one.copies for one in kinds(game.config.expansions)]


def check_lists(game: Game) -> None:
    """Packs and decks hold as many cards as the table says, and nothing behind them."""
    state, size = game.state, int(game.state.pack_size)
    assert (state.packs[:, :size] >= 0).all()
    assert (state.packs[:, size:] == -1).all()
    for deck, window in enumerate((state.base_deck, state.ascension_deck)):
        first, end = int(state.deck_next[deck]), int(state.deck_end[deck])
        assert 0 <= first <= end <= window.size
        assert (window[first:end] >= 0).all()
        assert (window[:first] == -1).all()
        assert (window[end:] == -1).all()
    for seat in range(game.config.players):
        cards = state.drafted[seat].tolist()
        n = int(state.n_drafted[seat])
        assert cards[:n] == sorted(cards[:n])
        assert -1 not in cards[:n]
        assert set(cards[n:]) <= {-1}


# --- Construction ----------------------------------------------------------------------------------


def check_sites(game: Game, seat: int) -> None:
    """Cards under construction lie in order, numbered by age, and their open spaces are summed up."""
    state, pool = game.state, kinds(game.config.expansions)
    n = int(state.n_sites[seat])
    sites: list[list[int]] = state.site[seat].tolist()
    assert not any(any(site) for site in sites[n:]), "something lies behind the last card"
    open_spaces = np.zeros(len(SPACES), np.int64)
    slated = np.zeros(len(RESOURCES), np.int64)
    types = Counter[str]()
    older: list[list[int]] = []
    before = -1
    for site in sites[:n]:
        index, card, twin, left, missing = site[0], site[1], site[2], site[3], site[4:]
        assert index >= before, "kinds ascend"
        if index != before:
            older, before = [], index
        assert card == pool[index].first_card + len(older)
        assert len(older) < pool[index].copies
        assert twin == (missing in older)
        assert left == sum(missing) > 0
        assert all(0 <= k <= cost for k, cost in zip(missing, pool[index].cost, strict=True))
        older.append(missing)
        open_spaces += missing
        slated += pool[index].production
        types[pool[index].type] += 1
    assert state.open[seat].tolist() == open_spaces.tolist()
    assert state.slated_production[seat].tolist() == slated.tolist()
    assert state.types_slated[seat].tolist() == [types[name] for name in TYPES]


# --- What built cards give -------------------------------------------------------------------------


@dataclass
class Account:
    """What an empire and its built cards add up to."""

    production: list[int]
    per_type: list[list[int]]
    types_built: list[int]
    flat_points: int
    point_rate: list[int]
    points: int


def count_points(per: PointsPer | None, things: dict[str, int]) -> int:
    """Points of a card or empire that gives them for each thing or pair of things."""
    if per is None:
        return 0
    return per[0] * min(things[thing] for thing in per[1:] if isinstance(thing, str))


def name_empire(game: Game, seat: int) -> Empire:
    """The side of the empire card that a seat plays."""
    empire_index, side = divmod(int(game.state.empire[seat]), len(SIDES))
    return empire(EMPIRE_IDS[empire_index], SIDES[side])


def count_account(game: Game, seat: int) -> Account:
    """Add up the empire and the built cards of a seat (rulings 8 and 11)."""
    own = name_empire(game, seat)
    pool = kinds(game.config.expansions)
    counts = game.state.built[seat].tolist()
    built = [(pool[index], count) for index, count in enumerate(counts) if count]
    types = Counter[str]()
    for card, count in built:
        types[card.type] += count
    things = {name: types[name] for name in TYPES}
    things |= {"general": int(game.state.generals[seat]), "financier": int(game.state.financiers[seat])}
    account = Account(
        production=list(own.production),
        per_type=[[0] * len(TYPES) for _ in RESOURCES],
        types_built=[types[name] for name in TYPES],
        flat_points=sum(card.points * count for card, count in built),
        point_rate=[0] * len(THINGS),
        points=things["general"] + things["financier"] + count_points(own.points_per, things),
    )
    for card, count in built:
        for resource, made in enumerate(card.production):
            account.production[resource] += made * count
        if card.production_per is not None:
            resource, counted = RESOURCES.index(card.production_per[0]), card.production_per[1]
            account.per_type[resource][TYPES.index(counted)] += count
            account.production[resource] += types[counted] * count
        account.points += (card.points + count_points(card.points_per, things)) * count
    for per, count in [(own.points_per, 1), *((card.points_per, count) for card, count in built)]:
        if per is not None and per[2] is None:
            account.point_rate[THINGS.index(per[1])] += per[0] * count
    return account


def check_account(game: Game, seat: int, points: int) -> None:
    """What a seat makes and scores is what its empire and built cards add up to."""
    state, account = game.state, count_account(game, seat)
    assert state.n_built[seat] == state.built[seat].sum()
    assert state.production[seat].tolist() == account.production
    assert state.per_type[seat].tolist() == account.per_type
    assert state.types_built[seat].tolist() == account.types_built
    assert state.flat_points[seat] == account.flat_points
    assert state.point_rate[seat].tolist() == account.point_rate
    assert points == account.points


# --- Cubes, tokens and decisions -------------------------------------------------------------------


def check_cubes(game: Game, seat: int) -> None:
    """Loose cubes could all be placed, the token in hand too, and nothing waits outside its phase."""
    state = game.state
    loose, held = int(state.loose[seat]), int(state.held[seat])
    assert loose <= int(state.open[seat, state.loose_resource[seat]]) or loose == 0
    assert loose > 0 or state.loose_resource[seat] == 0
    if held:
        assert state.open[seat, held - 1] > 0
        tokens = (state.krystallium, state.generals, state.financiers)
        assert tokens[max(0, held - 1 - len(RESOURCES))][seat] > 0
    if game.phase in RESOURCES:
        assert loose == 0 or game.phase == RESOURCES[state.loose_resource[seat]]
        assert state.n_drafted[seat] == 0
    if game.phase in ("draft", "over") or state.acted[seat]:
        assert (loose, held, int(state.must_choose[seat])) == (0, 0, 0)
    assert not state.must_choose[seat] or game.phase == "science"
    assert not state.picked[seat] or game.phase == "draft"


def check_decision(game: Game, seat: int) -> list[int]:
    """A seat can always do something; its mask holds just that. Returns its legal actions."""
    table, state = game.actions, game.state
    numbers = game.legal_actions(seat)
    assert numbers
    assert numbers == sorted(set(numbers))
    assert np.flatnonzero(game.action_mask(seat)).tolist() == numbers
    done = game.over or bool(state.acted[seat])
    assert (numbers == [table.wait]) == done
    assert (table.wait in numbers) == done
    assert (seat in game.seats_to_act()) == (not done)
    if not done:
        assert any(not table.discard <= number < table.use for number in numbers), "only discards are left"
    return numbers


def check_state(game: Game) -> None:
    """All of the above, for the table and every seat."""
    check_bounds(game)
    check_cards(game)
    check_lists(game)
    assert game.over or int(game.state.pending) == len(game.seats_to_act()) > 0
    points = game.scores()
    for seat in range(game.config.players):
        check_sites(game, seat)
        check_account(game, seat, points[seat])
        check_cubes(game, seat)
        check_decision(game, seat)


def check_shown(game: Game) -> None:
    """A phase has just begun: the others see the seats as they stand (in the draft nothing is copied)."""
    state = game.state
    assert state.shown_points.tolist() == game.scores()
    if game.phase != "draft":
        for field in SEAT_FIELDS:
            seen = getattr(state, f"seen_{field.name}")
            assert np.array_equal(seen, getattr(state, field.name)), field.name


# --- An end to everything --------------------------------------------------------------------------


def measure_work(game: Game, seat: int) -> int:
    """A number that every decision of a seat makes smaller, so that every phase comes to its end.

    What a thing weighs is more than all that it can turn into: an undecided card more than a card under
    construction, that more than its bonus of three tokens, a token less than the five cubes it is made of.
    """
    state = game.state
    tokens = sum(int(window[seat]) for window in (state.krystallium, state.generals, state.financiers))
    work = 15 * int(state.n_drafted[seat]) + 12 * int(state.n_sites[seat]) + 3 * tokens
    work += 2 * int(state.loose[seat]) + int(state.empire_cubes[seat])
    work += 4 * int(state.must_choose[seat]) - int(state.acted[seat]) - bool(state.held[seat])
    if game.config.solo:
        work += 100 * (2 - int(state.sequence)) + measure_dig(game)
    return work


def measure_dig(game: Game) -> int:
    """The same for a dig: less than nothing when it is chosen, and more than a card when one can be kept."""
    if not game.state.dig_deck:
        return 0
    return 20 if game.state.pack_size else {2: -1, 1: 8}[int(game.state.tosses)]
