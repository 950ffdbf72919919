"""Games between bots: who meets whom, on which deals, in which processes, and how each game ended."""
