"""The example of several processes runs as it stands and plays what one batch would play."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_env import Batch
from iaww_training.examples import shared_workers as example
from tests.processes import run_python


def test_it_runs_as_it_stands() -> None:
    options = ["--workers", "2", "--games", "6", "--steps", "5"]
    printed = run_python("-m", "iaww_training.examples.shared_workers", *options)
    assert printed.startswith("30 decisions, 0 games ended, ")
    assert printed.endswith("observations of all games: (6, 772), one array\n")


@pytest.mark.parametrize("workers", [1, 3])
def test_the_block_holds_what_one_batch_of_all_games_would(workers: int) -> None:
    """In every array, after a game's length of steps, with the actions of the same learner."""
    games, steps = 7, 450
    ended, block = example.learn(workers, games, steps)
    batch = Batch(example.CONFIG, games, example.SEED, observation=example.PROFILE, discards=False)
    rng, done = np.random.default_rng(example.SEED), 0
    for _ in range(steps):
        batch.step(example.choose_actions({"masks": batch.masks}, rng))
        done += int(batch.done.sum())
    assert ended == done >= games
    for name in (*example.WRITTEN, "seats", "done"):
        assert block[name].tobytes() == getattr(batch, name).tobytes(), name


def test_every_legal_action_can_be_chosen_and_no_other() -> None:
    masks = np.array([[0, 1, 0, 1, 1]] * 500, np.int8)
    assert set(example.choose_actions({"masks": masks}, np.random.default_rng(1)).tolist()) == {1, 3, 4}


def test_a_worker_that_fails_lets_the_learner_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example, "choose_actions", lambda block, rng: -1)
    with pytest.raises(example.BrokenBarrierError):
        example.learn(2, 4, 3)


def test_arrays_of_the_block_do_not_overlap() -> None:
    memory = bytearray(1 << 20)
    block = example.lay_block(memory, 5)
    for number, array in enumerate(block.values(), start=1):
        array[...] = number
        assert array.flags.carray
    for number, array in enumerate(block.values(), start=1):
        assert (array == number).all()


def test_what_cannot_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--workers", "0"], ["--workers", "3", "--games", "2"], ["--steps", "0"]):
        with pytest.raises(SystemExit):
            example.main(options)
        assert "a game for each worker" in capsys.readouterr().err
