"""What runs begin with: advice, another network, games of a bot."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from iaww_agents.networks.advice import CHOSEN, N_ADVICE
from iaww_agents.networks.inputs import make_inputs
from iaww_env.actions import action_table
from iaww_env.batch import Batch, find_scheme
from iaww_env.cards import EXPANSIONS
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.observation import observation_table
from iaww_training.datasets import record
from iaww_training.decisions import look
from iaww_training.imitation import Lesson, measure, replay
from iaww_training.network import NOWHERE, load_network
from iaww_training.ppo.run import open_run
from iaww_training.ppo.settings import find_mode
from tests.agents.networks.small_networks import list_rows
from tests.training.ppo.small_runs import be_silent, make_run, read_all


def test_an_advised_network_begins_level_with_the_heuristic(tmp_path: Path) -> None:
    """As a fresh one, it plays nearly as the heuristic does; its model says so where it cannot be asked."""
    run = make_run(tmp_path, advised=True)
    games = replay(run.model.tables.inputs, record(find_mode("base3"), "heuristic", [5, 6, 7]), 0.05)
    assert measure(run.model.policy.network, games)["accuracy"] > 0.9
    batch = run.model.tables.tables[0].batch
    asked = {"observation": batch.observations, "action_mask": batch.masks}
    with pytest.raises(ConfigError, match="train --plain"):
        run.model.predict(asked, deterministic=True)


def test_a_fresh_network_trusts_the_advice_so_far_as_is_said(tmp_path: Path) -> None:
    whole, half, none = (
        make_run(tmp_path / str(trust), advised=True, trust=trust).model.policy.network.heed.detach()
        for trust in (1.0, 0.5, 0.0)
    )
    assert (none == 0).all()
    assert whole[CHOSEN] > 0
    assert torch.equal(half, whole / 2)


@pytest.mark.parametrize("reward", ["points", "margin"])
def test_the_reward_reaches_games_and_imitated_games(
    reward: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the value learns from: at the end of a game of two, a margin is that of the other, turned."""
    run = make_run(tmp_path, reward=reward, imitate="greedy", imitated=64, evaluations=0)
    learnt = []

    def keep(network: object, lessons: Iterator[Lesson], *_: object) -> None:
        learnt.append(next(lessons))

    monkeypatch.setattr("iaww_training.ppo.run.imitate", keep)
    run._imitate(be_silent)
    assert (learnt[0].returns.min() < 0) == (reward == "margin")
    rewards = {table.batch.config.players: table.batch._scheme for table in run.model.tables.tables}
    assert rewards == {1: find_scheme("goal"), 2: find_scheme(reward), 3: find_scheme(reward)}


def test_a_plain_network_begins_as_one_that_is_advised(finished: Path, tmp_path: Path) -> None:
    """It scores as before, plus what a fresh network makes of the advice."""
    run = make_run(tmp_path, start=str(finished / "network.npz"), advised=True)
    plain, advised = load_network(finished / "network.npz"), run.model.policy.network
    batch = run.model.tables.tables[0].batch
    rows = list_rows(batch)
    known, legal = look(
        plain.inputs, plain.inputs.find(batch.config), batch.observations, batch.masks
    ).tensors()
    more = look(advised.inputs, advised.inputs.find(batch.config), batch.observations, batch.masks, rows)
    scores, values = plain(known, legal)
    found, same = advised(*more.tensors())
    torch.testing.assert_close(values, same)
    advice = torch.from_numpy(more.legal.features[:, -N_ADVICE:]) @ advised.heed
    expected = scores[legal.rows, legal.places] + advice
    torch.testing.assert_close(found[legal.rows, legal.places], expected)
    assert (advice.abs() > 1).any()
    with pytest.raises(ConfigError, match="cannot begin as one of"):
        plain.load_weights(advised)


def test_a_run_begins_with_the_network_it_is_given(finished: Path, tmp_path: Path) -> None:
    run = make_run(tmp_path, start=str(finished / "network.npz"))
    known = load_network(finished / "network.npz")
    for one, other in zip(known.parameters(), run.model.policy.network.parameters(), strict=True):
        assert torch.equal(one, other)
    with pytest.raises(ConfigError, match="another shape"):
        make_run(tmp_path / "wide", start=str(finished / "network.npz"), width=17)


