"""It's a Wonderful World as a reinforcement-learning environment.

Everything is loaded when it is first used, so that importing the package costs little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from iaww_env.registration import register_environments

if TYPE_CHECKING:
    from iaww_env.actions import ActionTable, action_table
    from iaww_env.batch import Batch, make_stream
    from iaww_env.config import GameConfig
    from iaww_env.envs.aec import aec_env
    from iaww_env.envs.parallel import parallel_env
    from iaww_env.envs.solo import SoloEnv
    from iaww_env.envs.vector import SoloVectorEnv, VersusVectorEnv
    from iaww_env.envs.versus import VersusEnv
    from iaww_env.errors import (
        ActionTextError,
        ConfigError,
        IawwError,
        IllegalActionError,
        RecordError,
        StateError,
    )
    from iaww_env.game import Game
    from iaww_env.observation import CARD_FEATURES, card_features, observation_table, views
    from iaww_env.selfplay import SelfPlayRollout

_HOMES = {
    "ActionTable": "actions",
    "action_table": "actions",
    "Batch": "batch",
    "make_stream": "batch",
    "GameConfig": "config",
    "aec_env": "envs.aec",
    "parallel_env": "envs.parallel",
    "SoloEnv": "envs.solo",
    "SoloVectorEnv": "envs.vector",
    "VersusEnv": "envs.versus",
    "VersusVectorEnv": "envs.vector",
    "ActionTextError": "errors",
    "ConfigError": "errors",
    "IawwError": "errors",
    "IllegalActionError": "errors",
    "RecordError": "errors",
    "StateError": "errors",
    "Game": "game",
    "CARD_FEATURES": "observation",
    "card_features": "observation",
    "observation_table": "observation",
    "views": "observation",
    "SelfPlayRollout": "selfplay",
}

__all__ = [
    "CARD_FEATURES",
    "ActionTable",
    "ActionTextError",
    "Batch",
    "ConfigError",
    "Game",
    "GameConfig",
    "IawwError",
    "IllegalActionError",
    "RecordError",
    "SelfPlayRollout",
    "SoloEnv",
    "SoloVectorEnv",
    "StateError",
    "VersusEnv",
    "VersusVectorEnv",
    "__version__",
    "action_table",
    "aec_env",
    "card_features",
    "make_stream",
    "observation_table",
    "parallel_env",
    "views",
]

register_environments()


def __getattr__(name: str) -> Any:
    """Load a public name from the module it lives in."""
    if name in _HOMES:
        found = getattr(import_module(f"iaww_env.{_HOMES[name]}"), name)
    elif name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("iaww-env")
        except PackageNotFoundError:  # a source tree that was never installed
            found = "0+unknown"
    else:
        raise AttributeError(f"module 'iaww_env' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
