"""PPO by self-play: what `iaww train` runs."""
