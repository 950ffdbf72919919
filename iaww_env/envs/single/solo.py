"""`iaww/Solo-v0`: the solo game and its twelve scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from iaww_env.cards import EXPANSIONS
from iaww_env.cards import scenario as find_scenario
from iaww_env.config import GameConfig
from iaww_env.envs.single.lanes import Lanes
from iaww_env.envs.single.learner import LearnerEnv
from iaww_env.errors import ConfigError, quote


class SoloEnv(LearnerEnv):
    """One seat alone: the standard game, or a scenario with bronze, silver and gold medals.

    >>> env = gymnasium.make("iaww/Solo-v0", scenario="base_sc01")
    >>> observation, infos = env.reset(seed=7)
    """

    def __init__(
        self,
        scenario: str | None = None,
        expansions: Sequence[str] | None = None,
        *,
        empire_side: str | None = None,
        empires: Sequence[str | None] | None = None,
        observation: str = "full",
        reward: str = "outcome",
        illegal_action: str = "forfeit",
        skip_forced: bool = True,
        render_mode: str | None = None,
        config: GameConfig | None = None,
    ) -> None:
        """Make the environment.

        Args:
            scenario: Id of a scenario; None plays the standard game.
            expansions: Names of expansions; by default what the scenario needs, and none without one.
            empire_side: "A" to "F"; by default "A", and "B" in a scenario.
            empires: The empire in a list, or None to draw it.
            observation: "full", or "compact" for small networks.
            reward: At the end "outcome" (points / 100; "rank" and "margin" mean the same alone) or "points",
                or "points_gain" in each step.
            illegal_action: What an illegal action leads to. "forfeit": the game ends and counts nothing;
                "replace": a legal one is drawn and played; "raise": IllegalActionError, nothing is played.
            skip_forced: Decisions with one legal action are taken by the environment.
            render_mode: "ansi" (`render` returns text), "human" (each step prints) or None.
            config: A GameConfig in place of scenario, expansions, empire_side and empires.
        """
        lanes = lay_solo_lanes(
            1,
            False,
            scenario,
            expansions,
            empire_side=empire_side,
            empires=empires,
            observation=observation,
            reward=reward,
            illegal_action=illegal_action,
            skip_forced=skip_forced,
            config=config,
        )
        super().__init__(lanes, render_mode)


def lay_solo_lanes(
    num: int,
    same_step: bool,
    scenario: str | None = None,
    expansions: Sequence[str] | None = None,
    *,
    empire_side: str | None = None,
    empires: Sequence[str | None] | None = None,
    config: GameConfig | None = None,
    **options: Any,
) -> Lanes:
    """Lanes with the options of `SoloEnv`."""
    config = seat_alone(scenario, expansions, empire_side, empires, config)
    return Lanes(config, num, same_step=same_step, **options)


def seat_alone(
    scenario: str | None,
    expansions: Sequence[str] | None,
    empire_side: str | None,
    empires: Sequence[str | None] | None,
    config: GameConfig | None,
) -> GameConfig:
    """The configuration that the options of a solo environment name."""
    if config is None:
        if expansions is None:
            needed = scenario is not None and find_scenario(scenario).needs_expansion
            expansions = EXPANSIONS if needed else ()
        named = tuple(empires) if isinstance(empires, list) else empires
        return GameConfig(1, expansions, empire_side, named, scenario)  # type: ignore[arg-type]
    if not isinstance(config, GameConfig):
        raise ConfigError(f"config is {quote(config)}: give a GameConfig")
    if (scenario, expansions, empire_side, empires) != (None, None, None, None):
        raise ConfigError("config says all that is played: leave scenario, expansions, side and empires out")
    if not config.solo:
        raise ConfigError(f'{config.players} players: gymnasium.make("iaww/Versus-v0"); here one plays alone')
    return config
