"""Values of positions: what is seen, how they are learnt, how far they can be trusted."""