def test_what_was_learnt_may_be_sharpened(finished: Path, tmp_path: Path) -> None:
    """Scores are three times as far apart; the value stays."""
    run = make_run(tmp_path / "sharp", start=str(finished / "network.npz"), sharpen=3.0)
    known, sharp = load_network(finished / "network.npz"), run.model.policy.network
    batch = Batch(players=2, num_games=8, seed=3, observation="cards")
    sources = known.inputs.find(batch.config)
    seen = look(known.inputs, sources, batch.observations, batch.masks).tensors()
    (scores, values), (more, same) = known(*seen), sharp(*seen)
    is_action = scores > NOWHERE / 2
    torch.testing.assert_close(more[is_action], 3 * scores[is_action])
    torch.testing.assert_close(values, same)
    few: dict[str, Any] = {"imitate": "heuristic", "imitated": 64, "evaluations": 0}
    plain, sharpened = (make_run(tmp_path / str(one), sharpen=one, **few) for one in (1.0, 2.0))
    for one in (plain, sharpened):
        one._imitate(be_silent)
    twice, once = (one.model.policy.network.query.weight for one in (sharpened, plain))
    torch.testing.assert_close(twice, 2 * once)


def test_a_network_of_the_base_game_begins_as_one_of_more_cards(finished: Path, tmp_path: Path) -> None:
    """Where only cards of the base game are about, both say the same."""
    run = make_run(tmp_path, start=str(finished / "network.npz"), modes={"ca2": 30})
    base, more = load_network(finished / "network.npz"), run.model.policy.network
    table, wider = (observation_table(GameConfig(2, one), "cards") for one in ((), EXPANSIONS))
    batch = Batch(players=2, num_games=8, seed=3, observation="cards")
    seen = np.zeros((8, wider.size), np.float32)
    for piece, to in zip(table.pieces, wider.pieces, strict=True):
        seen[:, to.start : to.start + piece.end - piece.start] = batch.observations[
            :, piece.start : piece.end
        ]
    masks = np.zeros((8, len(action_table(EXPANSIONS))), np.int8)
    for g, number in zip(*batch.masks.nonzero(), strict=True):
        masks[g, action_table(EXPANSIONS).parse(action_table().to_text(int(number)))] = 1
    ours, values = base(
        *look(base.inputs, base.inputs.find(batch.config), batch.observations, batch.masks).tensors()
    )
    theirs, also = more(
        *look(more.inputs, more.inputs.find(GameConfig(2, EXPANSIONS)), seen, masks).tensors()
    )
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(values, also, rtol=1e-4, atol=1e-5)
    with pytest.raises(ConfigError, match="cannot begin as one of"):
        base.load_weights(more)


def test_a_run_stopped_while_it_imitates_begins_anew(tmp_path: Path) -> None:
    few: dict[str, Any] = {"imitate": "heuristic", "imitated": 60_000, "decisions": 700, "evaluations": 0}
    make_run(tmp_path / "whole", **few).learn(be_silent)

    def stop(line: dict[str, Any]) -> None:
        assert line["kind"] == "imitate"
        signal.raise_signal(signal.SIGINT)

    run = make_run(tmp_path / "stopped", **few)
    run.learn(stop)
    assert run.stopped is not None
    assert (tmp_path / "stopped" / "network.npz").exists(), "what was learnt is kept"
    open_run(tmp_path / "stopped").learn(be_silent)
    assert read_all(tmp_path / "stopped") == read_all(tmp_path / "whole")


def test_a_bot_is_imitated_first(tmp_path: Path) -> None:
    run = make_run(tmp_path / "one", imitate="heuristic", imitated=30_000, evaluations=0)
    run._imitate(be_silent)
    fresh = make_run(tmp_path / "two", evaluations=0)
    unseen = replay(make_inputs(), record(find_mode("base3"), "heuristic", [5, 6, 7]), 0.05)
    told = [measure(one.model.policy.network, unseen)["accuracy"] for one in (run, fresh)]
    assert told[0] > told[1] + 0.1
    before = [one.detach().clone() for one in run.model.policy.network.parameters()]
    run._imitate(be_silent)
    for one, other in zip(before, run.model.policy.network.parameters(), strict=True):
        assert torch.equal(one, other), "once is enough"
