"""Writes SPEC.md: `python -m iaww_env.spec`."""

import sys

from iaww_env.spec.tables import main

main(sys.argv[1:])
