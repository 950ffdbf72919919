"""Environments with one learner."""
