"""The greedy bot: what it prefers, and how strong it is."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_agents import make_view
from iaww_agents.greedy import GreedyAgent, choose_greedily
from iaww_env import Game, GameConfig
from iaww_env.cards import kind
from iaww_env.engine import fields
from iaww_env.game import lend_row, lend_state
from tests.agents.asked_bots import ask
from tests.envs.single.learner_play import make_vec
from tests.modes import MODES


def place_kind(game: Game, seat: int, name: str, missing: list[int]) -> None:
    """A card under construction, with so much missing of each space."""
    n = int(game.state.n_sites[seat])
    card = kind(name)
    lend_state(game).site_kind[seat, n], lend_state(game).site_card[seat, n] = card.index, card.first_card
    lend_state(game).site_missing[seat, n] = missing
    lend_state(game).site_left[seat, n] = sum(missing)
    lend_state(game).open[seat] += np.array(missing, np.int16)
    lend_state(game).n_sites[seat] += 1


def start_step(seat: int = 0) -> Game:
    """The first production step of round 2 with empty tables; the seat has one loose cube of materials."""
    game = Game(GameConfig(players=2, empires=("aztec_empire", "noram_states")), 1)
    lend_state(game).phase[...], lend_state(game).step[...], lend_state(game).round[...] = 2, 0, 2
    lend_state(game).loose[seat], lend_state(game).loose_resource[seat] = 1, 0
    lend_state(game).krystallium[:] = 0
    return game


def test_greedy_completes_what_is_nearly_built() -> None:
    """Of two copies of a kind that production will fill it takes the one with the fewer open spaces."""
    for missing in (
        [[3, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]],
        [[1, 0, 0, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0, 0]],
    ):
        game = start_step()
        for one in missing:
            place_kind(game, 0, "wind_turbines", one)
        lend_state(game).site_card[0, 1] += 1
        lend_state(game).production[0, 0] = 9
        action = ask(GreedyAgent(), make_view(game, 0), 0)
        nearer = 1 if missing[0][0] == 3 else 0
        assert game.actions.to_text(action) == ("place:wind_turbines#2" if nearer else "place:wind_turbines")


@pytest.mark.parametrize(("name", "missing", "used"), [("zeppelin", 1, True), ("wind_turbines", 3, False)])
def test_greedy_keeps_tokens_that_gain_less_than_they_are_worth(name: str, missing: int, used: bool) -> None:
    """One krystallium that completes a card is laid on it; on one that is far from built it is not."""
    game = start_step()
    lend_state(game).loose[0], lend_state(game).krystallium[0] = 0, 1
    place_kind(game, 0, name, [0, missing, 0, 0, 0, 0, 0, 0])
    lend_state(game).production[0] = 0
    texts = [game.actions.to_text(ask(GreedyAgent(), make_view(game, 0), 0))]
    assert texts == (["use:krystallium_as_energy"] if used else ["end"])


def test_greedy_never_digs_and_never_gives_up() -> None:
    for mode in ("3", "solo", "solo-ascension-sc01"):
        game, room = Game(MODES[mode], 2), np.zeros(fields.MOST_LEGAL, np.int16)
        while not game.over:
            seat = game.seats_to_act()[0]
            text = game.actions.to_text(choose_greedily(lend_row(game), seat, room))
            assert not text.startswith(("dig", "discard"))
            game.step(seat, text)


@pytest.mark.parametrize(
    ("mode", "least"), [("2", 27), ("3", 23), ("4", 22), ("4-ascension", 22), ("solo", 30)]
)
def test_greedy_in_self_play_scores_what_it_should(mode: str, least: float) -> None:
    """Mean points of 40 games; at home they are much more, so no seed makes this fail by chance."""
    room, points = np.zeros(fields.MOST_LEGAL, np.int16), []
    for seed in range(40):
        game = Game(MODES[mode], seed)
        while not game.over:
            for seat in game.seats_to_act():
                game.step(seat, choose_greedily(lend_row(game), seat, room))
        points += game.scores()
    assert np.mean(points) > least


def test_greedy_beats_random_play() -> None:
    """Four greedy games in five against three that never discard: fair is one in four."""
    env = make_vec("4", 32, opponents=["random:nodiscard"], seat="rotate", autoreset_mode="SameStep")
    env.reset(seed=3)
    bot, won, ended = GreedyAgent(), 0, 0
    while ended < 60:
        actions = []
        for g in range(32):
            seat = env.call("learner_seat")[g] if g == 0 else env._lanes.seat(g)
            actions.append(choose_greedily(env._lanes.states[g], seat, bot._legal))
        _, rewards, over, *_ = env.step(np.array(actions))
        ended, won = ended + over.sum(), won + (rewards[over] == 1).sum()
    assert won / ended > 0.8
