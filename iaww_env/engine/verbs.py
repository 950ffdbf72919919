"""The action table: every verb is declared here once, and the numbers of its actions follow.

Kinds of cards name the actions, so an action means the same in every state. `iaww_env.actions` gives the
table of a card pool to people, texts included; `find_verb` in `row.py` gives it to kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

from iaww_env.cards import CHARACTERS, PLAYED_DECKS, RESOURCES, TOKENS

USES = (*(f"krystallium_as_{resource}" for resource in RESOURCES), *TOKENS)
CHOICES, DIGS = CHARACTERS, PLAYED_DECKS


@dataclass(frozen=True, slots=True)
class Verb:
    """One row of the action table: a verb and what it is said of.

    Attributes:
        name: The verb; the text form begins with it.
        names: "kind" (one action per kind), "card" (one per physical card), or the words it is said of.
        when: When it may be legal, and what it does.
    """

    name: str
    names: str | tuple[str, ...]
    when: str

    @property
    def count(self) -> str:
        """How many actions it has: "C" (kinds in the card pool), "P" (its physical cards) or a number."""
        if isinstance(self.names, str):
            return {"kind": "C", "card": "P"}[self.names]
        return str(len(self.names))


VERBS = (
    Verb("pick", "kind", "draft: pick a card from the hand; solo: the card to keep after a dig"),
    Verb("slate", "kind", "planning: slate a drafted card for construction (solo: a card in hand)"),
    Verb("recycle", "kind", "planning: recycle a drafted card for one cube (solo: a card in hand)"),
    Verb("toss", "kind", "solo: discard one of the two cards that a dig costs"),
    Verb("place", "card", "put the loose cube, or the token in hand, on a card under construction"),
    Verb("discard", "card", "planning and production: give up a card under construction"),
    Verb("use", USES, "planning and production: take a token in hand; `place` must follow"),
    Verb("to_empire", ("",), "put one loose cube on the empire card"),
    Verb("choose", CHOICES, "science supremacy: the character to take"),
    Verb("dig", DIGS, "solo: discard two cards from hand and look into this deck"),
    Verb("end", ("",), "planning and production: end the phase; no drafted card undecided, no cube loose"),
    Verb("wait", ("",), "nothing to decide now, or the game is over (parallel API)"),
)


PICK, SLATE, RECYCLE, TOSS, PLACE, DISCARD, USE, TO_EMPIRE, CHOOSE, DIG, END, WAIT = range(len(VERBS))
N_USES, N_CHOICES, N_DIGS = len(USES), len(CHOICES), len(DIGS)
N_PLAIN = sum(len(verb.names) for verb in VERBS if not isinstance(verb.names, str))

# How many verbs before each have an action for every kind and for every card, and how many others there are.
KIND_VERBS = tuple(sum(verb.names == "kind" for verb in VERBS[:i]) for i in range(len(VERBS)))
CARD_VERBS = tuple(sum(verb.names == "card" for verb in VERBS[:i]) for i in range(len(VERBS)))
OTHERS = tuple(
    sum(len(verb.names) for verb in VERBS[:i] if not isinstance(verb.names, str)) for i in range(len(VERBS))
)
