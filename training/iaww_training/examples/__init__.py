"""Scripts to begin from: each runs as it stands and is short enough to be read in one go."""
