"""What happened in games: traced, put into tables, and shown."""
