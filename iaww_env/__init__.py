"""It's a Wonderful World as a reinforcement-learning environment.

Where to begin:

    Batch, SelfPlayRollout            many games at once for self-play: all seats' decisions are learnt from
    gymnasium.make("iaww/Versus-v0")  one learner, bots in the other seats; "iaww/Solo-v0": alone
    gymnasium.make_vec(...)           the same in many games, one call a step
    parallel_env, aec_env             PettingZoo: every seat is an agent
    iaww_env.envs.adapters            Stable-Baselines3 (sb3), RLlib (rllib), AgileRL (agilerl)
    Game, GameConfig                  the game itself: play, copy, save, score, imagine what is hidden
    observation_table, views          what the numbers of an observation mean; raw_views: unscaled
    action_table, card_features       what actions and cards are
    IawwError                         what all errors of this package have in common

`print(iaww_env.Batch.__doc__)` tells more of each; `iaww spec` is the reference, `iaww --help` the rest.

`__init__.pyi` beside this file is the one list of the public names. Each is loaded when it is first used, so
that importing the package costs little. It registers the environments with Gymnasium and PettingZoo.
"""

from importlib.metadata import PackageNotFoundError, version

import lazy_loader

from iaww_env.registration import register_environments

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

try:
    __version__ = version("iaww-env")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

register_environments()
