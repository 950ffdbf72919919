"""The card facts for people: kinds of cards, empires and scenarios, in three languages.

A *kind* is what is printed on a card; a kind has one or more *cards* (copies). The tables stand in
`data/*.csv` (see `data/PROVENANCE.md`); `card_files` reads and checks them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from iaww_env.card_files import (
    CHARACTERS,
    COUNTED,
    DECKS,
    DEFAULT_SIDE,
    MOST,
    PLAYED_DECKS,
    RESOURCES,
    SPACES,
    TOKENS,
    TYPES,
    Cost,
    PointsPer,
    Production,
    Row,
    Tokens,
    list_sides,
    read_cards,
    read_developments,
    read_empires,
    read_scenarios,
)
from iaww_env.errors import ConfigError, quote, suggest
from iaww_env.rulebook import MEDALS

__all__ = [
    "CHARACTERS",
    "COUNTED",
    "DEFAULT_SIDE",
    "EMPIRE_IDS",
    "EXPANSIONS",
    "LANGUAGES",
    "PLAYED_DECKS",
    "RESOURCES",
    "SIDES",
    "SPACES",
    "TOKENS",
    "TYPES",
    "Cost",
    "Empire",
    "Kind",
    "PointsPer",
    "Production",
    "Scenario",
    "Tokens",
    "all_kinds",
    "describe",
    "empire",
    "empires",
    "find",
    "kind",
    "kinds",
    "parse_expansions",
    "scenario",
    "scenarios",
]

EXPANSIONS = ("corruption_and_ascension",)
LANGUAGES = ("en", "fr", "es")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of card.

    Attributes:
        index: Position in the card pool; the same with and without the expansion.
        id: The name in records and in the action notation.
        deck: "base" or "ascension" ("war_or_peace" is not played yet).
        copies: Physical cards of this kind.
        first_card: Number of its first physical card; its others follow.
        cost: Spaces to fill, by name (`kind.cost.gold`) and in the order of `SPACES`.
        recycling: Resource of the one cube that recycling gives.
        production: Fixed production each round, by name and in the order of `RESOURCES`; negative is
            corruption.
        production_per: Resource, and the type of built card that makes one of it each.
        production_tokens: Krystallium, generals and financiers made each round (War or Peace only), by name.
        bonus_general: Generals that come at once when the card is built; likewise financiers, krystallium.
        points: Fixed points.
        points_per: Points for each of a type or character, or for each pair of a duo: `points_per.points` for
            each `points_per.first`, or with `points_per.second`; None where there are none.
    """

    index: int
    id: str
    name_en: str
    name_fr: str
    name_es: str
    deck: str
    type: str
    copies: int
    first_card: int
    cost: Cost
    recycling: str
    production: Production
    production_per: tuple[str, str] | None
    production_tokens: Tokens
    bonus_general: int
    bonus_financier: int
    bonus_krystallium: int
    points: int
    points_per: PointsPer | None

    def name(self, language: str = "en") -> str:
        """The printed name in a language of `LANGUAGES`."""
        return _select_language(language, self.name_en, self.name_fr, self.name_es)

    def __str__(self) -> str:
        return describe(self)


@dataclass(frozen=True, slots=True)
class Empire:
    """One side of an empire card; production and points as those of a `Kind`."""

    index: int
    id: str
    name_en: str
    name_fr: str
    name_es: str
    side: str
    origin: str
    production: Production
    start_krystallium: int
    points_per: PointsPer | None

    def name(self, language: str = "en") -> str:
        """The printed name in a language of `LANGUAGES`."""
        return _select_language(language, self.name_en, self.name_fr, self.name_es)

    def __str__(self) -> str:
        gains = _list_amounts(self.production, RESOURCES)
        gains += _list_amounts((self.start_krystallium,), ("krystallium at the start",))
        return f"{self.name_en} (side {self.side}): {', '.join(gains + _list_points(0, self.points_per))}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A solo scenario: its cards start under construction, its points decide the medal (ruling 14)."""

    id: str
    set: str
    number: int
    title_en: str
    title_fr: str | None
    empire_side: str
    cards: tuple[str, ...]  # kind ids; a kind that starts with three copies stands here three times
    bronze: int
    silver: int
    gold: int

    @property
    def needs_expansion(self) -> bool:
        """Whether its cards come with Corruption & Ascension."""
        return self.set == "ascension"

    def find_medal(self, points: int) -> str | None:
        """The medal that the points earn where the scenario is won (ruling 14)."""
        return next((medal for medal in MEDALS if points >= getattr(self, medal)), None)

    def title(self, language: str = "en") -> str:
        """The title; in English where none is known in the language."""
        return _select_language(language, self.title_en, self.title_fr or self.title_en, self.title_en)

    def __str__(self) -> str:
        names = ", ".join(kind(one).name_en for one in self.cards)
        medals = f"bronze {self.bronze}, silver {self.silver}, gold {self.gold}"
        return f"{self.title_en} ({self.id}): {names}; {medals}"


