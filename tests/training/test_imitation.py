"""Learning what bots played: games are seen again as they were, and what was played is learnt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import iaww_env
from iaww_env.errors import ConfigError
from iaww_training import imitation
from iaww_training.datasets import NO_ACTION, read_file, read_games, write_file
from iaww_training.decisions import look
from iaww_training.imitation import Library, Pace, imitate, join_lessons, measure, predict, replay
from tests.agents.networks.small_networks import make_network

TABLE = iaww_env.GameConfig(players=2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files of games of greedy."""
    for seed in (3, 5, 7):
        write_file(TABLE, "greedy", tmp_path, (seed, seed + 1))
    return tmp_path


@pytest.mark.parametrize("reward", ["points", "margin"])
def test_games_are_seen_again_as_they_were(reward: str, folder: Path) -> None:
    """Decision by decision, with what the seat had earned at the end of its own game."""
    inputs, games = make_network().inputs, read_games(folder)
    lesson = replay(inputs, games, 0.5, reward)
    assert len(lesson.seen) == len(lesson.actions) == int((games.actions != NO_ACTION).sum())
    of_game = np.nonzero(games.actions.T != NO_ACTION)[1]
    for number, seed in enumerate(games.seeds.tolist()):
        batch = iaww_env.Batch(TABLE, 1, seed, observation="cards")
        mine, seats, earned = np.flatnonzero(of_game == number), [], np.zeros(2)
        for at in mine.tolist():
            seen = look(inputs, inputs.find(TABLE), batch.observations, batch.masks)
            known, legal = lesson.seen.take(np.array([at]))
            assert known.numpy().tobytes() == seen.known.tobytes()
            assert legal.actions.tolist() == seen.legal.actions.tolist()
            assert legal.features.numpy().tobytes() == seen.legal.features.tobytes()
            seats.append(int(batch.seats[0]))
            batch.step(lesson.actions[at : at + 1])
        assert batch.done[0]
        earned = batch.points[0] - batch.points[0][::-1] * (reward == "margin")
        assert lesson.returns[mine].tolist() == [0.5 * earned[seat] for seat in seats]


def test_files_that_are_kept_are_not_learnt_from(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = make_network().inputs
    library = Library(inputs, [folder], 1.0)
    assert [path.name for path in library.kept] == ["games-3.npz"]
    drawn = next(library.draw(np.random.default_rng(1)))
    assert len(drawn.seen) == sum((read_file(path).actions != NO_ACTION).sum() for path in library.files)
    assert sorted(path.name for path in library.files) == ["games-5.npz", "games-7.npz"]
    with pytest.raises(ConfigError, match="holds no files"):
        Library(inputs, [folder / "none"], 1.0)
    monkeypatch.setattr(imitation, "KEPT", 2)
    several = Library(inputs, [folder], 1.0)
    expected = join_lessons([replay(inputs, read_file(path), 1.0) for path in several.kept])
    (tested,) = several.test().values()
    assert len(several.kept) == 2
    assert tested.actions.tolist() == expected.actions.tolist(), "all kept files of a folder"


def test_what_was_played_and_what_came_of_it_is_learnt(folder: Path) -> None:
    lesson = replay(make_network().inputs, read_games(folder), 0.05)
    network = make_network()
    before = measure(network, lesson)
    library = Library(network.inputs, [folder], 0.05)
    library.files += library.kept
    pace = Pace(decisions=6_000, minibatch=64, learning_rate=5e-3)
    learnt = imitate(network, library.draw(np.random.default_rng(1)), pace)
    assert learnt["decisions"] >= 6_000
    after = measure(network, lesson)
    assert after["accuracy"] > before["accuracy"] + 0.2
    assert after["explained"] > before["explained"] + 0.2


def test_a_value_that_does_not_count_is_left_alone(folder: Path) -> None:
    """Also where fewer games are there than make a minibatch."""
    network = make_network()
    begun = [one.clone() for one in network.value.parameters()]
    library = Library(network.inputs, [folder], 1.0)
    pace = Pace(decisions=2000, minibatch=10**6, value_weight=0.0)
    learnt = imitate(network, library.draw(np.random.default_rng(1)), pace)
    assert learnt["decisions"] >= 2000
    assert all(torch.equal(a, b) for a, b in zip(begun, network.value.parameters(), strict=True))
    assert not torch.equal(network.of_kind, make_network().of_kind)


def test_what_a_network_would_play_is_what_it_scores_highest(folder: Path) -> None:
    network, games = make_network(), read_games(folder)
    lesson = replay(network.inputs, games, 1.0)
    actions, values = predict(network, lesson.seen)
    with torch.no_grad():
        scores, expected = network(*lesson.seen.tensors())
    best = lesson.seen.offsets[:-1] + scores.argmax(1).numpy()
    assert actions.tolist() == lesson.seen.legal.actions[best].tolist()
    np.testing.assert_allclose(values, expected.numpy(), rtol=1e-4, atol=1e-5)
    perfect = lesson._replace(actions=actions)
    assert measure(network, perfect)["accuracy"] == 1.0
