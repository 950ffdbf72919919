"""The environments as other learning libraries want them; each imports its own library."""
