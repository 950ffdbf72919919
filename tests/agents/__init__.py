"""Bots: greedy and random ones, honesty, and below them the heuristic, the search and the arena."""
