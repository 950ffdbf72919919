"""How bots are named and found, and what they are shown."""
