"""The arena: matches between bots, what is measured in them, and what is published."""
