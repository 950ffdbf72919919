"""What networks are told by the heuristic: its choice, its projections, and nothing that is hidden."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import iaww_env
from iaww_agents.heuristic import weights as named
from iaww_agents.heuristic.bot import HeuristicAgent
from iaww_agents.heuristic.plan import find_clear, project_action
from iaww_agents.heuristic.weights import Weights, read_weights
from iaww_agents.jit import BOTS, compile_apart
from iaww_agents.networks.advice import (
    BIAS,
    CHOSEN,
    FAR,
    GAIN,
    GAIN_BEHIND,
    OUTLOOK_SCALE,
    SCALE,
    VALUE,
    VALUE_BEHIND,
    Adviser,
)
from iaww_agents.networks.inputs import Rows, gather, gather_legal, gather_seen, make_inputs
from iaww_env import rulebook
from iaww_env.bots.views import make_view
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.row import find_seat
from iaww_env.errors import ConfigError
from iaww_env.game import lend_row
from tests.agents.networks.small_networks import draw_decisions, draw_steps, list_rows
from tests.modes import MODES, SIZES

PLAYED = ("1", "2", "4", "7-ascension", "1-ascension")
kernel = compile_apart(__file__, *BOTS)


@kernel
def project(row: States, seat: int, action: int, weights: Weights, scratch: States) -> float:
    """The heuristic's own projection of an action."""
    return project_action(row, seat, action, weights, scratch)


@kernel
def count_clear(row: States, seat: int, weights: Weights) -> int:
    """The plan that the heuristic's values tell apart clearly, or 0."""
    return find_clear(row, find_seat(row, seat), weights)


