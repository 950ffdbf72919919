"""Results as tables, pictures and sentences."""
