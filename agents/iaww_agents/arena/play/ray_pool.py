"""Games on a Ray cluster: actors that each keep one watched process, so that the same faults are caught.

Needs the extra `ray`. Where no cluster is named by RAY_ADDRESS or `ray.init`, a local one is started. The
bots must be importable on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self, Unpack

from iaww_agents.arena.play.pool import Limits, LocalPool
from iaww_agents.arena.play.results import Result
from iaww_agents.arena.play.worker import Task
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError, tell_install


class Player:
    """What runs on the cluster: one process that plays games, and its watch."""

    def __init__(self, limits: Limits) -> None:
        """Take note; the process starts with the first game."""
        self.pool = LocalPool(1, **limits)

    def play(self, task: Task) -> list[Result]:
        """Play games."""
        return [result for results in self.pool.play([task]) for result in results]

    def try_bots(self, agents: Sequence[str], config: GameConfig) -> dict[str, bool] | str:
        """As `LocalPool.try_bots`; the message where it refuses."""
        try:
            return self.pool.try_bots(agents, config)
        except ConfigError as error:
            return str(error)


class RayPool:
    """Actors on a Ray cluster; use it as a context.

    Attributes:
        slots: How many there are.
    """

    def __init__(self, slots: int | None = None, **limits: Unpack[Limits]):
        """Join the cluster, or start a local one with `slots` cores.

        Raises:
            ConfigError: Ray is not installed, or a number makes no sense.
        """
        LocalPool(slots, **limits)  # what it refuses is refused here, and not on the cluster
        try:
            import ray  # type: ignore[import-not-found,unused-ignore]
        except ImportError:
            raise ConfigError(f"the backend ray needs Ray; {tell_install('ray')}") from None
        self.ray: Any = ray
        self.is_ours = not ray.is_initialized()
        if self.is_ours:
            start_ray(ray, slots)
        self.slots = slots or max(1, int(ray.cluster_resources().get("CPU", 1)))
        make = ray.remote(num_cpus=1)(Player)
        self.players = [make.remote(limits) for _ in range(self.slots)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for player in self.players:
            self.ray.kill(player)
        if self.is_ours:
            self.ray.shutdown()

    def try_bots(self, agents: Sequence[str], config: GameConfig) -> dict[str, bool]:
        """Make every bot once; tells of each whether it may play in kernels."""
        found: dict[str, bool] | str = self.ray.get(self.players[0].try_bots.remote(agents, config))
        if isinstance(found, str):
            raise ConfigError(found)
        return found

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Result]]:
        """Results of the games, as they come in; two tasks wait at each actor, so that none is idle."""
        source = iter(tasks)
        under_way: dict[Any, Any] = {}
        free = [player for player in self.players for _ in range(2)]
        while True:
            while free:
                task = next(source, None)
                if task is None:
                    break
                player = free.pop()
                under_way[player.play.remote(task)] = player
            if not under_way:
                return
            for ready in self.ray.wait(list(under_way))[0]:
                free.append(under_way.pop(ready))
                yield self.ray.get(ready)


def start_ray(ray: Any, slots: int | None) -> None:
    """Join the cluster that RAY_ADDRESS names, or start a local one."""
    import os

    if os.environ.get("RAY_ADDRESS"):
        ray.init(log_to_driver=False)
    else:
        ray.init(num_cpus=slots, include_dashboard=False, log_to_driver=False)
