"""Networks on the ladder: the same deals for all, and each told from the first; and the mean of networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from iaww_agents.ppo.bot import find_shipped
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_training.improvement import average, ladder
from iaww_training.matches import choose_greedy, choose_heuristic, play_lineup
from iaww_training.network import ScoringNetwork, load_network, save_network

NETWORK = find_shipped(GameConfig(2))


def test_line_ups_meet_the_same_deals_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """More games than are played at once; what all others do is the same, and so is their luck."""
    monkeypatch.setattr("iaww_training.matches.AT_ONCE", 20)
    one, other = (
        play_lineup((chooser, choose_greedy), 400, 3, "compact").points[:, 0]
        for chooser in (choose_heuristic, choose_greedy)
    )
    shuffled = np.random.default_rng(1).permutation(other)
    assert np.corrcoef(one, other)[0, 1] > 0.3, "the same cards"
    assert abs(np.corrcoef(one, shuffled)[0, 1]) < 0.2, "others"


def test_each_is_told_from_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    guide, worse = tmp_path / "guide.md", tmp_path / "worse.npz"
    guide.write_text("<!-- here -->\nyesterday\n<!-- end of here -->\n")
    network = load_network(NETWORK)
    with torch.no_grad():
        network.query.weight.neg_()
    save_network(network, worse)
    words = [str(NETWORK), str(worse), str(NETWORK), "--modes", "base2", "--games", "40"]
    assert ladder.main([*words, "--mark", "here", "--write", "--into", str(guide)]) == 0
    text = guide.read_text()
    assert "yesterday" not in text
    assert "fair are 50 % in base2" in text
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]
    assert [row[0] for row in rows] == [NETWORK.stem, "worse", NETWORK.stem]
    wins = [float(row[2].split()[0]) for row in rows]
    assert wins[0] == wins[2] > 60 > wins[1], "the network that is shipped, against the heuristic"
    assert rows[2][4] == "0.0 ± 0.0", "the same network in the same deals"
    assert float(rows[1][4].split()[0]) == pytest.approx(wins[1] - wins[0], abs=0.11)
    capsys.readouterr()
    assert ladder.main([str(NETWORK), "--modes", "basesolo"]) != 0
    assert "nobody to win against" in capsys.readouterr().err
    assert ladder.main([]) != 0


def test_the_mean_of_networks_lies_between_them(tmp_path: Path) -> None:
    network, other, out = load_network(NETWORK), tmp_path / "other.npz", tmp_path / "mean.npz"
    before = network.query.weight.detach().clone()
    with torch.no_grad():
        network.query.weight.mul_(3)
    save_network(network, other)
    assert average.main([str(NETWORK), str(other), "--out", str(out)]) == 0
    found = load_network(out)
    assert torch.allclose(found.query.weight, 2 * before)
    assert torch.equal(found.of_facts.weight, network.of_facts.weight)


def test_networks_of_other_kinds_have_no_mean(tmp_path: Path) -> None:
    inputs = load_network(NETWORK).inputs
    small, out = tmp_path / "small.npz", tmp_path / "mean.npz"
    save_network(ScoringNetwork(inputs, width=16), small)
    ascension = find_shipped(GameConfig(2, ("corruption_and_ascension",)))
    for other in (small, ascension):
        with pytest.raises(ConfigError, match="different kinds"):
            average.average(average.Options(networks=(NETWORK, other), out=out))
    with pytest.raises(ConfigError, match="of which networks"):
        average.average(average.Options(networks=(), out=out))
    assert not out.exists()
