"""Runs the command line: `python -m iaww_env.cli`."""

import sys

from iaww_env.cli.app import main

sys.exit(main())
