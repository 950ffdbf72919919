"""The heuristic: legal everywhere, honest, repeatable, and as strong as it should be."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_agents import make_agent
from iaww_agents.heuristic.bot import HeuristicAgent, choose_by_values
from iaww_agents.heuristic.plan import project_action
from iaww_agents.heuristic.weights import (
    N_WEIGHTS,
    NAMES,
    PICK_BIAS,
    SLATE_BIAS,
    Weights,
    change_weights,
    read_weights,
)
from iaww_agents.jit import kernel
from iaww_env import rulebook
from iaww_env.bots.views import make_view
from iaww_env.cards import scenarios
from iaww_env.config import GameConfig
from iaww_env.engine import facts, fields, verbs
from iaww_env.engine.fields import States
from iaww_env.errors import ConfigError
from iaww_env.game import Game, lend_row
from iaww_training.tune_heuristic import GREEDY, HEURISTIC, play_table
from tests.agents.heuristic.heuristic_moves import choose, play_on
from tests.modes import CA

MODES = [GameConfig(players=n) for n in range(1, 6)] + [GameConfig(n, CA) for n in range(1, 8)]
MODES += [GameConfig(1, CA, scenario=one.id) for one in scenarios()]
NAMED = [f"{c.players}-{len(c.expansions)}-{c.scenario}" for c in MODES]


@kernel
def project(row: States, seat: int, action: int, weights: Weights, room: States) -> float:
    """What becomes of the seat's own cards after an action."""
    return project_action(row, seat, action, weights, room)


@pytest.mark.parametrize("config", MODES, ids=NAMED)
def test_every_action_is_legal_and_unchanged_when_hidden_cards_change(config: GameConfig) -> None:
    game = Game(config, seed=3)
    decisions = 0
    while not game.over:
        seat = game.seats_to_act()[0]
        before = lend_row(game).copy()
        action = choose(game, seat)
        assert np.array_equal(lend_row(game), before)
        assert action in game.legal_actions(seat)
        drawn = game.redeterminize(seat, decisions)
        assert choose(drawn, seat) == action
        game.step(seat, action)
        decisions += 1
    assert decisions > 24 * config.players


def test_it_answers_a_view_as_it_plays_in_a_kernel() -> None:
    game = Game(GameConfig(players=3), seed=5)
    bot = make_agent("heuristic")
    while not game.over:
        seat = game.seats_to_act()[0]
        bot.reset(seat, game.config, seed=1)
        if len(game.legal_actions(seat)) > 1:
            assert bot.act(make_view(game, seat)) == choose(game, seat)
        play_on(game)


def test_weights_are_read_by_name_and_changed_by_name() -> None:
    assert len(read_weights(False)) == len(read_weights(True)) == N_WEIGHTS
    changed = change_weights(False, {"deny": 7.0})
    assert changed[NAMES.index("deny")] == 7.0
    others = np.arange(N_WEIGHTS) != NAMES.index("deny")
    assert changed[others].tolist() == read_weights(False)[others].tolist()
    with pytest.raises(ConfigError, match="deny"):
        HeuristicAgent(denny=1.0)


@pytest.mark.parametrize(("players", "least"), [(4, 32.0), (3, 34.0), (2, 40.0)])
def test_points_in_self_play(players: int, least: float) -> None:
    weights = read_weights(False)
    config = GameConfig(players=players)
    totals = []
    for seed in range(0, 450, 3):
        game = Game(config, seed)
        while not game.over:
            play_on(game)
        totals += game.scores()
    error = np.std(totals) / np.sqrt(len(totals) / players)
    assert np.mean(totals) - 2 * error > least, weights


def test_it_is_well_ahead_of_greedy_bots() -> None:
    weights = read_weights(False)
    margin, share = play_table(GameConfig(players=4), 1200, 77, (GREEDY, GREEDY), weights, weights)
    assert margin > 15
    assert share >= 0.7  # a fair share is 0.25


def test_playing_cards_through_beats_the_quick_rules() -> None:
    weights, quick = read_weights(False), change_weights(False, {"check": 0})
    table = (GameConfig(players=4), 1200, 99, (HEURISTIC, HEURISTIC))
    margin, share = play_table(*table, weights, quick)
    assert share > 0.4
    assert margin > 4
    margin, share = play_table(*table, quick, quick)
    assert share == 0.25


@pytest.mark.parametrize("side", ["A", "B"])
def test_a_projection_foresees_the_last_cards_exactly(side: str) -> None:
    # Alone, with the last hand taken up, nothing is left to chance: the rules reach what was played through.
    quick, foreseen = change_weights(True, {"check": 0, "dig_bar": -99, "spare_now": 0}), []
    for seed in range(20):
        game, found = Game(GameConfig(players=1, empire_side=side), seed), []
        while not game.over:
            room = np.empty_like(game.row)
            action = choose_by_values(lend_row(game), 0, quick, room)
            last = (
                lend_row(game)[fields.ROUND] == rulebook.ROUNDS
                and lend_row(game)[fields.PHASE] == rulebook.PLANNING
                and lend_row(game)[fields.SEQUENCE] == rulebook.SEQUENCES
            )
            if last and verbs.SLATE * game.config.kinds <= action < verbs.TOSS * game.config.kinds:
                found.append(project(lend_row(game), 0, action, quick, room))
            game.step(0, action)
        assert len(found) >= 4
        foreseen.append(set(found) == {game.scores()[0]})
    assert foreseen == [True] * 20


def test_a_projection_digs_nothing_up() -> None:
    # Digging would show it cards that nobody has seen.
    weights = change_weights(True, {"dig_bar": 1000.0})
    for seed in range(20):
        game = Game(GameConfig(players=1), seed)
        slate = [action for action in game.legal_actions(0) if action // game.config.kinds == verbs.SLATE]
        room = np.empty_like(game.row)
        for action in slate:
            values = {project(lend_row(game.redeterminize(0, n)), 0, action, weights, room) for n in range(4)}
            assert len(values) == 1


def test_biases_move_the_kind_and_the_round_they_are_for() -> None:
    game = Game(GameConfig(players=2), seed=6)
    picks = [action for action in game.legal_actions(0) if action < game.config.kinds]
    for kind in picks:
        weights = read_weights(False)
        weights[PICK_BIAS + kind] += 1000
        assert choose_by_values(lend_row(game), 0, weights, np.empty_like(game.row)) == kind
        weights = read_weights(False)
        weights[PICK_BIAS + len(facts.TYPE) + kind] += 1000  # of round 2
        assert choose_by_values(lend_row(game), 0, weights, np.empty_like(game.row)) == choose(game, 0)
    weights = read_weights(False)
    weights[SLATE_BIAS : SLATE_BIAS + len(facts.TYPE)] = -1000
    while lend_row(game)[fields.PHASE] != rulebook.PLANNING:
        play_on(game)
    quick = change_weights(False, {"check": 0})
    quick[SLATE_BIAS:] = -1000
    verb = choose_by_values(lend_row(game), 0, quick, np.empty_like(game.row)) // game.config.kinds
    assert verb == verbs.RECYCLE
