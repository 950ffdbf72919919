"""How large the numbers of an observation can become: worked out from the card facts, never typed in.

No seat ever has more than SITES_SOLO cards. A bound takes the best so many cards for each of its parts, so it
is never too small, and mostly a little too large.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.errors import FactsError

Amounts = npt.NDArray[np.integer]

MOST_BUILT = fields.SITES_SOLO
MOST_OTHERS = fields.MOST_SEATS - 1
_TYPES = range(facts.N_TYPES)


def sum_best(amounts: Amounts) -> int:
    """The sum over the cards of a seat, if it had those that bring most."""
    cards = np.sort(np.repeat(amounts.astype(int), facts.COPIES))[::-1]
    return int(cards[:MOST_BUILT].clip(0).sum())


def sum_per_type(resource: int) -> int:
    """The most that "per type" production makes of a resource: types with most of such cards come first."""
    pays = facts.PER_RESOURCE == resource
    rates = [int(facts.COPIES[pays & (facts.PER_TYPE == of_type)].sum()) for of_type in _TYPES]
    made, left = 0, MOST_BUILT
    for of_type in sorted(_TYPES, key=lambda one: -rates[one]):
        built = min(left, int(facts.COPIES[of_type == facts.TYPE].sum()))
        made, left = made + rates[of_type] * built, left - built
    return made


def sum_corruption(resource: int) -> int:
    """All that the cards take away from a resource."""
    return int((facts.PRODUCTION[:, resource].clip(max=0).astype(int) * facts.COPIES).sum())


_RESOURCES = range(facts.N_RESOURCES)
_MADE = [
    sum_best(facts.PRODUCTION[:, one]) + int(facts.EMPIRE_PRODUCTION[:, one].max()) + sum_per_type(one)
    for one in _RESOURCES
]
MOST_MADE = max(_MADE)  # of one resource
LEAST_MADE = min(
    sum_corruption(one) + min(0, int(facts.EMPIRE_PRODUCTION[:, one].min())) for one in _RESOURCES
)
MOST_OPEN = max(sum_best(facts.COST[:, space]) for space in range(facts.N_SPACES))  # spaces of one sort

# Characters: by bonus, and by the supremacies of a game. Krystallium: by bonus, to begin with, and from
# cubes, of which there is one for each card and what all steps of a game make.
_STEPS = rulebook.ROUNDS * facts.N_RESOURCES
_MOST_CHARACTERS = max(sum_best(facts.BONUS[:, one]) for one in (1, 2)) + _STEPS
_CUBES = rulebook.ROUNDS * sum(_MADE) + facts.N_CARDS
_MOST_KRYSTALLIUM = sum_best(facts.BONUS[:, 0]) + int(facts.EMPIRE_KRYSTALLIUM.max())
MOST_TOKENS = max(_MOST_CHARACTERS, _MOST_KRYSTALLIUM + _CUBES // rulebook.CUBES_FOR_KRYSTALLIUM)

# Points for one thing, with all built that is paid for it. No more cards can be counted than a seat has.
_RATES = [
    int((facts.RATE.astype(int) * facts.COPIES)[facts.RATE_OF == thing].sum())
    for thing in range(facts.N_COUNTED)
]
MOST_RATE = max(_RATES) + int(facts.EMPIRE_RATE.max())
_MOST_COUNT = max(MOST_BUILT, _MOST_CHARACTERS)
_PAID = (max(_RATES[: facts.N_TYPES]) + int(facts.EMPIRE_RATE.max())) * MOST_BUILT
_PAID += (
    sum(_RATES[facts.N_TYPES :], 2) + int(facts.EMPIRE_RATE.max())
) * _MOST_CHARACTERS  # each scores a point
# A pair takes two cards, or a card and a character.
_DUO_POINTS = int((facts.DUOS[:, 1].astype(int) * facts.COPIES[facts.DUOS[:, 0]]).sum())
_PAIRS = max(MOST_BUILT // 2, _MOST_CHARACTERS)
MOST_SCORE = sum_best(facts.FLAT_POINTS) + _PAID + _DUO_POINTS * _PAIRS
# Of one card: its own points and bonus, what it is paid for, and what is paid for it.
MOST_WORTH = (
    int((facts.FLAT_POINTS + facts.BONUS[:, 1:].sum(axis=1) + facts.RATE.astype(int) * _MOST_COUNT).max())
    + MOST_RATE * (1 + int(facts.BONUS[:, 1:].sum(axis=1).max()))
    + _DUO_POINTS * int(facts.BONUS[:, 1:].max() + 1)
    + (int(facts.DUOS[:, 1].max()) * _PAIRS if facts.N_DUOS else 0)
)

# By kind, and by space.
MOST_OF_SPACE = facts.COST.max(axis=0)  # (spaces,)
MOST_ACCEPTED = facts.COPIES.astype(int) * facts.COST.max(axis=1)  # (kinds,)
MOST_PICKED = facts.N_KINDS
MOST_ASCENSION = max(ascension for _, ascension in fields.HANDS)

for _name, _most in {"points": MOST_SCORE, "cubes of a resource": MOST_MADE, "tokens": MOST_TOKENS}.items():
    if _most > fields.MOST:
        raise FactsError(
            f"a seat could have {_most:,} {_name}, and the state holds {fields.MOST:,}: "
            "the cards give too much"
        )
