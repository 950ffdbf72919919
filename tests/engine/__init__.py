"""The engine's promises: same bytes, sound rows, sound machine code, and the same rules as the reference."""