# --- Looking things up -----------------------------------------------------------------------------


def parse_expansions(expansions: Sequence[str] = ()) -> tuple[str, ...]:
    """The expansions as a tuple; a single name or a list will do as well."""
    given = (expansions,) if isinstance(expansions, str) else expansions
    if not isinstance(given, list | tuple):
        raise ConfigError(f"expansions is {quote(expansions)}: give a list, such as {list(EXPANSIONS)}")
    for position, one in enumerate(given):
        if not isinstance(one, str) or one not in EXPANSIONS:
            if one == "war_or_peace":
                raise ConfigError(f"War or Peace cannot be played yet: choose from {list(EXPANSIONS)}")
            raise ConfigError(f"there is no expansion {quote(one)}: choose from {list(EXPANSIONS)}")
        if one in given[:position]:
            raise ConfigError(f"the expansion {one!r} is named twice: name it once")
    return tuple(given)


def kinds(expansions: Sequence[str] = ()) -> tuple[Kind, ...]:
    """The kinds of the card pool, without or with Corruption & Ascension; position is index."""
    return _select_kinds(bool(parse_expansions(expansions)))


@lru_cache(maxsize=1)
def all_kinds() -> tuple[Kind, ...]:
    """Every kind in the table, those of War or Peace (not played yet) included."""
    rows = read_developments()
    found: list[Kind] = []
    first_card = 0
    for deck in DECKS:
        for row in (row for row in rows if row.text("deck") == deck):
            found.append(_make_kind(row, len(found), first_card))
            first_card += found[-1].copies
    return tuple(found)


def kind(id: str) -> Kind:
    """The kind with this id."""
    found = _index_kinds().get(id) if isinstance(id, str) else None
    if found is None:
        _refuse_kind(id, "id", [one.id for one in kinds(EXPANSIONS)])
    return found


def find(text: str, language: str | None = None) -> Kind:
    """The kind with this id or printed name, upper and lower case alike.

    Args:
        text: An id, or a name as it is printed.
        language: Look among the names of this language only ("en", "fr" or "es").
    """
    names = _index_names(_check_language(language) if language is not None else None)
    found = names.get(_fold_name(text)) if isinstance(text, str) else None
    if found is None:
        _refuse_kind(text, "id or name", names)
    return found


def empires(side: str = DEFAULT_SIDE, expansions: Sequence[str] = ()) -> tuple[Empire, ...]:
    """One side of every empire in the box: those of the base game, or with Corruption & Ascension all."""
    boxes = PLAYED_DECKS if parse_expansions(expansions) else PLAYED_DECKS[:1]
    return tuple(empire(one, side) for one in EMPIRE_IDS if _EMPIRE_BOXES[one] in boxes)


def empire(id: str, side: str = DEFAULT_SIDE) -> Empire:
    """One side of an empire."""
    if not isinstance(side, str) or side not in SIDES:
        raise ConfigError(f"there is no empire side {quote(side)}: choose from {', '.join(SIDES)}")
    if not isinstance(id, str) or id not in EMPIRE_IDS:
        choices = f"(choose from {', '.join(EMPIRE_IDS)})"
        raise ConfigError(f"there is no empire {quote(id)}{suggest(id, EMPIRE_IDS)} {choices}")
    return _index_empires()[id, side]


@lru_cache(maxsize=1)
def scenarios() -> tuple[Scenario, ...]:
    """The solo scenarios of the base game and of Corruption & Ascension."""
    return tuple(_make_scenario(row) for row in read_scenarios())


def scenario(id: str) -> Scenario:
    """The scenario with this id."""
    found = {one.id: one for one in scenarios()}
    if not isinstance(id, str) or id not in found:
        raise ConfigError(f"there is no scenario {quote(id)}: choose from {', '.join(found)}")
    return found[id]


# --- In words --------------------------------------------------------------------------------------


def describe(kind: Kind) -> str:
    """One line: cost, what it gives, and what it recycles to."""
    gains = _list_amounts(kind.production, RESOURCES)
    if kind.production_per is not None:
        gains.append("1 {} per {}".format(*kind.production_per))
    gains += _list_amounts(kind.production_tokens, TOKENS)
    bonus = (kind.bonus_krystallium, kind.bonus_general, kind.bonus_financier)
    gains += [f"bonus {one}" for one in _list_amounts(bonus, TOKENS)]
    gains += _list_points(kind.points, kind.points_per)
    cost = ", ".join(_list_amounts(kind.cost, SPACES))
    head = f"{kind.name_en} ({kind.type} x{kind.copies})"
    return f"{head}: {cost} -> {', '.join(gains)}; recycles to {kind.recycling}"


def _list_amounts(amounts: Iterable[int], names: Iterable[str]) -> list[str]:
    return [f"{amount} {name}" for amount, name in zip(amounts, names, strict=True) if amount]


