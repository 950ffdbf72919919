"""The card facts: what the three CSV files say, and which cards a game plays with."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

RESOURCES = ("materials", "energy", "science", "gold", "exploration")
SPACES = (*RESOURCES, "krystallium", "general", "financier")
EXPANSION = "corruption_and_ascension"
DATA_FOLDER = Path(__file__).resolve().parents[2] / "iaww_env" / "data"

# Cards dealt to a seat in a round (solo: in a pool), from the base deck and from the ascension deck.
BASE_DEAL = {1: (5, 0), 2: (10, 0), 3: (7, 0), 4: (7, 0), 5: (7, 0)}
EXPANSION_DEAL = {1: (3, 2), 2: (8, 4), 3: (6, 3), 4: (6, 3), 5: (6, 2), 6: (6, 2), 7: (5, 2)}


@dataclass(frozen=True)
class PointsPer:
    """`3:discovery` is 3 points for each; `6:structure+vehicle` is 6 for each pair of both."""

    points: int
    things: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """One kind of development card."""

    kind: str
    order: int  # its row in the table
    deck: str
    type: str
    copies: int
    cost: dict[str, int]  # space -> how many, spaces that it does not have left out
    recycling: str
    production: tuple[int, ...]  # one number per resource, negative for corruption
    production_per: tuple[str, str] | None  # (resource, type): one cube for each card of that type
    bonus: dict[str, int]  # token -> how many
    points: int
    points_per: PointsPer | None


@dataclass(frozen=True)
class Empire:
    """One side of an empire card."""

    name: str
    side: str
    production: tuple[int, ...]
    krystallium: int
    points_per: PointsPer | None


@dataclass(frozen=True)
class Scenario:
    """A solo scenario."""

    name: str
    expansion: bool
    empire_side: str
    cards: tuple[str, ...]  # kinds, one entry per copy
    medals: dict[str, int]  # medal -> points it asks for, least first


@dataclass
class CardTable:
    """Everything the CSV files say."""

    cards: dict[str, Card] = field(default_factory=dict)
    empires: dict[tuple[str, str], Empire] = field(default_factory=dict)
    expansion_empires: set[str] = field(default_factory=set)
    scenarios: dict[str, Scenario] = field(default_factory=dict)

    def card_pool(self, expansions: list[str]) -> Counter[str]:
        """How many copies of each kind are in the box."""
        decks = {"base", "ascension"} if expansions else {"base"}
        return Counter({card.kind: card.copies for card in self.cards.values() if card.deck in decks})

    def deck_of(self, kind: str) -> str:
        """Which deck a kind belongs to."""
        return self.cards[kind].deck

    def count_by_deck(self, kinds: list[str]) -> tuple[int, int]:
        """How many of these cards are base cards, and how many ascension cards."""
        base = sum(self.deck_of(kind) == "base" for kind in kinds)
        return base, len(kinds) - base


def parse_points_per(text: str) -> PointsPer | None:
    """Read a `vp_per` column."""
    if not text:
        return None
    points, things = text.split(":")
    return PointsPer(int(points), tuple(things.split("+")))


def parse_card(row: dict[str, str], order: int) -> Card:
    """Read one row of developments.csv."""
    cost = {space: int(row[f"cost_{space}"]) for space in SPACES}
    bonus = {token: int(row[f"bonus_{token}"]) for token in ("krystallium", "general", "financier")}
    resource, _, counted_type = row["production_per"].partition(":")
    return Card(
        kind=row["id"],
        order=order,
        deck=row["deck"],
        type=row["type"],
        copies=int(row["copies"]),
        cost={space: count for space, count in cost.items() if count},
        recycling=row["recycling"],
        production=tuple(int(row[f"prod_{resource}"]) for resource in RESOURCES),
        production_per=(resource, counted_type) if resource else None,
        bonus={token: count for token, count in bonus.items() if count},
        points=int(row["vp_flat"] or 0),
        points_per=parse_points_per(row["vp_per"]),
    )


def parse_empire(row: dict[str, str]) -> Empire:
    """Read one row of empires.csv."""
    return Empire(
        name=row["id"],
        side=row["side"],
        production=tuple(int(row[f"prod_{resource}"]) for resource in RESOURCES),
        krystallium=int(row["start_krystallium"]),
        points_per=parse_points_per(row["vp_per"]),
    )


def parse_scenario(row: dict[str, str]) -> Scenario:
    """Read one row of scenarios.csv; `icebreaker*3` means three copies."""
    cards: list[str] = []
    for item in row["cards"].split(";"):
        kind, _, copies = item.partition("*")
        cards += [kind] * int(copies or 1)
    return Scenario(
        name=row["id"],
        expansion=row["set"] == "ascension",
        empire_side=row["empire_side"],
        cards=tuple(cards),
        medals={medal: int(row[medal]) for medal in ("bronze", "silver", "gold")},
    )


def read_rows(path: Path) -> list[dict[str, str]]:
    """All rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def read_card_table(folder: Path = DATA_FOLDER) -> CardTable:
    """Read the three CSV files in a folder."""
    table = CardTable()
    for order, row in enumerate(read_rows(folder / "developments.csv")):
        table.cards[row["id"]] = parse_card(row, order)
    for row in read_rows(folder / "empires.csv"):
        table.empires[row["id"], row["side"]] = parse_empire(row)
        if row["origin"] == "ascension":
            table.expansion_empires.add(row["id"])
    for row in read_rows(folder / "scenarios.csv"):
        table.scenarios[row["id"]] = parse_scenario(row)
    return table


