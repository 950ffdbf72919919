"""The drawing of a game, and the page that replays one."""
