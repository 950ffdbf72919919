"""What a person at a table is told, may take back, and has saved."""
