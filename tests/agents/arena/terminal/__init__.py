"""Games at a terminal: played by scripted input, and watched."""
