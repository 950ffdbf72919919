"""Runs: the same seed gives the same, what was stopped goes on as if it had not been, nothing is lost."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

from iaww_env.errors import ConfigError
from iaww_training.matches import Played, find_bot
from iaww_training.network import load_network
from iaww_training.ppo import run as run_module
from iaww_training.ppo.algorithm import SelfPlayPPO
from iaww_training.ppo.run import open_run
from iaww_training.ppo.settings import PRESETS, Settings, find_mode, find_preset
from iaww_training.ppo.tables import Ended
from tests.training.ppo.small_runs import be_silent, make_run, make_settings, read_all, read_lines


def test_the_same_seed_gives_the_same_run(finished: Path, tmp_path: Path) -> None:
    make_run(tmp_path / "again").learn(be_silent)
    make_run(tmp_path / "other", seed=2).learn(be_silent)
    assert read_all(tmp_path / "again") == read_all(finished)
    assert read_lines(tmp_path / "again") == read_lines(finished)
    assert read_all(tmp_path / "other") != read_all(finished)


@pytest.mark.parametrize("stop_after", [1, 4, 7])
def test_what_was_stopped_goes_on_bit_for_bit(stop_after: int, finished: Path, tmp_path: Path) -> None:
    """Stopped by Ctrl-C in the middle of an update, which is played to its end."""
    run = make_run(tmp_path)
    updates = 0

    def stop(line: dict[str, Any]) -> None:
        nonlocal updates
        updates += line["kind"] == "update"
        if updates == stop_after and line["kind"] == "update":
            signal.raise_signal(signal.SIGINT)

    run.learn(stop)
    assert run.stopped is not None
    assert 0 < run.done < 1
    assert read_all(tmp_path) != read_all(finished)
    assert any("--resume" in line for line in run.say_what_was_written())
    again = open_run(tmp_path)
    assert again.model.num_timesteps == run.model.num_timesteps
    again.learn(be_silent)
    assert again.stopped is None
    assert read_all(tmp_path) == read_all(finished)
    assert read_lines(tmp_path) == read_lines(finished)


def test_lines_after_the_last_checkpoint_are_noted_once(finished: Path, tmp_path: Path) -> None:
    """A run that was killed has noted more than its checkpoint knows."""
    run = make_run(tmp_path)
    run._measure_if_due(be_silent)
    for number in range(6):
        run.update()
        run._snapshot_if_due()
        run._measure_if_due(be_silent)
        if number == 2:
            run.write_checkpoint()
    open_run(tmp_path).learn(be_silent)
    assert read_lines(tmp_path) == read_lines(finished)


def test_a_run_stopped_before_its_first_checkpoint_begins_anew(finished: Path, tmp_path: Path) -> None:
    make_run(tmp_path)
    open_run(tmp_path).learn(be_silent)
    assert read_all(tmp_path) == read_all(finished)


def test_weights_move_and_metrics_say_what_was_done(finished: Path) -> None:
    lines = read_lines(finished)
    updates = [line for line in lines if line["kind"] == "update"]
    assert [line["decisions"] for line in updates] == sorted({line["decisions"] for line in updates})
    assert updates[-1]["decisions"] >= 2600
    assert updates[0]["learning_rate"] > updates[-1]["learning_rate"] >= Settings().learning_rate_end
    assert updates[0]["entropy_weight"] > updates[-1]["entropy_weight"] >= Settings().entropy_end
    measures = [line for line in lines if line["kind"] == "measure"]
    assert len(measures) == 3, "at the beginning, in the middle and at the end"
    assert {"greedy_wins", "heuristic_points"} <= set(measures[0])
    for line in measures:
        means = {name for name in line if name.endswith(("_wins", "_points"))}
        assert {name for name in line if name.endswith("_error")} == {f"{name}_error" for name in means}
    assert (finished / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert list((finished / "tensorboard").iterdir())


def test_a_model_is_saved_and_loaded_and_plays_the_same(finished: Path) -> None:
    model = SelfPlayPPO.load(finished / "model.zip")
    run = open_run(finished)
    assert run.model.tables is not None
    batch = run.model.tables.tables[0].batch
    asked = {"observation": batch.observations, "action_mask": batch.masks}
    run.model.policy.network.load_state_dict(run.mean)
    ours, _ = run.model.predict(asked, deterministic=True)
    theirs, _ = model.predict(asked, deterministic=True, action_masks=batch.masks)
    assert ours.tolist() == theirs.tolist()
    assert batch.masks[np.arange(len(ours)), ours].all()
    network = load_network(finished / "network.npz")
    for one, other in zip(network.parameters(), model.policy.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_a_run_that_is_advised_is_the_same_run_again_and_goes_on_bit_for_bit(tmp_path: Path) -> None:
    make_run(tmp_path / "whole", advised=True).learn(be_silent)
    run = make_run(tmp_path / "stopped", advised=True)
    for _ in range(3):
        run.update()
        run._snapshot_if_due()
        run._measure_if_due(be_silent)
    run.write_checkpoint()
    open_run(tmp_path / "stopped").learn(be_silent)
    assert read_all(tmp_path / "whole") == read_all(tmp_path / "stopped")
    assert "heed" in read_all(tmp_path / "whole")


def test_what_is_measured_is_the_mean_of_the_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = make_run(tmp_path, evaluations=0), []
    for _ in range(3):
        run.update()
    monkeypatch.setattr("iaww_training.ppo.run.make_chooser", lambda network, **_: asked.append(network))
    monkeypatch.setattr(
        "iaww_training.ppo.run.play_lineup", lambda *_: Played(np.ones((2, 2)), np.ones((2, 2)))
    )
    run.measure()
    (measured,) = asked
    for name, weights in measured.state_dict().items():
        assert torch.equal(weights, run.mean[name])
    assert not torch.equal(measured.trunk_2.weight, run.model.policy.network.trunk_2.weight)


def test_what_is_kept_is_the_mean_of_the_last_updates(tmp_path: Path) -> None:
    """Weighed by the eighth power of their numbers, nearly: later ones more."""
    run, seen = make_run(tmp_path, evaluations=0), []
    for _ in range(12):
        run.update()
        seen.append(run.model.policy.network.trunk_2.weight.detach().clone())
    shares = np.ones(12)
    for number in range(12):
        share = 9 / (number + 9)
        shares[:number] *= 1 - share
        shares[number] = share
    assert shares.sum() == pytest.approx(1)
    assert (np.diff(shares) > 0).all()
    assert shares[-6:].sum() > 0.9
    expected = sum(float(share) * weight for share, weight in zip(shares, seen, strict=True))
    torch.testing.assert_close(run.mean["trunk_2.weight"], expected)
    run.write()
    kept = load_network(tmp_path / "network.npz").trunk_2.weight
    torch.testing.assert_close(kept.detach(), expected)
    torch.testing.assert_close(SelfPlayPPO.load(tmp_path / "model.zip").policy.network.trunk_2.weight, kept)
    assert torch.equal(run.model.policy.network.trunk_2.weight, seen[-1]), "what learns goes on from its own"


def test_a_loaded_model_learns_on_at_tables_as_any_model_of_sb3(finished: Path) -> None:
    model = SelfPlayPPO.load(finished / "model.zip")
    model.tables = open_run(finished).model.tables
    before, decisions = [one.detach().clone() for one in model.policy.parameters()], model.num_timesteps
    told = []

    class Listener(BaseCallback):  # type: ignore[misc]  # SB3 is left out of the check
        def _on_step(self) -> bool:
            told.append(len(self.locals["ended"]))
            return True

    assert model.learn(decisions + 700, Listener()) is model
    assert model.num_timesteps >= decisions + 700
    assert len(told) >= 2
    assert any((one != now).any() for one, now in zip(before, model.policy.parameters(), strict=True))


# --- What goes wrong -------------------------------------------------------------------------------


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run(tmp_path, evaluations=0)
    run.update()
    run.write_checkpoint()
    before = (tmp_path / "checkpoint.pt").read_bytes()
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", -1.0)

    def refuse(*_: object) -> None:
        raise ConfigError("cannot write checkpoint.pt: the disk is full")

    with monkeypatch.context() as disk:
        disk.setattr("iaww_training.ppo.checkpoints.write_whole", refuse)
        told: list[dict[str, Any]] = []
        with pytest.raises(ConfigError, match="the disk is full"):
            run.learn(told.append)
    warnings = [line["text"] for line in told if line["kind"] == "warning"]
    assert warnings
    assert "the last checkpoint stays" in warnings[0]
    assert run.done == 1, "it went on learning"
    assert (tmp_path / "checkpoint.pt").read_bytes() == before
    assert open_run(tmp_path).model.num_timesteps < run.model.num_timesteps


def test_a_damaged_checkpoint_is_refused(finished: Path, tmp_path: Path) -> None:
    whole = (finished / "checkpoint.pt").read_bytes()
    (tmp_path / "settings.json").write_text((finished / "settings.json").read_text())
    for content in (b"", b"nothing", whole[: len(whole) // 2]):
        (tmp_path / "checkpoint.pt").write_bytes(content)
        with pytest.raises(ConfigError, match="holds no run"):
            open_run(tmp_path)
    (tmp_path / "checkpoint.pt").write_bytes(whole)
    other = make_settings(modes={"base2": 13, "base3": 6, "basesolo": 4})
    (tmp_path / "settings.json").write_text(other.to_json())
    with pytest.raises(ConfigError, match="its games are others"):
        open_run(tmp_path)
    (tmp_path / "settings.json").write_text('{"modes": 7}')
    with pytest.raises(ConfigError, match="no settings"):
        open_run(tmp_path)
    with pytest.raises(ConfigError, match="holds no run"):
        open_run(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"modes": {}}, "at least one mode"),
        ({"modes": {"base4": 8, "ca4": 8}}, "one card pool"),
        ({"modes": {"base6": 8}}, "Corruption & Ascension"),
        ({"modes": {"four": 8}}, "no mode 'four'"),
        ({"modes": {"base4": 0}}, "at least one game"),
        ({"decisions": 0}, "whole number from 1"),
        ({"minibatch": 5000}, "more than half a rollout"),
        ({"mixed": 1.5}, "between 0 and 1"),
        ({"bots": ("serch",)}, "serch"),
        ({"learners": 0}, "has a seat at least"),
        ({"reward": "margins"}, "did you mean 'margin'"),
        ({"sharpen": 0.0}, "above 0"),
        ({"start": "nowhere.npz"}, "nowhere.npz"),
        ({"start": "a.npz", "imitate": "heuristic"}, "leave imitate out"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        make_run(tmp_path / "run", **changes)


def test_every_preset_can_be_set_up() -> None:
    for name, settings in PRESETS.items():
        assert Settings.from_json(settings.to_json()) == settings
        assert find_preset(name, seed=7, epochs=None).seed == 7
        for mode in settings.modes:
            find_mode(mode)
    with pytest.raises(ConfigError, match=r"quick"):
        find_preset("quik")


def test_modes_are_what_they_are_called() -> None:
    assert (find_mode("base2B").players, find_mode("base2B").empire_side) == (2, "B")
    assert find_mode("casolo").solo
    assert find_mode("casolo").ascension
    assert find_mode("basesolo@base_sc01").scenario == "base_sc01"


@pytest.mark.parametrize("name", ["learning_rate", "entropy", "gae", "scale", "mixed", "trust"])
@pytest.mark.parametrize("value", [-0.5, float("nan"), float("inf")])
def test_numbers_that_cannot_be_learnt_with_are_refused_before_anything_is_played(
    name: str, value: float
) -> None:
    with pytest.raises(ConfigError, match=name):
        make_settings(**{name: value})


def test_a_torn_line_of_the_metrics_ends_no_run(finished: Path, tmp_path: Path) -> None:
    """A run that was killed while it wrote, and a full disk with later lines behind."""
    run = make_run(tmp_path)
    for _ in range(2):
        with (tmp_path / "metrics.jsonl").open("a") as file:
            file.write('{"kind": "upd' if run.notes["updates"] else "")
        run.update()
        run.write_checkpoint()
    again = open_run(tmp_path)
    assert len(read_lines(tmp_path)) == 1, "the line behind the torn one stands on it"
    again.learn(be_silent)
    assert read_all(tmp_path) == read_all(finished)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[]", b'{"modes": ["base2"], "bots": []}'])
def test_settings_that_are_none_are_refused_in_words(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_bytes(content)
    with pytest.raises(ConfigError, match="no settings"):
        open_run(tmp_path)


def test_the_newest_snapshots_are_opponents_and_bots_a_third_of_all(tmp_path: Path) -> None:
    run, made = make_run(tmp_path, snapshots=4, evaluations=0, bots=("heuristic",)), []
    tables = run.model.tables
    assert tables is not None
    for decisions in range(0, 2600, 130):
        run.model.num_timesteps = decisions
        with torch.no_grad():
            run.model.policy.network.value.bias.fill_(decisions)
        before = len(run.snapshots)
        run._snapshot_if_due()
        made += run.snapshots[before:]
    assert len(made) == 4
    run.model.num_timesteps, run.notes["snapshots"] = 2600, 0
    run._snapshot_if_due()
    kept = [float(weights["value.bias"]) for weights in run.snapshots]
    assert len(kept) == 4
    assert kept[:3] == [float(weights["value.bias"]) for weights in made[1:]], "the oldest is gone"
    assert tables.opponents.count(find_bot("heuristic")) == 2
    assert len(tables.opponents) == 6


def test_wins_are_told_as_shares_of_what_equals_would_win(tmp_path: Path) -> None:
    """One learner among three wins every second game; of two learners each wins a quarter."""
    run = make_run(tmp_path, evaluations=0)
    alone = [Ended(1, [9, 1, 1], wins, [0, 1, 1]) for wins in ([1.0, 0.0, 0.0], [0.0, 0.5, 0.5])]
    pair = Ended(1, [9, 1, 1], [0.25, 0.25, 0.5], [0, 0, 1])
    assert run._count_points(alone)["wins_over_fair"] == 1.5
    assert run._count_points([*alone, pair])["wins_over_fair"] == round(1.5 / (4 / 3), 3)
