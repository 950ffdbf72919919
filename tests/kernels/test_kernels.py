"""Kernels: compiled for one signature each, and every index within its bounds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import iaww_env
from tests.kernels.every_kernel import list_kernels, read_cell
from tests.processes import run_python

PACKAGE = Path(iaww_env.__file__).parent

LEFT_OUT = "iaww_env.engine.kernels.learner"  # its bots and opponents have tests of their own


# --- One signature for each kernel -----------------------------------------------------------------


def read_kernel_names() -> set[str]:
    """What the sources mark with @kernel."""
    names = set()
    for path in (PACKAGE / "engine").rglob("*.py"):
        marked = re.findall(r"^@kernel\n(?:@.*\n)*def (\w+)", path.read_text(), re.MULTILINE)
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        names |= {f"{module}.{name}" for name in marked}
    return names


def test_every_kernel_is_found() -> None:
    assert set(list_kernels()) == read_kernel_names()
    assert len(read_kernel_names()) >= 10


def test_one_signature_for_each_kernel() -> None:
    """After every mode was played in every way: a second one would be compiled again, for seconds, unseen."""
    counts = json.loads(run_python("-m", "tests.kernels.every_kernel", "signatures"))
    assert set(counts) == read_kernel_names()
    assert {name: count for name, count in counts.items() if count > 1} == {}
    unused = {name for name, count in counts.items() if count == 0}
    assert {name.rpartition(".")[0] for name in unused} <= {LEFT_OUT}, "use them in every_kernel"


# --- Bounds ----------------------------------------------------------------------------------------


@pytest.mark.slow  # about 100 CPU seconds
def test_no_index_is_out_of_bounds(tmp_path: Path) -> None:
    """Every mode with bounds checked; all is compiled anew in an empty folder.

    So it is also seen here that each rule is translated for one signature: every further one would make the
    first game of every user wait.
    """
    settings = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    noticed = json.loads(run_python("-m", "tests.kernels.every_kernel", "bounds", **settings))
    assert noticed == {"read_cell": True, "list_actions": True, "score_row": True}
    compiled_here = {re.sub(r"-.*", "", path.name) for path in tmp_path.rglob("*.nbc")}
    expected = {name for name in read_kernel_names() if not name.startswith(LEFT_OUT)}
    assert {".".join(name.split(".")[-2:]) for name in expected} <= compiled_here


def test_bounds_are_not_checked_otherwise() -> None:
    """So the run above is the one that checks them, and not every run."""
    cells = np.arange(100, dtype=np.int16)
    assert read_cell(cells[:10], 50) == 50
