"""Positions that are compared, and learning from them."""
