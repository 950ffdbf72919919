"""How strong bots are: intervals, ratings, and the scripts behind the published tables."""
