"""PPO by self-play on many machines: RLlib spreads the games and the learning over a Ray cluster.

    python -m iaww_training.rllib_ppo --env-runners 2 --iterations 20 --checkpoint runs/rllib

All seats are one policy, the scoring network. What is learnt lies in the folder as network.npz, which the bot
`ppo:path=runs/rllib/network.npz` plays. Where no cluster is named by `--address` or RAY_ADDRESS, one is begun
on this machine; on the machines of another the same version of this project must be installed, with the
extra `rllib`. The folder lies where the script is called.

Checkpoints are RLlib's own, and reading one runs what stands in it: go on with none but yours.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tyro

from iaww_agents.networks.inputs import PROFILE
from iaww_env.cli.running import run_command
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, tell_install
from iaww_env.outputs import write_whole
from iaww_training.ray_work import join_ray

SETTINGS, NETWORK, CHECKPOINT, UNFINISHED = "rllib.json", "network.npz", "checkpoint", "unfinished"
CHECKPOINT_SECONDS = 120.0
OF_MACHINES = ("env_runners", "learners", "iterations", "address", "checkpoint", "resume")  # may change


@dataclass(frozen=True)
class Options:
    """What is learnt, and where."""

    env_runners: int = 1
    """Processes that play; 0: this one plays."""
    learners: int = 0
    """Processes that learn, each from its part of the decisions; 0: this one learns."""
    players: int = 4
    """Seats."""
    iterations: int = 100
    """Rounds of playing and learning in all, those of a run that is gone on with among them."""
    address: str | None = None
    """The Ray cluster: host:port, or auto; by default RAY_ADDRESS, or else one on this machine."""
    checkpoint: Path | None = None
    """Folder of the run: its settings, its network, and where it stands. None: nothing is kept."""
    resume: bool = False
    """Go on with the run in the folder."""
    seed: int = 1
    """Of weights, deals and draws."""
    decisions: int = 8192
    """Decisions of an iteration, at least; games are played to their ends."""
    games: int = 8
    """Games side by side in each process that plays."""
    minibatch: int = 1024
    """Decisions of a step of learning."""
    epochs: int = 3
    """Times that the decisions of an iteration are learnt from."""
    learning_rate: float = 7e-4
    """Of Adam."""
    entropy: float = 0.01
    """Weight of the policy's entropy."""
    scale: float = 0.05
    """What a point of margin is worth: values are then about 1."""
    width: int = 256
    """Numbers of each hidden layer."""
    depth: int = 64
    """Numbers that stand for an action."""

    def __post_init__(self) -> None:
        """Refuse what cannot be learnt with."""
        for name in ("iterations", "decisions", "games", "minibatch", "epochs", "width", "depth"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}: give a whole number from 1")
        for name in ("env_runners", "learners", "seed"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} is {getattr(self, name)}: give a whole number from 0")
        if GameConfig(self.players).solo:
            raise ConfigError("self-play has at least two seats")
        if self.resume and self.checkpoint is None:
            raise ConfigError("name the folder to go on with: --checkpoint")

    @property
    def learnt(self) -> dict[str, Any]:
        """What stays as it is when a run is gone on with."""
        return {name: value for name, value in asdict(self).items() if name not in OF_MACHINES}


@dataclass(frozen=True)
class Iteration:
    """What an iteration was like; `points` are those of a seat."""

    number: int
    decisions: int
    seconds: float
    games: int
    points: float

    def __str__(self) -> str:
        return (
            f"iteration {self.number}: {self.decisions:,} decisions, {self.decisions / self.seconds:,.0f}/s, "
            f"{self.games:,} games, {self.points:.1f} points on average"
        )


def train(options: Options) -> Iterator[Iteration]:
    """Learn; gives each iteration when it is over. What was reached is written at the end, and on the way.

    Raises:
        ConfigError: RLlib is not installed, or the folder holds another run, or none to go on with.
    """
    check_rllib()
    begun = open_folder(options)
    import torch

    torch.set_num_threads(1)
    with join_ray(max(1, options.env_runners + options.learners), options.address):
        algorithm = build(options, begun)
        try:
            yield from iterate(algorithm, options)
        finally:
            algorithm.stop()


def iterate(algorithm: Any, options: Options) -> Iterator[Iteration]:
    """Play and learn in turn."""
    written = time.monotonic()
    while algorithm.iteration < options.iterations:
        start = time.monotonic()
        told = algorithm.train()["env_runners"]
        seconds = time.monotonic() - start
        games = int(told["games"])
        is_last = algorithm.iteration >= options.iterations
        if options.checkpoint and (is_last or time.monotonic() - written > CHECKPOINT_SECONDS):
            write_run(algorithm, options, options.checkpoint)
            written = time.monotonic()
        yield Iteration(
            algorithm.iteration, int(told["decisions"]), seconds, games, float(told["points"]) / games
        )


def check_rllib() -> None:
    """Refuse to begin without RLlib and PyTorch."""
    try:
        import ray.rllib.algorithms.ppo  # noqa: F401  # that it is there
        import torch  # noqa: F401
    except ImportError as error:
        raise ConfigError(f"this needs the extra rllib ({error}); {tell_install('rllib')}") from None


