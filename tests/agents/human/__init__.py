"""A person at the terminal: numbers, what may be typed, what is told."""
