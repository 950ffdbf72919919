"""Positions behind decisions are what a seat saw there, their targets TD's, and a value learns from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from iaww_agents.networks.inputs import POINT_WORTH, Rows, gather_seen
from iaww_agents.ppo.bot import PpoAgent, load_forward
from iaww_env import Game, GameConfig
from iaww_env.bots.views import make_view
from iaww_env.game import lend_row
from iaww_env.rulebook import PHASES
from iaww_training.network import load_network
from iaww_training.values import calibration, learn
from iaww_training.values.learn import find_targets, judge
from iaww_training.values.positions import Positions, Watcher
from tests.agents.networks.small_networks import write_network
from tests.goals import expect_goal
from tests.modes import WITH_SCENARIOS


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_network(tmp_path_factory.mktemp("values") / "net.npz", advised=True)


@pytest.mark.parametrize("mode", ["3", "1", "base_sc03-base"])
def test_positions_are_what_a_seat_sees_behind_each_of_its_decisions(mode: str, network: Path) -> None:
    """The first game, in which the policy has all seats, played again by hand with what it scores highest."""
    config, forward = WITH_SCENARIOS[mode], load_forward(network)
    found = Watcher(forward, config, stray=0.0, temperature=0.0).play(2, 11)
    bot, game, sources = PpoAgent(str(network)), Game(config, 11), forward.inputs.find(config)
    bot.reset_batch(config)
    seen: dict[int, list[np.ndarray]] = {seat: [] for seat in range(config.players)}
    when: dict[int, list[tuple[int, str]]] = {seat: [] for seat in range(config.players)}
    while not game.over:
        seat = game.seats_to_act()[0]
        legal = [one for one in game.legal_actions(seat) if game.actions.verb(one) != "discard"]
        if len(legal) == 1:
            game.step(seat, legal[0])
            continue
        about = game.round, PHASES[int(game.state.phase)]
        game.step(seat, bot.act(make_view(game, seat, "cards")))
        if not game.over:
            view, rows = make_view(game, seat, "cards"), Rows(lend_row(game)[None].copy(), np.array([seat]))
            seen[seat].append(gather_seen(forward.inputs, sources, view.observation[None], rows)[0])
            when[seat].append(about)
    for seat in range(config.players):
        own = found.owner == seat
        assert (found.known[own] == np.array(seen[seat])).all()
        phases = [PHASES[phase] for phase in found.phases[own]]
        assert list(zip(found.rounds[own].tolist(), phases, strict=True)) == when[seat]
        end = expect_goal(game) if config.solo else game.scores()[seat]
        assert found.ends[own] == pytest.approx(POINT_WORTH * end)


def test_in_every_second_game_the_policy_has_one_seat(network: Path) -> None:
    found = Watcher(load_forward(network), GameConfig(4), stray=0.5, temperature=1.0).play(6, 3)
    seats = [set((found.owner[found.owner // 4 == game] % 4).tolist()) for game in range(6)]
    assert [len(one) for one in seats] == [4, 1, 4, 1, 4, 1]


def test_targets_are_those_of_td() -> None:
    """Against the sum over all later positions of the same seat, each with its weight."""
    rng, decay = np.random.default_rng(2), 0.7
    owner = rng.integers(3, size=40)
    outcome = rng.normal(size=3).astype(np.float32)
    nothing = np.zeros(40, np.int64)
    positions = Positions(np.zeros((40, 1), np.float32), owner, nothing, nothing, outcome[owner])
    values = rng.normal(size=40).astype(np.float32)
    found = find_targets(positions, values, decay)
    for n in range(40):
        later = [m for m in range(n + 1, 40) if owner[m] == owner[n]]
        expected = sum((1 - decay) * decay**k * values[m] for k, m in enumerate(later))
        assert found[n] == pytest.approx(expected + decay ** len(later) * outcome[owner[n]], rel=1e-5)


def test_a_value_learns_and_the_same_seed_learns_the_same(network: Path, tmp_path: Path) -> None:
    options = ["--network", str(network), "--modes", "base2", "--games", "24", "--positions", "40000"]
    options += ["--learning-rate", "2e-3", "--minibatch", "256"]
    for name in ("one.npz", "two.npz"):
        assert learn.main([*options, "--out", str(tmp_path / name)]) == 0
    learnt, again = (load_network(tmp_path / name) for name in ("one.npz", "two.npz"))
    for one, other in zip(learnt.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)
    unseen = Watcher(load_forward(network), GameConfig(2), stray=0.0, temperature=0.5).play(16, 77)
    before, after = (judge(one, unseen.known) for one in (load_network(network), learnt))
    errors = [float(np.mean((values - unseen.ends) ** 2)) for values in (before, after)]
    assert errors[1] < 0.5 * errors[0]


def test_calibration_tells_what_was_expected_and_what_came(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "find_shipped", lambda config: network)
    assert calibration.main(["--modes", "base2", "--games", "6", "--network", str(network)]) == 0
    said = capsys.readouterr().out
    found = Watcher(load_forward(network), GameConfig(2), stray=0.0, temperature=0.0).play(
        6, calibration.FIRST_SEED
    )
    expected = judge(load_network(network), found.known) / POINT_WORTH
    chosen = (found.rounds == 2) & (found.phases == 1)
    ends = found.ends[chosen] / POINT_WORTH
    line = next(line for line in said.splitlines() if line.startswith("| round 2, planning"))
    cells = [cell.strip() for cell in line.split("|")[2:-1]]
    assert cells[:3] == [f"{chosen.sum():,}", f"{expected[chosen].mean():.1f}", f"{ends.mean():.1f}"]
    assert cells[3].startswith(f"{(expected[chosen] - ends).mean():.1f} (")
    assert cells[4] == f"{np.sqrt(np.mean((expected[chosen] - ends) ** 2)):.1f}"
    tenths = [line.split("|") for line in said.split("by what was expected")[1].splitlines()]
    counts = [int(cells[2].replace(",", "")) for cells in tenths if len(cells) > 2 and " to " in cells[1]]
    assert sum(counts) == len(expected)
    assert len(counts) == 10
