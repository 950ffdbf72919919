"""The network that scores legal actions, what is seen of many decisions, and files to go on with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import iaww_env
from iaww_env.errors import ConfigError
from iaww_training.decisions import Seen, cut, join, look
from iaww_training.network import NOWHERE, LegalTensors, ScoringNetwork, load_network, save_network
from tests.agents.networks.small_networks import ASCENSION, draw_decisions, make_network
from tests.modes import SIZES


def see(network: ScoringNetwork, batch: iaww_env.Batch, part: slice = slice(None)) -> Seen:
    """What the network sees of the decisions that a batch asks for."""
    sources = network.inputs.find(batch.config)
    return look(network.inputs, sources, batch.observations[part], batch.masks[part])


def is_same(one: tuple[torch.Tensor, LegalTensors], two: tuple[torch.Tensor, LegalTensors]) -> bool:
    """Whether two parts are the same to the last bit."""
    numbers = zip((one[0], *one[1][:-1]), (two[0], *two[1][:-1]), strict=True)
    return all(torch.equal(a, b) for a, b in numbers) and one[1].most == two[1].most


# --- Scores ----------------------------------------------------------------------------------------


def test_what_is_no_action_is_never_chosen() -> None:
    network, batch = make_network(), draw_decisions(SIZES["4"])
    seen = see(network, batch)
    scores, values = network(*seen.tensors())
    counts = batch.masks.sum(1)
    assert scores.shape == (32, counts.max())
    for row, count in zip(scores, counts, strict=True):
        assert (row[count:] == NOWHERE).all()
        assert (row[:count] > NOWHERE / 2).all()
    assert values.shape == (32,)
    torch.testing.assert_close(values, network.estimate(seen.tensors()[0]))


def test_a_decision_is_scored_alone_as_in_company() -> None:
    network, batch = make_network(), draw_decisions(SIZES["4"])
    together, values = network(*see(network, batch).tensors())
    for g in range(0, 32, 7):
        alone, value = network(*see(network, batch, slice(g, g + 1)).tensors())
        torch.testing.assert_close(alone[0], together[g, : alone.shape[1]])
        torch.testing.assert_close(value[0], values[g])


def test_all_that_is_seen_counts() -> None:
    """Scores follow what the seat knows, the facts of a kind, what is said of it, its verb and itself."""
    network, batch = make_network(), draw_decisions(SIZES["4"])
    tensors = see(network, batch).tensors()
    before, values = network(*tensors)
    for name in ("trunk_1", "trunk_2", "query", "bias", "of_facts", "of_card", "of_kind", "of_verb"):
        changed = make_network()
        part = getattr(changed, name)
        with torch.no_grad():
            (part if isinstance(part, torch.nn.Parameter) else part.weight).mul_(2.0)
        scores, other_values = changed(*tensors)
        assert not torch.allclose(scores, before), name
        assert torch.equal(values, other_values) == (name not in ("trunk_1", "trunk_2")), name


# --- Decisions -------------------------------------------------------------------------------------


def test_parts_are_taken_in_the_order_in_which_they_are_named() -> None:
    network, batch = make_network(), draw_decisions(SIZES["4"])
    seen = see(network, batch)
    assert len(seen) == 32
    chosen = np.array([7, 3, 3, 31, 0])
    known, legal = seen.take(chosen)
    for row, g in enumerate(chosen.tolist()):
        mine = legal.rows == row
        assert torch.equal(known[row], torch.from_numpy(seen.known[g]))
        assert legal.actions[mine].tolist() == np.flatnonzero(batch.masks[g]).tolist()
        alone = see(network, batch, slice(g, g + 1)).tensors()[1]
        for name in ("places", "actions", "verbs", "kinds", "features"):
            assert torch.equal(getattr(legal, name)[mine], getattr(alone, name)), name
    assert is_same(seen.take(np.arange(32)), seen.tensors())


def test_parts_that_are_joined_are_the_whole() -> None:
    network, batch = make_network(), draw_decisions(SIZES["4"])
    whole = see(network, batch)
    parts = [see(network, batch, slice(start, end)) for start, end in ((0, 1), (1, 20), (20, 32))]
    joined = join(parts)
    assert is_same(joined.tensors(), whole.tensors())
    assert joined.offsets.tolist() == whole.offsets.tolist()
    assert is_same(joined.take(np.array([25, 0])), whole.take(np.array([25, 0])))
    solo = see(network, draw_decisions(SIZES["1"]))
    mixed = join([whole, solo])
    assert is_same(mixed.take(np.arange(32, 64)), solo.tensors())


def test_minibatches_hold_every_decision_once_but_for_what_is_left_over() -> None:
    parts = list(cut(103, 10, np.random.default_rng(1)))
    assert [len(part) for part in parts] == [10] * 10
    held = np.concatenate(parts).tolist()
    assert len(set(held)) == 100
    assert set(held) < set(range(103))
    assert held != sorted(held)


# --- Files -----------------------------------------------------------------------------------------


def test_a_network_comes_back_from_its_file(tmp_path: Path) -> None:
    for inputs in ({"players": (4,), "without": ("missing",)}, {"profile": "full", "players": (4,)}):
        network = make_network(width=40, depth=12, **inputs)
        batch = draw_decisions(SIZES["4"], profile=network.inputs.profile)
        save_network(network, tmp_path / "runs" / "net.npz")
        again = load_network(tmp_path / "runs" / "net.npz")
        assert again.shape == {"width": 40, "depth": 12}
        one, two = (net(*see(net, batch).tensors()) for net in (network, again))
        assert torch.equal(one[0], two[0])
        assert torch.equal(one[1], two[1])


def test_a_file_that_holds_no_network_is_refused(tmp_path: Path) -> None:
    (tmp_path / "net.npz").write_bytes(b"no network")
    with pytest.raises(ConfigError, match="holds no network"):
        load_network(tmp_path / "net.npz")
    with pytest.raises(ConfigError, match="cannot read"):
        load_network(tmp_path / "other.npz")


def test_weights_are_taken_over_from_a_network_of_the_same_shape_alone() -> None:
    network, other = make_network(), make_network(seed=4)
    batch = draw_decisions(SIZES["4"])
    assert not torch.equal(network(*see(network, batch).tensors())[0], other(*see(other, batch).tensors())[0])
    network.load_weights(other)
    assert torch.equal(network(*see(network, batch).tensors())[0], other(*see(other, batch).tensors())[0])
    for wrong in (make_network(width=25), make_network(ASCENSION), make_network(players=(4,))):
        with pytest.raises(ConfigError, match=r"of another shape|cannot begin as"):
            network.load_weights(wrong)
