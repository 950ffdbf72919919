"""The bot that looks ahead with a network."""
