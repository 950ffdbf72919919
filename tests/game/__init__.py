"""What a user names first: configurations, cards, actions, games, batches, rollouts."""
