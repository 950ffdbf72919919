"""`iaww/Versus-v0`: one learner, bots in the other seats."""

from __future__ import annotations

from iaww_env.envs.options import VersusOptions
from iaww_env.envs.signatures import made_with
from iaww_env.envs.single.lanes import Lanes
from iaww_env.envs.single.learner import LearnerEnv


class VersusEnv(LearnerEnv):
    """One learner against bots, for two to seven players.

    >>> env = gymnasium.make("iaww/Versus-v0", players=4, opponents=["greedy"])
    >>> observation, infos = env.reset(seed=7)
    """

    @made_with(VersusOptions)
    def __init__(self, options: VersusOptions) -> None:
        """Make the environment."""
        super().__init__(make_versus_lanes(options), options.render_mode)


def make_versus_lanes(options: VersusOptions, num: int = 1, same_step: bool = False) -> Lanes:
    """Lanes with a learner and bots in each."""
    config, opponents, seat = options.make_config(), options.opponents, options.seat
    return Lanes(config, options, num, opponents=opponents, seat=seat, same_step=same_step)
