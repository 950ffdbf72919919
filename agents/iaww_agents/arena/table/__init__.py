"""A person at a table with bots: what is the same at the terminal and in the browser."""
