"""Words that options know by heart: what may be played, by whom, and what cards need and give."""

from __future__ import annotations

from iaww_env.cards import (
    COUNTED,
    EMPIRE_IDS,
    EXPANSIONS,
    RESOURCES,
    SIDES,
    SPACES,
    TOKENS,
    TYPES,
    scenarios,
)

DRAWN = "None"  # in place of an empire: it is drawn
# What a card or an empire may give: cubes, tokens, points at all, and points for each of something.
GIFTS = (*RESOURCES, *TOKENS, "points", *(f"points_per_{one}" for one in COUNTED))


def list_known(name: str) -> tuple[str, ...]:
    """The words that an argument knows, whichever command takes it; none where it takes anything."""
    if name in ("agents", "agent", "ladder", "hints"):
        from iaww_env.bots.specs import list_agents

        return tuple(list_agents())
    if name == "scenario":
        return tuple(one.id for one in scenarios())
    if name == "part":
        from iaww_env.spec.parts import list_parts

        return tuple(list_parts())
    return _KNOWN.get(name, ())


_KNOWN: dict[str, tuple[str, ...]] = {
    "expansions": EXPANSIONS,
    "empires": (*EMPIRE_IDS, DRAWN),
    "empire_side": SIDES,
    "type": TYPES,
    "cost": SPACES,
    "gives": GIFTS,
}
