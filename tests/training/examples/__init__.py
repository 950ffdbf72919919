"""Scripts that learn."""
