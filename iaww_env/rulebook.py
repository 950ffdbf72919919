"""Numbers that the rulebook fixes, whichever cards are played."""

from __future__ import annotations

ROUNDS = 4
PICKS = 7  # of a seat in each draft
MOST_PLAYERS = 7

# Phases, in the order of a round. A production step is a phase of its own where seats end one.
DRAFT, PLANNING, PRODUCTION, OVER = range(4)
PHASES = ("draft", "planning", "production", "over")

# By round: to which neighbour packs pass; seat + 1 is the one to the left (ruling 1).
DIRECTIONS = (1, -1, 1, -1)

# Cards dealt, base and ascension: to each seat in each round, or solo to each pool.
HANDS_BASE = {1: (5, 0), 2: (10, 0), 3: (7, 0), 4: (7, 0), 5: (7, 0)}
HANDS_ASCENSION = {1: (3, 2), 2: (8, 4), 3: (6, 3), 4: (6, 3), 5: (6, 2), 6: (6, 2), 7: (5, 2)}

CUBES_FOR_KRYSTALLIUM = 5  # on the empire card (ruling 4)
SEATS_WITH_TWO_SUPREMACIES = 6  # from so many on, the two highest have it (ruling 9)
SOLO_SUPREMACY = 5  # alone: what must be produced (ruling 9)

# Solo (ruling 13)
SEQUENCES = 2  # in each planning phase
POOLS = ROUNDS * SEQUENCES
POOL = sum(HANDS_BASE[1])  # cards in a pool, whichever decks they are from
TOSSES = 2  # cards that a dig costs
LOOKS = (5, 3)  # cards that a dig shows, by deck
TITLES = ((100, "living god"), (80, "emperor"), (60, "dictator"))
LEAST_TITLE = "apprentice"

# Scenarios, best first (ruling 14)
MEDALS = ("gold", "silver", "bronze")

# Not of the rulebook: many times the decisions of the longest game. Every decision uses something up, so a
# game that goes on for longer is none, and whoever plays games in a loop stops here.
MOST_DECISIONS = 20_000


def find_title(points: int) -> str:
    """The title that the points of a standard solo game earn (ruling 13)."""
    return next((title for least, title in TITLES if points >= least), LEAST_TITLE)
