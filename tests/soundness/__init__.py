"""States that come from outside."""
