"""Search over sampled worlds, with the heuristic as its playouts."""
