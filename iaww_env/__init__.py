"""It's a Wonderful World as a reinforcement-learning environment.

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
