"""A network is drawn back to how it was: its scores where nothing was compared, and its values everywhere."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
import torch

from iaww_agents.ppo.bot import find_shipped
from iaww_env import rulebook
from iaww_env.config import GameConfig
from iaww_training.improvement import keep
from iaww_training.improvement.keep import Kept, find_change, keep_positions
from iaww_training.network import NOWHERE, ScoringNetwork, load_network

NETWORK = find_shipped(GameConfig(2))
COUNT = 400


@pytest.fixture(scope="module")
def network() -> ScoringNetwork:
    return load_network(NETWORK)


def keep_some(network: ScoringNetwork, *free: str) -> Kept:
    """Positions of two kinds of games, where phases are free."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keep, "AT_ONCE", 4)
        kept = keep_positions(network, ("base2", "base3"), free, COUNT)
    assert kept is not None
    return kept


@pytest.fixture(scope="module")
def kept(network: ScoringNetwork) -> Kept:
    return keep_some(network, "draft")


def test_positions_are_kept_with_what_the_network_makes_of_them(network: ScoringNetwork, kept: Kept) -> None:
    assert len(kept.seen) == len(kept.scores) == len(kept.values) == len(kept.holds) == COUNT
    with torch.no_grad():
        scores, values = network(*kept.seen.tensors())
    assert kept.scores[:, : scores.shape[1]] == pytest.approx(scores.numpy(), rel=1e-4, abs=1e-4)
    assert (kept.scores[:, scores.shape[1] :] == NOWHERE).all()
    assert kept.values == pytest.approx(values.numpy(), rel=1e-4, abs=1e-4)
    assert len(np.unique(kept.seen.known, axis=0)) > COUNT / 2


@pytest.mark.parametrize("free", [("draft",), ("draft", "planning"), rulebook.PHASES])
def test_scores_stay_where_nothing_was_compared(network: ScoringNetwork, free: Collection[str]) -> None:
    """Of all the phases that are not free: what is picked in is a draft."""
    kept = keep_some(network, *free)
    verbs = np.array([network.inputs.verbs[n] for n in kept.seen.legal.verbs[kept.seen.offsets[:-1]]])
    phases = {"draft": {"pick"}, "planning": {"slate", "recycle"}}
    loose = set().union(*(phases.get(name, set()) for name in free))
    known = np.isin(verbs, list(set().union(*phases.values())))
    assert known.sum() > COUNT / 4
    assert (kept.holds == ~np.isin(verbs, list(loose)))[known].all()
    assert kept.holds.any() == (len(free) < len(rulebook.PHASES))


def test_the_same_seed_keeps_the_same(network: ScoringNetwork, kept: Kept) -> None:
    assert (keep_some(network, "draft").scores == kept.scores).all()


def test_nothing_is_kept_where_nothing_is_asked_for(network: ScoringNetwork) -> None:
    assert keep_positions(network, ("base2",), (), 0) is None


def test_a_network_that_stays_has_not_changed(network: ScoringNetwork, kept: Kept) -> None:
    with torch.no_grad():
        assert float(find_change(network, kept, np.arange(COUNT))) == pytest.approx(0, abs=1e-6)


def test_a_change_of_scores_counts_where_they_are_to_stay_and_one_of_values_everywhere(kept: Kept) -> None:
    """Sharper scores are a divergence; values that are one higher are off by one in the square."""
    network = load_network(NETWORK)
    network.sharpen(2.0)
    free, held = np.flatnonzero(~kept.holds), np.flatnonzero(kept.holds)
    with torch.no_grad():
        assert float(find_change(network, kept, free)) == pytest.approx(0, abs=1e-6)
        odds = torch.softmax(torch.from_numpy(kept.scores[held]), 1)
        sharper = torch.softmax(2 * torch.from_numpy(kept.scores[held]), 1)
        apart = (odds * (odds.clamp(min=1e-30) / sharper.clamp(min=1e-30)).log()).sum(1).mean()
        assert float(find_change(network, kept, held)) == pytest.approx(float(apart), rel=1e-3)
        assert apart > 1e-3
        network.value.bias.add_(1.0)
        assert float(find_change(network, kept, free)) == pytest.approx(1.0, rel=1e-4)
