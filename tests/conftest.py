"""How hypothesis runs: without deadlines, and the same examples each time where CI is set."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("developer", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "developer")
