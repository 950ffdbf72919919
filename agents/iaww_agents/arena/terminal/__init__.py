"""Games at a terminal: a person plays or watches, and the game is written down."""
