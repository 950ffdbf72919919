"""What one seat owns, and what it may do with it: construction, tokens, loose cubes, points."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.reference.card_table import RESOURCES, Card, Empire

# `use:X` takes a token in hand (first) that fills such a space (second): ruling 5.
USES = {
    **{f"krystallium_as_{resource}": ("krystallium", resource) for resource in RESOURCES},
    "krystallium": ("krystallium", "krystallium"),
    "general": ("general", "general"),
    "financier": ("financier", "financier"),
}
CUBES_FOR_ONE_KRYSTALLIUM = 5


@dataclass
class Site:
    """A card under construction."""

    card: Card
    missing: dict[str, int]  # space -> how many are still open, full ones left out

    def fill_space(self, space: str) -> None:
        """Put one cube or token on the card."""
        self.missing[space] -= 1
        if self.missing[space] == 0:
            del self.missing[space]


@dataclass
class Dig:
    """A dig under way (ruling 13): first two tosses, then one of the cards looked at is picked."""

    deck: str
    tosses_owed: int = 2
    looked_at: list[str] = field(default_factory=list)


class Seat:
    """One empire: its cards, tokens and cubes. Kinds in `hand` and `drafted` are ids."""

    def __init__(self, empire: Empire) -> None:
        """Start with what the empire card gives."""
        self.empire = empire
        self.hand: list[str] = []  # the pack in hand during the draft
        self.drafted: list[str] = []  # undecided cards; in solo: the cards in hand
        self.sites: list[Site] = []  # oldest first
        self.built: list[Card] = []
        self.discarded: Counter[str] = Counter()
        self.tokens = {"krystallium": empire.krystallium, "general": 0, "financier": 0}
        self.empire_cubes = 0
        self.loose = 0
        self.loose_resource: str | None = None
        self.held: str | None = None  # the use whose token is in hand
        self.must_choose = False
        self.dig: Dig | None = None
        self.ended = False

    # --- counting -------------------------------------------------------------------------------

    def count_built(self, card_type: str) -> int:
        """How many cards of a type are built."""
        return sum(card.type == card_type for card in self.built)

    def count_thing(self, thing: str) -> int:
        """How many there are of what points are given for: characters held, or built cards of a type."""
        return self.tokens[thing] if thing in self.tokens else self.count_built(thing)

    def characters(self) -> int:
        """Generals and financiers held."""
        return self.tokens["general"] + self.tokens["financier"]

    def net_production(self) -> list[int]:
        """Production of each resource minus corruption: may be negative (ruling 8)."""
        production = list(self.empire.production)
        for card in self.built:
            for number, amount in enumerate(card.production):
                production[number] += amount
            if card.production_per is not None:
                resource, counted_type = card.production_per
                production[RESOURCES.index(resource)] += self.count_built(counted_type)
        return production

    def count_production(self, resource: str) -> int:
        """How many cubes a production step gives now: never below 0 (ruling 8)."""
        return max(0, self.net_production()[RESOURCES.index(resource)])

    def points(self) -> int:
        """What the seat would score now (ruling 11)."""
        total = self.characters()
        total += sum(card.points for card in self.built)
        for rule in [self.empire.points_per, *(card.points_per for card in self.built)]:
            if rule is not None:
                total += rule.points * min(self.count_thing(thing) for thing in rule.things)
        return total

    def open_spaces(self, space: str) -> int:
        """How many such spaces are open on all cards under construction."""
        return sum(site.missing.get(space, 0) for site in self.sites)

    # --- naming the cards under construction ----------------------------------------------------

    def find_site(self, name: str) -> Site:
        """The card under construction that `kind` (oldest copy) or `kind#k` (k-th oldest) names."""
        kind, _, number = name.partition("#")
        copies = [site for site in self.sites if site.card.kind == kind]
        return copies[int(number or 1) - 1]

    def name_sites(self) -> list[tuple[str, Site]]:
        """Each different card under construction by name: of equal copies only the oldest."""
        named: list[tuple[str, Site]] = []
        older: dict[str, list[Site]] = {}
        for site in self.sites:
            copies = older.setdefault(site.card.kind, [])
            copies.append(site)
            if all(copy.missing != site.missing for copy in copies[:-1]):
                number = len(copies)
                named.append((site.card.kind if number == 1 else f"{site.card.kind}#{number}", site))
        return named

    # --- legal actions --------------------------------------------------------------------------

    def legal_places(self, space: str) -> set[str]:
        """Where a cube or token that fills such a space may be put."""
        return {f"place:{name}" for name, site in self.name_sites() if space in site.missing}

    def legal_uses(self) -> set[str]:
        """The tokens that may be taken in hand: held, and with an open space to fill."""
        return {
            f"use:{use}"
            for use, (token, space) in USES.items()
            if self.tokens[token] > 0 and self.open_spaces(space) > 0
        }

    def legal_discards(self) -> set[str]:
        """The cards under construction that may be given up."""
        return {f"discard:{name}" for name, _ in self.name_sites()}

    # --- cubes ----------------------------------------------------------------------------------

    def add_empire_cube(self) -> None:
        """Put a cube on the empire card; the fifth makes a krystallium (ruling 4)."""
        self.empire_cubes += 1
        if self.empire_cubes == CUBES_FOR_ONE_KRYSTALLIUM:
            self.empire_cubes = 0
            self.tokens["krystallium"] += 1

    def receive_cubes(self, resource: str, count: int) -> None:
        """Take cubes that now have to be placed."""
        self.loose_resource = resource
        self.loose = count
        self.settle_surplus()

    def settle_surplus(self) -> None:
        """Cubes that could go nowhere else go to the empire card at once (ruling 3)."""
        while self.loose and self.loose > self.open_spaces(str(self.loose_resource)):
            self.loose -= 1
            self.add_empire_cube()
        if self.loose == 0:
            self.loose_resource = None

    # --- actions --------------------------------------------------------------------------------

    def start_construction(self, card: Card) -> None:
        """Lay a card out under construction."""
        self.sites.append(Site(card, dict(card.cost)))

    def recycle_card(self, card: Card) -> None:
        """Discard a drafted card for its cube (ruling 2)."""
        self.discarded[card.kind] += 1
        self.receive_cubes(card.recycling, 1)

    def use_token(self, use: str) -> None:
        """Take a token in hand; it is placed next (ruling 5)."""
        token, _ = USES[use]
        self.tokens[token] -= 1
        self.held = use

    def place_on_site(self, name: str) -> None:
        """Put the token in hand, or else one loose cube, on a card under construction."""
        site = self.find_site(name)
        if self.held is not None:
            _, space = USES[self.held]
            self.held = None
        else:
            space = str(self.loose_resource)
            self.loose -= 1
        site.fill_space(space)
        if not site.missing:
            self.complete_construction(site)
        self.settle_surplus()

    def complete_construction(self, site: Site) -> None:
        """The last space is filled: the card is built and pays its bonus (ruling 7)."""
        self.remove_site(site)
        self.built.append(site.card)
        for token, count in site.card.bonus.items():
            self.tokens[token] += count

    def discard_site(self, name: str) -> None:
        """Give up a card under construction; what lay on it is lost (ruling 6)."""
        site = self.find_site(name)
        self.remove_site(site)
        self.discarded[site.card.kind] += 1
        self.add_empire_cube()
        self.settle_surplus()

    def remove_site(self, site: Site) -> None:
        """Take this very card away (another copy may look the same)."""
        self.sites = [other for other in self.sites if other is not site]

    def place_on_empire(self) -> None:
        """Put one loose cube on the empire card."""
        self.loose -= 1
        self.add_empire_cube()
        self.settle_surplus()

    # --- plain data -----------------------------------------------------------------------------

    def describe(self) -> dict[str, Any]:
        """Everything about the seat as plain data."""
        in_order = sorted(self.sites, key=lambda site: site.card.order)
        return {
            "hand": sorted(self.dig.looked_at if self.dig else self.hand),
            "drafted": sorted(self.drafted),
            "built": dict(Counter(card.kind for card in self.built)),
            "sites": [{"card": site.card.kind, "missing": dict(site.missing)} for site in in_order],
            "generals": self.tokens["general"],
            "financiers": self.tokens["financier"],
            "krystallium": self.tokens["krystallium"],
            "empire_cubes": self.empire_cubes,
            "loose": self.loose,
            "loose_resource": self.loose_resource,
            "held": self.held,
            "net_production": self.net_production(),
            "points": self.points(),
            "must_choose": self.must_choose,
            "discarded": {kind: count for kind, count in self.discarded.items() if count},
        }
