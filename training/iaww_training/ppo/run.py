"""A training run: tables, model, opponents, measuring, and a folder that holds all of it.

settings.json    what is learnt, and how
checkpoint.pt    where the run stands; `--resume` goes on from it, bit for bit
metrics.jsonl    a line for each update and each measuring
tensorboard/     the same for TensorBoard
model.zip        the model, for `SelfPlayPPO.load`
network.npz      its weights, for the bot `ppo:path=...`; both are the mean of the last updates
curves.png       points, wins and losses over the run
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.logger import TensorBoardOutputFormat, configure

from iaww_agents.networks.inputs import PROFILE, make_inputs
from iaww_env.errors import ConfigError
from iaww_env.interrupts import hold_interrupts
from iaww_env.outputs import write_whole
from iaww_training.imitation import Pace, imitate, play_fresh
from iaww_training.matches import Chooser, find_bot, find_mean, make_chooser, play_lineup
from iaww_training.network import ScoringNetwork, load_network, save_network
from iaww_training.ppo.algorithm import SelfPlayPPO
from iaww_training.ppo.checkpoints import (
    Weights,
    add_to_mean,
    copy_weights,
    read_checkpoint,
    write_checkpoint,
)
from iaww_training.ppo.curves import draw_curves, read_metrics
from iaww_training.ppo.settings import Settings, find_mode
from iaww_training.ppo.tables import Ended, Tables

LADDER = ("greedy", "heuristic")
CHECKPOINT_SECONDS = 120.0
TEST_SEED = 90_000_000
IMITATED_SEED = 80_000_000
Line = dict[str, Any]


class Run:
    """A run in its folder.

    Attributes:
        model: What learns.
        mean: The mean of its weights over the last updates.
        folder: Where all is written.
    """

    def __init__(self, settings: Settings, folder: Path, *, resume: bool = False) -> None:
        """Set up the tables, or go on from where they stood."""
        torch.set_num_threads(settings.threads)
        self.settings, self.folder = settings, folder
        inputs = make_inputs(settings.expansions, advised=settings.advised)
        configs = [(find_mode(name), games) for name, games in settings.modes.items()]
        tables = Tables(
            inputs,
            configs,
            settings.steps,
            settings.seed,
            scale=settings.scale,
            gae=settings.gae,
            discards=settings.discards,
            mixed_share=settings.mixed,
            learners=settings.learners,
            reward=settings.reward,
        )
        self.model = SelfPlayPPO(
            tables=tables,
            expansions=settings.expansions,
            learning_rate=self._fall(settings.learning_rate, settings.learning_rate_end),
            entropy_end=settings.entropy_end,
            ent_coef=settings.entropy,
            n_epochs=settings.epochs,
            batch_size=settings.minibatch,
            gamma=1.0,
            gae_lambda=settings.gae,
            clip_range=settings.clip,
            vf_coef=settings.value_weight,
            seed=settings.seed,
            device="cpu",
            policy_kwargs={
                "expansions": settings.expansions,
                "width": settings.width,
                "depth": settings.depth,
                "advised": settings.advised,
                "optimizer_kwargs": {"eps": 1e-5, "fused": True},
            },
        )
        self.snapshots: list[Weights] = []
        self.notes: Line = {"updates": 0, "measured": 0, "seconds": 0.0, "games": 0, "imitated": False}
        self.stopped: KeyboardInterrupt | None = None
        if resume:
            self.mean, self.snapshots, self.notes = read_checkpoint(folder / "checkpoint.pt", self.model)
            self._cut_metrics()
        else:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / "settings.json", settings.to_json())
            if settings.advised:
                self.model.policy.network.trust(settings.trust)
            if settings.start is not None:
                known = load_network(Path(settings.start))
                self.model.policy.network.load_weights(known)
                self.model.policy.network.sharpen(settings.sharpen)
            self.mean = copy_weights(self.model.policy.network)
            write_whole(folder / "metrics.jsonl", "")
        self._find_opponents()
        if not resume:
            tables.seat_opponents()
        self.model.set_logger(configure(None, []))
        self.tensorboard = TensorBoardOutputFormat(str(folder / "tensorboard"))

    @staticmethod
    def _fall(begin: float, end: float) -> Callable[[float], float]:
        return lambda left: end + (begin - end) * left

    @property
    def done(self) -> float:
        """How much of the run is over, from 0 to 1."""
        return min(1.0, float(self.model.num_timesteps) / self.settings.decisions)

    # --- Learning ----------------------------------------------------------------------------------

    def learn(self, say: Callable[[Line], None]) -> None:
        """Play and learn to the end; Ctrl-C keeps what was learnt.

        Args:
            say: Told each line of the metrics.
        """
        written = time.monotonic()
        try:
            self._imitate(say)
            with hold_interrupts():
                self._measure_if_due(say)
            while self.done < 1:
                with hold_interrupts():  # a run that stopped between two updates goes on bit for bit
                    say(self.update())
                    self._snapshot_if_due()
                    self._measure_if_due(say)
                if time.monotonic() - written > CHECKPOINT_SECONDS:
                    written = time.monotonic()
                    try:
                        self.write_checkpoint()
                    except ConfigError as error:  # what is learnt is not lost for that
                        say({"kind": "warning", "text": f"{error}: the last checkpoint stays"})
        except KeyboardInterrupt as stop:
            self.stopped = stop
        with hold_interrupts():
            self.write()

    def _imitate(self, say: Callable[[Line], None]) -> None:
        """Before anything else, learn from games of a bot; one that was stopped there begins again."""
        settings, tables = self.settings, self.model.tables
        assert tables is not None
        if settings.imitate is None or self.notes["imitated"]:
            return
        modes = [(table.batch.config, table.batch.num_games) for table in tables.tables]
        lessons = play_fresh(
            tables.inputs, settings.imitate, modes, settings.scale, IMITATED_SEED, settings.reward
        )
        if settings.evaluations:
            say(self._note(self.measure()))
        begun = time.perf_counter()

        def tell(done: float, learnt: int, policy: float, value: float) -> None:
            line = {"kind": "imitate", "decisions": 0, "imitated": learnt, "policy": policy, "value": value}
            say(self._note(line))

        pace = Pace(decisions=settings.imitated, seed=settings.seed)
        imitate(self.model.policy.network, lessons, pace, tell)
        self.model.policy.network.sharpen(settings.sharpen)
        self.mean = copy_weights(self.model.policy.network)
        self.notes["seconds"] += time.perf_counter() - begun
        self.notes["imitated"] = True

    def update(self) -> Line:
        """Play a rollout and learn from it; what came of it."""
        begun, model = time.perf_counter(), self.model
        ended = model.play()
        model._current_progress_remaining = 1 - self.done
        model.train()
        add_to_mean(self.mean, model.policy.network, self.notes["updates"])
        self.notes["seconds"] += time.perf_counter() - begun
        self.notes["updates"] += 1
        self.notes["games"] += len(ended)
        line: Line = {
            "kind": "update",
            "decisions": model.num_timesteps,
            "seconds": round(self.notes["seconds"], 3),
            "games": self.notes["games"],
            **self._count_points(ended),
        }
        values = model.logger.name_to_value
        line |= {name.removeprefix("train/"): float(value) for name, value in values.items()}
        line["entropy_weight"] = model.ent_coef
        return self._note(line)

    def _count_points(self, ended: list[Ended]) -> Line:
        """Points in self-play, by mode, and the learner's share of wins against opponents."""
        found: Line = {}
        for number, mode in enumerate(self.settings.modes):
            points = [np.mean(one.points) for one in ended if one.table == number and not any(one.seated)]
            if points:
                found[f"points_{mode}"] = round(float(np.mean(points)), 3)
        mixed = [one for one in ended if any(one.seated)]
        if mixed:
            won = sum(sum(w for w, who in zip(one.wins, one.seated, strict=True) if not who) for one in mixed)
            fair = sum(one.seated.count(0) / len(one.seated) for one in mixed)
            found["wins_over_fair"] = round(won / fair, 3)
        return found

    # --- Opponents ---------------------------------------------------------------------------------

    def _snapshot_if_due(self) -> None:
        due = int(self.done * (self.settings.snapshots + 1))
        if self.settings.snapshots and due > self.notes.get("snapshots", 0):
            self.notes["snapshots"] = due
            self.snapshots.append(copy_weights(self.model.policy.network))
            self.snapshots = self.snapshots[-self.settings.snapshots :]
            self._find_opponents()

    def _find_opponents(self) -> None:
        """Bots and old snapshots; a bot stands as often as makes them a third of those that are drawn."""
        settings, tables = self.settings, self.model.tables
        assert tables is not None
        olds: list[Chooser] = []
        for weights in self.snapshots:
            network = ScoringNetwork(tables.inputs, width=settings.width, depth=settings.depth)
            network.load_state_dict(weights)
            olds.append(make_chooser(network))
        bots = [find_bot(name) for name in settings.bots]
        times = max(1, round(len(olds) / (2 * len(bots)))) if bots else 0
        tables.set_opponents([*bots * times, *olds] if settings.mixed else [])

    # --- Measuring ---------------------------------------------------------------------------------

    def _measure_if_due(self, say: Callable[[Line], None]) -> None:
        settings = self.settings
        due = int(self.done * settings.evaluations) + 1 if settings.evaluations else 0
        if due > self.notes["measured"]:
            self.notes["measured"] = due
            say(self._note(self.measure()))

    def mean_network(self) -> ScoringNetwork:
        """The network as it is kept: with the mean of its weights over the last updates."""
        settings = self.settings
        network = ScoringNetwork(self.model.policy.network.inputs, width=settings.width, depth=settings.depth)
        network.load_state_dict(self.mean)
        return network

    def measure(self) -> Line:
        """Points and wins of the network in one seat against bots, in the first mode."""
        config = find_mode(next(iter(self.settings.modes)))
        me = make_chooser(self.mean_network(), discards=self.settings.discards)
        line: Line = {"kind": "measure", "decisions": self.model.num_timesteps}
        games = self.settings.evaluate_games
        if config.solo:
            played = play_lineup((me,), games, TEST_SEED, PROFILE, config)
            return line | note_mean("solo_points", played.points[:, 0])
        for name in LADDER:
            lineup = (me, *(find_bot(name),) * (config.players - 1))
            played = play_lineup(lineup, games, TEST_SEED, PROFILE, config)
            line |= note_mean(f"{name}_points", played.points[:, 0])
            line |= note_mean(f"{name}_wins", played.wins[:, 0])
        return line

    # --- Files -------------------------------------------------------------------------------------

    def _note(self, line: Line) -> Line:
        """Keep a line of the metrics."""
        with (self.folder / "metrics.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        told = {f"{line['kind']}/{name}": value for name, value in line.items() if name != "kind"}
        self.tensorboard.write(told, {name: () for name in told}, line["decisions"])
        return line

    def _cut_metrics(self) -> None:
        """Leave out what a run that stopped had noted after its last checkpoint."""
        path = self.folder / "metrics.jsonl"
        kept = [line for line in read_metrics(self.folder) if line["decisions"] <= self.model.num_timesteps]
        write_whole(path, "".join(json.dumps(line) + "\n" for line in kept))

    def write_checkpoint(self) -> None:
        """Write where the run stands."""
        write_checkpoint(self.folder / "checkpoint.pt", self.model, self.mean, self.snapshots, self.notes)

    def write(self) -> None:
        """Write all that is kept of the run; one that was stopped while it imitated begins anew."""
        if self.settings.imitate is None or self.notes["imitated"]:
            self.write_checkpoint()
        save_network(self.mean_network(), self.folder / "network.npz")
        network = self.model.policy.network
        latest = copy_weights(network)
        network.load_state_dict(self.mean)
        self.model.save(self.folder / "model.zip")
        network.load_state_dict(latest)
        draw_curves(self.folder)
        self.tensorboard.close()

    def say_what_was_written(self) -> list[str]:
        """What is in the folder now, and what to type next."""
        lines = [f"written: {self.folder}/ with network.npz, model.zip, metrics.jsonl, curves.png"]
        if self.stopped is not None:
            lines.append(f"stopped; to go on: iaww train --resume {self.folder}")
        config = find_mode(next(iter(self.settings.modes)))
        against = "" if config.solo else " heuristic greedy"
        game = f" --players {config.players}" + "".join(f" --expansions {one}" for one in config.expansions)
        lines.append(f"to play it: iaww tournament ppo:path={self.folder}/network.npz{against}{game}")
        return lines


def note_mean(name: str, numbers: npt.NDArray[np.float64]) -> Line:
    """A mean and half its 95 % interval, as lines of the metrics hold them."""
    mean = find_mean(numbers)
    return {name: round(mean.value, 4), f"{name}_error": round(mean.error, 4)}


def open_run(folder: Path) -> Run:
    """Go on with the run of a folder.

    Raises:
        ConfigError: There is none.
    """
    path = folder / "settings.json"
    if not path.exists():
        raise ConfigError(f"{folder} holds no run: there is no settings.json")
    settings = Settings.from_json(path.read_text(encoding="utf-8", errors="replace"))
    # A run that was stopped before its first checkpoint begins anew.
    return Run(settings, folder, resume=(folder / "checkpoint.pt").exists())
