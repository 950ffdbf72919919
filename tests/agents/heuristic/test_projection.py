"""What makes projections quick changes no decision: each shortcut against the plain way."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_agents.heuristic.bot import choose_by_values
from iaww_agents.heuristic.plan import FOREVER, produce_alone, project_action, value_future, weigh_plan
from iaww_agents.heuristic.rules import choose_by_rules, decide_place, decide_use, find_use, value_finishing
from iaww_agents.heuristic.values import find_lead
from iaww_agents.heuristic.weights import (
    EMPIRE,
    PLACE_FINISH,
    PLACE_POWER,
    Weights,
    change_weights,
    read_weights,
)
from iaww_agents.jit import kernel
from iaww_env import rulebook
from iaww_env.config import GameConfig
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.row import find_seat, find_verb
from iaww_env.engine.rules.transition import apply_action
from iaww_env.game import Game, lend_row
from tests.modes import CA

CONFIGS = [GameConfig(1), GameConfig(3), GameConfig(1, CA), GameConfig(4, CA, empire_side="B")]


@kernel
def project(row: States, seat: int, action: int, weights: Weights, room: States) -> float:
    """What becomes of the seat's own cards after an action."""
    return project_action(row, seat, action, weights, room)


@kernel
def choose_next(row: States, seat: int, weights: Weights) -> int:
    """What the quick rules play; -1 where that is to end the phase."""
    action = choose_by_rules(row, seat, weights)
    return -1 if action == find_verb(row, verbs.END) else action


@kernel
def play(row: States, seat: int, action: int) -> None:
    """Play an action."""
    apply_action(row, seat, action)


@kernel
def begin(row: States, seat: int, step: int, now: int, weights: Weights) -> float:
    """Begin a production step of the seat alone."""
    return produce_alone(row, seat, step, now, weights)


@kernel
def value_end(row: States, seat: int, now: int, weights: Weights) -> float:
    """What the seat would score and could make of the rest."""
    return value_future(row, find_seat(row, seat), now, weights)


@kernel
def place_quickly(row: States, seat: int, weights: Weights) -> int:
    """Where the loose cube goes."""
    at = find_seat(row, seat)
    return decide_place(row, at, int(row[at + fields.LOOSE_RESOURCE]), weights)


@kernel
def place_plainly(row: States, seat: int, weights: Weights) -> int:
    """Where the loose cube goes, every card valued."""
    at = find_seat(row, seat)
    space, best, card = int(row[at + fields.LOOSE_RESOURCE]), -1e9, -1
    for i in range(int(row[at + fields.N_SITES])):
        site = at + fields.SITE + i * fields.SITE_SIZE
        if row[site + fields.SITE_MISSING + space] > 0 and row[site + fields.SITE_TWIN] == 0:
            value = (
                value_finishing(row, at, site, weights) / row[site + fields.SITE_LEFT] ** weights[PLACE_POWER]
            )
            if row[site + fields.SITE_LEFT] == 1:
                value *= 1 + weights[PLACE_FINISH]
            if value > best:
                best, card = value, int(row[site + fields.SITE_CARD])
    if card < 0 or best < weights[EMPIRE]:
        return find_verb(row, verbs.TO_EMPIRE)
    return find_verb(row, verbs.PLACE) + card


@kernel
def has_use(row: States, seat: int) -> bool:
    """Whether tokens would fill the gap of any card."""
    at = find_seat(row, seat)
    for i in range(int(row[at + fields.N_SITES])):
        if find_use(row, at, at + fields.SITE + i * fields.SITE_SIZE) >= 0:
            return True
    return False


@kernel
def use_quickly(row: States, seat: int, weights: Weights) -> int:
    """The token that is used, or -1."""
    return decide_use(row, find_seat(row, seat), weights)


@kernel
def weigh(row: States, seat: int, quick: bool, weights: Weights, room: States) -> tuple[int, bool]:
    """The heuristic's action, and whether its plan stood."""
    return weigh_plan(row, seat, quick, weights, room)


@kernel
def find_lead_of(ahead: int) -> float:
    """How likely a supremacy is."""
    return find_lead(ahead)


@kernel
def count_loose(row: States, seat: int) -> int:
    """Cubes that lie loose before the seat."""
    return int(row[find_seat(row, seat) + fields.LOOSE])


def project_plainly(row: States, seat: int, action: int, weights: Weights) -> float:
    """A projection in which the rules are asked for every single cube."""
    room, now, worth, step = row.copy(), int(row[fields.ROUND]), 0.0, -1
    room[fields.PENDING], room[fields.SEQUENCE] = FOREVER, rulebook.SEQUENCES
    while True:
        if action >= 0:
            play(room, seat, action)
        action = choose_next(room, seat, weights)
        if action < 0:
            step += 1
            if step == 5:
                if room[fields.ROUND] == rulebook.ROUNDS:
                    return worth + value_end(room, seat, now, weights)
                room[fields.ROUND] += 1
                step = 0
            worth += begin(room, seat, step, now, weights)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_projections_and_placements_go_as_the_rules_say(config: GameConfig) -> None:
    weights, projected, placed, unused = read_weights(config.solo), 0, 0, 0
    for seed in range(12):
        game = Game(config, seed)
        room = np.empty_like(game.row)
        while not game.over:
            seat = game.seats_to_act()[0]
            if count_loose(lend_row(game), seat) > 0:
                row = lend_row(game)
                assert place_quickly(row, seat, weights) == place_plainly(row, seat, weights)
                placed += 1
            if not has_use(lend_row(game), seat):
                assert use_quickly(lend_row(game), seat, weights) == -1
                unused += 1
            if lend_row(game)[fields.PHASE] == rulebook.PLANNING and seat == 0:
                for action in game.legal_actions(seat):
                    if verbs.SLATE * config.kinds <= action < verbs.TOSS * config.kinds:
                        value = project(lend_row(game), seat, action, weights, room)
                        assert value == project_plainly(lend_row(game), seat, action, weights)
                        projected += 1
            game.step(seat, choose_by_values(lend_row(game), seat, weights, room))
    assert min(projected, placed, unused) > 300


def test_a_supremacy_is_as_likely_as_the_lead_says() -> None:
    for ahead in (-99, -60, -3, -1, 0, 1, 2, 7, 60, 99):
        assert find_lead_of(ahead) == pytest.approx(1 / (1 + np.exp(0.5 - ahead)), abs=1e-12)


def test_a_plan_stands_where_no_card_is_turned_around() -> None:
    # All cases clear: none is played through. Else `sure` says that no card is turned around, or the last.
    clear = change_weights(False, {"check": 1e-9})
    firm = change_weights(False, {"check": 1e9, "sure": 1e9})
    weak = change_weights(False, {"check": 1e9, "sure": -1e9})
    rules, decided = change_weights(False, {"check": 0}), 0
    for seed in range(6):
        game = Game(GameConfig(players=2), seed)
        room = np.empty_like(game.row)
        while not game.over:
            seat = game.seats_to_act()[0]
            quick = choose_by_values(lend_row(game), seat, rules, room)
            if verbs.SLATE * game.config.kinds <= quick < verbs.TOSS * game.config.kinds:
                assert weigh(lend_row(game), seat, False, clear, room)[1] is False
                assert weigh(lend_row(game), seat, False, firm, room) == (quick, True)
                turned, stands = weigh(lend_row(game), seat, False, weak, room)
                assert turned // game.config.kinds in (verbs.SLATE, verbs.RECYCLE)
                assert stands is False
                decided += 1
            assert weigh(lend_row(game), seat, True, firm, room) == (quick, False)
            game.step(seat, quick)
    assert decided > 100