def deal_sizes(config: dict[str, Any]) -> tuple[int, int]:
    """How many base and ascension cards a seat is dealt in a round (solo: a pool holds)."""
    return (EXPANSION_DEAL if config["expansions"] else BASE_DEAL)[config["players"]]


def scenario_cards(config: dict[str, Any], table: CardTable) -> tuple[str, ...]:
    """The cards that start under construction (ruling 14)."""
    name = config.get("scenario")
    return table.scenarios[name].cards if name else ()


def require(condition: bool, complaint: str) -> None:
    """Refuse what the rules do not allow."""
    if not condition:
        raise ValueError(complaint)


def check_config(config: dict[str, Any], table: CardTable) -> None:
    """Refuse a configuration that names no mode of the game (rulings 12 and 14)."""
    players, expansions, empires = config["players"], config["expansions"], config["empires"]
    require(expansions in ([], [EXPANSION]), f"unknown expansions: {expansions}")
    require(players in (EXPANSION_DEAL if expansions else BASE_DEAL), f"not for {players} players")
    require(len(empires) == players, f"{players} seats but {len(empires)} empires")
    require(len(set(empires)) == players, "two seats with the same empire")
    for empire in empires:
        require((empire, config["empire_side"]) in table.empires, f"no empire {empire} on that side")
        require(bool(expansions) or empire not in table.expansion_empires, f"{empire} needs the expansion")
    name = config.get("scenario")
    if name is not None:
        require(players == 1, "scenarios are solo games")
        require(name in table.scenarios, f"no scenario {name}")
        scenario = table.scenarios[name]
        require(bool(expansions) or not scenario.expansion, f"{name} needs the expansion")
        side = scenario.empire_side
        require(config["empire_side"] == side, f"{name} is played on side {side}")


def check_deal(packs: list[list[str]], config: dict[str, Any], table: CardTable) -> None:
    """Refuse packs of the wrong size or with more copies of a card than there are."""
    for pack in packs:
        require(all(kind in table.cards for kind in pack), f"unknown card in {pack}")
        require(table.count_by_deck(pack) == deal_sizes(config), f"a pack of the wrong size: {pack}")
    dealt = Counter(kind for pack in packs for kind in pack) + Counter(scenario_cards(config, table))
    too_many = dealt - table.card_pool(config["expansions"])
    require(not too_many, f"more cards than there are: {dict(too_many)}")
