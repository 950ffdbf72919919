"""Positions are compared as the bot compares them, lie in files, and teach what is better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from iaww_agents.networks.inputs import POINT_WORTH, Rows
from iaww_agents.ppo.bot import find_shipped, load_forward
from iaww_agents.ppo_search.playouts import NO_ACTION, Playouts
from iaww_env import rulebook
from iaww_env.batch import lend_states
from iaww_env.bots.views import imagine_rows, make_view
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.errors import ConfigError
from iaww_env.game import make_game
from iaww_env.outputs import write_whole
from iaww_training.improvement import compare, learn
from iaww_training.improvement.compare import Comparer, Comparisons, read_file, write_comparisons
from iaww_training.improvement.learn import find_losses, find_policy_loss, make_lesson, teach
from iaww_training.network import NOWHERE, load_network

NETWORK = find_shipped(GameConfig(2))
MODE = "base3"
PHASES: Any = rulebook.PHASES[:-1]
PART = (MODE, compare.FIRST_SEED + compare.MOST_GAMES)  # of seed 1, and its only file


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> compare.Options:
    out = tmp_path_factory.mktemp("comparisons")
    how = compare.How(
        modes=(MODE,), games=64, worlds=2, share=0.15, phases=PHASES, unlikely=1e-4, own="policy", workers=1
    )
    return compare.Options(**asdict(how), network=NETWORK, out=out)


@pytest.fixture(scope="module")
def held(options: compare.Options) -> Comparisons:
    """The positions of a small file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare, "IN_FILE", 8)
        part, content = compare.pack_file(options, PART)
    assert part == PART
    write_whole(compare.name_file(options, PART), content)
    found = read_file(options.out / f"{MODE}-{PART[1]}.npz")
    assert len(found.seats) > 40
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


@pytest.mark.parametrize("phases", [("draft",), ("planning", "production")])
def test_only_decisions_of_the_phases_that_are_asked_for_are_compared(
    phases: Any, options: compare.Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "IN_FILE", 4)
    found = Comparer(replace(options, phases=phases), GameConfig(3), 5).play()
    seen = {rulebook.PHASES[one.row[fields.PHASE]] for one in found}
    assert seen == set(phases)


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
    assert list(write_comparisons(options)) == [len(held.seats)]
    for other in ({"worlds": 3}, {"own": "rules"}, {"network": find_shipped(GameConfig(1))}):
        with pytest.raises(ConfigError, match="another folder"):
            list(write_comparisons(replace(options, **other)))


