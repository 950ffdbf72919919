"""Scripts that train and evaluate policies for the game; so far, the tuning of the heuristic."""
