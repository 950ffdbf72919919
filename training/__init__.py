"""Scripts that train and evaluate policies for It's a Wonderful World; so far, the tuning of the heuristic."""
