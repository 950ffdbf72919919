"""The search: legal, honest, repeatable; candidates meet the same worlds; as strong as it should be."""

from __future__ import annotations

from itertools import count
from math import exp

import numpy as np
import pytest

from iaww_agents.heuristic.plan import weigh_plan
from iaww_agents.heuristic.weights import Weights, read_weights
from iaww_agents.jit import kernel
from iaww_agents.search.bot import BEHIND, SETTLING, SearchAgent, find_rivals
from iaww_agents.search.playouts import play_worlds
from iaww_env import rulebook
from iaww_env.actions import action_table
from iaww_env.bots.views import View, make_view
from iaww_env.config import GameConfig
from iaww_env.engine import fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.row import find_seat as find_block
from iaww_env.errors import ConfigError
from iaww_env.game import Game, lend_row
from tests.agents.heuristic.heuristic_moves import choose, play_on
from tests.goals import expect_goal
from tests.modes import CA

WHOLE = [
    GameConfig(1),
    GameConfig(2),
    GameConfig(3, CA),
    GameConfig(7, CA),
    GameConfig(1, CA, scenario="ascension_sc03"),
]


@kernel
def weigh(row: States, seat: int, quick: bool, weights: Weights, room: States) -> tuple[int, bool]:
    """The heuristic's action, and whether its plan stood."""
    return weigh_plan(row, seat, quick, weights, room)


@kernel
def count_hand(row: States) -> int:
    """Cards that seat 0 has not decided on."""
    return int(row[find_block(row, 0) + fields.N_DRAFTED])


def play_by_hand(world: Game, seat: int, action: int, win_bonus: float) -> float:
    """What a candidate is worth in a world, decision by decision."""
    weights, settled = read_weights(world.config.solo), 0
    world.step(seat, action)
    while not world.over:
        mover, number = world.seats_to_act()[0], int(lend_row(world)[fields.ROUND])
        quick = mover != seat or settled == number
        action, stands = weigh(lend_row(world), mover, quick, weights, np.empty_like(world.row))
        settled = number if stands and world.config.players > 1 else settled
        world.step(mover, action)
    if world.config.solo:
        return expect_goal(world)
    scores = world.scores()
    own = scores.pop(seat)
    return own - 0.3 * max(scores) + win_bonus / (1 + exp((max(scores) - own) / 5))


@pytest.mark.parametrize(
    "config", [GameConfig(1), GameConfig(1, scenario="base_sc03"), GameConfig(2), GameConfig(4, CA)]
)
def test_worlds_are_played_out_by_the_heuristic_against_its_rules(config: GameConfig) -> None:
    game = Game(config, seed=8)
    for decision in range(31):
        seat = game.seats_to_act()[0]
        legal = game.legal_actions(seat)
        if decision % 10 == 0:
            worlds = [game.redeterminize(seat, number) for number in range(3)]
            values = np.empty((len(legal), 3))
            play_worlds(
                np.stack([lend_row(world) for world in worlds]),
                np.empty((2, len(game.row)), np.int16),
                seat,
                np.array(legal, np.int16),
                read_weights(config.solo),
                20.0,
                values,
            )
            expected = [[play_by_hand(world.clone(), seat, one, 20.0) for world in worlds] for one in legal]
            assert values == pytest.approx(np.array(expected))
        play_on(game)


@pytest.mark.parametrize("config", WHOLE)
def test_whole_games_are_legal_and_unchanged_when_hidden_cards_change(config: GameConfig) -> None:
    # One twin sees the game as it is, the other what its seat may know with all else drawn anew.
    game, twins = Game(config, seed=9), (SearchAgent(worlds=8), SearchAgent(worlds=8))
    for twin in twins:
        twin.reset(0, config, seed=4)
    searched = asked = 0
    while not game.over:
        if 0 in game.seats_to_act() and len(game.legal_actions(0)) > 1:
            action = twins[0].act(make_view(game, 0))
            assert action in game.legal_actions(0)
            assert twins[1].act(make_view(game.redeterminize(0, asked), 0)) == action
            searched += action != choose(game, 0)
            asked += 1
            game.step(0, action)
        else:
            play_on(game)
    assert asked > 40
    assert searched > 3


