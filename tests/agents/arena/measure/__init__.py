"""Ratings, intervals and standings."""
