"""What the rulebook says and no kernel needs: the titles of the solo game and the medals of its scenarios."""

from __future__ import annotations

TITLES = ((100, "living god"), (80, "emperor"), (60, "dictator"))
LOWEST_TITLE = "apprentice"
MEDALS = ("gold", "silver", "bronze")


def find_title(points: int) -> str:
    """The title that these points earn in the standard solo game (ruling 13)."""
    return next((title for least, title in TITLES if points >= least), LOWEST_TITLE)
