"""Every decision as one number and one text: the action table of a card pool.

Kinds of cards name the actions, so an action means the same in every state. The table is declared in
`engine/verbs.py`; the numbers of its actions follow from the order there. The text forms are the one
notation of the project: `pick:zeppelin`, `place:wind_turbines#2`, `use:krystallium_as_gold`, `end`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index

from iaww_env.cards import EXPANSIONS, Kind, kinds, parse_expansions
from iaww_env.engine.verbs import CHOICES, DIGS, USES, VERBS, Verb
from iaww_env.errors import ActionTextError, quote, suggest

__all__ = ["CHOICES", "DIGS", "USES", "VERBS", "ActionTable", "Verb", "action_table"]

_Row = tuple[str, str, Kind | None, int | None]  # text, verb, kind, copy


@dataclass(frozen=True, slots=True, eq=False)
class ActionTable:
    """The actions of one card pool; make it with `action_table`.

    Iterating gives the text forms in the order of their numbers.

    Attributes:
        expansions: The card pool.
        kinds: Kinds in the card pool: C.
        cards: Physical cards in the card pool: P.
        size: Number of actions.
        pick: First number of the verb, for kind 0; plus the kind's index; likewise slate, recycle, toss.
        place: First number; plus `kind.first_card + k - 1` for the k-th oldest copy; likewise discard.
        use: First number; plus the position in `USES`.
        to_empire: Number of the one action; likewise end, wait.
        choose: First number; plus the position in `CHOICES`.
        dig: First number; plus the position in `DIGS`.
    """

    expansions: tuple[str, ...]
    kinds: int
    cards: int
    size: int
    pick: int
    slate: int
    recycle: int
    toss: int
    place: int
    discard: int
    use: int
    to_empire: int
    choose: int
    dig: int
    end: int
    wait: int
    _rows: tuple[_Row, ...]  # (size,)
    _numbers: dict[str, int]

    def to_text(self, action: int) -> str:
        """The text form of an action."""
        return self._rows[self._check_number(action)][0]

    def parse(self, text: str) -> int:
        """The number of an action from its text form; there is exactly one form of each."""
        action = self._numbers.get(text) if isinstance(text, str) else None
        if action is None:
            raise ActionTextError(f"{quote(text)} names no action{self._find_fault(text)}")
        return action

    def verb(self, action: int) -> str:
        """The verb of an action."""
        return self._rows[self._check_number(action)][1]

    def kind(self, action: int) -> Kind | None:
        """The kind of card that an action names, if it names one."""
        return self._rows[self._check_number(action)][2]

    def copy(self, action: int) -> int | None:
        """1 for the oldest copy under construction, and so on; None where the action names no copy."""
        return self._rows[self._check_number(action)][3]

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and text in self._numbers

    def __repr__(self) -> str:
        return f"action_table({list(self.expansions)})"

    def __reduce__(self) -> tuple[object, ...]:
        # A table is one of two: copies and pickles lead back to the same object.
        return action_table, (self.expansions,)

    def _check_number(self, action: int) -> int:
        try:
            if isinstance(action, bool):
                raise TypeError
            number = index(action)
        except TypeError:
            raise ActionTextError(f"an action is an integer, not {quote(action)}") from None
        if not 0 <= number < self.size:
            raise ActionTextError(f"there is no action {quote(number)}: the table has 0 to {self.size - 1}")
        return number

    def _find_fault(self, text: object) -> str:
        """What is wrong with a text that names no action, as the end of a message."""
        if not isinstance(text, str):
            return ": give a text such as 'pick:zeppelin'"
        verb, _, named = text.partition(":")
        row = next((row for row in VERBS if row.name == verb), None)
        if row is None:
            return suggest(text, self) or f": it begins with one of {', '.join(row.name for row in VERBS)}"
        if not isinstance(row.names, str):
            return f": the actions of this verb are {', '.join(one for one in self if _verb_of(one) == verb)}"
        id, hash, copy = named.partition("#")
        plain = f"{verb}:{id}"
        if plain in self and hash and row.names == "card":
            return self._find_copy_fault(plain, copy)
        if plain in self:
            return f": this verb names no copy, {plain!r}"
        if plain in _make_table(EXPANSIONS):
            return ": the card comes with Corruption & Ascension"
        near = suggest(text, [one for one in self if _verb_of(one) == verb and "#" not in one])
        return near or f": a card of the pool follows the verb, as in '{verb}:zeppelin'"

    def _find_copy_fault(self, plain: str, copy: str) -> str:
        if copy == "1":
            return f": the oldest copy is written without a number, {plain!r}"
        texts = [repr(one) for one in self if one.partition("#")[0] == plain]
        return f": its copies are {', '.join(texts)}"


def _verb_of(text: str) -> str:
    return text.partition(":")[0]


def action_table(expansions: Sequence[str] = ()) -> ActionTable:
    """The action table of a card pool, always the same object."""
    return _make_table(parse_expansions(expansions))


@lru_cache(maxsize=2)
def _make_table(expansions: tuple[str, ...]) -> ActionTable:
    rows: list[_Row] = []
    first: dict[str, int] = {}
    for verb in VERBS:
        first[verb.name] = len(rows)
        rows += _list_actions(verb, expansions)
    pool = kinds(expansions)
    return ActionTable(
        expansions=expansions,
        kinds=len(pool),
        cards=sum(kind.copies for kind in pool),
        size=len(rows),
        **first,
        _rows=tuple(rows),
        _numbers={row[0]: action for action, row in enumerate(rows)},
    )


def _list_actions(verb: Verb, expansions: tuple[str, ...]) -> Iterator[_Row]:
    """The actions of a verb, in order."""
    if not isinstance(verb.names, str):
        for word in verb.names:
            yield (f"{verb.name}:{word}" if word else verb.name), verb.name, None, None
        return
    for kind in kinds(expansions):
        if verb.names == "kind":
            yield f"{verb.name}:{kind.id}", verb.name, kind, None
            continue
        for copy in range(1, kind.copies + 1):
            number = f"#{copy}" if copy > 1 else ""
            yield f"{verb.name}:{kind.id}{number}", verb.name, kind, copy
