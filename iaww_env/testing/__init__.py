"""Checks that anybody can run on a variant of the environment: wrappers, own observations, own rules.

Each check plays random games, says nothing where all is well, and else raises AssertionError with a message
that names what is wrong and where:

    from iaww_env import GameConfig, parallel_env, testing

    def make_env():
        return MyWrapper(parallel_env(players=3))

    testing.check_determinism(make_env)    # the same seed and actions give the same bytes
    testing.check_conformance(make_env)    # PettingZoo's or Gymnasium's own checks, and fresh arrays
    testing.check_round_trip(make_env)     # copies and pickles go on as the environment itself does
    testing.check_no_leak(GameConfig(players=3), observe=my_observation)  # nothing that a seat cannot know

`make_env` makes an environment of PettingZoo (parallel or AEC) or of Gymnasium (single or vector), a new one
at each call.
"""

from iaww_env.testing.conformance import check_conformance
from iaww_env.testing.determinism import check_determinism
from iaww_env.testing.leaks import check_no_leak, show_all
from iaww_env.testing.round_trips import check_round_trip

__all__ = ["check_conformance", "check_determinism", "check_no_leak", "check_round_trip", "show_all"]
