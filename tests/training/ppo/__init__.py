"""PPO by self-play with Stable-Baselines3."""
