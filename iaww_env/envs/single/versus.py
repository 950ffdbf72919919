"""`iaww/Versus-v0`: one learner, bots in the other seats."""

from __future__ import annotations

from iaww_env.envs.options import VectorOptions, VersusOptions
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


def make_versus_lanes(options: VersusOptions, many: VectorOptions | None = None) -> Lanes:
    """Lanes with a learner and bots in each; one, if not many."""
    return Lanes(options.make_config(), options, many, opponents=options.opponents, seat=options.seat)
