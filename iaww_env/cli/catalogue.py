"""Cards, empires and scenarios as they are found by name, type, cost and by what they give."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from iaww_env.cards import (
    COUNTED,
    EMPIRE_IDS,
    EXPANSIONS,
    LANGUAGES,
    RESOURCES,
    SIDES,
    SPACES,
    TOKENS,
    TYPES,
    Empire,
    Kind,
    PointsPer,
    Scenario,
    empire,
    kinds,
    scenarios,
)
from iaww_env.cli.known_words import GIFTS
from iaww_env.errors import ConfigError, quote, suggest
from iaww_env.rulebook import MEDALS

Found = Kind | Empire | Scenario
Amounts = dict[str, int]
TextRows = tuple[str, tuple[str, ...], list[tuple[str, ...]]]

CARD_HEADS = ("id", "name", "type", "deck", "copies", "cost", "gives", "points", "recycles to")
EMPIRE_HEADS = ("id", "name", "side", "box", "gives", "points")
SCENARIO_HEADS = ("id", "title", "box", "cards", *MEDALS)


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for; what is left out fits everything.

    Attributes:
        names: Parts of an id or of a name in any language, all of which must be there.
        type: A type of card.
        cost: A resource or a token that the card needs.
        gives: What a card or an empire gives, of `GIFTS`.
    """

    names: tuple[str, ...] = ()
    type: str | None = None
    cost: str | None = None
    gives: str | None = None

    def __post_init__(self) -> None:
        """Refuse words that nothing can fit."""
        for name, known in (("type", TYPES), ("cost", SPACES), ("gives", GIFTS)):
            said = getattr(self, name)
            if said is not None and said not in known:
                raise ConfigError(
                    f"--{name} is {quote(said)}{suggest(said, known)}; choose from {', '.join(known)}"
                )

    def fits(self, one: Found) -> bool:
        """Whether this is one of those that are looked for."""
        spoken = " ".join(map(fold, list_names(one)))
        if not all(fold(part) in spoken for part in self.names):
            return False
        if self.type is not None and not (isinstance(one, Kind) and one.type == self.type):
            return False
        if self.cost is not None and not (isinstance(one, Kind) and self.cost in count_cost(one)):
            return False
        return self.gives is None or self.gives in list_gifts(one)


def find_all(query: Query, wanted: tuple[type, ...]) -> list[Found]:
    """All that fits, of the wanted kinds of thing: cards first, then empires side by side, then scenarios.

    Raises:
        ConfigError: Nothing does; the message says what would.
    """
    everything: list[Found] = [
        *kinds(EXPANSIONS),
        *(empire(id, side) for id in EMPIRE_IDS for side in SIDES),
        *scenarios(),
    ]
    found = [one for one in everything if isinstance(one, wanted) and query.fits(one)]
    if not found:
        _refuse_query(query, everything)
    return found


def _refuse_query(query: Query, everything: Iterable[Found]) -> None:
    said = [f"named {' '.join(query.names)[:60]!r}"] if query.names else []
    said += [f"--{name} {getattr(query, name)}" for name in ("type", "cost", "gives") if getattr(query, name)]
    names = {name.lower() for one in everything for name in list_names(one)}
    known = names.union(*map(str.split, names))
    hint = next(filter(None, (suggest(part, sorted(known)) for part in query.names)), "")
    raise ConfigError(
        f"nothing is {' and '.join(said) or 'there'}{hint}; leave a word out, or list all with: iaww cards"
    )


# --- What they are ---------------------------------------------------------------------------------


def fold(text: str) -> str:
    """A text without accents and capitals, as one types it in a hurry."""
    bare = unicodedata.normalize("NFD", text).casefold()
    return "".join(letter for letter in bare if not unicodedata.combining(letter))


def list_names(one: Found) -> tuple[str, ...]:
    """The id, and the names in all languages."""
    spoken = one.title if isinstance(one, Scenario) else one.name
    return one.id, *dict.fromkeys(spoken(language) for language in LANGUAGES)


def count_cost(kind: Kind) -> Amounts:
    """The spaces to fill, by what fills them."""
    return _name_amounts(SPACES, kind.cost)


def count_production(one: Kind | Empire) -> Amounts:
    """Cubes made each round; negative ones are corruption."""
    return _name_amounts(RESOURCES, one.production)


