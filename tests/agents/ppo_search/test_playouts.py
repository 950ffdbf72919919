"""Worlds are played on as they are by hand, one at a time, and judged as the network judges them."""

from __future__ import annotations

import copy
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from iaww_agents.heuristic.rules import choose_by_rules
from iaww_agents.heuristic.weights import Weights, read_weights
from iaww_agents.jit import kernel
from iaww_agents.networks.inputs import POINT_WORTH, Rows
from iaww_agents.ppo.bot import PpoAgent, find_shipped, load_forward
from iaww_agents.ppo_search.playouts import Lookahead, Playouts
from iaww_env import Game, GameConfig, rulebook
from iaww_env.bots.views import make_view
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.game import lend_row, make_game
from tests.agents.networks.small_networks import draw_decisions, write_network
from tests.goals import expect_goal
from tests.modes import SCENARIOS, SIZES

LATE = {"2": 175, "4": 330, "1": 95, "5-ascension": 413}  # decisions after which the last round goes on
LOOKAHEADS = {
    "for itself": Lookahead(),
    "to win": Lookahead(2, win_bonus=12.0, rivalry=0.25),
    "all by the policy": Lookahead(4, others="policy", rivalry=0.5),
    "plans by the policy": Lookahead(2, own="plans", others="plans"),
    "all by rules": Lookahead(3, own="rules", win_bonus=4.0),
    "no further than the action": Lookahead(0, win_bonus=8.0),
    "the next pick in three ways": Lookahead(rivalry=0.5, depth=1, width=3),
    "two next picks in two ways": Lookahead(2, "plans", "policy", depth=2, width=2),
    "more ways than there are cards": Lookahead(depth=1, width=60),
}


@kernel
def choose_quickly(row: States, seat: int, weights: Weights) -> int:
    """What the quick rules of the heuristic play."""
    return choose_by_rules(row, seat, weights)


def expect(game: Game, seat: int, bot: PpoAgent) -> float:
    """What a seat has in the end, or what the network expects of it."""
    if game.over:
        return expect_goal(game) if game.config.solo else float(game.scores()[seat])
    view = make_view(game, seat, bot.profile)
    rows = Rows(lend_row(game)[None], np.array([seat]))
    _, values = bot._forward.score(bot._sources, view.observation[None], view.action_mask[None], rows)
    return float(values[0]) / POINT_WORTH


def list_best(game: Game, seat: int, bot: PpoAgent, most: int) -> list[int]:
    """The legal actions that the network scores highest."""
    view = make_view(game, seat, bot.profile)
    rows = Rows(lend_row(game)[None], np.array([seat]))
    scores, _ = bot._forward.score(bot._sources, view.observation[None], view.action_mask[None], rows)
    return sorted(game.legal_actions(seat), key=lambda action: -scores[0, action])[:most]


def play_on(
    game: Game, seat: int, action: int, bot: PpoAgent, ahead: Lookahead, first: int = 0, tried: int = 0
) -> tuple[float, bool]:
    """What a candidate is worth in a world, a decision of one seat at a time; whether the game ends there.

    Of the ways in which it is played on, the best; `first` is the round where it began, `tried` how many
    picks have been tried in several ways.
    """
    config, row = game.config, lend_row(game)
    now, weights = first or int(row[fields.ROUND]), read_weights(config.solo)
    game.step(seat, action)
    while not game.over and row[fields.ROUND] < now + ahead.rounds:
        mover = game.seats_to_act()[0]
        is_pick = mover == seat and game.phase == "draft" and len(game.legal_actions(seat)) > 1
        if is_pick and tried < ahead.depth:
            ways = [(copy.deepcopy(game), pick) for pick in list_best(game, seat, bot, ahead.width)]
            return max(play_on(one, seat, pick, bot, ahead, now, tried + 1) for one, pick in ways)
        by = ahead.own if mover == seat else ahead.others
        if by == "policy" or (by == "plans" and game.phase in ("draft", "planning")):
            game.step(mover, bot.act(make_view(game, mover, bot.profile)))
        else:
            game.step(mover, choose_quickly(row, mover, weights))
    return weigh(game, seat, bot, ahead), game.over


