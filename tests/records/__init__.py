"""Records of games: written, read, replayed, verified, refused."""
