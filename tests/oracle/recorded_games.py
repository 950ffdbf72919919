"""The recorded games: where they lie, and the one that is quickest to verify."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_name("recorded_games.jsonl.gz")
LINES = gzip.decompress(RECORDED.read_bytes()).decode().splitlines()
SHORT = json.loads(min(LINES, key=len))


def copy_short() -> dict[str, Any]:
    """A copy of the short record that a test may change."""
    return copy.deepcopy(SHORT)
