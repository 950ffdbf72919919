"""Tests of what an evaluation measures."""
