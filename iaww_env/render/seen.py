"""What is seen of a game from a seat: read once, shown as text or as a drawing.

Everything a seat cannot see is wiped from a copy of the game before anything is read from it, so that no
presentation can show it by mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from iaww_env import rulebook
from iaww_env.cards import EMPIRE_IDS, RESOURCES, SIDES, TYPES, Empire, Kind, empire, kinds
from iaww_env.engine.fields import States, StateViews, find_layout
from iaww_env.game import Game, lend_row, lend_state
from iaww_env.observation import observation_table

LONGEST_NAME = 60  # letters of who plays; longer ones are cut


@dataclass(frozen=True, slots=True)
class Site:
    """A card under construction; `missing` is in the order of `SPACES`."""

    kind: Kind
    copy: int
    missing: tuple[int, ...]  # (8,)

    @property
    def label(self) -> str:
        """The card as the action notation names it: `wind_turbines`, `wind_turbines#2`."""
        return self.kind.id if self.copy == 1 else f"{self.kind.id}#{self.copy}"


@dataclass(frozen=True, slots=True)
class SeenSeat:
    """What can be seen of one seat.

    Attributes:
        seat: Its number.
        empire: Its empire card.
        points: What it would score now.
        made: By resource, what the empire and the built cards make.
        corruption: By resource, what their corruption takes away.
        tokens: Krystallium, generals and financiers held.
        empire_cubes: Cubes on the empire card.
        n_built: Cards built.
        open: Open spaces on cards under construction, in the order of `SPACES`.
        loose: Cubes that must be placed.
        loose_resource: Their resource.
        held: Token in hand: number of the space it is for + 1; 0 is none.
        must_choose: Whether it owes the choice of science supremacy.
        acted: Whether it has ended the phase (draft: has picked), where that can be seen.
        picked: Card picked and not yet revealed, where that can be seen.
        hand: Cards to pick from; None where they are unknown.
        hand_size: How many they are.
        drafted: Cards neither slated nor recycled yet (solo: the hand).
        sites: Cards under construction.
        built: Built cards and how many of each.
    """

    seat: int
    empire: Empire
    points: int
    made: tuple[int, ...]  # (5,)
    corruption: tuple[int, ...]  # (5,)
    tokens: tuple[int, ...]  # (3,)
    empire_cubes: int
    n_built: int
    open: tuple[int, ...]  # (8,)
    loose: int
    loose_resource: str
    held: int
    must_choose: bool
    acted: bool
    picked: Kind | None
    hand: tuple[Kind, ...] | None
    hand_size: int
    drafted: tuple[Kind, ...]
    sites: tuple[Site, ...]
    built: tuple[tuple[Kind, int], ...]

    @property
    def production(self) -> tuple[int, ...]:
        """By resource, what corruption leaves: never below 0 (ruling 8)."""
        return tuple(max(0, made - lost) for made, lost in zip(self.made, self.corruption, strict=True))

    @property
    def types_built(self) -> dict[str, int]:
        """Built cards by type."""
        return {name: sum(n for kind, n in self.built if kind.type == name) for name in TYPES}


@dataclass(frozen=True, slots=True)
class SeenGame:
    """A game as `viewer` sees it (None: a spectator, who sees all but the decks).

    Attributes:
        game: A copy without what cannot be seen.
        viewer: The seat, or None.
        seats: What can be seen of each seat.
        legal: The viewer's legal actions in text form; none for a spectator.
        agents: Who plays, by seat, in one line each; empty where nobody knows.
    """

    game: Game
    viewer: int | None
    seats: tuple[SeenSeat, ...]
    legal: tuple[str, ...]
    agents: tuple[str, ...] = ()

    def name_agent(self, seat: int) -> str:
        """Who plays a seat; empty where nobody knows."""
        return self.agents[seat] if self.agents else ""


def look_at_game(
    game: Game, viewer: int | None, before: SeenGame | None = None, agents: Sequence[str] = ()
) -> SeenGame:
    """What a seat, or a spectator, sees of a game.

    Args:
        game: The game.
        viewer: The seat; None for a spectator.
        before: What the same viewer saw of the same game earlier: seats that have not changed since are taken
            from there, which saves reading them again.
        agents: Who plays, by seat; empty where nobody knows.
    """
    legal = () if viewer is None else tuple(game.legal_texts(viewer))
    shown = hide_secrets(game, viewer)
    points = shown.scores()
    same = [] if before is None else _list_unchanged(before.game, shown)
    seats = tuple(
        before.seats[seat]
        if before is not None and seat in same
        else _look_at_seat(shown, seat, points[seat])
        for seat in range(game.config.players)
    )
    return SeenGame(shown, viewer, seats, legal, clean_names(tuple(agents), game.config.players))


@lru_cache(maxsize=64)
def clean_names(agents: tuple[str, ...], players: int) -> tuple[str, ...]:
    """Who plays, fit to be shown: files of strangers say what they like. Nobody, unless all are named."""
    if len(agents) != players:
        return ()
    names = ("".join(letter if letter.isprintable() else "?" for letter in agent) for agent in agents)
    return tuple(
        name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..."
        for name in (" ".join(name.split()) for name in names)
    )


def _list_unchanged(before: Game, now: Game) -> list[int]:
    """The seats of which all that is read is the same in two positions of a game."""
    old, new = before.state, now.state
    if old.phase != new.phase or old.pack_size != new.pack_size:
        return []
    layout, size = find_layout(now.config), now.config.players
    blocks = slice(layout.seats_at, layout.seats_at + size * layout.seat_size)
    differs = (before.row[blocks] != now.row[blocks]).reshape(size, -1).any(axis=1)
    return [
        seat
        for seat in np.flatnonzero(~differs).tolist()
        if old.acted[seat] == new.acted[seat] and (find_hand(old, seat) == find_hand(new, seat)).all()
    ]


def hide_secrets(game: Game, viewer: int | None) -> Game:
    """A copy to look at, without decks and pools, and for a seat without all else that it cannot see.

    The other seats stand as they stood when the phase began (in the draft: when the pick began), and packs
    that have not been through the viewer's hand are blank.
    """
    shown = game.clone()
    state = lend_state(shown)
    state.base_deck[...] = state.ascension_deck[...] = -1
    state.rng[...] = 0
    if game.config.solo:
        state.pools[...] = -1
    if viewer is None or game.over:
        return shown
    for other in range(game.config.players):
        if other == viewer:
            continue
        if state.phase == rulebook.DRAFT:
            state.picked[other] = 0
        else:
            _stand_as_seen(shown, other)
        state.acted[other] = 0
    if state.phase == rulebook.DRAFT:
        for other in list_unknown_hands(game, viewer):
            find_hand(state, other)[...] = -1
    return shown


def _stand_as_seen(game: Game, seat: int) -> None:
    layout = find_layout(game.config)
    row = lend_row(game)
    start, seen = (at + seat * layout.seat_size for at in (layout.seats_at, layout.seen_at))
    row[start : start + layout.seat_size] = row[seen : seen + layout.seat_size]


def list_unknown_hands(game: Game, viewer: int) -> list[int]:
    """The seats whose hands the viewer's observation does not tell: packs that it has never had in hand."""
    table = observation_table(game.config, "full")
    known = table.views(table.observe(game, viewer)[0]).pack_known  # by seat, from the left
    players = game.config.players
    return [(viewer + 1 + place) % players for place in np.flatnonzero(known == 0).tolist()]


