"""The learnt value of `ppo`, played one decision ahead."""
