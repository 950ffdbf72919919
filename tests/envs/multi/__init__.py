"""Environments in which every seat is an agent."""
