"""Tests of the engine's promises: same bytes, sound caches, sound rows; `play` has the games they share."""
