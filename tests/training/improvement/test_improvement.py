"""Positions are compared as the bot compares them, lie in files, and teach what is better."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from iaww_agents.networks.inputs import POINT_WORTH, Rows
from iaww_agents.ppo.bot import find_shipped, load_forward
from iaww_agents.ppo_search.playouts import Playouts
from iaww_env.bots.views import imagine_rows, make_view
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.game import make_game
from iaww_training.improvement import compare, learn
from iaww_training.improvement.compare import NO_ACTION, Comparer, Comparisons, read_file, write_comparisons
from iaww_training.improvement.learn import find_losses, make_lesson, teach
from iaww_training.network import load_network

NETWORK = find_shipped(GameConfig(2))
MODE = "base3"
TRUST = 2.0


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> compare.Options:
    out = tmp_path_factory.mktemp("comparisons")
    return compare.Options(NETWORK, (MODE,), games=8, worlds=2, share=0.15, out=out, workers=1)


@pytest.fixture(scope="module")
def held(options: compare.Options) -> Comparisons:
    """The positions of a small file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare, "IN_FILE", 8)
        count = compare.write_file(options, (MODE, 1))
    found = read_file(options.out / f"{MODE}-1.npz")
    assert len(found.seats) == count > 40
    return found


def test_positions_are_what_a_seat_may_know(held: Comparisons) -> None:
    """Each is a game in which the seat is to act and the candidates are legal; all else is one fixed draw."""
    again = imagine_rows(held.states, np.arange(len(held.seats)), held.seats)
    assert (again == held.states).all(), "drawn anew with the same stream nothing changes"
    config, phases = GameConfig(3), set()
    for row, seat, actions in zip(held.states, held.seats.tolist(), held.actions, strict=True):
        game = make_game(config, row.copy())
        tried = actions[actions != NO_ACTION].tolist()
        assert seat in game.seats_to_act()
        assert len(tried) > 1
        assert set(tried) <= set(game.legal_actions(seat))
        phases.add((game.round, game.phase))
    assert len(phases) > 5


def test_candidates_have_the_policys_probabilities(held: Comparisons) -> None:
    playouts, config = Playouts(load_forward(NETWORK), GameConfig(3)), GameConfig(3)
    for n in range(0, len(held.seats), 7):
        seat, row = int(held.seats[n]), held.states[n].copy()
        view = make_view(make_game(config, row), seat, "cards")
        mask = view.action_mask[None].copy()
        mask[:, playouts_discards(config)] = 0
        scores, _ = playouts.score(view.observation[None], mask, Rows(row[None], np.array([seat])))
        odds = np.exp(scores[0].astype(np.float64) - scores[0].max())
        tried = held.actions[n] != NO_ACTION
        told = np.exp(held.log_probs[n][tried])
        assert told == pytest.approx(odds[held.actions[n][tried]] / odds.sum(), rel=1e-4)
        assert (np.diff(told) <= 0).all()


def playouts_discards(config: GameConfig) -> slice:
    """Actions that give up a card under construction."""
    from iaww_env.actions import action_table

    table = action_table(config.expansions)
    return slice(table.discard, table.use)


def test_a_file_that_is_there_is_not_made_again_and_no_other_is_taken_for_it(
    options: compare.Options, held: Comparisons, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Comparer, "play", lambda _: pytest.fail("it is there"))
    assert compare.write_file(options, (MODE, 1)) == len(held.seats)
    other = compare.Options(NETWORK, (MODE,), worlds=3, share=0.15, out=options.out)
    with pytest.raises(ConfigError, match="another folder"):
        compare.write_file(other, (MODE, 1))


def test_the_same_games_give_the_same_positions(options: compare.Options, held: Comparisons) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare, "IN_FILE", 8)
        again = Comparer(options, GameConfig(3), 1).play()
    assert [one[0].tolist() for one in again] == held.states.tolist()
    assert np.concatenate([one[4] for one in again]).astype(np.float32).tolist() == [
        worth
        for actions, values in zip(held.actions, held.values, strict=True)
        for worth in values[actions != NO_ACTION].tolist()
    ]


def test_files_that_hold_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "base3-1.npz").write_bytes(b"PK nothing")
    with pytest.raises(ConfigError, match="holds no comparisons"):
        read_file(tmp_path / "base3-1.npz")
    with pytest.raises(ConfigError, match="no files"):
        learn.find_files([tmp_path / "none"])


def test_what_a_position_says_is_the_policy_times_what_candidates_are_worth(held: Comparisons) -> None:
    network = load_network(NETWORK)
    lesson, legal = make_lesson(network.inputs, held, TRUST), None
    legal = lesson.seen.legal
    for n in range(0, len(held.seats), 5):
        tried = held.actions[n] != NO_ACTION
        odds = np.exp(held.log_probs[n][tried].astype(np.float64)) * np.exp(held.values[n][tried] / TRUST)
        better = odds / odds.sum()
        own = legal.rows == n
        by_action = dict(zip(legal.actions[own].tolist(), lesson.targets[n][legal.places[own]], strict=True))
        for action, share in zip(held.actions[n][tried].tolist(), better, strict=True):
            assert by_action.pop(action) == pytest.approx(share, rel=1e-3, abs=1e-6)
        assert not any(by_action.values())
        expected = float((better * held.points[n][tried]).sum())
        assert lesson.values[n] == pytest.approx(POINT_WORTH * expected, rel=1e-3)


def test_what_is_worth_more_is_learnt(held: Comparisons, tmp_path: Path) -> None:
    """The least likely candidates are made the best; and the command does the same with files."""
    turned = held.values.copy()
    for n, actions in enumerate(held.actions):
        turned[n, np.flatnonzero(actions != NO_ACTION)[-1]] = turned[n].max() + 12
    network = load_network(NETWORK)
    lesson = make_lesson(network.inputs, held._replace(values=turned), 1.0)
    said = learn.Options((tmp_path,), network=NETWORK, out=tmp_path / "out.npz", epochs=40, minibatch=32)
    before, off = find_losses(network, lesson)
    teach(network, lesson, said)
    behind, closer = find_losses(network, lesson)
    assert behind < 0.3 * before
    assert closer < off


def test_the_command_learns_from_files(
    options: compare.Options, held: Comparisons, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(held.seats)
    words = [str(options.out), "--network", str(NETWORK), "--out", str(tmp_path / "new.npz"), "--epochs", "1"]
    assert learn.main(words) == 0
    assert "positions of 1 files" in capsys.readouterr().out
    new, old = load_network(tmp_path / "new.npz"), load_network(NETWORK)
    assert not np.allclose(new.query.weight.detach().numpy(), old.query.weight.detach().numpy())


def test_all_modes_come_on_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    def share(work: object, parts: list[tuple[str, int]], workers: int | None) -> list[int]:
        asked.extend(parts)
        return [3] * len(parts)

    monkeypatch.setattr(compare, "share_work", share)
    said = compare.Options(NETWORK, ("base2", "base3"), games=128, out=tmp_path)
    assert list(write_comparisons(said)) == [3, 6, 9, 12]
    assert [mode for mode, _ in asked] == ["base2", "base3"] * 2
    assert len(set(asked)) == 4
