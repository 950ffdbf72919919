"""The bot that plays a learnt value."""
