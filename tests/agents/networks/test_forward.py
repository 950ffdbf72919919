"""The forward pass in a kernel: what PyTorch works out from the same weights, alone or among many."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from iaww_agents.networks.files import Held
from iaww_agents.networks.forward import Forward
from iaww_agents.networks.inputs import Rows, gather_legal, gather_seen
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_training.decisions import Seen, look
from iaww_training.network import ScoringNetwork
from tests.agents.networks.small_networks import draw_decisions, draw_steps, list_rows, make_network
from tests.modes import SIZES

PLAYED = ("2", "3", "4", "5", "1", "4-ascension", "7-ascension")


def name_weights(network: ScoringNetwork) -> Held:
    """Weights by name, as a file holds them."""
    return {name: one.numpy() for name, one in network.state_dict().items()}


def score_in_torch(
    network: ScoringNetwork, seen: Seen, shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Scores of all actions, -inf where one is not legal, and values; worked out in double precision."""
    known, legal = seen.tensors()
    with torch.no_grad():
        found, values = network(known.double(), legal._replace(features=legal.features.double()))
    scores = np.full(shape, -np.inf)
    rows, places, actions = seen.legal[:3]
    scores[rows, actions] = found[rows, places].numpy()
    return scores, values.numpy()


def find_probabilities(scores: np.ndarray) -> np.ndarray:
    """The policy that scores stand for."""
    odds = np.exp(scores - scores.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


@pytest.mark.parametrize("advised", [False, True])
@pytest.mark.parametrize("mode", PLAYED)
def test_the_kernel_scores_as_pytorch_does(mode: str, advised: bool) -> None:
    """Several thousand decisions from the first to the last round of games."""
    config = SIZES[mode]
    network = make_network(config.expansions, width=128, depth=32, advised=advised)
    forward, sources = Forward(name_weights(network), network.inputs), network.inputs.find(config)
    exact, decisions = network.double(), 0
    for batch in draw_steps(config, 100, games=30):
        rows = list_rows(batch) if advised else None
        seen = look(network.inputs, sources, batch.observations, batch.masks, rows)
        scores, values = forward.score(sources, batch.observations, batch.masks, rows)
        expected, expected_values = score_in_torch(exact, seen, batch.masks.shape)
        legal = batch.masks == 1
        assert (scores[~legal] == -np.inf).all()
        scale = np.abs(expected[legal]).max()
        assert np.abs(scores[legal] - expected[legal]).max() < 1e-6 * scale
        assert np.abs(values - expected_values).max() < 1e-6 * max(1.0, np.abs(expected_values).max())
        assert np.abs(find_probabilities(scores) - find_probabilities(expected)).max() < 1e-5
        decisions += len(scores)
    assert decisions >= 3000


@pytest.mark.parametrize("advised", [False, True])
@pytest.mark.parametrize("mode", ["1", "4", "7-ascension"])
def test_a_decision_is_scored_alone_as_among_many(mode: str, advised: bool) -> None:
    """To the last bit: a bot plays the same alone and in a batch."""
    config = SIZES[mode]
    network = make_network(config.expansions, advised=advised)
    forward, sources = Forward(name_weights(network), network.inputs), network.inputs.find(config)
    for steps in (0, 30, 80):
        batch = draw_decisions(config, steps)
        rows = list_rows(batch)
        together, values = forward.score(sources, batch.observations, batch.masks, rows)
        for g in range(batch.num_games):
            one = slice(g, g + 1)
            row = Rows(*(part[one] for part in rows))
            alone, value = forward.score(sources, batch.observations[one], batch.masks[one], row)
            assert alone.tobytes() == together[g].tobytes()
            assert value.tobytes() == values[g].tobytes()


@pytest.mark.parametrize("mode", ["2", "4", "5-ascension", "1"])
def test_hidden_cards_are_not_seen(mode: str) -> None:
    """What the seat cannot know is drawn anew; what the network is given stays as it is, byte for byte."""
    config: GameConfig = SIZES[mode]
    inputs = make_network(config.expansions).inputs
    sources, changed = inputs.find(config), 0
    for steps in (3, 25, 60):
        batch = draw_decisions(config, steps, games=4)
        for g in range(batch.num_games):
            game = batch.game(g)
            for seat in game.seats_to_act():
                given = []
                for number in range(4):
                    drawn = game.redeterminize(seat, number) if number else game
                    changed += drawn != game
                    view = make_view(drawn, seat, inputs.profile)
                    observations, masks = view.observation[None], view.action_mask[None]
                    legal = gather_legal(inputs, sources, observations, masks)
                    seen = gather_seen(inputs, sources, observations)
                    given.append(seen.tobytes() + b"".join(array.tobytes() for array in legal))
                assert len(set(given)) == 1
    assert changed > 20
