"""`iaww/Solo-v0`: the solo game and its scenarios."""

from __future__ import annotations

from iaww_env.envs.options import SoloOptions, VectorOptions
from iaww_env.envs.signatures import made_with
from iaww_env.envs.single.lanes import Lanes
from iaww_env.envs.single.learner import LearnerEnv


class SoloEnv(LearnerEnv):
    """One seat alone: the standard game, or a scenario with bronze, silver and gold medals.

    Rewards are by points, in a lost scenario too: whether it is won stands beside them, in
    `infos["scenario_won"]` of the last step.

    >>> env = gymnasium.make("iaww/Solo-v0", scenario="base_sc01")
    >>> observation, infos = env.reset(seed=7)
    """

    @made_with(SoloOptions)
    def __init__(self, options: SoloOptions) -> None:
        """Make the environment."""
        super().__init__(make_solo_lanes(options), options.render_mode)


def make_solo_lanes(options: SoloOptions, many: VectorOptions | None = None) -> Lanes:
    """Lanes with a learner alone in each; one, if not many."""
    return Lanes(options.make_config(), options, many)
