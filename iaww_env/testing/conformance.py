"""The checks of PettingZoo and Gymnasium find nothing, and neither do ours of what is returned."""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from iaww_env.testing.comparing import Returned, find_difference, list_arrays, require
from iaww_env.testing.seatings import MakeEnv, sit_down

MOST_STEPS = 400
# What PettingZoo's checks say of every environment whose observations hold an action mask.
NOT_ABOUT_MASKS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
# What Gymnasium's checker says of every wrapper.
ABOUT_WRAPPERS = r".*is different from the unwrapped version"


def check_conformance(make_env: MakeEnv, seed: int = 1) -> None:
    """The checks of PettingZoo or Gymnasium find nothing, not even a warning, and ours neither.

    Ours: observations lie in their space, masks are int8 and never all zeros, spaces are the same objects
    each time, and arrays that were returned never change afterwards.

    Args:
        make_env: Makes an environment.
        seed: Of the games and actions of our own checks.
    """
    env = make_env()
    sit_down(env)
    with _quiet(), warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in (*NOT_ABOUT_MASKS, ABOUT_WRAPPERS):
            warnings.filterwarnings("ignore", message=message)
        try:
            _run_checkers(env)
        except Exception as error:
            raise AssertionError(f"{_name_checker(env)}: {type(error).__name__}: {error}") from error
    _check_returns(make_env(), seed)


def _name_checker(env: Any) -> str:
    return "PettingZoo's check" if hasattr(env, "possible_agents") else "Gymnasium's check"


def _run_checkers(env: Any) -> None:
    """What the framework itself brings along for environments of this sort."""
    import pettingzoo
    from gymnasium.utils.env_checker import check_env
    from gymnasium.vector import VectorEnv
    from pettingzoo.test.api_test import api_test
    from pettingzoo.test.parallel_test import parallel_api_test

    if isinstance(env, pettingzoo.ParallelEnv):
        parallel_api_test(env, num_cycles=500)
    elif isinstance(env, pettingzoo.AECEnv):
        api_test(env, num_cycles=500)  # type: ignore[no-untyped-call]
    elif not isinstance(env, VectorEnv):
        check_env(env, skip_render_check=True)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """The checkers print that they begin and end, and play illegal actions that are logged."""
    logger = logging.getLogger("iaww_env")
    was = logger.disabled
    logger.disabled = True
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        logger.disabled = was


def _list_spaces(env: Any) -> dict[str, tuple[Any, Any]]:
    """Spaces of observations and actions by agent; of one learner or many lanes under the name ''."""
    if hasattr(env, "possible_agents"):
        return {name: (env.observation_space(name), env.action_space(name)) for name in env.possible_agents}
    return {"": (env.observation_space, env.action_space)}


def _check_returns(env: Any, seed: int) -> None:
    """What a game returns is in its space, and stays as it was returned."""
    seating, rng, spaces = sit_down(env), np.random.default_rng(seed), _list_spaces(env)
    arrays: list[tuple[str, Any, Any]] = []
    returned, step = seating.reset(seed), 0
    while True:
        for name, shown in _list_observations(returned, spaces):
            _check_observation(shown, spaces[name][0], f"{name or 'the observation'} at step {step}")
        found = {id(array): (f"{place} at step {step}", array) for place, array in list_arrays(returned)}
        arrays += [(place, array, array.copy()) for place, array in found.values()]
        if seating.is_over() or step == MOST_STEPS:
            break
        returned, step = seating.step(seating.choose(rng)), step + 1
    for place, array, copied in arrays:
        difference = find_difference(copied, array, place)
        message = f"{place} was changed after it was returned: arrays must be fresh at each step"
        require(difference is None, message)
    for name, pair in _list_spaces(env).items():
        same = all(one is two for one, two in zip(pair, spaces[name], strict=True))
        require(same, f"the spaces of {name or 'the environment'} are not the same objects each time")


def _list_observations(returned: Returned, spaces: dict[str, Any]) -> list[tuple[str, Any]]:
    if "asked" in returned:
        return [(returned["asked"], returned["observation"])]
    if "" in spaces:
        return [("", returned.get("observation", returned.get("observations")))]
    return list(returned.get("observations", {}).items())


def _check_observation(shown: Any, space: Any, where: str) -> None:
    if not space.contains(shown):
        raise AssertionError(f"{where} is not in its space: {_find_outside(shown, space)}")
    if isinstance(shown, dict) and "action_mask" in shown:
        mask = shown["action_mask"]
        require(mask.dtype == np.int8, f"{where}: the mask is {mask.dtype}, not int8")
        require(mask.any(axis=-1).all(), f"{where}: the mask is all zeros")


def _find_outside(shown: Any, space: Any) -> str:
    """The part of an observation that is not in its space."""
    if hasattr(space, "spaces") and isinstance(shown, dict) and set(shown) == set(space.spaces):
        name = next(name for name in shown if not space[name].contains(shown[name]))
        return f"{name}: {_find_outside(shown[name], space[name])}"
    if isinstance(shown, np.ndarray) and shown.shape == space.shape and shown.dtype == space.dtype:
        at = tuple(np.argwhere((shown < space.low) | (shown > space.high) | np.isnan(shown))[0].tolist())
        return f"number {at} is {shown[at]}, not from {space.low[at]} to {space.high[at]}"
    kind = f"{shown.dtype}{list(shown.shape)}" if isinstance(shown, np.ndarray) else type(shown).__name__
    return f"{kind} instead of {space.dtype}{list(space.shape or ())}"
