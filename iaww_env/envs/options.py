"""Every option of the environments, declared once: its name, type, default and meaning.

An environment takes the fields of one of these classes as its arguments (see `signatures`), so a further
option is one line here and the code that reads it. Fields that may be given by position stand in the classes
without `kw_only`. Of several bases dataclasses take the fields of the last one first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from iaww_env.arrays import Arrays
from iaww_env.bots.specs import BotSpec
from iaww_env.cards import DEFAULT_SIDE, EXPANSIONS, SIDES, parse_expansions
from iaww_env.cards import scenario as find_scenario
from iaww_env.config import GameConfig
from iaww_env.envs.autoreset import AutoresetMode
from iaww_env.envs.rendering import check_render_mode
from iaww_env.errors import ConfigError, quote

T = TypeVar("T")

ILLEGAL_ACTION = ("forfeit", "replace", "raise")


def option(default: T, meaning: str) -> T:
    """One option; its name and type stand before it."""
    declared: T = field(default=default, metadata={"meaning": meaning})
    return declared


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of every environment."""

    empire_side: str | None = option(
        None,
        f'"{SIDES[0]}" to "{SIDES[-1]}"; by default "{DEFAULT_SIDE}", in a scenario the side it asks for.',
    )
    empires: Sequence[str | None] | None = option(
        None, "One empire id for each seat, None where it is drawn; None draws them all."
    )
    observation: str = option(
        "full", '"full", "compact" for small networks, or "cards" for networks that look at each card.'
    )
    reward: str = option(
        "outcome",
        '"outcome", "rank", "points", "margin" or "goal" at the end, or "points_gain" in each step. Alone '
        '"outcome", "rank" and "margin" all mean points / 100, and "goal" counts titles and medals.',
    )
    illegal_action: str = option(
        "forfeit",
        'What an illegal action leads to. "forfeit": the game ends and its seat loses (alone it counts '
        'nothing); "replace": a legal one is drawn and played; "raise": IllegalActionError, and nothing '
        "is played.",
    )
    skip_forced: bool = option(True, "Decisions with one legal action are taken by the environment.")
    discards: bool = option(
        True,
        "Whether cards under construction can be given up, as in the complete game. Without, learning begins "
        "far quicker: exploring does not throw every construction away.",
    )
    render_mode: str | None = option(
        None,
        '"ansi" (`render` returns text), "rgb_array" (a picture), "human" (each step prints, or draws in a '
        "notebook) or None.",
    )
    config: GameConfig | None = option(  # noqa: RUF009  # `option` makes a field
        None, "A GameConfig in place of players (or scenario), expansions, empire_side and empires."
    )

    def __post_init__(self) -> None:
        """Check what no other part of the package checks."""
        if self.illegal_action not in ILLEGAL_ACTION:
            raise ConfigError(
                f"illegal_action is {quote(self.illegal_action)}: choose from {', '.join(ILLEGAL_ACTION)}"
            )
        check_render_mode(self.render_mode)


@dataclass(frozen=True)
class SeatedOptions(Options):
    """Options of environments for two to seven players."""

    players: int = option(4, "Seats, 2 to 7; six and seven need Corruption & Ascension.")
    expansions: Sequence[str] = option((), 'Names of expansions: "corruption_and_ascension".')

    def make_config(self) -> GameConfig:
        """What is played."""
        config = self.config
        if config is None:
            config = GameConfig(
                self.players,
                parse_expansions(self.expansions),
                self.empire_side,
                freeze_empires(self.empires),
            )
        elif not isinstance(config, GameConfig):
            raise ConfigError(f"config is {quote(config)}: give a GameConfig")
        elif (self.players, tuple(self.expansions), self.empire_side, self.empires) != (4, (), None, None):
            raise ConfigError(
                "config says all that is played: leave players, expansions, side and empires out"
            )
        if config.solo:
            raise ConfigError('one player plays alone: gymnasium.make("iaww/Solo-v0"); here 2 to 7 can play')
        return config


@dataclass(frozen=True, kw_only=True)
class OpponentOptions:
    """Options about the other seats."""

    opponents: Sequence[BotSpec] = option(
        ("random",),
        "Bots by spec, one for each other seat from the learner's left, or one for all of them: "
        '"random", "greedy", "my_module:MyBot", "path/to/bot.py" (see `iaww_env.bots.specs`).',
    )
    seat: int | str = option(
        0, 'The learner\'s seat; "random" draws it for each game, "rotate" takes the next one each game.'
    )


@dataclass(frozen=True)
class VersusOptions(SeatedOptions, OpponentOptions):
    """Options of `iaww/Versus-v0`."""


@dataclass(frozen=True)
class SoloOptions(Options):
    """Options of `iaww/Solo-v0`."""

    scenario: str | None = option(None, "Id of a scenario; None plays the standard game.")
    expansions: Sequence[str] | None = option(
        None, "Names of expansions; by default what the scenario needs, and none without one."
    )

    def make_config(self) -> GameConfig:
        """What is played."""
        config, scenario, expansions = self.config, self.scenario, self.expansions
        if config is None:
            if expansions is None:
                needed = scenario is not None and find_scenario(scenario).needs_expansion
                expansions = EXPANSIONS if needed else ()
            empires = freeze_empires(self.empires)
            return GameConfig(1, expansions, self.empire_side, empires, scenario)  # type: ignore[arg-type]
        if not isinstance(config, GameConfig):
            raise ConfigError(f"config is {quote(config)}: give a GameConfig")
        if (scenario, expansions, self.empire_side, self.empires) != (None, None, None, None):
            raise ConfigError(
                "config says all that is played: leave scenario, expansions, side and empires out"
            )
        if not config.solo:
            raise ConfigError(
                f'{config.players} players: gymnasium.make("iaww/Versus-v0"); here one plays alone'
            )
        return config


@dataclass(frozen=True)
class VectorOptions:
    """Options of vector environments; a single environment is one lane with the defaults."""

    num_envs: int = option(1, "Lanes: games that are played side by side.")
    threads: int = field(
        default=1,
        kw_only=True,
        metadata={"meaning": "Threads that share the lanes of a step; any number of them gives the same."},
    )
    arrays: Arrays | None = field(
        default=None,
        kw_only=True,
        metadata={
            "meaning": "Arrays of yours to be written into, by name: observations, masks, rewards. A step "
            "then returns these arrays themselves, and the next one writes over them."
        },
    )
    autoreset_mode: AutoresetMode | str = field(
        default=AutoresetMode.NEXT_STEP,
        kw_only=True,
        metadata={"meaning": 'When the next game of a lane begins: "NextStep", "SameStep" or "Disabled".'},
    )


@dataclass(frozen=True)
class VersusVectorOptions(VersusOptions, VectorOptions):
    """Options of `iaww/Versus-v0` in many lanes."""


@dataclass(frozen=True)
class SoloVectorOptions(SoloOptions, VectorOptions):
    """Options of `iaww/Solo-v0` in many lanes."""


def freeze_empires(empires: Sequence[str | None] | None) -> tuple[str | None, ...] | None:
    """The empires as a configuration holds them; what is no list is left for it to refuse."""
    return tuple(empires) if isinstance(empires, list) else empires  # type: ignore[return-value]
