"""A best response: one seat learns, the others stay as they are; what it gains is measured on other deals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from iaww_agents.arena.measure.intervals import Interval
from iaww_agents.arena.play.pool import LocalPool
from iaww_agents.base import Agent, View
from iaww_agents.networks.inputs import make_inputs
from iaww_env import GameConfig
from iaww_env.batch import Batch
from iaww_env.bots.specs import make_agent
from iaww_env.bots.views import make_view
from iaww_env.cli.app import main
from iaww_env.errors import ConfigError
from iaww_env.game import make_game
from iaww_training.evaluation import best_response, commands
from iaww_training.evaluation.best_response import Budget, find_weights, learn_response, make_model
from iaww_training.evaluation.exploitability import Exploitability
from iaww_training.evaluation.frozen import FrozenAgent
from iaww_training.network import ScoringNetwork, load_network, save_network
from iaww_training.ppo.tables import LEARNER

THREE = GameConfig(players=3)
NETWORK = "iaww_agents.ppo.bot:PpoAgent:path="


class StubbornAgent(Agent):
    """A bot of one's own: it plays the last legal action, and knows how often it was told of a game."""

    told = 0

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        StubbornAgent.told += 1

    def act(self, view: View) -> int:
        return view.legal_actions()[-1]


class LawlessAgent(Agent):
    """A bot that plays what is not legal."""

    def act(self, view: View) -> int:
        return int(np.flatnonzero(view.action_mask == 0)[0])


def save_small(path: Path) -> str:
    """A fresh network as a bot."""
    torch.manual_seed(5)
    save_network(ScoringNetwork(make_inputs(), width=16, depth=8), path)
    return f"{NETWORK}{path}"


def test_one_seat_learns_in_every_game_and_all_others_are_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_response, "GAMES", 6)
    monkeypatch.setattr(best_response, "STEPS", 256)
    model, began_with = make_model("greedy", THREE, seed=2)
    assert began_with == ""
    tables = model.tables
    assert tables is not None
    seated = set()
    for _ in range(3):
        for one in model.play():
            assert sorted(one.seated) == [LEARNER, 1, 1]
            seated.add(one.seated.index(LEARNER))
        assert all(sorted(row) == [LEARNER, 1, 1] for row in tables.tables[0].seated.tolist())
    assert seated == {0, 1, 2}
    collected = model.rollout_buffer.collected
    assert collected is not None
    share = len(collected.seen) / (6 * best_response.STEPS)
    assert 0.2 < share < 0.5, "decisions of one seat of three are learnt from"


def test_a_response_begins_with_the_weights_of_a_network(tmp_path: Path) -> None:
    spec = save_small(tmp_path / "known.npz")
    model, began_with = make_model(spec, THREE, seed=2)
    assert began_with == str(tmp_path / "known.npz")
    known = load_network(tmp_path / "known.npz").state_dict()
    own = model.policy.network.state_dict()
    assert all(torch.equal(own[name], tensor) for name, tensor in known.items())
    assert find_weights("greedy", GameConfig(2)) is None


@pytest.mark.parametrize("spec", ["greedy", "heuristic:check=0", "network", "view"])
def test_a_frozen_agent_plays_as_it_does_elsewhere(spec: str, tmp_path: Path) -> None:
    if spec == "network":
        spec = save_small(tmp_path / "known.npz")
    if spec == "view":
        spec = f"{__name__}:StubbornAgent"
    frozen, batch = FrozenAgent(spec, THREE, 1), Batch(THREE, 4, 7, observation="cards", discards=False)
    agent = make_agent(spec)
    asked = np.array([True, True, False, True])
    for _ in range(60):
        actions = frozen(batch, asked)
        for g in np.flatnonzero(asked).tolist():
            game, seat = make_game(THREE, batch.states[g].copy()), int(batch.seats[g])
            agent.reset(seat, THREE, 0)
            view = make_view(game, seat, agent.profile)
            view.action_mask = batch.masks[g].copy()
            assert agent.act(view) == actions[g]
        assert actions[2] == 0
        batch.step(np.where(asked, actions, batch.masks.argmax(1)).astype(np.int16))


