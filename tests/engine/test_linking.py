"""Rules are translated once, whoever calls them and with whatever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from iaww_env.engine.jit import called, compile_into, inlined

Cells = npt.NDArray[np.int16]


@inlined
def read(cells: Cells, at: int) -> int:
    return int(cells[at])


@called
def add_cells(cells: Cells, first: int, second: int) -> int:
    # `read` is called before and behind a rule that calls it too: the order of linking matters.
    return read(cells, first) + read_twice(cells, second) + read(cells, 0)


@inlined
def read_twice(cells: Cells, at: int) -> int:
    return 2 * read(cells, at)


def add_many(cells: Cells, at: int) -> int:
    narrow = cells[at]
    return add_cells(cells, 0, 1) + add_cells(cells, at, narrow) + add_cells(cells, narrow, 2)


def expect(cells: Cells, at: int) -> int:
    numbers = [int(cell) for cell in cells]
    pairs = [(0, 1), (at, numbers[at]), (numbers[at], 2)]
    return sum(numbers[first] + 2 * numbers[second] + numbers[0] for first, second in pairs)


def list_signatures(rule: Any) -> list[Any]:
    return list(rule.signatures)


def test_a_rule_is_translated_for_one_signature(tmp_path: Path) -> None:
    """Called with literals, with a cell of 16 bits and with whole numbers."""
    cells = np.array([5, 3, 4, 1, 2, 0], np.int16)
    kernel: Any = compile_into(tmp_path / "kernels")(add_many)
    assert kernel(cells, 3) == expect(cells, 3)
    for rule in (read, read_twice, add_cells):
        assert len(list_signatures(rule)) == 1
    again: Any = compile_into(tmp_path / "kernels")(add_many)
    assert again(cells, 3) == expect(cells, 3)
    assert sum(again.stats.cache_hits.values()) == 1


def test_a_rule_can_be_called_from_python_and_from_functions_of_others() -> None:
    cells = np.array([5, 3, 4, 1, 2, 0], np.int16)
    assert add_cells(cells, 0, 1) == 5 + 2 * 3 + 5
    assert numba.njit(add_many)(cells, 3) == expect(cells, 3)