def build(options: Options, begun: Path | None) -> Any:
    """What learns, as it stood in a checkpoint."""
    algorithm = configure(options, read_number(begun)).build_algo()
    if begun is not None:
        algorithm.restore_from_path(str(begun.resolve()))
        # Otherwise those who play may still have fresh weights in the first iteration.
        algorithm.env_runner_group.sync_weights(
            from_worker_or_learner_group=algorithm.learner_group, inference_only=True, timeout_seconds=None
        )
    return algorithm


def configure(options: Options, begun: int = 0) -> Any:
    """RLlib's settings; `begun` iterations have been, so that other deals follow."""
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module import RLModuleSpec
    from ray.tune.registry import register_env

    from iaww_training.rllib_game import NAME, POLICY, SelfPlayGame, note_game
    from iaww_training.rllib_network import ScoringModule

    register_env(NAME, SelfPlayGame)
    game = {
        "players": options.players,
        "observation": PROFILE,
        "reward": "margin",
        "discards": False,
        "illegal_action": "raise",
        "scale": options.scale,
        "stream": (options.seed, begun),
    }
    learners = max(1, options.learners)
    return (
        PPOConfig()
        .environment(NAME, env_config=game, disable_env_checking=True)  # its checker knows no masks
        .env_runners(
            num_env_runners=options.env_runners,
            num_envs_per_env_runner=options.games,
            batch_mode="complete_episodes",
        )
        .learners(num_learners=options.learners)
        .training(
            train_batch_size_per_learner=-(-options.decisions // learners),
            minibatch_size=min(options.minibatch, -(-options.decisions // learners)),
            num_epochs=options.epochs,
            lr=options.learning_rate,
            gamma=1.0,  # games are finite
            lambda_=0.95,
            clip_param=0.2,
            use_kl_loss=False,
            vf_loss_coeff=0.5,
            vf_clip_param=float("inf"),
            entropy_coeff=options.entropy,
            grad_clip=0.5,
            grad_clip_by="global_norm",
        )
        .multi_agent(
            policies={POLICY},
            policy_mapping_fn=lambda agent, episode, **rest: POLICY,
            count_steps_by="agent_steps",
        )
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ScoringModule,
                model_config={
                    "players": options.players,
                    "width": options.width,
                    "depth": options.depth,
                },
            )
        )
        .callbacks(on_episode_end=note_game)
        # A worker in which something goes wrong ends the run: begun anew without a word, it would hide what.
        .fault_tolerance(restart_failed_env_runners=False)
        .debugging(seed=options.seed, log_level="ERROR")
    )


# --- The folder of a run ---------------------------------------------------------------------------


def open_folder(options: Options) -> Path | None:
    """Make the folder of a run, or find where the one in it stands.

    Raises:
        ConfigError: It holds another run, or none to go on with, or one that learns otherwise.
    """
    folder = options.checkpoint
    if folder is None:
        return None
    settings = folder / SETTINGS
    if not options.resume:
        folder.mkdir(parents=True, exist_ok=True)
        if {path.name for path in folder.iterdir()} - {SETTINGS, UNFINISHED}:
            raise ConfigError(f"{folder} is not empty: go on with a run by --resume, or name another folder")
        write_whole(settings, json.dumps(options.learnt, indent=1) + "\n")
        return None
    found = list_checkpoints(folder)
    if not found or not settings.exists():
        raise ConfigError(f"{folder} holds no run that can be gone on with")
    known = json.loads(settings.read_text(encoding="utf-8"))
    other = [name for name, value in options.learnt.items() if known.get(name) != value]
    if other:
        raise ConfigError(f"the run in {folder} was begun with another {', '.join(other)}: see {settings}")
    return found[-1]


def list_checkpoints(folder: Path) -> list[Path]:
    """Where a run stood, the last at the end."""
    return sorted(folder.glob(f"{CHECKPOINT}-*"))


def read_number(checkpoint: Path | None) -> int:
    """Iterations that had been when it was written; 0 without one."""
    return 0 if checkpoint is None else int(checkpoint.name.rpartition("-")[2])


def write_run(algorithm: Any, options: Options, folder: Path) -> None:
    """Write the network, and where the run stands; what was there before goes when that is done."""
    before = list_checkpoints(folder)
    beside = folder / UNFINISHED
    shutil.rmtree(beside, ignore_errors=True)
    algorithm.save_to_path(str(beside.resolve()))
    written = folder / f"{CHECKPOINT}-{algorithm.iteration:06}"
    beside.rename(written)
    write_network(algorithm, options, folder / NETWORK)
    for old in before:
        if old != written:
            shutil.rmtree(old)


def write_network(algorithm: Any, options: Options, path: Path) -> None:
    """Write what was learnt for the bot `ppo`."""
    from iaww_training.network import save_network
    from iaww_training.rllib_game import POLICY
    from iaww_training.rllib_network import take_weights

    weights = algorithm.learner_group.get_weights([POLICY])[POLICY]
    save_network(take_weights({"width": options.width, "depth": options.depth}, weights), path)


def main(args: Sequence[str] | None = None) -> int:
    """Run the script."""

    def run() -> int:
        options = tyro.cli(Options, args=args, description=__doc__)
        for iteration in train(options):
            print(iteration, flush=True)
        if options.checkpoint:
            print(f"to play it: iaww tournament greedy ppo:path={options.checkpoint / NETWORK}")
        return 0

    return run_command(run, "rllib_ppo", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
