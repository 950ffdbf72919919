"""Where the tables of training stand, and what is written below each."""

from __future__ import annotations

import datetime
from pathlib import Path

from iaww_env.publish import describe_machine

GUIDE = Path(__file__).resolve().parents[1] / "README.md"


def sign_table(command: str) -> str:
    """How and when a table was made, and where."""
    return f"`{command}`, {datetime.date.today()}, {describe_machine()}."
