"""The bot that looks ahead with the network of `ppo`: every mode, what it is sure of, and what it finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iaww_agents.ppo.bot import PpoAgent, find_shipped
from iaww_agents.ppo_search.bot import PpoSearchAgent, list_candidates
from iaww_agents.ppo_search.playouts import Playouts
from iaww_env import Game, GameConfig
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_view
from iaww_env.errors import ConfigError
from tests.agents.hidden_cards import meet_other_cards
from tests.agents.networks.small_networks import draw_decisions, write_network
from tests.modes import WITH_SCENARIOS

SPEC = "iaww_agents.ppo_search.bot:PpoSearchAgent"


@pytest.mark.parametrize("mode", ["2", "4", "1", "base_sc01-base", "3-ascension"])
def test_it_plays_every_game_of_its_card_pool_to_the_end(mode: str, tmp_path: Path) -> None:
    """A network that knows nothing is unsure, so that all is compared."""
    config = WITH_SCENARIOS[mode]
    path = write_network(tmp_path / "net.npz", config.expansions)
    bot, game, compared = PpoSearchAgent(worlds=1, candidates=2, path=str(path)), Game(config, 4), 0
    while not game.over:
        seat = game.seats_to_act()[0]
        if len(game.legal_actions(seat)) == 1 or seat > 0:
            game.step(seat, game.legal_actions(seat)[0])
            continue
        bot.reset(seat, config, 1)
        action = bot.act(make_view(game, seat, bot.profile))
        assert action in game.legal_actions(seat)
        thought = bot.explain()
        compared += thought is not None and len(thought.values) == 2
        game.step(seat, action)
    assert compared > 5


@pytest.mark.parametrize("mode", ["4", "1", "4-ascension", "ascension_sc01"])
def test_what_is_hidden_changes_nothing(mode: str) -> None:
    assert meet_other_cards(PpoSearchAgent(worlds=8), WITH_SCENARIOS[mode]) > 5


@pytest.mark.parametrize("options", [{"sure": 0.0}, {"trust": 1000.0}])
def test_where_it_is_not_to_look_ahead_it_plays_as_its_policy(options: dict[str, float]) -> None:
    looking, plain = PpoSearchAgent(worlds=8, **options), PpoAgent()  # type: ignore[arg-type]
    batch, thoughts = draw_decisions(GameConfig(4), 30), 0
    for g in range(12):
        game, seat = batch.game(g), int(batch.seats[g])
        view = make_view(game, seat, "cards")
        for bot in (looking, plain):
            bot.reset(seat, game.config, g)
        assert looking.act(view) == plain.act(view)
        thoughts += looking.explain() is not None
    assert (thoughts > 0) == ("trust" in options)


def test_what_is_better_in_all_worlds_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least likely candidate, once it is worth enough more to outweigh that, and not before."""
    batch = draw_decisions(GameConfig(4), 30)
    unsure = 0
    for g in range(batch.num_games):
        game, seat = batch.game(g), int(batch.seats[g])
        view = make_view(game, seat, "cards")
        for gain in (0.0, 900.0):  # that of an action held for as unlikely as e^-9000 is too little
            monkeypatch.setattr(
                Playouts,
                "compare",
                lambda _, worlds, __, tried, ___, gain=gain: np.outer(
                    tried == tried[-1], np.full(len(worlds), gain)
                ),
            )
            bot = PpoSearchAgent(sure=1.0)
            bot.reset(seat, game.config, 1)
            played, thought = bot.act(view), bot.explain()
            if thought is not None:
                unsure += 1
                tried = list(thought.values)
                assert played == (tried[-1] if gain else tried[0])
    assert unsure > 10


def test_candidates_are_the_likeliest_with_their_probabilities() -> None:
    with np.errstate(divide="ignore"):
        scores = np.log(np.array([0.2, 0.005, 0.5, 0.0, 0.095, 0.2], np.float32)) + 3
    actions, log_probs = list_candidates(scores, 4, 0.01)
    assert actions.tolist() == [2, 0, 5, 4], "the likeliest first, equal ones by number"
    assert np.exp(log_probs) == pytest.approx([0.5, 0.2, 0.2, 0.095])
    assert list_candidates(scores, 2, 0.01)[0].tolist() == [2, 0]
    assert list_candidates(scores, 9, 0.01)[0].tolist() == [2, 0, 5, 4], "none below 1 %"
    assert list_candidates(scores, 9, 0.0)[0].tolist() == [2, 0, 5, 4, 1], "and no illegal one"


