"""`iaww/Versus-v0`: one learner, bots in the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from iaww_env.bots.specs import BotSpec
from iaww_env.config import GameConfig
from iaww_env.envs.multi.seats import seat_players
from iaww_env.envs.single.lanes import Lanes
from iaww_env.envs.single.learner import LearnerEnv


class VersusEnv(LearnerEnv):
    """One learner against bots, for two to seven players.

    >>> env = gymnasium.make("iaww/Versus-v0", players=4, opponents=["greedy"])
    >>> observation, infos = env.reset(seed=7)
    """

    def __init__(
        self,
        players: int = 4,
        expansions: Sequence[str] = (),
        *,
        empire_side: str | None = None,
        empires: Sequence[str | None] | None = None,
        opponents: Sequence[BotSpec] = ("random",),
        seat: int | str = 0,
        observation: str = "full",
        reward: str = "outcome",
        illegal_action: str = "forfeit",
        skip_forced: bool = True,
        render_mode: str | None = None,
        config: GameConfig | None = None,
    ) -> None:
        """Make the environment.

        Args:
            players: Seats, 2 to 7; six and seven need Corruption & Ascension.
            expansions: Names of expansions: "corruption_and_ascension".
            empire_side: "A" to "F"; "A" by default.
            empires: One empire id per seat, None where it is drawn; None draws them all.
            opponents: Bots by spec, one for each other seat from the learner's left, or one for all of them:
                "random", "greedy", "my_module:MyBot", "path/to/bot.py" (see `iaww_env.bots.specs`).
            seat: The learner's seat; "random" draws it for each game, "rotate" takes the next one each game.
            observation: "full", or "compact" for small networks.
            reward: "outcome", "rank", "points" or "margin" at the end, or "points_gain" in each step.
            illegal_action: What an illegal action leads to. "forfeit": the game ends and the learner loses;
                "replace": a legal one is drawn and played; "raise": IllegalActionError, nothing is played.
            skip_forced: Decisions with one legal action are taken by the environment; bots are never asked.
            render_mode: "ansi" (`render` returns text), "human" (each step prints) or None.
            config: A GameConfig in place of players, expansions, empire_side and empires.
        """
        lanes = lay_versus_lanes(
            1,
            False,
            players,
            expansions,
            empire_side=empire_side,
            empires=empires,
            opponents=opponents,
            seat=seat,
            observation=observation,
            reward=reward,
            illegal_action=illegal_action,
            skip_forced=skip_forced,
            config=config,
        )
        super().__init__(lanes, render_mode)


def lay_versus_lanes(
    num: int,
    same_step: bool,
    players: int = 4,
    expansions: Sequence[str] = (),
    *,
    empire_side: str | None = None,
    empires: Sequence[str | None] | None = None,
    opponents: Sequence[BotSpec] = ("random",),
    seat: int | str = 0,
    config: GameConfig | None = None,
    **options: Any,
) -> Lanes:
    """Lanes with the options of `VersusEnv`."""
    config = seat_players(players, expansions, empire_side, empires, config)
    return Lanes(config, num, opponents=opponents, seat=seat, same_step=same_step, **options)
