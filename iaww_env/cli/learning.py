"""The commands about what learns: `iaww train`, `iaww imitate`, `iaww selfplay`, `iaww evaluate`.

What they do lies in the package `iaww_training`, which nothing here imports before a command runs.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any, Literal

from tyro.conf import Positional, arg

from iaww_env.cli.options import STANDARD_GAME, Options
from iaww_env.errors import ConfigError, tell_install

Agent = Annotated[Positional[str], arg(metavar="AGENT")]
Bots = Annotated[tuple[str, ...], arg(metavar="BOT ...")]


def train(
    preset: Literal["quick", "base4", "base", "ca", "solo", "all"] = "quick",
    out: Path | None = None,
    resume: Path | None = None,
    start: Path | None = None,
    imitate: str | None = None,
    imitated: int | None = None,
    sharpen: float | None = None,
    modes: Annotated[tuple[str, ...], arg(metavar="MODE ...")] = (),
    games: int | None = None,
    decisions: int | None = None,
    learning_rate: float | None = None,
    entropy: float | None = None,
    reward: Literal["points", "margin"] | None = None,
    epochs: int | None = None,
    minibatch: int | None = None,
    mixed: float | None = None,
    learners: int | None = None,
    snapshots: int | None = None,
    bots: Bots = (),
    discards: bool = False,
    plain: bool = False,
    width: int | None = None,
    evaluations: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> int:
    """Train a network by self-play: PPO with action masks of Stable-Baselines3, on many games at once.

    Every seat of every game learns. The folder of the run holds its settings, metrics as JSON Lines and for
    TensorBoard, a checkpoint that --resume goes on from, curves, and at the end the model and network.npz,
    which the bot ppo:path=FOLDER/network.npz plays. Ctrl-C keeps what was learnt.

    Args:
        preset: quick (four players, minutes), base4 (four players), base (all numbers of players and solo),
            ca (the same with Corruption & Ascension), solo, or all (base, then ca). It decides what is not
            said here; its main numbers stand above.
        out: Folder of the run; runs/PRESET by default. One that holds a run is left as it is.
        resume: Go on with the run in this folder, as if it had never stopped.
        start: Begin with this network.npz.
        imitate: First imitate games of this bot, which are played as they are needed.
        imitated: Decisions of it that are learnt from.
        sharpen: Multiply scores with this behind imitation, or at the start: 3 keeps what was imitated.
        modes: Kinds of games: base4, base2B (side B), basesolo, ca7, casolo@ID of a scenario, ...
        games: Games side by side, shared evenly among the modes named; one named twice counts twice.
        decisions: Decisions to learn from, in all.
        learning_rate: At the beginning; at the end it is a tenth.
        entropy: Weight of the entropy at the beginning; at the end it is a tenth.
        reward: What a seat learns from: its points, or its margin over the best other seat.
        epochs: Times that the decisions of a rollout are learnt from.
        minibatch: Decisions of a gradient step.
        mixed: Share of games in which an opponent (a bot or an older snapshot) takes some of the seats.
        learners: Seats that the learner keeps in these games; drawn for each game by default.
        snapshots: Older snapshots of the learner that are kept as opponents; 0 leaves these to bots.
        bots: Bots among the opponents, greedy or heuristic; the preset says which.
        discards: Let the learner give up constructions: see training/README.md.
        plain: Learn from observations alone, without being told what the heuristic says of each action.
        width: Numbers of each hidden layer.
        evaluations: How often the network is measured against greedy and heuristic.
        seed: Of weights, games and draws: the same seed, the same run.
        threads: Threads of PyTorch; more than one only where cores are idle.

    Examples:
        iaww train --preset quick --seed 7
        iaww train --modes base2 base3 --games 64 --decisions 8000 --out runs/small
    """
    said = {
        "start": None if start is None else str(start),
        "imitate": imitate,
        "imitated": imitated,
        "sharpen": sharpen,
        "decisions": decisions,
        "learning_rate": learning_rate,
        "learning_rate_end": None if learning_rate is None else learning_rate / 10,
        "entropy": entropy,
        "entropy_end": None if entropy is None else entropy / 10,
        "reward": reward,
        "epochs": epochs,
        "minibatch": minibatch,
        "mixed": mixed,
        "learners": learners,
        "snapshots": snapshots,
        "bots": bots or None,
        "discards": discards or None,
        "advised": False if plain else None,
        "width": width,
        "evaluations": evaluations,
        "seed": seed,
        "threads": threads,
    }
    if resume is not None and (out is not None or modes or any(value is not None for value in said.values())):
        raise ConfigError("a run goes on as it began: beside --resume nothing else is said")
    code: int = load_commands().train(preset, out, resume, modes, games, said)
    return code


def imitate(
    data: Annotated[Positional[tuple[Path, ...]], arg(metavar="FOLDER ...")],
    out: Path = Path("runs/imitation.npz"),
    start: Path | None = None,
    minutes: float = 5.0,
    learning_rate: float = 1e-3,
    value_weight: float = 0.5,
    width: int = 256,
    plain: bool = False,
    seed: int = 1,
) -> int:
    """Teach a network what the bots of recorded games played, and what came of it.

    The games come from `iaww selfplay`; some files of each folder are kept for the test at the end. The
    network is written for the bot ppo:path=FILE and for `iaww train --start FILE`.

    Args:
        data: Folders of games, all of one card pool.
        out: The network is written to this file.
        start: Begin with this network.npz.
        minutes: CPU minutes of learning.
        learning_rate: At the beginning; it falls to a twentieth.
        value_weight: Weight of the value beside the policy; little where games are few, for outcomes of few
            games are learnt by heart.
        width: Numbers of each hidden layer of a fresh network.
        plain: A fresh network sees observations alone, not what the heuristic says of each action.
        seed: Of weights and the order of games.

    Examples:
        iaww imitate runs/heuristic --minutes 0.1 --out runs/heuristic.npz
    """
    code: int = load_commands().imitate(
        data,
        out,
        start=start,
        minutes=minutes,
        learning_rate=learning_rate,
        value_weight=value_weight,
        width=width,
        plain=plain,
        seed=seed,
    )
    return code


def selfplay(
    agent: Agent,
    game: Options = STANDARD_GAME,
    games: int = 1000,
    out: Path | None = None,
    first: int = 1_000_000,
    workers: int | None = None,
    backend: Literal["local", "ray"] = "local",
) -> int:
    """Write games of a bot in all seats, to learn from: seeds and actions, two bytes a decision.

    All cores play. Files hold a few games each and come whole or not at all, so a command that was stopped
    goes on where it was; files of several machines can be put together, each with its own --first. A card in
    the folder says what is in it.

    Args:
        agent: The bot.
        game: What is played.
        games: Games in all.
        out: Folder of the games; runs/BOT by default.
        first: Seed of the first game.
        workers: Processes; one for each core by default.
        backend: Play on the cores of this machine, or on a Ray cluster.

    Examples:
        iaww selfplay heuristic --players 2 --games 40 --out runs/heuristic
    """
    commands = importlib.import_module("iaww_training.recording")
    code: int = commands.write_selfplay(
        agent, game.make_config(), games=games, out=out, first=first, workers=workers, backend=backend
    )
    return code


def evaluate(
    agent: Agent,
    game: Options = STANDARD_GAME,
    games: int = 1000,
    ladder: Bots = ("greedy", "heuristic"),
    key: str | None = None,
    workers: int | None = None,
    markdown: bool = False,
    out: Path | None = None,
    curve: Path | None = None,
    plot: Path | None = None,
    best_response: bool = False,
    minutes: float | None = None,
    decisions: int | None = None,
    folder: Path | None = None,
) -> int:
    """Measure how strong an agent is: against bots, against itself and alone, with intervals.

    It plays with every number of players of the card pool, unless one is named. The report also says where
    its points come from, how it does with each empire, and on request what a seat gains that learns against
    it.

    Args:
        agent: The agent: a name such as heuristic, ppo:path=network.npz, module:Class, or path/to/bot.py.
        game: What is played.
        games: Play at least so many games against each bot and with each number of players, in whole deals.
        ladder: Bots that it meets, one after the other; add search where there is time.
        key: A text that all deals follow from: the same key, the same games. Drawn by default.
        workers: Processes; one for each core by default.
        markdown: Print the report in Markdown.
        out: Write all figures to this file, as JSON.
        curve: The folder of a training run: also tell what was measured while it learnt.
        plot: Draw that curve into this file, such as curve.svg (needs matplotlib).
        best_response: Also let one seat learn against the agent in all others, and tell what it gains: a
            lower bound of how far the agent can be exploited (needs the extra train). Four players by
            default.
        minutes: How long the response learns; 10 where nothing is said.
        decisions: Decisions after which it ends.
        folder: Keep the response here, as network.npz.

    Examples:
        iaww evaluate greedy --players 2 --games 20 --ladder random:nodiscard
        iaww evaluate my_bot.py --players 2 --games 4 --ladder greedy --out figures.json
        iaww evaluate greedy --players 2 --games 20 --ladder random --best-response --decisions 1000
    """
    commands = importlib.import_module("iaww_training.evaluation.commands")
    code: int = commands.hold_evaluation(
        agent,
        game,
        games=games,
        ladder=ladder,
        key=key,
        workers=workers,
        markdown=markdown,
        out=out,
        curve=curve,
        plot=plot,
        best_response=best_response,
        minutes=minutes,
        decisions=decisions,
        folder=folder,
    )
    return code


def describe_presets() -> str:
    """What each preset says where nothing else is said, read from the presets themselves."""
    try:
        settings: Any = importlib.import_module("iaww_training.ppo.settings")
    except ModuleNotFoundError:
        return "What a preset says is told here where the extra train is installed."
    lines = [f"  {name:<7}{describe_settings(one)}" for name, one in settings.PRESETS.items()]
    return "\n".join(["What a preset says, where nothing else is said:", *lines])


def describe_settings(settings: Any) -> str:
    """The main numbers of a preset."""
    numbers = (
        f"{settings.decisions:,} decisions",
        f"{sum(settings.modes.values()):,} games",
        f"learning rate {settings.learning_rate:g}",
        f"entropy {settings.entropy:g}",
        f"epochs {settings.epochs}",
        f"minibatch {settings.minibatch:,}",
        f"mixed {settings.mixed:g}",
        f"evaluations {settings.evaluations}",
    )
    return ", ".join(numbers)


def load_commands() -> Any:
    """What the commands do, in the package of training.

    Raises:
        ConfigError: PyTorch or Stable-Baselines3 is not installed.
    """
    try:
        return importlib.import_module("iaww_training.commands")
    except ModuleNotFoundError as error:
        if str(error.name).split(".")[0] in ("torch", "stable_baselines3", "sb3_contrib"):
            raise ConfigError(f"learning needs {error.name}; {tell_install('train')}") from None
        raise
