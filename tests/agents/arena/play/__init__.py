"""Schedules, tournaments, and bots that misbehave in them."""
