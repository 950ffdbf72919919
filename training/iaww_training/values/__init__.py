"""A value of the positions behind decisions: games that show them, and learning it."""