def find_hand(state: StateViews, seat: int) -> States:
    """The cells of the pack that a seat has in hand in the draft, and of what a dig shows in solo."""
    shift = int(state.pack_shift) if state.phase == rulebook.DRAFT else 0
    pack: States = state.packs[(seat + shift) % int(state.players)]
    return pack


def _look_at_seat(game: Game, seat: int, points: int) -> SeenSeat:
    state = game.state
    pool = kinds(game.config.expansions)
    number = int(state.empire[seat])
    card = empire(EMPIRE_IDS[number // len(SIDES)], SIDES[number % len(SIDES)])
    built = tuple((pool[kind], n) for kind, n in enumerate(state.built[seat].tolist()) if n)
    made, corruption = _count_production(card, built)
    picked = int(state.picked[seat])
    hand = _look_at_hand(game, seat)
    return SeenSeat(
        seat=seat,
        empire=card,
        points=points,
        made=made,
        corruption=corruption,
        tokens=(int(state.krystallium[seat]), int(state.generals[seat]), int(state.financiers[seat])),
        empire_cubes=int(state.empire_cubes[seat]),
        n_built=int(state.n_built[seat]),
        open=tuple(state.open[seat].tolist()),
        loose=int(state.loose[seat]),
        loose_resource=RESOURCES[int(state.loose_resource[seat])],
        held=int(state.held[seat]),
        must_choose=bool(state.must_choose[seat]),
        acted=bool(state.acted[seat]) and not game.over,
        picked=pool[picked - 1] if picked else None,
        hand=hand,
        hand_size=int(state.pack_size) if hand is None else len(hand),
        drafted=tuple(pool[kind] for kind in state.drafted[seat, : state.n_drafted[seat]].tolist()),
        sites=tuple(_look_at_sites(game, seat, pool)),
        built=built,
    )


def _look_at_hand(game: Game, seat: int) -> tuple[Kind, ...] | None:
    """The cards a seat can pick from, less the one it has picked in secret."""
    state = game.state
    pool = kinds(game.config.expansions)
    pack: list[int] = find_hand(state, seat)[: state.pack_size].tolist()
    if any(kind < 0 for kind in pack):
        return None
    if state.picked[seat]:
        pack.remove(int(state.picked[seat]) - 1)
    return tuple(pool[kind] for kind in pack)


def _look_at_sites(game: Game, seat: int, pool: tuple[Kind, ...]) -> Iterable[Site]:
    state = game.state
    for number in range(int(state.n_sites[seat])):
        kind = pool[int(state.site_kind[seat, number])]
        copy = int(state.site_card[seat, number]) - kind.first_card + 1
        yield Site(kind, copy, tuple(state.site_missing[seat, number].tolist()))


def _count_production(
    card: Empire, built: tuple[tuple[Kind, int], ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What is made of each resource, and what corruption takes away (ruling 8)."""
    made, corruption = list(card.production), [0] * len(RESOURCES)
    for kind, copies in built:
        for resource, amount in enumerate(kind.production):
            if amount > 0:
                made[resource] += copies * amount
            else:
                corruption[resource] -= copies * amount
        if kind.production_per is not None:
            resource_name, counted = kind.production_per
            made[RESOURCES.index(resource_name)] += copies * sum(n for one, n in built if one.type == counted)
    return tuple(made), tuple(corruption)


def group_kinds(cards: Iterable[Kind]) -> list[tuple[Kind, int]]:
    """Cards by kind, and how many of each, in the order they come."""
    counts: dict[Kind, int] = {}
    for kind in cards:
        counts[kind] = counts.get(kind, 0) + 1
    return list(counts.items())