def test_a_random_agent_plays_all_that_is_legal() -> None:
    frozen, batch = FrozenAgent("random", THREE, 1), Batch(THREE, 4, 7, observation="cards", discards=False)
    drawn = [frozen(batch, np.ones(4, np.bool_)) for _ in range(200)]
    for g in range(4):
        assert {int(actions[g]) for actions in drawn} == set(np.flatnonzero(batch.masks[g]).tolist())


def test_a_bot_is_told_once_of_each_game() -> None:
    config = GameConfig(players=2)
    frozen = FrozenAgent(f"{__name__}:StubbornAgent", config, 1)
    batch = Batch(config, 3, 7, observation="cards", discards=False)
    told, ended = type(frozen.agent).told, 0
    for _ in range(400):
        batch.step(frozen(batch, np.ones(3, np.bool_)))
        ended += int(batch.done.sum())
    assert ended >= 3
    games = ended + 3 - int(batch.done.sum())
    assert 2 * ended <= type(frozen.agent).told - told <= 2 * games


def test_an_agent_that_plays_what_is_not_legal_is_named() -> None:
    frozen, batch = FrozenAgent(f"{__name__}:LawlessAgent", THREE, 1), Batch(THREE, 2, 7, observation="cards")
    with pytest.raises(ConfigError, match=r"LawlessAgent.*not legal"):
        frozen(batch, np.ones(2, np.bool_))


def test_a_budget_ends_with_what_comes_first() -> None:
    assert Budget(1.0, 100).find_done(30, 80) == 0.8
    assert Budget(1.0, None).find_done(90, 80) == 1
    assert Budget(None, 100).find_done(90, 50) == 0.5


def test_a_response_to_greedy_is_learnt_measured_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "evaluate greedy --players 2 --games 20 --ladder random --workers 1 --key k --best-response"
    folder = tmp_path / "response"
    assert main([*words.split(), "--decisions", "6000", "--folder", str(folder), "--markdown"]) == 0
    shown = capsys.readouterr().out
    assert "one seat against 1 x greedy" in shown
    assert "LOWER bound" in shown
    assert "began afresh" in shown
    assert load_network(folder / best_response.NETWORK).inputs.expansions == ()


def test_random_play_is_exploited(tmp_path: Path) -> None:
    config = GameConfig(players=2)
    with LocalPool(1) as pool:
        found = commands.respond("random:nodiscard", config, 400, "k", pool, None, 30_000, tmp_path / "kept")
    assert found.decisions >= 30_000
    assert found.n == 400
    assert found.gain.low > 0
    assert found.lead.low > 0
    assert found.is_found
    assert "can be exploited" in found.describe()[0]


def test_a_response_that_gains_nothing_proves_nothing() -> None:
    gain = Interval(-0.1, -0.15, 0.01)
    lead = Interval(-3, -4, -2)
    found = Exploitability(THREE, "greedy", 10, 1.0, "", Interval(0.2, 0.15, 0.34), 1 / 3, gain, lead, 9)
    assert not found.is_found
    assert "does not say that there is nothing" in found.describe()[0]


def test_the_deals_that_measure_are_not_those_that_teach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor those of the rest of the evaluation."""
    keys = []

    def learn(agent: str, config: GameConfig, folder: Path, *_: object, seed: int, say: object) -> object:
        keys.append(str(seed))
        save_small(folder / best_response.NETWORK)
        return best_response.Learnt(1, 1.0, "")

    def play(*_: object, key: str, **__: object) -> object:
        keys.append(key)
        raise InterruptedError

    monkeypatch.setattr(best_response, "learn_response", learn)
    monkeypatch.setattr(commands, "run_tournament", play)
    with pytest.raises(InterruptedError):
        commands.respond("greedy", THREE, 10, "k", None, None, 1, tmp_path / "kept")  # type: ignore[arg-type]
    assert len({*keys, "k"}) == 3
    assert learn_response is not learn
