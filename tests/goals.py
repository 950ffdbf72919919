"""What the end of a game is worth by the reward `goal`, worked out from what a game tells of itself."""

from __future__ import annotations

from collections import Counter

from iaww_env.cards import scenario
from iaww_env.game import Game

TITLES = {"apprentice": 0, "dictator": 10, "emperor": 20, "living god": 30}
MEDALS = {None: 0, "bronze": 20, "silver": 40, "gold": 60}


def expect_goal(game: Game) -> float:
    """The goal of a solo game that is over."""
    points = game.scores()[0]
    if game.config.scenario is None:
        return points + TITLES[game.title() or ""]
    if game.scenario_won():
        return points + MEDALS[game.medal()]
    named, built = Counter(scenario(game.config.scenario).cards), game.built(0)
    unbuilt = sum(max(0, count - built.get(kind, 0)) for kind, count in named.items())
    return points - 40 - 60 * unbuilt / named.total()