def weigh(game: Game, seat: int, bot: PpoAgent, ahead: Lookahead) -> float:
    """What a world that has stopped is worth to a seat."""
    own = expect(game, seat, bot)
    if game.config.solo:
        return own
    best = max(expect(game, other, bot) for other in range(game.config.players) if other != seat)
    open_rounds = 0 if game.over else 5 - game.round
    won = 1 / (1 + exp((best - own) / (5 + 1.5 * open_rounds)))
    return own - ahead.rivalry * best + ahead.win_bonus * won


@pytest.mark.parametrize("to_what_end", LOOKAHEADS)
@pytest.mark.parametrize("mode", ["2", "4", "1", "5-ascension"])
def test_worlds_are_played_on_as_they_are_by_hand(mode: str, to_what_end: str, tmp_path: Path) -> None:
    config, ahead = SIZES[mode], LOOKAHEADS[to_what_end]
    path = write_network(tmp_path / "net.npz", config.expansions, advised=True)
    playouts, bot = Playouts(load_forward(path), config, ahead), PpoAgent(str(path))
    bot.reset_batch(config)
    ended = 0
    for steps in (5, 60, LATE[mode]):
        batch = draw_decisions(config, steps, games=6)
        for g in range(2):
            game, seat = batch.game(g), int(batch.seats[g])
            candidates = np.flatnonzero(batch.masks[g])[:2].astype(np.int16)
            worlds = playouts.draw_worlds(lend_row(game), seat, 2, np.random.default_rng(steps))
            found = playouts.compare(worlds, seat, candidates)
            for a, action in enumerate(candidates.tolist()):
                for w in range(len(worlds)):
                    world = make_game(config, worlds[w].copy())
                    worth, over = play_on(world, seat, action, bot, ahead)
                    assert found[a, w] == pytest.approx(worth, rel=1e-5)
                    ended += over
    assert ended or ahead.rounds == 0, "some went to the end of the game"


def test_alone_the_goal_of_the_game_is_what_its_end_is_worth(tmp_path: Path) -> None:
    """A scenario that is lost with many points is worth less than what the points say."""
    config = SCENARIOS["base_sc03-base"]
    path = write_network(tmp_path / "net.npz", advised=True)
    playouts, bot = Playouts(load_forward(path), config, Lookahead(4)), PpoAgent(str(path))
    bot.reset_batch(config)
    game = draw_decisions(config, 80, games=2).game(0)
    action = game.legal_actions(0)[0]
    worlds = playouts.draw_worlds(lend_row(game), 0, 3, np.random.default_rng(1))
    found = playouts.compare(worlds, 0, np.array([action], np.int16))[0]
    ends = [make_game(config, world.copy()) for world in worlds]
    assert found == pytest.approx([play_on(end, 0, action, bot, Lookahead(4))[0] for end in ends])
    assert all(end.over for end in ends)
    assert any(goal != end.scores()[0] for goal, end in zip(found, ends, strict=True))


def test_candidates_meet_the_same_worlds() -> None:
    """Told twice, a candidate is worth the same twice; and the worlds are left as they were."""
    config = GameConfig(3)
    batch = draw_decisions(config, 30, games=4)
    game, seat = batch.game(0), int(batch.seats[0])
    playouts = Playouts(load_forward(find_shipped(GameConfig(2))), config)
    worlds = playouts.draw_worlds(lend_row(game), seat, 8, np.random.default_rng(1))
    before, action = worlds.copy(), int(batch.masks[0].argmax())
    first, second = playouts.compare(worlds, seat, np.array([action, action], np.int16))
    assert (first == second).all()
    assert (worlds == before).all()
    assert len(np.unique(first)) > 1, "they are different worlds"