def test_the_same_seed_gives_the_same_moves_and_another_may_not() -> None:
    game, chosen = Game(GameConfig(players=4), seed=1), []
    for seed in (1, 1, 2, 3, 4, 5):
        bot = SearchAgent(worlds=8, doubt=0)
        bot.reset(0, game.config, seed)
        chosen.append(bot.act(make_view(game, 0)))
    assert chosen[0] == chosen[1]
    assert len(set(chosen)) > 1


class CountingView:
    """A view that counts the worlds drawn from it."""

    def __init__(self, view: View) -> None:
        """Stand before a view."""
        self.config, self.legal_actions = view.config, view.legal_actions
        self._view, self.drawn = view, 0

    def sample_game(self, rng: np.random.Generator) -> Game:
        """Draw a world."""
        self.drawn += 1
        return self._view.sample_game(rng)


def ask_through_planning(
    players: int, seed: int, bot: SearchAgent | None = None
) -> tuple[list[int], list[bool]]:
    """A planning phase of seat 0: worlds drawn for each decision on a card, and whether it was changed."""
    game = Game(GameConfig(players=players), seed)
    if bot is None:
        bot = SearchAgent(worlds=8, doubt=BEHIND)
        bot.reset(0, game.config, seed=0)
    drawn, changed = [], []
    while not (lend_row(game)[fields.PHASE] == rulebook.PLANNING and 0 in game.seats_to_act()):
        play_on(game)
    while lend_row(game)[fields.PHASE] == rulebook.PLANNING:
        if 0 in game.seats_to_act() and len(game.legal_actions(0)) > 1:
            view, planned = CountingView(make_view(game, 0)), choose(game, 0)
            action = bot.act(view)  # type: ignore[arg-type]  # it has all that search asks for
            if planned < verbs.PLACE * game.config.kinds:
                drawn.append(view.drawn)
                changed.append(action != planned)
            game.step(0, action)
        else:
            play_on(game)
    return drawn, changed


def test_a_plan_is_gone_by_once_it_has_stood() -> None:
    # The first world drawn for a decision is where the heuristic decides.
    stood, most = [], 0
    for seed in range(12):
        drawn, changed = ask_through_planning(2, seed)
        first = changed.index(False)
        assert all(9 <= n <= 1 + SETTLING * 8 for n in drawn[: first + 1])
        assert drawn[first + 1 :] == [1] * (len(drawn) - first - 1)
        assert not any(changed[first + 1 :])
        stood.append(first)
        most = max(most, *drawn)
    assert min(stood) == 0
    assert max(stood) > 0
    assert most == 1 + SETTLING * 8


def test_in_solo_every_card_is_searched() -> None:
    drawn, changed = ask_through_planning(1, 0)
    assert not all(changed)
    assert set(drawn) == {9}


def test_a_new_game_begins_with_nothing_settled() -> None:
    drawn = []
    for seeds in ((14, 14), (14,)):
        bot = SearchAgent(worlds=8, doubt=BEHIND)
        for seed in seeds:
            bot.reset(0, GameConfig(2), seed=0)
            found = ask_through_planning(2, seed, bot)
        drawn.append(found)
    assert drawn[0] == drawn[1]


def test_a_comparison_that_was_cut_short_settles_nothing() -> None:
    # After 8 worlds it only goes on where several candidates are left, and then nothing is settled.
    again = 0
    for seed in range(6):
        bot = SearchAgent(simulations=1, doubt=BEHIND)
        bot.reset(0, GameConfig(players=2), seed=0)
        drawn, changed = ask_through_planning(2, seed, bot)
        again += drawn[changed.index(False) + 1 :].count(9)
    assert again > 0


