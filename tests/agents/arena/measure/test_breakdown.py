"""The parts of a score sum to it, and each part is what its rule says."""

from __future__ import annotations

import random

import pytest

from iaww_agents.arena.measure import breakdown
from iaww_agents.arena.measure.breakdown import PARTS, break_down
from iaww_agents.greedy import GreedyAgent
from iaww_env.bots.games import BotGames
from iaww_env.cards import COUNTED, empire, empires, kind, kinds
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import make_rows
from iaww_env.errors import StateError
from iaww_env.game import Game, lend_state, make_game
from tests.modes import CA
from tests.random_play import play_on


def play_randomly(config: GameConfig, seed: int) -> Game:
    """A random game at its end."""
    game = Game(config, seed)
    for _ in play_on(game, random.Random(seed)):
        pass
    return game


@pytest.mark.parametrize("expansions", [(), CA])
@pytest.mark.parametrize("side", ["A", "B"])
def test_the_parts_sum_to_the_score_in_hundreds_of_games(expansions: tuple[str, ...], side: str) -> None:
    """At random, where hardly anything is built, and greedily, where every part is scored."""
    seen = dict.fromkeys(PARTS, 0)
    for players in range(1, 8 if expansions else 6):
        config = GameConfig(players=players, expansions=expansions, empire_side=side)
        rows = make_rows(config, range(40))
        BotGames([GreedyAgent()] * players).play(rows)
        games = [make_game(config, row) for row in rows]
        games += [play_randomly(config, seed) for seed in range(10)]
        for game in games:
            parts = break_down(game)
            assert [sum(one) for one in parts] == game.scores()
            for name, points in zip(PARTS * players, [n for one in parts for n in one], strict=True):
                seen[name] += points
    assert {name for name, points in seen.items() if points} == list_printed(expansions, side)


def list_printed(expansions: tuple[str, ...], side: str) -> set[str]:
    """The parts that cards and empires of a card pool print; everybody may hold characters."""
    found = {"points on cards", "generals held", "financiers held"}
    for one in (*kinds(expansions), *empires(side, expansions)):
        if one.points_per is not None:
            is_duo = one.points_per.second is not None
            found.add("duos" if is_duo else f"per {one.points_per.first.replace('_', ' ')}")
    return found


def list_rates(expansions: tuple[str, ...]) -> list[str]:
    """Kinds that print points for each of something, and those of duos."""
    return [one.id for one in kinds(expansions) if one.points_per is not None]


@pytest.mark.parametrize("name", list_rates(CA))
def test_each_card_scores_in_its_own_part(name: str) -> None:
    """A seat that has built this card alone, and holds three of each character."""
    game = Game(GameConfig(players=2, expansions=CA, empires=("noram_states", None)), seed=3)
    card = kind(name)
    row = dict.fromkeys(PARTS, 0)
    own, per = empire("noram_states", "A").points_per, card.points_per
    assert own is not None
    assert per is not None
    counts = dict.fromkeys(COUNTED, 0) | {"general": 3, "financier": 3, card.type: 1}
    row["points on cards"], row["generals held"], row["financiers held"] = card.points, 3, 3
    row[f"per {own.first.replace('_', ' ')}"] += own.points * counts[own.first]
    if per.second is None:
        row[f"per {per.first.replace('_', ' ')}"] += per.points * counts[per.first]
    else:
        row["duos"] = per.points * min(counts[per.first], counts[per.second])
    changed = make_seat(game, card.index)
    assert dict(zip(PARTS, break_down(changed)[0], strict=True)) == row


def make_seat(game: Game, index: int) -> Game:
    """The game with a card built by seat 0 and three characters of each kind, as the engine keeps them."""
    changed = game.clone()
    state, card = lend_state(changed), kinds(CA)[index]
    state.built[0, index] = 1
    state.n_built[0] = 1
    state.types_built[0, COUNTED.index(card.type)] = 1
    state.generals[0] = state.financiers[0] = 3
    state.flat_points[0] = card.points
    per = card.points_per
    if per is not None and per.second is None:
        state.point_rate[0, COUNTED.index(per.first)] += per.points
    return changed


def test_parts_that_do_not_sum_to_the_score_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_randomly(GameConfig(players=2), 3)
    printed = breakdown.read_printed(())
    monkeypatch.setattr(breakdown, "read_printed", lambda _: printed._replace(flat=printed.flat + 1))
    with pytest.raises(StateError, match="do not sum"):
        break_down(game)
