"""The game as PettingZoo lays out a module: `from iaww_env import iaww_v0; env = iaww_v0.parallel_env()`."""

from iaww_env.envs.multi.aec import aec_env as env
from iaww_env.envs.multi.parallel import parallel_env

raw_env = env

__all__ = ["env", "parallel_env", "raw_env"]