@pytest.mark.parametrize("backend", ["local", "ray"])
def test_what_is_missing_is_made_where_it_is_said(
    backend: Any, options: compare.Options, held: Comparisons, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of all modes come on together, and of other games with another seed."""
    content, asked = compare.name_file(options, PART).read_bytes(), []

    def share(work: object, parts: list[tuple[str, int]], workers: int | None) -> Iterator[Any]:
        asked.extend(parts)
        return ((part, content) for part in parts)

    monkeypatch.setattr(compare if backend == "local" else compare.ray_work, "share_work", share)
    monkeypatch.setattr(compare, "describe", lambda *_: held.about)
    said = replace(options, modes=("base2", "base3"), games=128, out=tmp_path, backend=backend)
    n = len(held.seats)
    assert list(write_comparisons(said)) == [n, 2 * n, 3 * n, 4 * n]
    assert [mode for mode, _ in asked] == ["base2", "base3"] * 2
    assert len(set(asked)) == 4
    compare.name_file(said, asked[1]).unlink()
    assert list(write_comparisons(said)) == [3 * n, 4 * n]
    assert len(asked) == 5
    list(write_comparisons(replace(said, seed=2)))
    assert len({first for _, first in asked}) == 4


def test_the_same_games_give_the_same_positions(options: compare.Options, held: Comparisons) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare, "IN_FILE", 8)
        again = Comparer(options, GameConfig(3), PART[1]).play()
    assert [one.row.tolist() for one in again] == held.states.tolist()
    assert np.concatenate([one.values for one in again]).astype(np.float32).tolist() == [
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


def test_what_a_position_teaches_stands_with_its_actions(held: Comparisons) -> None:
    """Worth and likelihood of each candidate; and as the value the points that the policy came to."""
    network = load_network(NETWORK)
    lesson = make_lesson(network.inputs, held)
    legal = lesson.seen.legal
    for n in range(0, len(held.seats), 5):
        tried = held.actions[n] != NO_ACTION
        own = legal.rows == n
        places = dict(zip(legal.actions[own].tolist(), legal.places[own].tolist(), strict=True))
        at = [places.pop(action) for action in held.actions[n][tried].tolist()]
        assert lesson.log_probs[n][at].tolist() == held.log_probs[n][tried].tolist()
        assert lesson.worth[n][at].tolist() == held.values[n][tried].tolist()
        assert (lesson.log_probs[n][list(places.values())] == NOWHERE).all()
        odds = np.exp(held.log_probs[n][tried].astype(np.float64))
        expected = float((odds / odds.sum() * held.points[n][tried]).sum())
        assert lesson.values[n] == pytest.approx(POINT_WORTH * expected, rel=1e-3)


def test_scores_are_drawn_to_those_before_and_what_actions_are_worth() -> None:
    """Of the candidates among each other: all others, and what is added to all of them, count nothing."""
    before = torch.tensor([[-0.5, -1.2, NOWHERE, -2.0, NOWHERE], [-3.0, -0.1, NOWHERE, NOWHERE, NOWHERE]])
    worth = torch.tensor([[1.0, 2.5, 7.0, 0.0, 9.0], [4.0, 1.0, 7.0, 7.0, 7.0]])
    wanted = before + worth
    for added in (0.0, 3.0):
        scores = torch.where(before > NOWHERE, wanted + added, torch.full_like(wanted, 5.0))
        assert float(find_policy_loss(scores, before, worth)) == pytest.approx(0, abs=1e-9)
    scores[0, 1] += (
        3  # off by 3 less a mean of 1, and the two others by 1 each: (4 + 1 + 1) / 3, of two positions
    )
    assert float(find_policy_loss(scores, before, worth)) == pytest.approx(1.0, rel=1e-5)


def test_chance_cancels_out() -> None:
    """Where one position is told twice, once too high and once too low, the mean of both is learnt."""
    before = torch.tensor([[-0.1, -3.0, NOWHERE]] * 2)
    worth = torch.tensor([[0.0, 9.0, 0.0], [0.0, -5.0, 0.0]])
    scores = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.Adam([scores], lr=0.1)
    for _ in range(500):
        optimizer.zero_grad()
        find_policy_loss(scores.expand(2, 3), before, worth).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    assert float((scores[1] - scores[0]).detach()) == pytest.approx(-2.9 + 2.0, abs=0.02)


def test_what_is_worth_more_is_learnt(held: Comparisons, tmp_path: Path) -> None:
    """Of the candidates that are drawn now and then the least likely are made the best."""
    turned = held.values.copy()
    for n, actions in enumerate(held.actions):
        turned[n, np.flatnonzero((actions != NO_ACTION) & (held.log_probs[n] > -4))[-1]] = (
            turned[n].max() + 12
        )
    network = load_network(NETWORK)
    lesson = make_lesson(network.inputs, held._replace(values=turned))
    said = learn.How(epochs=60, minibatch=32)
    before, off = find_losses(network, lesson)
    teach(network, lesson, said)
    behind, closer = find_losses(network, lesson)
    assert behind < 0.3 * before
    assert closer < off


def test_the_command_learns_from_files(
    options: compare.Options, held: Comparisons, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(held.seats)
    words = [
        str(options.out),
        "--network",
        str(NETWORK),
        "--out",
        str(tmp_path / "new.npz"),
        "--epochs",
        "1",
        "--keep",
        "100",
    ]
    assert learn.main(words) == 0
    assert "positions of 1 files" in capsys.readouterr().out
    new, old = load_network(tmp_path / "new.npz"), load_network(NETWORK)
    assert not np.allclose(new.query.weight.detach().numpy(), old.query.weight.detach().numpy())


def test_files_without_a_position_teach_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that have none are kept as such; from these alone nothing can be learnt."""
    monkeypatch.setattr(compare, "IN_FILE", 2)
    monkeypatch.setattr(compare, "share_work", lambda work, parts, _: map(work, parts))  # in this process
    said = compare.Options(
        network=NETWORK, modes=("base2", "base2"), games=4, worlds=1, share=0.0, out=tmp_path
    )
    assert list(write_comparisons(said)) == [0, 0], "a mode that is named twice is played once"
    with pytest.raises(ConfigError, match="no positions"):
        learn.learn(learn.Options(data=(tmp_path,), network=NETWORK, out=tmp_path / "out.npz"))


def test_what_is_best_is_played_and_else_what_the_policy_draws(options: compare.Options) -> None:
    """Where all is compared, the candidate that is made the best; with nothing to draw by, the likeliest."""
    for share, best in ((1.0, True), (0.0, False)):
        comparer = Comparer(replace(options, share=share, temperature=0.0), GameConfig(3), PART[1])
        asked = np.flatnonzero(comparer._mine[np.arange(compare.IN_FILE), comparer._batch.seats])
        states, seats = lend_states(comparer._batch)[asked], comparer._batch.seats[asked]
        batch = comparer._batch
        shown = batch.observations[asked], batch.masks[asked], Rows(states, seats)
        likeliest = comparer._playouts.score(*shown)[0].argmax(1)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(comparer, "_compare", lambda doubts: [make_last_best(one) for one in doubts])
            played = comparer._decide(asked)
        assert len(comparer._found) > 5 if best else not comparer._found
        if best:
            ends = [found.actions[-1] for found in comparer._found]
            assert [action for action in played if action in ends]
            assert np.sum(played != likeliest) == len(ends)
        else:
            assert (played == likeliest).all()


def make_last_best(one: compare.Doubt) -> compare.Compared:
    """A decision whose last candidate is worth far more than the others."""
    worth = np.where(np.arange(len(one.actions)) == len(one.actions) - 1, 1000.0, 0.0)
    return compare.Compared(*one, worth, worth)