def _list_points(flat: int, per: PointsPer | None) -> list[str]:
    parts = [f"{flat} point{'s' * (flat != 1)}"] if flat else []
    if per is not None:
        paid_for = f"pair of {per.first} and {per.second}" if per.is_duo else per.first
        parts.append(f"{per.points} point{'s' * (per.points != 1)} per {paid_for}")
    return parts


# --- Reading the tables ----------------------------------------------------------------------------


def _make_kind(row: Row, index: int, first_card: int) -> Kind:
    return Kind(
        index=index,
        id=row.id(),
        name_en=row.text("name_en"),
        name_fr=row.text("name_fr"),
        name_es=row.text("name_es"),
        deck=row.text("deck"),
        type=row.text("type"),
        copies=row.number("copies"),
        first_card=first_card,
        cost=Cost(*row.numbers("cost_", SPACES)),
        recycling=row.word("recycling", RESOURCES),
        production=Production(*row.numbers("prod_", RESOURCES, -MOST)),
        production_per=row.pair("production_per"),
        production_tokens=Tokens(*row.numbers("prod_", TOKENS)),
        bonus_general=row.number("bonus_general"),
        bonus_financier=row.number("bonus_financier"),
        bonus_krystallium=row.number("bonus_krystallium"),
        points=row.number("vp_flat"),
        points_per=row.points_per(),
    )


def _make_scenario(row: Row) -> Scenario:
    bronze, silver, gold = (row.number(medal) for medal in reversed(MEDALS))
    return Scenario(
        id=row.id(),
        set=row.text("set"),
        number=row.number("number"),
        title_en=row.text("title_en"),
        title_fr=row.cells["title_fr"] or None,
        empire_side=row.text("empire_side"),
        cards=tuple(card for card, count in read_cards(row) for _ in range(count)),
        bronze=bronze,
        silver=silver,
        gold=gold,
    )


def _make_empire(row: Row) -> Empire:
    return Empire(
        index=EMPIRE_IDS.index(row.id()),
        id=row.id(),
        name_en=row.text("name_en"),
        name_fr=row.text("name_fr"),
        name_es=row.text("name_es"),
        side=row.text("side"),
        origin=row.text("origin"),
        production=Production(*row.numbers("prod_", RESOURCES, -MOST)),
        start_krystallium=row.number("start_krystallium"),
        points_per=row.points_per(),
    )


@lru_cache(maxsize=1)
def _index_empires() -> dict[tuple[str, str], Empire]:
    return {(one.id, one.side): one for one in map(_make_empire, _EMPIRE_ROWS)}


@lru_cache(maxsize=2)
def _select_kinds(ascension: bool) -> tuple[Kind, ...]:
    decks = PLAYED_DECKS if ascension else PLAYED_DECKS[:1]
    return tuple(one for one in all_kinds() if one.deck in decks)


@lru_cache(maxsize=1)
def _index_kinds() -> dict[str, Kind]:
    return {one.id: one for one in kinds(EXPANSIONS)}


@lru_cache(maxsize=4)
def _index_names(language: str | None) -> dict[str, Kind]:
    names: dict[str, Kind] = {}
    for one in kinds(EXPANSIONS):
        names[_fold_name(one.id)] = one
        for spoken in LANGUAGES if language is None else (language,):
            names[_fold_name(one.name(spoken))] = one
    return names


def _fold_name(text: str) -> str:
    # An accented letter can be typed as one character or as two.
    return unicodedata.normalize("NFC", text).casefold()


def _refuse_kind(text: object, what: str, names: Iterable[str]) -> NoReturn:
    for one in all_kinds():
        names_of_one = [_fold_name(name) for name in (one.id, one.name_en, one.name_fr, one.name_es)]
        if isinstance(text, str) and one.deck not in PLAYED_DECKS and _fold_name(text) in names_of_one:
            raise ConfigError(f"{quote(text)} is a card of War or Peace, which cannot be played yet")
    raise ConfigError(f"there is no card with the {what} {quote(text)}{suggest(text, names)}")


def _check_language(language: str) -> str:
    if language not in LANGUAGES:
        raise ConfigError(f"there are no names in {quote(language)}: choose from {', '.join(LANGUAGES)}")
    return language


def _select_language(language: str, *names: str) -> str:
    return names[LANGUAGES.index(_check_language(language))]


_EMPIRE_ROWS = read_empires()
SIDES = list_sides(_EMPIRE_ROWS)
# The other sides may be of origin "promo": the default one tells which box an empire comes with.
_EMPIRE_BOXES = {row.id(): row.text("origin") for row in _EMPIRE_ROWS if row.text("side") == DEFAULT_SIDE}
# Those of the base game first, for they are drawn from alone without the expansion.
EMPIRE_IDS = tuple(sorted(_EMPIRE_BOXES, key=lambda one: PLAYED_DECKS.index(_EMPIRE_BOXES[one])))
