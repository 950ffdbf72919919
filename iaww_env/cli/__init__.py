"""The command line `iaww`."""
