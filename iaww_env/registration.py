"""The names under which PettingZoo and Gymnasium know the game.

Importing `iaww_env` imports neither of the two: its environments are registered at once where a framework is
there already, and otherwise the moment somebody imports it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

PETTINGZOO_ID = "iaww_v0"
# Of Gymnasium: id, single environment, native batch.
GYMNASIUM = (
    ("iaww/Versus-v0", "iaww_env.envs.versus:VersusEnv", "iaww_env.envs.vector:VersusVectorEnv"),
    ("iaww/Solo-v0", "iaww_env.envs.solo:SoloEnv", "iaww_env.envs.vector:SoloVectorEnv"),
)


def register_environments() -> None:
    """Register the environments with every framework, now or when it is imported."""
    call_when_imported("pettingzoo", register_with_pettingzoo)
    call_when_imported("gymnasium", register_with_gymnasium)


def register_with_gymnasium() -> None:
    """Enter the ids in Gymnasium's registry: `gymnasium.make("iaww/Versus-v0", players=5)`, and `make_vec`.

    Gymnasium looks for no plug-ins, so `iaww_env` must have been imported; or name it before the id, as in
    `gymnasium.make("iaww_env:iaww/Solo-v0")`.
    """
    from gymnasium.envs.registration import register, registry

    for id, single, vector in GYMNASIUM:
        if id not in registry:
            register(id, entry_point=single, vector_entry_point=vector)


def register_with_pettingzoo() -> None:
    """Enter `iaww_v0` in PettingZoo's registries: `pettingzoo.make("parallel", "iaww_v0", players=5)`."""
    try:
        from pettingzoo.env_registry.registration import aec_registry, parallel_registry, register
    except ImportError:  # PettingZoo before 1.27 has no registry
        return
    known = PETTINGZOO_ID.replace("_v", "-v")  # the form in which PettingZoo keeps it
    if known not in parallel_registry:
        register("parallel", PETTINGZOO_ID, "iaww_env.iaww_v0:parallel_env")
    if known not in aec_registry:
        register("aec", PETTINGZOO_ID, "iaww_env.iaww_v0:env")


# --- Waiting for an import --------------------------------------------------------------------------


def call_when_imported(name: str, function: Callable[[], None]) -> None:
    """Call a function once a module has been imported; at once where that is so already."""
    if name in sys.modules:
        function()
    elif not any(isinstance(finder, _Watch) and finder.name == name for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch(name, function))


class _Watch(MetaPathFinder):
    """Stands before Python's own finders until one module is imported, and finds nothing itself."""

    def __init__(self, name: str, function: Callable[[], None]) -> None:
        self.name, self.function = name, function

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's own spec, with a loader that calls the function behind it."""
        if fullname != self.name or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is None or spec.loader is None:
            sys.meta_path.insert(0, self)  # not installed now; it may be later
            return spec
        spec.loader = _Announce(spec.loader, self)
        return spec


class _Announce(Loader):
    """Loads a module with its own loader, leaves no trace in it, and calls the function of a watch."""

    def __init__(self, loader: Loader, watch: _Watch) -> None:
        self.loader, self.watch = loader, watch

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the module's own loader does it."""
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module, then call the function; after a failed import the watch goes on."""
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        try:
            self.loader.exec_module(module)
        except BaseException:
            sys.meta_path.insert(0, self.watch)
            raise
        self.watch.function()