def test_all_that_is_legal_is_tried_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """But giving up what is under construction, which its network never learnt."""
    path = write_network(tmp_path / "net.npz", advised=True)
    batch, tried = draw_decisions(GameConfig(4), 6), []

    def compare(_: Playouts, worlds: Any, seat: int, actions: Any, often: Any) -> Any:
        tried.append(actions.tolist())
        return np.zeros((len(actions), len(worlds)))

    monkeypatch.setattr(Playouts, "compare", compare)
    bot, many = PpoSearchAgent(path=str(path)), 0
    for g in range(batch.num_games):
        game, seat = batch.game(g), int(batch.seats[g])
        legal = [one for one in game.legal_actions(seat) if game.actions.verb(one) != "discard"]
        bot.reset(seat, game.config, 1)
        tried.clear()
        bot.act(make_view(game, seat, bot.profile))
        assert len(tried) > 0 or len(legal) == 1
        if tried:
            assert set(tried[0]) == set(legal)
            many += len(legal) > 3
    assert many > 5, "most pick among more than three cards"


def test_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Candidates that cannot be told apart are compared for as long as the next worlds fit into the time."""
    clock, chunks = [0.0], 0

    def compare(_: Playouts, worlds: Any, seat: int, tried: Any, often: Any) -> Any:
        nonlocal chunks
        chunks, clock[0] = chunks + 1, clock[0] + 0.03
        return np.random.default_rng(chunks).normal(0, 1000, (len(tried), len(worlds)))

    monkeypatch.setattr(Playouts, "compare", compare)
    monkeypatch.setattr("iaww_agents.ppo_search.bot.time.perf_counter", lambda: clock[0])
    bot, batch = PpoSearchAgent(milliseconds=100, sure=1.0), draw_decisions(GameConfig(4), 20)
    most = 0
    for g in range(batch.num_games):
        game, seat, chunks = batch.game(g), int(batch.seats[g]), 0
        bot.reset(seat, game.config, 1)
        bot.act(make_view(game, seat, bot.profile))
        most = max(most, chunks)
    assert most == 3, "a fourth would end after 120 milliseconds"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("worlds=0", "worlds"),
        ("candidates=1", "candidates"),
        ("unlikely=2", "unlikely"),
        ("sure=2", "sure"),
        ("trust=-1", "trust"),
        ("rounds=5", "rounds"),
        ("depth=7", "depth"),
        ("width=1", "width"),
        ("own=nobody", "own is one of policy, plans, rules"),
        ("others=nobody", "others is one of policy, plans, rules"),
        ("rivalry=2", "rivalry"),
        ("win_bonus=x", "win_bonus"),
        ("milliseconds=0", "milliseconds"),
        ("path=none.npz", "cannot read"),
        ("speed=9", "speed"),
    ],
)
def test_options_that_cannot_be_are_refused(said: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        make_agent(f"ppo_search:{said}")


def test_how_far_worlds_are_played_on_and_to_what_end_is_said() -> None:
    bot = make_agent("ppo_search:rounds=2,own=rules,others=policy,win_bonus=3,rivalry=0.5,depth=2,width=4")
    bot.reset(0, GameConfig(2), 1)
    assert bot._playouts.lookahead == (2, "rules", "policy", 3.0, 0.5, 2, 4)


def test_by_default_it_tries_its_next_pick_in_three_ways_and_plays_to_win() -> None:
    """As its card says of it."""
    bot = make_agent("ppo_search")
    bot.reset(0, GameConfig(2), 1)
    assert bot._playouts.lookahead == (1, "policy", "rules", 20.0, 0.3, 1, 3)


def test_its_weights_are_those_of_ppo() -> None:
    bot = PpoSearchAgent()
    bot.reset(0, GameConfig(2), 1)
    shipped = PpoAgent(str(find_shipped(GameConfig(2))))
    shipped.reset(0, GameConfig(2), 1)
    assert bot._playouts.forward is shipped._forward
