"""The heuristic and its projections."""