def count_bonus(one: Kind | Empire) -> Amounts:
    """Tokens that come once: with a card when it is built, with an empire at the start."""
    if isinstance(one, Empire):
        return _name_amounts(TOKENS, (one.start_krystallium, 0, 0))
    return _name_amounts(TOKENS, (one.bonus_krystallium, one.bonus_general, one.bonus_financier))


def _name_amounts(names: Iterable[str], amounts: Iterable[int]) -> Amounts:
    return {name: amount for name, amount in zip(names, amounts, strict=True) if amount}


def list_gifts(one: Found) -> Iterator[str]:
    """What it gives, in the words of `GIFTS`; a scenario gives nothing."""
    if isinstance(one, Scenario):
        return
    yield from (name for name, amount in count_production(one).items() if amount > 0)
    yield from count_bonus(one)
    if isinstance(one, Kind):
        if one.production_per is not None:
            yield one.production_per[0]
        if one.points > 0:
            yield "points"
    if one.points_per is not None:
        yield "points"
        yield from (f"points_per_{what}" for what in one.points_per[1:] if what in COUNTED)


def describe_points(flat: int, per: PointsPer | None) -> str:
    """Points as a cell of a table shows them: `2 + 1 for each structure`."""
    parts = [str(flat)] if flat else []
    if per is not None:
        points, first, second = per
        parts.append(f"{points} for each {first if second is None else f'pair of {first} and {second}'}")
    return " + ".join(parts)


def to_json(one: Found) -> dict[str, Any]:
    """As a machine reads it: every field, amounts by name."""
    what = {Kind: "card", Empire: "empire", Scenario: "scenario"}[type(one)]
    fields = {name.name: getattr(one, name.name) for name in dataclasses.fields(one)}
    if isinstance(one, Kind | Empire):
        fields["production"] = count_production(one)
        fields["points_per"] = None if one.points_per is None else one.points_per._asdict()
        fields["gives"] = list(dict.fromkeys(list_gifts(one)))
    if isinstance(one, Kind):
        fields["cost"] = count_cost(one)
        fields["production_tokens"] = _name_amounts(TOKENS, one.production_tokens)
    return {"what": what, **fields}


# --- Tables ----------------------------------------------------------------------------------------


def describe_amounts(amounts: Amounts) -> str:
    """Amounts as a cell of a table shows them: `2 materials, 1 gold`."""
    return ", ".join(f"{amount} {name}" for name, amount in amounts.items())


def describe_gains(one: Kind | Empire) -> str:
    """What is made each round, and what comes once."""
    parts = [describe_amounts(count_production(one))]
    if isinstance(one, Kind) and one.production_per is not None:
        parts.append("1 {} for each {}".format(*one.production_per))
    bonus = describe_amounts(count_bonus(one))
    parts.append(f"once {bonus}" if bonus else "")
    return "; ".join(filter(None, parts))


def list_tables(found: Sequence[Found]) -> list[TextRows]:
    """Tables of what was found, with their titles and the heads of their columns; none that is empty."""
    shown = (
        ("cards", CARD_HEADS, [_show_card(one) for one in found if isinstance(one, Kind)]),
        ("empire sides", EMPIRE_HEADS, [_show_empire(one) for one in found if isinstance(one, Empire)]),
        ("scenarios", SCENARIO_HEADS, [_show_scenario(one) for one in found if isinstance(one, Scenario)]),
    )
    return [table for table in shown if table[2]]


def _show_card(one: Kind) -> tuple[str, ...]:
    cost, points = describe_amounts(count_cost(one)), describe_points(one.points, one.points_per)
    copies = str(one.copies)
    return one.id, one.name_en, one.type, one.deck, copies, cost, describe_gains(one), points, one.recycling


def _show_empire(one: Empire) -> tuple[str, ...]:
    return one.id, one.name_en, one.side, one.origin, describe_gains(one), describe_points(0, one.points_per)


def _show_scenario(one: Scenario) -> tuple[str, ...]:
    medals = (str(getattr(one, medal)) for medal in MEDALS)
    return one.id, one.title_en, one.set, _list_cards(one), *medals


def _list_cards(one: Scenario) -> str:
    counts = {card: one.cards.count(card) for card in one.cards}
    return ", ".join(card if count == 1 else f"{card} x{count}" for card, count in counts.items())
