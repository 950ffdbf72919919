"""What `iaww train` learns, and how: settings, and presets of them."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from iaww_agents.networks.inputs import POINT_WORTH
from iaww_env.cards import EXPANSIONS
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, quote, suggest
from iaww_training.imitation import REWARD

REWARDS = ("points", "margin")
_MODE = re.compile(r"(?P<pool>base|ca)(?P<players>solo|[1-7])(?P<side>[A-Z]?)(@(?P<scenario>\w+))?")


@dataclass(frozen=True)
class Settings:
    """One way to train. All of it is written into the folder of the run."""

    modes: dict[str, int] = field(default_factory=lambda: {"base4": 256})
    """Kinds of games, each with how many are played side by side."""
    decisions: int = 3_000_000
    """Decisions of the learner in all."""
    steps: int = 64
    """Decisions of each game between two updates."""
    epochs: int = 3
    """Times that the decisions of a rollout are learnt from."""
    minibatch: int = 2048
    """Decisions of a step of learning."""
    learning_rate: float = 7e-4
    """At the beginning."""
    learning_rate_end: float = 7e-5
    """At the end; in between it falls evenly."""
    entropy: float = 0.02
    """Weight of the policy's entropy at the beginning."""
    entropy_end: float = 0.002
    """At the end."""
    gae: float = 0.95
    """Weight of later estimates of the advantage."""
    clip: float = 0.2
    """By how much the probability of an action may change in an update before it no longer counts."""
    value_weight: float = 0.5
    """Of the squared error of the value."""
    reward: str = REWARD
    """What a seat learns from: its points, or its margin over the best other seat, to which others' points
    are added as chance."""
    scale: float = POINT_WORTH
    """What a point is worth: values are then about 1."""
    mixed: float = 0.2
    """Share of the games in which an opponent takes some of the seats."""
    learners: int | None = None
    """Seats that the learner keeps in these games; drawn for each game where nothing is said."""
    bots: tuple[str, ...] = ("heuristic",)
    """Bots among the opponents; one of three opponents drawn is a bot, the others are old snapshots."""
    snapshots: int = 6
    """Snapshots of the learner that are kept as opponents, evenly over the run."""
    discards: bool = False
    """Whether the learner may give up constructions."""
    advised: bool = True
    """Whether the network is told what the heuristic says of each action."""
    trust: float = 1.0
    """How far a fresh network goes by that: at 1 it plays nearly as the heuristic does, at 0 it must learn
    what advice is worth."""
    width: int = 256
    """Numbers of each hidden layer."""
    depth: int = 64
    """Numbers that stand for an action."""
    evaluate_games: int = 200
    """Games against each bot of the ladder when it is measured."""
    evaluations: int = 10
    """How often it is measured."""
    start: str | None = None
    """A network to begin with."""
    imitate: str | None = None
    """A bot whose games are imitated first."""
    imitated: int = 1_000_000
    """Decisions of it that are learnt from."""
    sharpen: float = 1.0
    """What scores are multiplied with behind that, or at the start: what is drawn from a policy that has
    imitated is far worse than what it scores highest, and self-play begins with what is drawn."""
    seed: int = 1
    """Of weights, games and draws."""
    threads: int = 1
    """Threads of PyTorch; more only where cores are idle."""

    def __post_init__(self) -> None:
        """Refuse what cannot be learnt with."""
        if not self.modes:
            raise ConfigError("name at least one mode to learn, such as base4")
        pools = {find_mode(mode).expansions for mode in self.modes}
        if len(pools) > 1:
            raise ConfigError("a network plays one card pool: base or Corruption & Ascension, not both")
        for name in ("decisions", "steps", "epochs", "minibatch", "width", "depth", "threads"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}: give a whole number from 1")
        if self.snapshots < 0:
            raise ConfigError(f"snapshots is {self.snapshots}: give a whole number from 0")
        if any(games < 1 for games in self.modes.values()):
            raise ConfigError("each mode has at least one game")
        self._check_shares()
        if self.learners is not None and self.learners < 1:
            raise ConfigError(f"learners is {self.learners}: in every game the learner has a seat at least")
        if self.reward not in REWARDS:
            hint = suggest(self.reward, list(REWARDS)) or f": choose from {', '.join(REWARDS)}"
            raise ConfigError(f"there is no reward {quote(self.reward)}{hint}")
        if self.imitate is not None and self.start is not None:
            raise ConfigError("a network to start from has learnt already: leave imitate out")
        if self.minibatch > self.steps * sum(self.modes.values()) // 2:
            raise ConfigError(
                f"a minibatch of {self.minibatch} is more than half a rollout of {self.steps} steps of "
                f"{sum(self.modes.values())} games: take more games, more steps or a smaller minibatch"
            )

    def _check_shares(self) -> None:
        """Refuse numbers that are none, or that nothing can be learnt with."""
        for name in ("learning_rate", "learning_rate_end", "clip", "scale", "sharpen"):
            if not 0 < getattr(self, name) < math.inf:
                raise ConfigError(f"{name} is {getattr(self, name)}: give a number above 0")
        for name in ("entropy", "entropy_end", "value_weight", "trust"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ConfigError(f"{name} is {getattr(self, name)}: give a number from 0")
        for name in ("gae", "mixed"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} is {getattr(self, name)}: give a number between 0 and 1")

    @property
    def expansions(self) -> tuple[str, ...]:
        """The card pool."""
        return find_mode(next(iter(self.modes))).expansions

    def to_json(self) -> str:
        """As it is written into the folder of the run."""
        return json.dumps(dataclasses.asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """What `to_json` wrote.

        Raises:
            ConfigError: It was not.
        """
        try:
            held: dict[str, Any] = json.loads(text)
            return cls(**held | {"bots": tuple(held["bots"])})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ConfigError(f"these are no settings of a training run: {error}") from error


def find_mode(name: str) -> GameConfig:
    """The configuration that a short name stands for: base4, base4B, basesolo, ca7, casolo@ID.

    Raises:
        ConfigError: There is none.
    """
    found = _MODE.fullmatch(name)
    if not found:
        raise ConfigError(f"there is no mode {quote(name)}: say base4, base2B, basesolo, ca7, casolo, ...")
    players = 1 if found["players"] == "solo" else int(found["players"])
    pool = EXPANSIONS if found["pool"] == "ca" else ()
    return GameConfig(players, pool, found["side"] or None, scenario=found["scenario"])


BASE = {"base4": 448, "base2": 160, "base3": 112, "base5": 112, "base4B": 96, "basesolo": 96}
CA = {"ca4": 320, "ca7": 224, "ca2": 112, "ca3": 64, "ca5": 96, "ca6": 96, "ca4B": 48, "casolo": 64}

LONG: dict[str, Any] = {
    "minibatch": 4096,
    "learning_rate_end": 3e-5,
    "entropy": 0.01,
    "entropy_end": 0.001,
    "mixed": 0.5,
    "learners": 1,
}
PRESETS = {
    "quick": Settings(
        decisions=1_200_000,
        trust=0.0,
        learning_rate=1e-3,
        learning_rate_end=1e-4,
        entropy=0.01,
        entropy_end=0.001,
        snapshots=0,
        mixed=0.0,
        evaluations=4,
    ),
    "base4": Settings(modes={"base4": 1024}, decisions=60_000_000, **LONG),
    "base": Settings(modes=BASE, decisions=100_000_000, **LONG),
    "ca": Settings(modes=CA, decisions=100_000_000, **LONG),
    "solo": Settings(modes={"basesolo": 512}, decisions=20_000_000, **LONG | {"mixed": 0.0, "snapshots": 0}),
}
ALL = ("base", "ca")  # the presets that `all` runs one after the other


def find_preset(name: str, **changes: Any) -> Settings:
    """A preset, with what is said otherwise.

    Raises:
        ConfigError: There is none of that name.
    """
    if name not in PRESETS:
        hint = suggest(name, list(PRESETS)) or f": choose from {', '.join(PRESETS)}"
        raise ConfigError(f"there is no preset {quote(name)}{hint}")
    said = {key: value for key, value in changes.items() if value is not None}
    return dataclasses.replace(PRESETS[name], **said)


def check_folder(folder: Path) -> None:
    """Refuse a folder that holds another run."""
    if (folder / "settings.json").exists():
        raise ConfigError(f"{folder} holds a run: go on with it by --resume, or name another folder")
