"""Learning from games: trainers, imitation, evaluation, and the scripts behind the published numbers."""
