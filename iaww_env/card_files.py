"""The card facts as they stand in `data/*.csv`, read row by row and refused where a row cannot be.

Every check says the file, the line, what is wrong and what would do. Nothing else in the project says how
many cards, sides, empires or scenarios there are: all of that follows from these rows.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from iaww_env.errors import FactsError, quote, suggest
from iaww_env.rulebook import HANDS_ASCENSION, HANDS_BASE, MEDALS, MOST_PLAYERS, POOLS, ROUNDS


class Production(NamedTuple):
    """Cubes of each resource; the names are those of the resources."""

    materials: int
    energy: int
    science: int
    gold: int
    exploration: int


class Tokens(NamedTuple):
    """Tokens of each sort."""

    krystallium: int
    general: int
    financier: int


class Cost(NamedTuple):
    """Spaces to fill, by what fills them: a resource or a token."""

    materials: int
    energy: int
    science: int
    gold: int
    exploration: int
    krystallium: int
    general: int
    financier: int


class PointsPer(NamedTuple):
    """Points for each built card of a type or each character; or for each pair of two of them (a duo)."""

    points: int
    first: str
    second: str | None = None

    @property
    def is_duo(self) -> bool:
        """Whether they are paid for pairs."""
        return self.second is not None


RESOURCES = Production._fields
TOKENS = Tokens._fields
SPACES = Cost._fields  # resources, then tokens
CHARACTERS = ("general", "financier")
TYPES = ("structure", "vehicle", "research", "project", "discovery")
COUNTED = (*TYPES, *CHARACTERS)  # what points are paid for
PLAYED_DECKS = ("base", "ascension")
DECKS = (*PLAYED_DECKS, "war_or_peace")
BOXES = (*PLAYED_DECKS, "promo")

MOST = 1000  # no number on a card comes near it; the state holds numbers of 16 bits
DEFAULT_SIDE = "A"  # what is played unless another side is named; it tells which box an empire comes with
DATA = Path(__file__).parent / "data"

_ID = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")


class Row:
    """One line of a table, read cell by cell."""

    def __init__(self, table: str, line: int, cells: dict[str, str]) -> None:
        """Keep where the row stands, for messages."""
        self.where, self.cells = f"{table}.csv, line {line}", cells

    def refuse(self, column: str, what: str) -> NoReturn:
        """Say what is wrong with a cell."""
        raise FactsError(f"{self.where}: {column} is {quote(self.cells[column])}: {what}")

    def text(self, column: str) -> str:
        """A cell as it stands, not empty."""
        return self.cells[column] or self.refuse(column, "it must not be empty")

    def id(self, column: str = "id") -> str:
        """A name in the notation of the project."""
        if not _ID.fullmatch(self.cells[column]):
            self.refuse(column, "an id is made of small letters and digits, joined by underscores")
        return self.cells[column]

    def word(self, column: str, allowed: Sequence[str]) -> str:
        """One of some words."""
        return self._check_word(column, self.cells[column], allowed)

    def _check_word(self, column: str, word: str, allowed: Sequence[str]) -> str:
        if word not in allowed:
            hint = suggest(word, allowed) or f"; choose from {', '.join(allowed)}"
            self.refuse(column, f"there is no {quote(word)}{hint}")
        return word

    def number(self, column: str, least: int = 0, most: int = MOST) -> int:
        """A whole number within bounds; an empty cell is 0."""
        return self._check_number(column, self.cells[column] or "0", least, most)

    def _check_number(self, column: str, text: str, least: int, most: int) -> int:
        try:
            number = int(text)
        except ValueError:
            self.refuse(column, "give a whole number")
        if not least <= number <= most:
            self.refuse(column, f"give a number from {least} to {most}")
        return number

    def numbers(self, prefix: str, names: Iterable[str], least: int = 0) -> tuple[int, ...]:
        """The numbers of several columns."""
        return tuple(self.number(f"{prefix}{name}", least) for name in names)

    def pair(self, column: str) -> tuple[str, str] | None:
        """A resource and the type of built card that makes one of it each, as in `gold:research`."""
        if not self.cells[column]:
            return None
        resource, _, of_type = self.cells[column].partition(":")
        return self._check_word(column, resource, RESOURCES), self._check_word(column, of_type, TYPES)

    def points_per(self, column: str = "vp_per") -> PointsPer | None:
        """Points for each of a type or character, or for each pair: `2:vehicle`, `3:structure+general`."""
        if not self.cells[column]:
            return None
        points, _, paid_for = self.cells[column].partition(":")
        first, plus, second = paid_for.partition("+")
        number = self._check_number(column, points, 1, MOST)
        one = self._check_word(column, first, COUNTED)
        two = self._check_word(column, second, COUNTED) if plus else None
        if one == two:
            self.refuse(column, "a pair is of two different things")
        return PointsPer(number, one, two)


def read_table(table: str, columns: Iterable[str]) -> list[Row]:
    """The rows of a table; a column that is missing is named."""
    with (DATA / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        heads = reader.fieldnames or ()
        missing = [column for column in columns if column not in heads]
        if missing:
            raise FactsError(f"{table}.csv, line 1: there is no column {', '.join(missing)}")
        rows = []
        for cells in reader:
            if None in cells or None in cells.values():
                raise FactsError(
                    f"{table}.csv, line {reader.line_num}: the row must have {len(heads)} cells, one a column"
                )
            rows.append(Row(table, reader.line_num, cells))
    if not rows:
        raise FactsError(f"{table}.csv: there is no row: add one")
    return rows


def refuse_twins(rows: Iterable[Row], name: Callable[[Row], str], what: str) -> None:
    """Refuse a row that says once more what an earlier one has said."""
    known: dict[str, str] = {}
    for row in rows:
        said = name(row)
        if said in known:
            raise FactsError(f"{row.where}: {what} {quote(said)} stands already in {known[said]}: rename one")
        known[said] = row.where


# --- The three tables ------------------------------------------------------------------------------


def read_developments() -> list[Row]:
    """The kinds of card, every row checked."""
    columns = ["id", "name_en", "name_fr", "name_es", "deck", "type", "copies", "recycling", "vp_flat"]
    columns += [f"cost_{space}" for space in SPACES] + [f"prod_{name}" for name in SPACES]
    columns += ["production_per", "vp_per", *(f"bonus_{token}" for token in TOKENS)]
    rows = read_table("developments", columns)
    refuse_twins(rows, lambda row: row.id(), "the card")
    for row in rows:
        if row.word("deck", DECKS) in PLAYED_DECKS:
            row.word("type", TYPES)
        row.number("copies", 1)
        row.word("recycling", RESOURCES)
        row.pair("production_per")
        row.points_per()
        if not any(row.numbers("cost_", SPACES)):
            raise FactsError(f"{row.where}: {row.id()} costs nothing: give it a space to fill")
        row.numbers("prod_", RESOURCES, -MOST)
        for token in TOKENS:
            if row.number(f"prod_{token}") and row.cells["deck"] in PLAYED_DECKS:
                row.refuse(
                    f"prod_{token}", "only cards of War or Peace, which is not played yet, make tokens"
                )
    check_decks(rows)
    return rows


def check_decks(rows: Iterable[Row]) -> None:
    """Refuse decks that are too small for the rounds, or the pools, of some number of players."""
    for number, deck in enumerate(PLAYED_DECKS):
        copies = sum(row.number("copies") for row in rows if row.cells["deck"] == deck)
        for hands in (HANDS_BASE, HANDS_ASCENSION):
            for players, hand in hands.items():
                asked = hand[number] * (POOLS if players == 1 else players * ROUNDS)
                if copies < asked:
                    raise FactsError(
                        f"developments.csv: the {deck} deck has {copies} cards, and {players} players are "
                        f"dealt {asked}: add cards or copies"
                    )


def read_empires() -> list[Row]:
    """The sides of the empire cards: every empire has each of the sides once."""
    columns = ["id", "name_en", "name_fr", "name_es", "side", "origin", "start_krystallium", "vp_per"]
    rows = read_table("empires", [*columns, *(f"prod_{resource}" for resource in RESOURCES)])
    refuse_twins(rows, lambda row: f"{row.id()}, side {row.text('side')}", "the empire")
    for row in rows:
        row.word("origin", BOXES)
        paid = row.points_per()
        if paid is not None and paid.is_duo:
            row.refuse("vp_per", "an empire has no duo; name one type or character")
    sides = list_sides(rows)
    boxes = [row.word("origin", PLAYED_DECKS) for row in rows if row.cells["side"] == DEFAULT_SIDE]
    for found, asked in ((boxes.count("base"), max(HANDS_BASE)), (len(boxes), MOST_PLAYERS)):
        if found < asked:
            raise FactsError(
                f"empires.csv: {found} empires (side {DEFAULT_SIDE}) for {asked} players: add empires with "
                "all their sides"
            )
    for id in dict.fromkeys(row.id() for row in rows):
        missing = [
            side for side in sides if side not in {row.cells["side"] for row in rows if row.id() == id}
        ]
        if missing:
            raise FactsError(
                f"empires.csv: {id} has no side {', '.join(missing)}, which others have: add a row for each"
            )
    return rows


def list_sides(rows: Iterable[Row]) -> tuple[str, ...]:
    """The sides of the empire cards, in the order in which they are named first."""
    return tuple(dict.fromkeys(row.cells["side"] for row in rows))


def read_scenarios() -> list[Row]:
    """The solo scenarios: their cards exist, as often as they start, and their medals ascend."""
    columns = ["id", "set", "number", "title_en", "title_fr", "empire_side", "cards", *MEDALS]
    rows = read_table("scenarios", columns)
    refuse_twins(rows, lambda row: row.id(), "the scenario")
    played = [row for row in read_developments() if row.text("deck") in PLAYED_DECKS]
    copies = {row.id(): row.number("copies") for row in played}
    decks = {row.id(): row.text("deck") for row in played}
    sides = list_sides(read_empires())
    for row in rows:
        row.word("set", PLAYED_DECKS)
        row.word("empire_side", sides)
        started = Counter[str]()
        for card, count in read_cards(row):
            started[card] += count
            if card not in copies:
                row.refuse("cards", f"there is no card {quote(card)}{suggest(card, copies)}")
            if started[card] > copies[card]:
                row.refuse("cards", f"there are {copies[card]} copies of {card}")
            if row.text("set") == "base" and decks[card] != "base":
                row.refuse("cards", f"{card} comes with Corruption & Ascension: the set must be ascension")
        for number, deck in enumerate(PLAYED_DECKS):
            left = sum(copies[card] for card in copies if decks[card] == deck)
            left -= sum(count for card, count in started.items() if decks[card] == deck)
            if left < POOLS * max(HANDS_BASE[1][number], HANDS_ASCENSION[1][number]):
                row.refuse("cards", f"the {deck} deck would have {left} cards left, too few for the pools")
        asked = [row.number(medal) for medal in MEDALS]
        if sorted(asked, reverse=True) != asked:
            row.refuse(MEDALS[0], f"medals must ascend, and {', '.join(MEDALS)} are {asked}")
    return rows


def read_cards(row: Row) -> list[tuple[str, int]]:
    """The cards of a scenario and how often each starts: `polar_base;mega_drill*2`."""
    cards = []
    for part in row.text("cards").split(";"):
        id, star, times = part.partition("*")
        if star and (not times.isdecimal() or int(times) < 1):
            row.refuse("cards", f"behind the star of {quote(part)} stands how often it starts")
        cards.append((id, int(times or 1)))
    return cards
