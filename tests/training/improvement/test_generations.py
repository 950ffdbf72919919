"""Generations follow each other, each from the network before it; what is done is not done again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from iaww_agents.ppo.bot import find_shipped
from iaww_env.config import GameConfig
from iaww_training.improvement import compare, generations, learn
from iaww_training.improvement.generations import Options, run_generations
from iaww_training.network import load_network

NETWORK = find_shipped(GameConfig(2))
HOW = compare.How(modes=("base2",), games=32, worlds=1, share=0.1, workers=1)


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Options:
    monkeypatch.setattr(compare, "IN_FILE", 16)
    monkeypatch.setattr(compare, "share_work", lambda work, parts, _: map(work, parts))  # in this process
    learnt = learn.How(epochs=1, minibatch=16, keep=64)
    return Options(NETWORK, 2, keep=1, measured=8, out=tmp_path, compared=HOW, learnt=learnt)


def test_each_generation_comes_of_the_one_before(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    told = list(run_generations(options))
    assert [line.split(":")[0] for line in told] == [f"generation {n}, base2" for n in range(3)]
    networks = [generations.find_network(options, n) for n in range(3)]
    weights = [load_network(path).query.weight.detach().numpy() for path in networks]
    assert not (weights[0] == weights[1]).all()
    assert not (weights[1] == weights[2]).all()
    seeds = []
    for n in (1, 2):
        for path in (options.out / str(n) / "comparisons").glob("*.npz"):
            about = compare.read_file(path).about
            said = compare.Options(network=networks[n - 1], seed=n, modes=HOW.modes, worlds=1, share=0.1)
            assert about == compare.describe(said, "base2"), "by the network of the generation before"
            seeds.append(path.name)
    assert len(set(seeds)) == 4, "no game is played twice"
    monkeypatch.setattr(compare, "pack_file", lambda *_: pytest.fail("it is there"))
    monkeypatch.setattr(generations, "play_among_heuristics", lambda *_: pytest.fail("it has been measured"))
    monkeypatch.setattr(learn, "learn", lambda *_: pytest.fail("it has been learnt"))
    assert list(run_generations(options)) == told


def test_only_the_newest_are_learnt_from(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    learnt: list[learn.Options] = []
    monkeypatch.setattr(compare, "write_comparisons", lambda _: iter(()))
    monkeypatch.setattr(learn, "learn", learnt.append)
    monkeypatch.setattr(generations, "measure", lambda *_: {})
    assert list(run_generations(Options(NETWORK, 3, keep=2, out=options.out))) == []
    folders = [[path.parent.name for path in one.data] for one in learnt]
    assert folders == [["1"], ["1", "2"], ["2", "3"]]
    assert [one.network for one in learnt] == [generations.find_network(options, n) for n in range(3)]


def test_it_is_measured_what_a_generation_wins(options: Options) -> None:
    found = generations.measure(options, 0)["base2"]
    assert json.loads((options.out / "0" / "measured.json").read_text()) == {"base2": found}
    assert 50 < found["wins"]["value"] <= 100, "the network that is shipped, against the heuristic"
    assert 50 < found["points"]["value"] < 150
