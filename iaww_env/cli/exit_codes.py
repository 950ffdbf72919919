"""What the program answers with: 0 where all is well, and these."""

from __future__ import annotations

import sys

DIFFERENCE = 1  # a record says something else than the rules give
REFUSED = 2  # what was asked for cannot be done; one line says why
INTERRUPTED = 130


def complain(message: str, code: int = REFUSED, name: str = "iaww") -> int:
    """Say on the error stream, in one line, what is wrong; returns the exit code."""
    print(f"{name}: {' '.join(message.split())}", file=sys.stderr)
    return code
