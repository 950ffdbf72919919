"""How cards, actions and amounts are called: as they are typed at the terminal, or as a page says them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from iaww_env.cards import SPACES, Kind, kind
from iaww_env.game import Game
from iaww_env.render import phrases
from iaww_env.viewer.moves import describe_choice


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to call things, so that a person reads the same words wherever they are told something.

    Attributes:
        name_card: A card by its label: `zeppelin`, `zeppelin#2`.
        name_action: A legal action of a seat by its text.
        list_amounts: Amounts in the order of `SPACES`.
        list_gains: What a card gives from now on; empty where its drawing says it.
    """

    name_card: Callable[[str], str]
    name_action: Callable[[Game, int, str], str]
    list_amounts: Callable[[tuple[int, ...]], str]
    list_gains: Callable[[Kind], str]

    def count_cards(self, label: str, count: int) -> str:
        """A card, and how many: `zeppelin x2`."""
        return self.name_card(label) if count == 1 else f"{self.name_card(label)} x{count}"


def name_card(label: str) -> str:
    """A card as it is printed: `Zeppelin`, `Zeppelin #2`."""
    id, _, copy = label.partition("#")
    return kind(id).name_en + (f" #{copy}" if copy else "")


def _name_action(game: Game, seat: int, text: str) -> str:
    return describe_choice(game, seat, text).removesuffix(" for construction")  # nothing is slated for else


def _list_amounts(amounts: tuple[int, ...]) -> str:
    told = [phrases.count_things(n, space) for n, space in zip(amounts, SPACES, strict=False) if n]
    return ", ".join(told)


TYPED = Wording(
    lambda label: label,
    lambda game, seat, text: text,
    lambda amounts: ", ".join(text for text, _ in phrases.list_amounts(amounts)),
    lambda kind: ", ".join(text for text, _ in phrases.list_gains(kind)),
)
SPOKEN = Wording(name_card, _name_action, _list_amounts, lambda kind: "")
