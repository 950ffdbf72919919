"""The card facts as read-only arrays, in the order of the kinds: what kernels look up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from iaww_env.cards import (
    COUNTED,
    EMPIRE_IDS,
    EXPANSIONS,
    PLAYED_DECKS,
    RESOURCES,
    SIDES,
    SPACES,
    TOKENS,
    TYPES,
    empire,
    empires,
    kinds,
    scenarios,
)
from iaww_env.rulebook import MEDALS, TITLES

Facts = npt.NDArray[np.int16]

_KINDS = kinds(EXPANSIONS)


def _freeze(rows: object) -> Facts:
    facts = np.array(rows, dtype=np.int16)
    facts.flags.writeable = False
    return facts


N_BASE_KINDS = len(kinds())
N_BASE_CARDS = sum(kind.copies for kind in kinds())
N_KINDS = len(_KINDS)
N_CARDS = sum(kind.copies for kind in _KINDS)
N_DECKS = len(PLAYED_DECKS)
MOST_IN_DECK = max(N_BASE_CARDS, N_CARDS - N_BASE_CARDS)
MOST_COPIES = max(kind.copies for kind in _KINDS)
N_RESOURCES = len(RESOURCES)
N_TYPES = len(TYPES)
N_SPACES = len(SPACES)
N_COUNTED = len(COUNTED)
N_TOKENS = len(TOKENS)
N_SIDES = len(SIDES)
SIDE_SPAN = f"{SIDES[0]} to {SIDES[-1]}"
N_EMPIRES = len(EMPIRE_IDS)
N_BASE_EMPIRES = len(empires())
N_SCENARIOS = len(scenarios())
MOST_SCENARIO_CARDS = max(len(scenario.cards) for scenario in scenarios())

MATERIALS, ENERGY, SCIENCE, GOLD, EXPLORATION = range(N_RESOURCES)
# Spaces: resources first, then krystallium, then the characters.
KRYSTALLIUM, GENERAL, FINANCIER = (SPACES.index(name) for name in ("krystallium", "general", "financier"))
FIRST_CHARACTER = GENERAL

TYPE = _freeze([TYPES.index(kind.type) for kind in _KINDS])
COPIES = _freeze([kind.copies for kind in _KINDS])
FIRST_CARD = _freeze([kind.first_card for kind in _KINDS])
COST = _freeze([kind.cost for kind in _KINDS])
SPACES_TO_FILL = _freeze([sum(kind.cost) for kind in _KINDS])
RECYCLING = _freeze([RESOURCES.index(kind.recycling) for kind in _KINDS])
PRODUCTION = _freeze([kind.production for kind in _KINDS])
# Resource and type of a "per type" production, or -1.
PER_RESOURCE = _freeze([RESOURCES.index(k.production_per[0]) if k.production_per else -1 for k in _KINDS])
PER_TYPE = _freeze([TYPES.index(k.production_per[1]) if k.production_per else -1 for k in _KINDS])
BONUS = _freeze([(kind.bonus_krystallium, kind.bonus_general, kind.bonus_financier) for kind in _KINDS])
FLAT_POINTS = _freeze([kind.points for kind in _KINDS])

# Points per type or per character: how many, and of what (a type 0-4, general 5, financier 6, or -1).
_SINGLE = [None if k.points_per is None or k.points_per.is_duo else k.points_per for k in _KINDS]
RATE = _freeze([per.points if per else 0 for per in _SINGLE])
RATE_OF = _freeze([COUNTED.index(per.first) if per else -1 for per in _SINGLE])

_DUOS = [
    (kind.index, per.points, COUNTED.index(per.first), COUNTED.index(per.second))
    for kind in _KINDS
    if (per := kind.points_per) and per.is_duo
]
# One row for each duo: kind, points, and the two things it counts.
DUOS = _freeze(_DUOS or np.zeros((0, 4)))
N_DUOS = len(_DUOS)
N_BASE_DUOS = sum(kind < N_BASE_KINDS for kind, *_ in _DUOS)  # they stand first
HAS_DUO = _freeze([kind.index in {duo[0] for duo in _DUOS} for kind in _KINDS])

_EMPIRES = [empire(name, side) for name in EMPIRE_IDS for side in SIDES]
# Row empire * N_SIDES + side.
EMPIRE_PRODUCTION = _freeze([one.production for one in _EMPIRES])
EMPIRE_KRYSTALLIUM = _freeze([one.start_krystallium for one in _EMPIRES])
EMPIRE_RATE = _freeze([one.points_per.points if one.points_per else 0 for one in _EMPIRES])
EMPIRE_RATE_OF = _freeze([COUNTED.index(one.points_per.first) if one.points_per else -1 for one in _EMPIRES])

_INDEX = {kind.id: kind.index for kind in _KINDS}
# Row by scenario: the kinds that start under construction, filled up with -1.
SCENARIO_CARDS = _freeze(
    [
        [_INDEX[card] for card in one.cards] + [-1] * (MOST_SCENARIO_CARDS - len(one.cards))
        for one in scenarios()
    ]
)
# Row by scenario: what each medal asks for, best first; and what each title asks for.
MEDAL_POINTS = _freeze([[getattr(one, medal) for medal in MEDALS] for one in scenarios()])
TITLE_POINTS = _freeze([points for points, _ in TITLES])
