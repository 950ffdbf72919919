"""The command line `iaww`, also `python -m iaww_env.cli`."""
