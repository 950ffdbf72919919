"""What a seat has, and what follows from it, worked out in plain Python: for `observation_by_hand`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from iaww_env import Game
from iaww_env.cards import EMPIRE_IDS, RESOURCES, SIDES, SPACES, TYPES, Kind, PointsPer, empire, kinds

THINGS = (*TYPES, "general", "financier")


@dataclass
class Holdings:
    """What a seat has, as somebody sees it."""

    empire_id: str
    side: str
    pool: tuple[Kind, ...]
    generals: int
    financiers: int
    krystallium: int
    empire_cubes: int
    loose: int
    loose_resource: int
    held: int
    must_choose: int
    drafted: list[int]
    built: list[int]
    sites: list[tuple[int, list[int]]]
    discarded: list[int]
    extra: Counter[int] = field(default_factory=Counter)  # kinds that are imagined to be built

    def list_built(self) -> list[Kind]:
        """Every built card, the imagined ones included."""
        counts = [n + self.extra[index] for index, n in enumerate(self.built)]
        return [self.pool[index] for index, n in enumerate(counts) for _ in range(n)]

    def count_things(self) -> Counter[str]:
        """Built cards by type, and characters; imagined cards bring theirs."""
        things = Counter(card.type for card in self.list_built())
        things["general"] = self.generals + sum(self.pool[k].bonus_general * n for k, n in self.extra.items())
        things["financier"] = self.financiers + sum(
            self.pool[k].bonus_financier * n for k, n in self.extra.items()
        )
        return things

    def imagine(self, indices: Iterable[int]) -> Holdings:
        """The same with these kinds built at once, nothing paid."""
        return Holdings(**{**vars(self), "extra": self.extra + Counter(indices)})

    @property
    def slated(self) -> list[int]:
        """Kinds under construction."""
        return [index for index, _ in self.sites]


def read_holdings(game: Game, seat: int, seen: bool) -> Holdings:
    """What a seat has, as it stands or as it stood when the phase began."""
    prefix = "seen_" if seen else ""
    numbers = {name: getattr(game.state, prefix + name)[seat].tolist() for name in WINDOWS}
    index, side = divmod(numbers["empire"], len(SIDES))
    sites = zip(numbers["site_kind"], numbers["site_missing"], strict=True)
    return Holdings(
        empire_id=EMPIRE_IDS[index],
        side=SIDES[side],
        pool=kinds(game.config.expansions),
        drafted=numbers["drafted"][: numbers["n_drafted"]],
        sites=list(sites)[: numbers["n_sites"]],
        **{name: numbers[name] for name in PLAIN},
    )


PLAIN = (
    *("generals", "financiers", "krystallium", "empire_cubes", "loose", "loose_resource", "held"),
    *("must_choose", "built", "discarded"),
)
WINDOWS = (*PLAIN, "empire", "drafted", "n_drafted", "n_sites", "site_kind", "site_missing")


# --- What holdings give ----------------------------------------------------------------------------


def pay(per: PointsPer | None, things: Counter[str]) -> int:
    """Points of a card or an empire for each thing or pair of things."""
    if per is None:
        return 0
    return per[0] * min(things[thing] for thing in per[1:] if isinstance(thing, str))


def count_points(own: Holdings) -> int:
    """What a seat would score (ruling 11)."""
    things = own.count_things()
    points = things["general"] + things["financier"] + pay(empire(own.empire_id, own.side).points_per, things)
    return points + sum(card.points + pay(card.points_per, things) for card in own.list_built())


def count_production(own: Holdings) -> list[int]:
    """What it makes of each resource, before the floor of 0 (ruling 8)."""
    types = Counter(card.type for card in own.list_built())
    made = list(empire(own.empire_id, own.side).production)
    for card in own.list_built():
        for resource, amount in enumerate(card.production):
            made[resource] += amount
        if card.production_per is not None:
            made[RESOURCES.index(card.production_per[0])] += types[card.production_per[1]]
    return made


def count_fixed(own: Holdings) -> list[int]:
    """Fixed production of the cards under construction."""
    return [sum(own.pool[index].production[r] for index in own.slated) for r in range(len(RESOURCES))]


def count_types(own: Holdings, indices: Iterable[int]) -> list[int]:
    """Cards by type."""
    types = Counter(own.pool[index].type for index in indices)
    return [types[name] for name in TYPES]


def list_rates(sources: Iterable[PointsPer | None]) -> list[int]:
    """Points for each thing; duos pay for pairs and are no rate."""
    rates = [0] * len(THINGS)
    for per in sources:
        if per is not None and per[2] is None:
            rates[THINGS.index(per[1])] += per[0]
    return rates


def count_open(own: Holdings) -> list[int]:
    """Open spaces by what fills them."""
    return [sum(missing[space] for _, missing in own.sites) for space in range(len(SPACES))]


def count_kinds(pool: tuple[Kind, ...], indices: Iterable[int]) -> list[int]:
    """How many of each kind."""
    counts = Counter(indices)
    return [counts[index] for index in range(len(pool))]


def one_hot(position: int | None, size: int) -> list[int]:
    """1 at a position, 0 elsewhere."""
    return [int(i == position) for i in range(size)]