def advise_game(
    game: iaww_env.Game, seat: int, actions: list[int]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Advice on one decision."""
    offsets = np.array([0, len(actions)])
    adviser, row = Adviser(game.config.solo), lend_row(game)
    return adviser.advise(row[None], np.array([seat]), np.array(actions, np.int32), offsets)


@pytest.mark.parametrize("mode", PLAYED)
def test_what_the_heuristic_plays_is_marked(mode: str) -> None:
    """In every decision of whole games, and nothing else is."""
    agent, config = HeuristicAgent(), SIZES[mode]
    game, phases = iaww_env.Game(config, 8), set()
    rng = np.random.default_rng(8)
    while not game.over:
        seat = int(rng.choice(game.seats_to_act()))
        actions = game.legal_actions(seat)
        said, _ = advise_game(game, seat, actions)
        agent.reset(seat, config, 1)
        chosen = agent.act(make_view(game, seat))
        assert said[:, CHOSEN].tolist() == [float(action == chosen) for action in actions]
        phases.add(int(lend_row(game)[fields.PHASE]))
        game.step(seat, chosen if rng.random() < 0.8 else int(rng.choice(actions)))
    assert len(phases) == 2 + (not config.solo)


@pytest.mark.parametrize("mode", ["1", "4", "7-ascension"])
def test_gains_are_the_differences_of_the_heuristics_projections(mode: str) -> None:
    """Where it projects: its plan against every card that it turns around."""
    config = SIZES[mode]
    table, weights = iaww_env.action_table(config.expansions), read_weights(config.solo)
    compared = 0
    for batch in draw_steps(config, 90, games=8):
        for g in range(batch.num_games):
            game, seat = batch.game(g), int(batch.seats[g])
            if lend_row(game)[fields.PHASE] != rulebook.PLANNING:
                continue
            actions = [one for one in game.legal_actions(seat) if table.slate <= one < table.toss]
            if not actions:
                continue
            said, outlook = advise_game(game, seat, game.legal_actions(seat))
            row = lend_row(game)
            without = project(row, seat, -1, weights, np.empty_like(row))
            assert outlook[0, 0] == np.float32(OUTLOOK_SCALE * without)
            for action, (_, gain, *_) in zip(game.legal_actions(seat), said, strict=True):
                if gain and action in actions:
                    found = SCALE * (project(row, seat, action, weights, np.empty_like(row)) - without)
                    assert gain == pytest.approx(np.clip(found, -FAR, FAR), abs=1e-6)
                    compared += 1
    assert compared > 30


def test_nothing_is_projected_where_the_values_tell_cards_apart_clearly() -> None:
    """The heuristic then plays the clearest case, whatever turning a card around would bring."""
    table, weights, seen = iaww_env.action_table(), read_weights(False), [0, 0]
    for batch in draw_steps(SIZES["4"], 90, games=8):
        for g in range(batch.num_games):
            game, seat = batch.game(g), int(batch.seats[g])
            legal = game.legal_actions(seat)
            plans = [n for n, one in enumerate(legal) if table.slate <= one < table.toss]
            if plans and lend_row(game)[fields.PHASE] == rulebook.PLANNING:
                said, _ = advise_game(game, seat, legal)
                clear = count_clear(lend_row(game), seat, weights)
                seen[clear > 0] += bool(said[plans, GAIN].any())
                assert clear == 0 or not said[plans, GAIN].any()
                assert clear == 0 or said[legal.index(clear), CHOSEN] == 1
    assert seen[False] > 10


def test_a_pick_gains_what_the_card_brings_when_it_is_drafted() -> None:
    """Compared with a game in which the seat holds the card already."""
    game, weights, compared = iaww_env.Game(SIZES["2"], 3), read_weights(False), 0
    for _ in range(7):
        for seat in (0, 1):
            actions = game.legal_actions(seat)
            said, outlook = advise_game(game, seat, actions)
            drafted = game.clone()
            drafted.step(seat, actions[0])
            other = 1 - seat
            drafted.step(other, drafted.legal_actions(other)[0])  # picks are revealed
            row = lend_row(drafted)
            if row[fields.PHASE] == rulebook.PLANNING:
                with_it = project(row, seat, -1, weights, np.empty_like(row))
                gain = SCALE * with_it - SCALE / OUTLOOK_SCALE * float(outlook[0, 0])
                assert said[0, GAIN] == pytest.approx(np.clip(gain, -FAR, FAR), abs=1e-4)
                compared += 1
        for seat in (0, 1):
            game.step(seat, game.legal_actions(seat)[0])
    assert compared == 2


@pytest.mark.parametrize("mode", MODES)
def test_nothing_hidden_is_told(mode: str) -> None:
    """Packs, decks and what others have done in this phase are drawn anew in the row it is found from."""
    config, changed = MODES[mode], 0
    for steps in (2, 30, 75):
        batch = draw_decisions(config, steps, games=4)
        for g in range(batch.num_games):
            game = batch.game(g)
            for seat in game.seats_to_act():
                actions, told = game.legal_actions(seat), set()
                for number in range(4):
                    drawn = game.redeterminize(seat, number) if number else game
                    changed += drawn != game
                    told.add(b"".join(part.tobytes() for part in advise_game(drawn, seat, actions)))
                assert len(told) == 1
    assert changed > 10


@pytest.mark.parametrize("mode", ["2", "1"])
def test_the_game_is_left_as_it_is(mode: str) -> None:
    for batch in draw_steps(SIZES[mode], 60, games=4):
        game = batch.game(0)
        before, seat = game.row.tobytes(), int(batch.seats[0])
        advise_game(game, seat, game.legal_actions(seat))
        assert game.row.tobytes() == before


@pytest.mark.parametrize("mode", ["1", "4"])
def test_numbers_compare_the_actions_of_a_decision(mode: str) -> None:
    """The best gain and the best value are 0 behind; a bias goes with picks alone."""
    config, table = SIZES[mode], iaww_env.action_table()
    biases = 0
    for batch in draw_steps(config, 60, games=8):
        inputs = make_inputs(config.expansions, advised=True)
        sources, rows = inputs.find(config), list_rows(batch)
        known, legal = gather(inputs, sources, batch.observations, batch.masks, rows)
        said = legal.features[:, -len((CHOSEN, GAIN, GAIN_BEHIND, VALUE, VALUE_BEHIND, BIAS)) :]
        assert np.abs(said).max() <= FAR
        for g in range(batch.num_games):
            own = said[legal.rows == g]
            assert own[:, CHOSEN].sum() == 1
            assert own[:, GAIN_BEHIND].max() == own[:, VALUE_BEHIND].max() == 0
        bias = said[:, BIAS] != 0
        assert (legal.actions[bias] < table.slate).all()
        biases += int(bias.sum())
        assert np.array_equal(known, gather_seen(inputs, sources, batch.observations, rows)), (
            "how a seat stands is the same whether its actions are asked about or not"
        )
    assert (biases > 0) == (not config.solo or bool(np.any(read_weights(True)[named.PICK_BIAS :])))


@pytest.mark.parametrize("mode", ["4", "1-ascension"])
def test_inputs_without_advice_see_the_same_but_for_it(mode: str) -> None:
    config, batch = SIZES[mode], draw_decisions(SIZES[mode])
    rows = list_rows(batch)
    plain, advised = make_inputs(config.expansions), make_inputs(config.expansions, advised=True)
    known, legal = gather(plain, plain.find(config), batch.observations, batch.masks)
    more, also = gather(advised, advised.find(config), batch.observations, batch.masks, rows)
    assert np.array_equal(more[:, : plain.size], known)
    assert advised.size == plain.size + 1
    assert (more[:, plain.size] != 0).all(), "every seat has something to look forward to"
    assert np.array_equal(also.features[:, : plain.n_features], legal.features)
    assert np.array_equal(
        gather_legal(plain, plain.find(config), batch.observations, batch.masks)[2], also[2]
    )


def test_games_are_asked_for_in_words_where_they_are_missing() -> None:
    inputs, batch = make_inputs(advised=True), draw_decisions(SIZES["4"])
    with pytest.raises(ConfigError, match="play it with the bot ppo"):
        gather(inputs, inputs.find(batch.config), batch.observations, batch.masks)
    with pytest.raises(ConfigError, match="play it with the bot ppo"):
        gather_seen(inputs, inputs.find(batch.config), batch.observations)
    rows = Rows(np.zeros((32, 1), np.int16), batch.seats)
    plain = make_inputs()
    gather(plain, plain.find(batch.config), batch.observations, batch.masks, rows)  # not looked at
