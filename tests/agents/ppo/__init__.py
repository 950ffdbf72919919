"""The bot that plays networks trained by self-play."""
