"""The parts of a score sum to it, and each part is what its rule says."""

from __future__ import annotations

import random

import pytest

from iaww_agents.greedy import GreedyAgent
from iaww_env.bots.games import BotGames
from iaww_env.breakdown import PARTS, count_parts
from iaww_env.cards import COUNTED, RESOURCES, SIDES, Empire, empire, empires, kind, kinds
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import make_rows
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
            found = [game.score_breakdown(seat) for seat in range(players)]
            assert [one.total for one in found] == game.scores()
            assert [list(one.parts.values()) for one in found] == count_parts(game.row, players)[0].tolist()
            for one in found:
                assert list(one.parts) == list(PARTS)
                for name, points in one.parts.items():
                    seen[name] += points
    assert {name for name, points in seen.items() if points} == list_printed(expansions, side)


def list_printed(expansions: tuple[str, ...], side: str) -> set[str]:
    """The parts that cards and empires of a card pool print; everybody may hold characters."""
    found = {"points on cards", "generals held", "financiers held"}
    if any(one.points_per for one in empires(side, expansions)):
        found.add("empire")
    for one in kinds(expansions):
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
    row["empire"] = own.points * counts[own.first]
    if per.second is None:
        row[f"per {per.first.replace('_', ' ')}"] += per.points * counts[per.first]
    else:
        row["duos"] = per.points * min(counts[per.first], counts[per.second])
    changed = make_seat(game, card.index)
    assert changed.score_breakdown(0).parts == row
    assert changed.score_breakdown(0).total == changed.scores()[0]
    assert sum(changed.score_breakdown(1).parts.values()) == changed.scores()[1]


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


def test_corruption_costs_what_would_be_made_without_it() -> None:
    """By resource, and never more than is made (ruling 8)."""
    seen = dict.fromkeys(RESOURCES, 0)
    config = GameConfig(players=4, expansions=CA)
    rows = make_rows(config, range(60))
    BotGames([GreedyAgent()] * 4).play(rows)
    for row in rows:
        game = make_game(config, row)
        for seat in range(4):
            made, net = list(find_empire(game, seat).production), game.state.production[seat].tolist()
            for name, copies in game.built(seat).items():
                card = kind(name)
                for resource, amount in enumerate(card.production):
                    made[resource] += copies * max(0, amount)
                if card.production_per is not None:
                    resource_name, counted = card.production_per
                    per_type = sum(n for one, n in game.built(seat).items() if kind(one).type == counted)
                    made[RESOURCES.index(resource_name)] += copies * per_type
            corruption = game.score_breakdown(seat).corruption
            for resource, name in enumerate(RESOURCES):
                assert corruption[name] == made[resource] - max(0, net[resource]), (name, made, net)
                seen[name] += corruption[name]
    assert all(seen.values()), seen


def find_empire(game: Game, seat: int) -> Empire:
    number = int(game.state.empire[seat])
    return empire(game.empires[seat], SIDES[number % len(SIDES)])


def test_a_seat_that_does_not_exist_has_no_breakdown() -> None:
    with pytest.raises(IndexError, match="there is no seat 2"):
        Game(GameConfig(players=2), 1).score_breakdown(2)