def test_worlds_that_do_not_fit_side_by_side_come_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    config = GameConfig(4)
    game = draw_decisions(config, 4, games=1).game(0)
    seat = game.seats_to_act()[0]
    playouts = Playouts(load_forward(find_shipped(config)), config, LOOKAHEADS["the next pick in three ways"])
    worlds = playouts.draw_worlds(lend_row(game), seat, 6, np.random.default_rng(1))
    candidates, sizes = np.array(game.legal_actions(seat)[:3], np.int16), []
    expected, whole = playouts.compare(worlds, seat, candidates), playouts.try_out

    def watch(states: States, *others: Any) -> npt.NDArray[np.float64]:
        sizes.append(len(states))
        return whole(states, *others)

    monkeypatch.setattr(playouts, "try_out", watch)
    for most, parts in (54, [18]), (53, [9, 9]), (18, [6, 6, 6]), (1, [3] * 6):
        monkeypatch.setattr("iaww_agents.ppo_search.playouts.MOST_AT_ONCE", most)
        sizes.clear()
        assert (playouts.compare(worlds, seat, candidates) == expected).all()
        assert sizes == parts


@pytest.mark.parametrize("to_what_end", ["for itself", "to win", "the next pick in three ways"])
def test_worlds_of_many_decisions_go_side_by_side(to_what_end: str) -> None:
    """Other games in other rounds, each looked at from another seat: all as each alone."""
    config = GameConfig(3)
    playouts = Playouts(load_forward(find_shipped(GameConfig(2))), config, LOOKAHEADS[to_what_end])
    states, seats, actions, alone = [], [], [], []
    for steps in (10, 60, 130):
        batch = draw_decisions(config, steps, games=4)
        game, seat, action = batch.game(1), int(batch.seats[1]), int(batch.masks[1].argmax())
        worlds = playouts.draw_worlds(lend_row(game), seat, 2, np.random.default_rng(steps))
        alone += playouts.compare(worlds, seat, np.array([action], np.int16))[0].tolist()
        states.append(worlds)
        seats += [seat] * 2
        actions += [action] * 2
    assert len(set(seats)) > 1
    rows, who = np.concatenate(states), np.array(seats)
    assert playouts.try_out(rows, who, np.array(actions, np.int16)).tolist() == alone


def test_worlds_agree_with_what_the_seat_knows_and_with_nothing_else() -> None:
    """The same draws from a game whose hidden cards are others; each world shows the seat the same."""
    config = GameConfig(4)
    batch = draw_decisions(config, 40, games=4)
    playouts = Playouts(load_forward(find_shipped(GameConfig(2))), config)
    for g in range(4):
        game, seat = batch.game(g), int(batch.seats[g])
        drawn = game.redeterminize(seat, 9)
        worlds = [
            playouts.draw_worlds(lend_row(one), seat, 5, np.random.default_rng(2)) for one in (game, drawn)
        ]
        assert (worlds[0] == worlds[1]).all()
        seen = [make_view(make_game(config, world.copy()), seat).observation for world in worlds[0]]
        assert all((one == make_view(game, seat).observation).all() for one in seen)
        assert (worlds[0] != worlds[0][0]).any()


def test_plans_are_left_to_the_policy_and_production_to_the_rules() -> None:
    """In production all is worth what rules make of it; in a draft neither that nor what the policy does."""
    config, found = GameConfig(4), {}
    forward = load_forward(find_shipped(config))
    for phase in ("draft", "production"):
        game, rng = Game(config, 3), np.random.default_rng(1)
        plays = rulebook.PHASES.index(phase)
        while game.state.phase != plays or len(game.legal_actions(game.seats_to_act()[0])) < 3:
            seat = game.seats_to_act()[0]
            game.step(seat, int(rng.choice(game.legal_actions(seat))))
        seat = game.seats_to_act()[0]
        candidates = np.array(game.legal_actions(seat)[:3], np.int16)
        for by in ("policy", "plans", "rules"):
            playouts = Playouts(forward, config, Lookahead(2 if phase == "draft" else 1, own=by))
            worlds = playouts.draw_worlds(lend_row(game), seat, 8, np.random.default_rng(1))
            found[phase, by] = playouts.compare(worlds, seat, candidates).tolist()
    assert found["draft", "plans"] not in (found["draft", "policy"], found["draft", "rules"])
    assert found["production", "plans"] == found["production", "rules"]