def test_a_last_card_that_can_only_be_tossed_is_tossed() -> None:
    # Solo: after a dig two cards go; with one kind left and a card under construction nothing is compared.
    asked, table = 0, action_table(())
    for seed in range(40):
        game, bot = Game(GameConfig(players=1), seed), SearchAgent(worlds=8)
        bot.reset(0, game.config, seed=0)
        while not game.over:
            legal = game.legal_actions(0)
            digs = [one for one in legal if table.dig <= one < table.end]
            tosses = [one for one in legal if table.toss <= one < table.place]
            if digs and count_hand(lend_row(game)) == 2:
                game.step(0, digs[0])
            elif len(tosses) == 1 < len(legal) and not any(one >= table.use for one in legal):
                assert bot.act(make_view(game, 0)) == tosses[0]
                asked += 1
                game.step(0, tosses[0])
            else:
                play_on(game)
    assert asked > 0


def test_doubt_keeps_the_choice_of_the_heuristic() -> None:
    game, left = Game(GameConfig(players=2), seed=2), {0.0: set(), 1.0: set(), 2.0: set()}
    for decision in range(60):
        if 0 in game.seats_to_act() and len(game.legal_actions(0)) > 1:
            for doubt, numbers in left.items():
                bot = SearchAgent(worlds=8, doubt=doubt)
                bot.reset(0, game.config, seed=3)
                if bot.act(make_view(game, 0)) != choose(game, 0):
                    numbers.add(decision)
        play_on(game)
    assert left[2.0] < left[1.0] < left[0.0]


def test_candidates_are_compared_world_by_world() -> None:
    # One point behind in every world is clearly behind, however much the worlds differ.
    worlds = np.array([10.0, 60.0, 20.0, 90.0, 35.0, 5.0, 70.0, 44.0])
    rivals = find_rivals(np.stack([worlds, worlds - 1, worlds + np.tile([5.0, -5.0], 4)]))
    assert rivals.tolist() == [True, False, True]


def test_a_search_beats_a_heuristic() -> None:
    config, won = GameConfig(players=2), 0.0
    for seed in range(8):
        game = Game(config, seed // 2)
        bot = SearchAgent(worlds=16)
        bot.reset(seed % 2, config, seed)
        while not game.over:
            seat = game.seats_to_act()[0]
            if seat == seed % 2 and len(game.legal_actions(seat)) > 1:
                game.step(seat, bot.act(make_view(game, seat)))
            else:
                play_on(game)
        won += (seed % 2 in game.winners()) / len(game.winners())
    assert won >= 6


def test_a_budget_is_used_up_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(step=0.05)  # a twentieth of a second passes between two looks at it
    monkeypatch.setattr("iaww_agents.search.bot.time.perf_counter", lambda: next(clock))
    game, drawn = Game(GameConfig(players=2), seed=1), {}
    for name, options in {
        "none": {},
        "worlds": {"worlds": 40},
        "simulations": {"simulations": 400},
        "little": {"milliseconds": 0.001},
        "time": {"milliseconds": 401},
    }.items():
        bot, view = SearchAgent(**options), CountingView(make_view(game, 0))
        bot.reset(0, game.config, seed=0)
        bot.act(view)  # type: ignore[arg-type]  # it has all that search asks for
        drawn[name] = view.drawn - 1
    picks = len(game.legal_actions(0))
    assert drawn["none"] == 16
    assert drawn["worlds"] == 40
    # Candidates that are dropped leave their share to the others.
    assert 400 // picks - 8 < drawn["simulations"] <= 200
    assert drawn["little"] == 8
    assert drawn["time"] == 8 * 8


def test_a_budget_must_be_above_nothing() -> None:
    for options in ({"worlds": 0}, {"simulations": -1}, {"milliseconds": 0}, {"doubt": 3}, {"doubt": -1}):
        with pytest.raises(ConfigError, match=next(iter(options))):
            SearchAgent(**options)
