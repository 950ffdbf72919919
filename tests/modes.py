"""The modes that tests play, and the schemes by which they are paid."""

from __future__ import annotations

from typing import Any

from iaww_env.cards import EXPANSIONS, scenarios
from iaww_env.config import GameConfig

CA = ("corruption_and_ascension",)
SCHEMES = ("outcome", "rank", "points", "margin", "points_gain", "goal")

# Every number of players with both card pools; solo games with and without a scenario.
VERSUS = {str(n): GameConfig(players=n) for n in range(2, 6)}
VERSUS |= {f"{n}-ascension": GameConfig(players=n, expansions=CA) for n in range(2, 8)}
SOLO = {
    "solo": GameConfig(players=1),
    "solo-ascension": GameConfig(players=1, expansions=CA),
    "solo-sc01": GameConfig(players=1, scenario="base_sc01"),
    "solo-ascension-sc01": GameConfig(players=1, expansions=CA, scenario="ascension_sc01"),
}
MODES = VERSUS | SOLO

# The same by the number of players alone, from one to seven; and every scenario.
SIZES = VERSUS | {"1": SOLO["solo"], "1-ascension": SOLO["solo-ascension"]}
SCENARIOS = {one.id: GameConfig(players=1, expansions=EXPANSIONS, scenario=one.id) for one in scenarios()}
SCENARIOS |= {
    f"{one.id}-base": GameConfig(players=1, scenario=one.id) for one in scenarios() if not one.needs_expansion
}
WITH_SCENARIOS = SIZES | SCENARIOS

# What environments with several agents are made with.
OPTIONS: dict[str, dict[str, Any]] = {
    name: {"players": config.players, "expansions": config.expansions} for name, config in VERSUS.items()
}
