"""Games at a terminal: played by scripted input, watched, and written down."""
