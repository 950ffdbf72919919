"""Work that is shared among the machines of a Ray cluster; the same as `iaww_env.processes` does on one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from iaww_agents.arena.play.ray_pool import start_ray
from iaww_env.errors import ConfigError, tell_install

Item = TypeVar("Item")
Answer = TypeVar("Answer")

AHEAD = 2  # tasks that wait for each that runs, so that no core is idle


@contextmanager
def join_ray(slots: int | None = None, address: str | None = None) -> Iterator[Any]:
    """Ray, joined to a cluster; one that is begun here ends with the context.

    Args:
        slots: Cores of a local cluster; all by default.
        address: The cluster; by default the one of `ray.init` or of RAY_ADDRESS, or else a local one.

    Raises:
        ConfigError: Ray is not installed, or there is no cluster at the address.
    """
    try:
        import ray  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ConfigError(f"the backend ray needs Ray; {tell_install('ray')}") from None
    is_ours = not ray.is_initialized()
    if is_ours:
        try:
            if address is None:
                start_ray(ray, slots)
            else:
                ray.init(address=address, log_to_driver=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ConfigError(f"cannot join the Ray cluster: {error}") from error
    try:
        yield ray
    finally:
        if is_ours:
            ray.shutdown()


def share_work(
    work: Callable[[Item], Answer], items: Sequence[Item], workers: int | None = None
) -> Iterator[Answer]:
    """What `work` answers for each item, as the answers come; it and the items can be pickled.

    Ray gives the work of a machine that is lost to another. Where this is broken off, what is under way ends.

    Args:
        work: A function of a module that every machine can import.
        items: What it is called with.
        workers: How many at once; one for each core of the cluster by default.

    Raises:
        ConfigError: There is no Ray, or no cluster.
    """
    if not items:
        return
    with join_ray(workers) as ray:
        slots = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        task = ray.remote(num_cpus=1)(call)
        lent = ray.put(work)
        left = iter(items)
        # No more than are asked for run at once, whatever the cluster has.
        most = slots if workers else slots * AHEAD
        under_way = [task.remote(lent, item) for item in islice(left, most)]
        try:
            while under_way:
                (ready, *_), under_way = ray.wait(under_way)
                under_way += [task.remote(lent, item) for item in islice(left, 1)]
                yield find_answer(ray, ready)
        finally:
            for one in under_way:
                ray.cancel(one, force=True)


def call(work: Callable[[Item], Answer], item: Item) -> Answer:
    """What runs on the cluster."""
    return work(item)


def find_answer(ray: Any, ready: Any) -> Any:
    """The answer of a task; an error of the work is raised as it was there."""
    try:
        return ray.get(ready)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
