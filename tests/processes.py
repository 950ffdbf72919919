"""Fresh Python processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run_python(*arguments: str, cwd: Path = ROOT, **environment: str) -> str:
    """What another Python process prints; warnings are errors there too.

    It inherits the folder of the machine code, and no other setting of numba or of hashing.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON"))}
    if "NUMBA_CACHE_DIR" in os.environ:
        kept["NUMBA_CACHE_DIR"] = os.environ["NUMBA_CACHE_DIR"]
    command = [sys.executable, "-W", "error", *arguments]
    settings = kept | environment
    done = subprocess.run(command, cwd=cwd, env=settings, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout
