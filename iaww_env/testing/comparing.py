"""Comparing what environments return: where two values differ, and which arrays they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Returned = dict[str, Any]
"""All that an environment has returned at a step, by name."""


def require(condition: bool, message: str) -> None:
    """Raise AssertionError unless something holds; unlike `assert`, also under `python -O`."""
    if not condition:
        raise AssertionError(message)


def require_same(one: Returned, two: Returned, where: str) -> None:
    """Raise AssertionError where two steps have returned different things."""
    if list(one) != list(two):
        raise AssertionError(f"{where} {list(one)} was returned in one and {list(two)} in the other")
    for name in one:
        difference = find_difference(one[name], two[name], name)
        require(difference is None, f"{where} {difference}")


def find_difference(one: Any, two: Any, where: str) -> str | None:
    """Where two returned values differ in type, shape or any byte, in words; None where they do not."""
    if type(one) is not type(two):
        return f"{where} is {type(one).__name__} in one and {type(two).__name__} in the other"
    if isinstance(one, Mapping):
        if list(one) != list(two):
            return f"{where} holds {list(one)} in one and {list(two)} in the other"
        return next(filter(None, (find_difference(one[k], two[k], f"{where}[{k!r}]") for k in one)), None)
    if isinstance(one, Sequence) and not isinstance(one, str | bytes):
        if len(one) != len(two):
            return f"{where} has {len(one)} entries in one and {len(two)} in the other"
        pairs = enumerate(zip(one, two, strict=True))
        return next(filter(None, (find_difference(a, b, f"{where}[{i}]") for i, (a, b) in pairs)), None)
    if isinstance(one, np.ndarray):
        return _compare_arrays(one, two, where)
    if one is two or one == two or (one != one and two != two):
        return None
    return f"{where} is {one!r} in one and {two!r} in the other"


def _compare_arrays(one: Any, two: Any, where: str) -> str | None:
    if one.dtype != two.dtype or one.shape != two.shape:
        return f"{where} is {one.dtype}{list(one.shape)} in one and {two.dtype}{list(two.shape)} in the other"
    if one.dtype == object:
        return find_difference(one.tolist(), two.tolist(), where)
    if one.tobytes() == two.tobytes():
        return None
    differing = np.argwhere(one != two)
    if not len(differing):
        return f"{where} differs in its bytes alone (-0.0 or NaN)"
    at = tuple(differing[0].tolist())
    place = ", ".join(str(i) for i in at)
    return f"{where}[{place}] is {one[at]} in one and {two[at]} in the other"


def list_arrays(value: Any, where: str = "") -> list[tuple[str, Any]]:
    """Every array in a returned value, and where it stands."""
    if isinstance(value, np.ndarray):
        return [(where, value)]
    if isinstance(value, Mapping):
        return [
            found
            for k, part in value.items()
            for found in list_arrays(part, f"{where}[{k!r}]" if where else k)
        ]
    if isinstance(value, list | tuple):
        return [found for i, part in enumerate(value) for found in list_arrays(part, f"{where}[{i}]")]
    return []
